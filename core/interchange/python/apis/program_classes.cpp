// What libraries make of the program's own classes and decorated functions.
#include "core/interchange/python/apis/program_classes.h"

#include "core/interchange/python/apis/api_catalogue.h"
#include "core/interchange/python/apis/calls/configured_objects.h"
#include "core/interchange/python/draft/layers.h"
#include "core/interchange/python/draft/models.h"
#include "core/interchange/python/draft/tensor_functions.h"

#include <array>
#include <fmt/format.h>

namespace core {

namespace {

/// Functions of a model that a class may override, in the order in which one of them is named.
constexpr std::array<const char*, 7> overridable{"call",
                                                 "train_step",
                                                 "test_step",
                                                 "predict_step",
                                                 "make_train_function",
                                                 "make_test_function",
                                                 "make_predict_function"};

/// Decorators that say how Python runs, not what the model is.
constexpr std::array<const char*, 8> silentDecorators{"tf.function",     "tf.Module.with_name_scope",
                                                      "tf.autograph.**", "functools.**",
                                                      "contextlib.**",   "abc.**",
                                                      "typing.**",       "**.register_keras_serializable"};

/// The attribute by which a class of an exported program says which layer of the catalogue it is.
constexpr const char* writtenClassMark = "workbench_layer";

/// Other attributes of the class are attributes of the layer.
PythonValue makeWrittenLayer(const PythonApiCall& call, const PythonClass& made) {
    for (const auto& [name, value] : *made.attributes)
        if (name != writtenClassMark)
            call.arguments.keywords.emplace_back(name, value);
    return makeLayer(call.builder, made.attribute(writtenClassMark)->constant().get<std::string>(),
                     call.arguments);
}

/// Constraints, initializers and regularizers that a class of the program computes: which ones there are.
void refuseOwnObject(const PythonApiCall& call, const PythonClass& made) {
    struct Family {
        std::string_view module;
        const char* cure;
    };
    constexpr std::array<Family, 3> families{
        {{"constraints.", "take MaxNorm, MinMaxNorm, NonNeg or UnitNorm of tf.keras.constraints, or none"},
         {"initializers.", "take an initializer of tf.keras.initializers, such as Constant of an array"},
         {"regularizers.", "take L1, L2 or L1L2 of tf.keras.regularizers"}}};
    for (const Family& family : families)
        if (call.path.find(family.module) != std::string::npos)
            call.refuse(
                "python/unsupported",
                fmt::format("{} is a class of the program; what it does is not read", quotedName(made.name)),
                {family.cure});
}

} // namespace

bool isWrittenLayer(const PythonClass& made) {
    const PythonValue* mark = made.attribute(writtenClassMark);
    return mark != nullptr && mark->isText();
}

PythonValue constructKerasClass(const PythonApiCall& call, const PythonClass& made) {
    const std::string base = call.name();
    const bool isKeras = call.path.starts_with("keras.");
    if (isWrittenLayer(made))
        return makeWrittenLayer(call, made);
    const bool isModel = isKeras && (base == "Model" || base == "Functional" || base == "Sequential");
    const bool isOptimizer = isKeras && call.path.find("optimizers") != std::string::npos;
    if (isKeras && call.path.find("callbacks") != std::string::npos)
        return makeCallback(call, made.name);
    refuseOwnObject(call, made);
    if ((!isModel && !isOptimizer) || made.function("__init__") != nullptr)
        refuseSubclass(call.builder, made.name, call.place());
    const PythonApiName* row = findPythonName(call.path);
    if (row == nullptr || row->reading != PythonApiName::Reading::Read)
        refuseSubclass(call.builder, made.name, call.place());
    PythonValue value = row->meaning(call);
    if (auto* optimizer = std::get_if<PythonConfigured>(&value.content)) {
        if (const PythonFunction* minimize = made.function("minimize"))
            optimizer->json[pythonOptimizerOverride] = {"minimize", minimize->definition->place.line,
                                                        minimize->definition->place.column,
                                                        minimize->definition->place.file};
        return value;
    }
    for (const char* name : overridable)
        if (const PythonFunction* function = made.function(name)) {
            call.builder.facts.draft.models.back().overridden = {name, function->definition->place};
            break;
        }
    return value;
}

bool decoratorJoins(PythonProgramBuilder& builder, const std::string& function,
                    const PythonDecorator& decorator) {
    if (fitsPattern("ipu.**.nn_ops.multi_conv", decorator.path)) {
        if (decorator.isCall)
            warnOfJoinedOptions(builder, decorator.place);
        return true;
    }
    if (decorator.path.starts_with("functools.singledispatch"))
        builder.refuse(decorator.place, "python/unsupported",
                       fmt::format("{}() is chosen by the type of its argument, which is not followed",
                                   quotedName(function)),
                       {"write one function that asks isinstance()"});
    for (const char* silent : silentDecorators)
        if (fitsPattern(silent, decorator.path))
            return false;
    const bool outlines = decorator.path.ends_with("outlined_function");
    builder.warn(decorator.place, "python/ignored",
                 fmt::format("the decorator of {}() is left out{}", quotedName(function),
                             outlines ? ": blocks of equal layers share their code wherever they are" : ""),
                 {outlines ? "remove it, or keep it for the real system: nothing changes here"
                           : "remove it: the function is followed as it is written"});
    return false;
}

} // namespace core
