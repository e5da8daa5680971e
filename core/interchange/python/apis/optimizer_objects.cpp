// Optimizers that classes of the program compute.
#include "core/interchange/python/apis/optimizer_objects.h"

#include "core/catalogue/older_optimizers.h"
#include "core/interchange/python/apis/api_catalogue.h"
#include "core/interchange/python/apis/calls/gradients.h"
#include "core/interchange/python/draft/models.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <utility>

namespace core {

namespace {

constexpr const char* itsOptimizer = "$optimizer";
/// The attribute by which a class of an exported program says what its rule is: keys of the config.
constexpr const char* writtenRule = "workbench_optimizer";

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
    const bool saysRule = made.attribute(writtenRule) != nullptr;
    for (const char* name : rules)
        if (const PythonFunction* function = made.function(name);
            function != nullptr && !(saysRule && std::string_view(name) == "_resource_apply_dense"))
            return function;
    return nullptr;
}

void takeWrittenRule(PythonProgramBuilder& builder, const PythonClass& made, PythonPlace place,
                     Json& optimizer) {
    const PythonValue* rule = made.attribute(writtenRule);
    const Json said = rule == nullptr ? Json() : builder.json(*rule, place);
    if (!said.is_object() || !optimizer.is_object())
        return;
    for (const auto& [key, value] : said.items())
        if (isOlderRule(key))
            optimizer["config"][key] = value;
}

/// What the optimizer's rule is given: a gradient and its variable, which stand for all.
PythonValue anyGradients() {
    PythonData gradient;
    gradient.isGradient = true;
    PythonData weight;
    weight.weights = 1;
    return pythonList({pythonList({gradient, weight}, true)});
}

/// Puts what a class makes of gradients before they are applied into the optimizer; false: it is not read.
bool takeRule(PythonProgramBuilder& builder, PythonInterpreter& interpreter, const PythonInstance& object,
              const std::string& rule, PythonPlace place, Json& optimizer) {
    if (rule != "apply_gradients" && rule != "compute_gradients")
        return false;
    const Json clippingBefore = std::exchange(builder.clipping, Json::object());
    const auto handedBefore = std::exchange(builder.handedGradients, PythonValue());
    PythonValue answer;
    const auto refusal = interpreter.attempt([&] {
        PythonArguments one{
            {rule == "apply_gradients" ? anyGradients() : PythonValue(PythonData())}, {}, place};
        answer = interpreter.callOwn(object, rule, one);
    });
    const PythonValue handed = rule == "compute_gradients" ? answer : *builder.handedGradients;
    builder.handedGradients = handedBefore;
    const PythonData* gradients = gradientsIn(handed);
    bool isRead = !refusal && gradients != nullptr && gradients->factor && !gradients->decaysClipped;
    if (isRead) {
        const PythonData kept = *gradients;
        const bool isClipped = builder.clipping.is_object() && !builder.clipping.empty();
        PythonArguments none{{}, {}, place};
        const std::string path = rule;
        takeGradientOptions({builder, interpreter, path, none}, &kept, optimizer);
        const bool isOfEach = rule == "compute_gradients" || optimizer.contains(pythonOptimizerOptions);
        if (isOfEach)
            optimizer[pythonOptimizerDecaysEach] = true;
        const double divisor = 1 / *kept.factor;
        constexpr double exactly = 1e-9;
        const bool divides = divisor > 1 && std::abs(divisor - std::round(divisor)) < exactly * divisor;
        if (divides && optimizer.is_object()) {
            optimizer[pythonOptimizerDivides] = std::llround(divisor);
            multiplyDecay(optimizer, divisor);
            if (isClipped) // what is clipped is their mean
                multiplyClipping(optimizer, *kept.factor);
        } else {
            isRead = *kept.factor == 1 || multiplyGradients(optimizer, *kept.factor);
        }
    }
    builder.clipping = clippingBefore;
    return isRead;
}

} // namespace

std::optional<PythonValue> askedRule(PythonProgramBuilder& builder, const std::string& name,
                                     const PythonArguments& arguments) {
    if (!builder.handedGradients)
        return std::nullopt;
    if (name == "compute_gradients")
        return anyGradients();
    const PythonValue* given = arguments.find("grads_and_vars", 0);
    if (name != "apply_gradients" || given == nullptr)
        return std::nullopt;
    builder.handedGradients = *given;
    return PythonData();
}

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
    if (!made.is<PythonConfigured>())
        return;
    (*object.attributes)[itsOptimizer] = made;
    if (base.starts_with("ipu.")) // as the wrappers of the extensions call what they wrap
        for (const char* name : {"_opt", "_optimizer"})
            (*object.attributes)[name] = made;
}

PythonValue finishOptimizer(PythonProgramBuilder& builder, PythonInterpreter& interpreter,
                            const PythonInstance& object, PythonPlace place) {
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
    takeWrittenRule(builder, made, place, optimizer.json);
    const PythonFunction* rule = ownRule(made);
    Json ruled = optimizer.json;
    if (rule != nullptr && takeRule(builder, interpreter, object, rule->definition->text, place, ruled))
        optimizer.json = std::move(ruled);
    else if (rule != nullptr)
        builder.warn(rule->definition->place, "python/ignored",
                     fmt::format("what {}() of {} does is left out: the weights are updated by {}",
                                 quotedName(rule->definition->text), quotedName(made.name),
                                 optimizer.json["class_name"].get<std::string>()),
                     {"use an optimizer of tf.keras.optimizers that does the same"});
    return optimizer;
}

} // namespace core
