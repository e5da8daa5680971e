#include "core/interchange/python/apis/older/contrib_functions.h"

#include "core/interchange/python/apis/data/data_methods.h"
#include "core/interchange/python/draft/layers.h"
#include "core/text/text_case.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>

namespace core {

namespace {

/// A function of tf.contrib.layers: the class of Keras and what its arguments are called there, in their
/// order; null: they say nothing. Source: the signatures in TensorFlow's documentation.
struct ContribLayer {
    struct Argument {
        const char* name = nullptr;
        const char* keras = nullptr;
    };
    const char* name;
    const char* className;
    std::array<Argument, 8> arguments;
    /// It ends with relu where nobody says otherwise, and may be normalized before that.
    bool isActivated = false;
    const char* padding = nullptr;
};
constexpr ContribLayer::Argument units{"num_outputs", "units"};
constexpr ContribLayer::Argument filters{"num_outputs", "filters"};
constexpr ContribLayer::Argument kernel{"kernel_size", "kernel_size"};
constexpr ContribLayer::Argument stride{"stride", "strides"};
constexpr ContribLayer::Argument paddingOfWindow{"padding", "padding"};
constexpr ContribLayer::Argument channels{"data_format", nullptr};
constexpr std::array<ContribLayer, 11> layers{
    {{"fully_connected", "Dense", {{units}}, true},
     {"linear", "Dense", {{units}}, false},
     {"relu", "Dense", {{units}}, true},
     {"conv2d",
      "Conv2D",
      {{filters, kernel, stride, paddingOfWindow, channels, {"rate", "dilation_rate"}}},
      true,
      "same"},
     {"convolution2d",
      "Conv2D",
      {{filters, kernel, stride, paddingOfWindow, channels, {"rate", "dilation_rate"}}},
      true,
      "same"},
     {"conv2d_transpose", "Conv2DTranspose", {{filters, kernel, stride, paddingOfWindow}}, true, "same"},
     {"max_pool2d",
      "MaxPooling2D",
      {{{"kernel_size", "pool_size"}, stride, paddingOfWindow}},
      false,
      "valid"},
     {"avg_pool2d",
      "AveragePooling2D",
      {{{"kernel_size", "pool_size"}, stride, paddingOfWindow}},
      false,
      "valid"},
     {"flatten", "Flatten", {}},
     {"batch_norm",
      "BatchNormalization",
      {{{"decay", "momentum"}, {"center", "center"}, {"scale", "scale"}, {"epsilon", "epsilon"}}}},
     {"layer_norm", "LayerNormalization", {{{"center", "center"}, {"scale", "scale"}}}}}};

PythonValue callContribLayer(const PythonApiCall& call, const ContribLayer& known) {
    const PythonValue* inputs = call.arguments.find("inputs", 0);
    if (inputs == nullptr || !inputs->is<PythonTensor>())
        return samplesOfArguments(call.arguments);
    PythonArguments own{{}, {}, call.place()};
    std::size_t position = 1;
    for (const ContribLayer::Argument& argument : known.arguments) {
        const PythonValue* given =
            argument.name == nullptr ? nullptr : call.arguments.given(argument.name, position++);
        if (given == nullptr || argument.keras == nullptr)
            continue;
        if (given->isText()) { // padding="SAME"
            own.keywords.emplace_back(argument.keras,
                                      pythonText(lowerCase(given->constant().get<std::string>())));
        } else {
            own.keywords.emplace_back(argument.keras, *given);
        }
    }
    const auto add = [&](const char* name, const char* keras) {
        if (const PythonValue* given = call.arguments.keyword(name))
            own.keywords.emplace_back(keras, *given);
    };
    const bool hasKernel = known.isActivated || known.name == std::string_view("linear");
    if (known.padding != nullptr && own.keyword("padding") == nullptr)
        own.keywords.emplace_back("padding", pythonText(known.padding));
    if (known.padding != nullptr && known.padding == std::string_view("valid") &&
        own.keyword("strides") == nullptr)
        own.keywords.emplace_back("strides", pythonConstant(2)); // pooling's default
    if (known.name == std::string_view("batch_norm")) {
        if (own.keyword("momentum") == nullptr)
            own.keywords.emplace_back("momentum", pythonConstant(0.999)); // NOLINT: the function's default
        if (own.keyword("scale") == nullptr)
            own.keywords.emplace_back("scale", pythonConstant(false));
    }
    const PythonValue* normalizer = call.arguments.keyword("normalizer_fn");
    const bool isNormalized = hasKernel && normalizer != nullptr && !normalizer->isNone();
    if (hasKernel) {
        add("weights_initializer", "kernel_initializer");
        add("weights_regularizer", "kernel_regularizer");
        const PythonValue* bias = call.arguments.keyword("biases_initializer");
        if (isNormalized || (bias != nullptr && bias->isNone()))
            own.keywords.emplace_back("use_bias", pythonConstant(false));
        else if (bias != nullptr)
            own.keywords.emplace_back("bias_initializer", *bias);
    }
    const PythonValue* scope = call.arguments.keyword("scope");
    if (scope != nullptr && scope->isText() && !call.builder.isUsed(scope->constant().get<std::string>()))
        own.keywords.emplace_back("name", *scope);
    const PythonValue* activation = call.arguments.keyword("activation_fn");
    const PythonValue rectified = PythonLibraryName{"tf.nn.relu"};
    if (activation == nullptr && known.isActivated)
        activation = &rectified;
    const bool isActivated = activation != nullptr && !activation->isNone();
    const bool isOfLayer = isActivated && !isNormalized && hasKernel && activation->is<PythonLibraryName>();
    if (isOfLayer)
        own.keywords.emplace_back("activation", *activation);
    PythonArguments tensors{{*inputs}, {}, call.place()};
    PythonValue result = callLayer(call.builder, makeLayer(call.builder, known.className, own), tensors);
    if (isNormalized) {
        PythonArguments one{{result}, {}, call.place()};
        if (const PythonValue* further = call.arguments.keyword("normalizer_params"))
            if (const auto* entries = further->as<PythonDictionary>())
                for (const auto& [key, value] : *entries->entries)
                    one.keywords.emplace_back(call.interpreter.text(key, call.place()), value);
        result = call.interpreter.call(*normalizer, one);
    }
    if (isActivated && !isOfLayer) {
        PythonArguments one{{result}, {}, call.place()};
        result = call.interpreter.call(*activation, one);
    }
    return result;
}

/// tf.contrib.layers.l2_regularizer(scale): Keras' loss is scale * sum, this one's is half of it.
PythonValue regularizer(const PythonApiCall& call) {
    const PythonValue* scale = call.arguments.find("scale", 0);
    const bool isSquare = call.name() == "l2_regularizer";
    if (scale == nullptr || !scale->isNumber())
        return PythonData();
    const double factor =
        scale->constant().get<double>() * (isSquare ? 0.5 : 1); // NOLINT: the half of tf.nn.l2_loss
    return PythonConfigured{
        {{"class_name", isSquare ? "L2" : "L1"}, {"config", {{isSquare ? "l2" : "l1", factor}}}},
        "keras.regularizers." + std::string(isSquare ? "L2" : "L1")};
}

constexpr const char* parametersClass = "tf.contrib.training.HParams";

/// HParams(batch=8): an object with these attributes.
PythonValue makeParameters(const PythonApiCall& call) {
    PythonLibraryObject made = pythonObject(parametersClass);
    for (const auto& [name, value] : call.arguments.keywords)
        (*made.attributes)[name] = value;
    return made;
}

PythonValue parametersOfProgram(const PythonApiCall& call) {
    std::vector<std::pair<PythonValue, PythonValue>> entries;
    for (const auto& [name, value] : *call.arguments.list.at(0).as<PythonLibraryObject>()->attributes)
        entries.emplace_back(pythonText(name), value);
    return pythonDictionary(std::move(entries));
}

PythonValue setParameter(const PythonApiCall& call) {
    const PythonValue* name = call.arguments.find("name", 1);
    const PythonValue* value = call.arguments.find("value", 2);
    if (name != nullptr && name->isText() && value != nullptr)
        (*call.arguments.list[0].as<PythonLibraryObject>()->attributes)[name->constant().get<std::string>()] =
            *value;
    return {};
}

PythonValue getParameter(const PythonApiCall& call) {
    const auto& attributes = *call.arguments.list.at(0).as<PythonLibraryObject>()->attributes;
    const PythonValue* name = call.arguments.find("key", 1);
    const PythonValue* byDefault = call.arguments.find("default", 2);
    const auto found = name != nullptr && name->isText()
                           ? attributes.find(name->constant().get<std::string>())
                           : attributes.end();
    if (found != attributes.end())
        return found->second;
    return byDefault == nullptr ? PythonValue() : *byDefault;
}

} // namespace

std::vector<PythonApiName> contribNames() {
    std::vector<PythonApiName> names;
    for (const ContribLayer& known : layers)
        names.push_back(readName(std::string("tf.contrib.layers.") + known.name,
                                 [&known](const auto& call) { return callContribLayer(call, known); }));
    names.push_back(readName("tf.contrib.layers.l2_regularizer", regularizer));
    names.push_back(readName("tf.contrib.layers.l1_regularizer", regularizer));
    const std::string parameters(parametersClass);
    names.push_back(readName(parameters, makeParameters));
    names.push_back(readName(parameters + ".values", parametersOfProgram));
    names.push_back(readName(parameters + ".set_hparam", setParameter));
    names.push_back(readName(parameters + ".add_hparam", setParameter));
    names.push_back(readName(parameters + ".get", getParameter));
    names.push_back(hostName(parameters + ".*"));
    return names;
}

} // namespace core
