// Optimizers that classes of the program compute.
#include "core/interchange/python/apis/optimizer_objects.h"

#include "core/interchange/python/apis/api_catalogue.h"
#include "core/interchange/python/draft/models.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>

namespace core {

namespace {

constexpr const char* itsOptimizer = "$optimizer";

/// Functions by which a class changes what its base does to weights and gradients.
constexpr std::array<const char*, 9> rules{
    "_resource_apply_dense", "_resource_apply_sparse", "_apply_dense",
    "_apply_sparse",         "apply_gradients",        "compute_gradients",
    "_compute_gradients",    "_transform_gradients",   "update_step"};

bool isOptimizer(const PythonValue& value) {
    const auto* object = value.as<PythonConfigured>();
    return object != nullptr && (object->path.empty() || isOptimizerBase(object->path)) &&
           object->json.contains("class_name");
}

const PythonFunction* ownRule(const PythonClass& made) {
    for (const char* name : rules)
        if (const PythonFunction* function = made.function(name))
            return function;
    return nullptr;
}

} // namespace

bool isOptimizerBase(const std::string& base) {
    const std::string name = lastPart(base);
    return base.find("optimizers.") != std::string::npos
               ? base.find("schedules") == std::string::npos
               : name.ends_with("Optimizer") || name == "OptimizerV2";
}

void beginOptimizer(const PythonApiCall& call, const PythonInstance& object) {
    const std::string& base = object.definition->base;
    const PythonApiName* row = findPythonName(base);
    const bool hasRule = row != nullptr && row->reading == PythonApiName::Reading::Read &&
                         lastPart(base) != "Optimizer" && lastPart(base) != "OptimizerV2";
    if (!hasRule)
        return;
    const PythonValue made = row->meaning({call.builder, call.interpreter, base, call.arguments});
    if (made.is<PythonConfigured>())
        (*object.attributes)[itsOptimizer] = made;
}

PythonValue finishOptimizer(PythonProgramBuilder& builder, const PythonInstance& object, PythonPlace place) {
    const PythonClass& made = *object.definition;
    const auto base = object.attributes->find(itsOptimizer);
    const auto wrapped =
        std::ranges::find_if(*object.attributes, [](const auto& entry) { return isOptimizer(entry.second); });
    const bool isBase = base != object.attributes->end();
    if (!isBase && wrapped == object.attributes->end())
        refuseSubclass(builder, made.name, place);
    PythonConfigured optimizer = *(isBase ? base : wrapped)->second.as<PythonConfigured>();
    if (const PythonFunction* minimize = made.function("minimize"))
        optimizer.json[pythonOptimizerOverride] = {"minimize", minimize->definition->place.line,
                                                   minimize->definition->place.column,
                                                   minimize->definition->place.file};
    if (const PythonFunction* rule = ownRule(made))
        builder.warn(rule->definition->place, "python/ignored",
                     fmt::format("what {}() of {} does is left out: the weights are updated by {}",
                                 quotedName(rule->definition->text), quotedName(made.name),
                                 optimizer.json["class_name"].get<std::string>()),
                     {"use an optimizer of tf.keras.optimizers that does the same"});
    return optimizer;
}

} // namespace core
