#include "core/interchange/python/writer/layers/keras_objects.h"

#include "core/interchange/python/writer/layers/library_classes.h"
#include "core/interchange/python/writer/text/python_text.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <vector>

namespace core {

namespace {

/// The names that both editions of tf.keras.activations have.
constexpr std::string_view commonActivations =
    "elu exponential hard_sigmoid linear relu selu sigmoid softmax softplus softsign tanh";
constexpr std::string_view newerActivations = "gelu swish";

struct NamedFunction {
    std::string_view name;
    const char* text;
};
constexpr std::array activationFunctions = {
    NamedFunction{"abs", "tf.abs"},
    NamedFunction{"absolute", "tf.abs"},
    NamedFunction{"celu", "lambda x: tf.nn.relu(x) + tf.nn.elu(tf.minimum(x, 0))"},
    NamedFunction{"exp", "tf.exp"},
    NamedFunction{"gelu", "lambda x: ipu.nn_ops.gelu(x, approximate=False)"},
    NamedFunction{"gelu_new", "ipu.nn_ops.gelu"},
    NamedFunction{"gelu_tanh", "ipu.nn_ops.gelu"},
    NamedFunction{"hard_silu", "lambda x: x * tf.nn.relu6(x + 3) / 6"},
    NamedFunction{"hard_swish", "lambda x: x * tf.nn.relu6(x + 3) / 6"},
    NamedFunction{"hard_tanh", "lambda x: tf.clip_by_value(x, -1, 1)"},
    NamedFunction{"leaky_relu", "tf.nn.leaky_relu"},
    NamedFunction{"log_sigmoid", "tf.math.log_sigmoid"},
    NamedFunction{"log_softmax", "tf.nn.log_softmax"},
    NamedFunction{"mish", "lambda x: x * tf.tanh(tf.math.softplus(x))"},
    NamedFunction{"relu6", "tf.nn.relu6"},
    NamedFunction{"silu", "ipu.nn_ops.swish"},
    NamedFunction{"sin", "tf.sin"},
    NamedFunction{"sine", "tf.sin"},
    NamedFunction{"square", "tf.square"},
    NamedFunction{"swish", "ipu.nn_ops.swish"},
    NamedFunction{"tanh_shrink", "lambda x: x - tf.tanh(x)"},
};

/// Classes of tf.keras.initializers, and the functions that 2.1 has in the place of some of them.
constexpr std::string_view initializers =
    "Constant GlorotNormal GlorotUniform Identity Ones Orthogonal RandomNormal RandomUniform TruncatedNormal "
    "VarianceScaling Zeros";
constexpr std::array functionsOf21 = {
    NamedFunction{"HeNormal", "he_normal"},
    NamedFunction{"HeUniform", "he_uniform"},
    NamedFunction{"LecunNormal", "lecun_normal"},
    NamedFunction{"LecunUniform", "lecun_uniform"},
};

bool isKerasObject(const Json& value) {
    return value.is_object() && value.contains("class_name") && value["class_name"].is_string() &&
           value.contains("config") && value["config"].is_object();
}

std::string callText(std::string_view callee, const Json& config) {
    std::vector<std::string> arguments;
    for (const auto& [key, value] : config.items())
        arguments.push_back(key + "=" + pythonLiteral(value));
    return fmt::format("{}({})", callee, fmt::join(arguments, ", "));
}

} // namespace

const char* functionOfActivation(std::string_view activation, PythonApi api) {
    if (hasWord(commonActivations, activation) ||
        (api == PythonApi::TensorFlow24 && hasWord(newerActivations, activation)))
        return "";
    const auto found = std::ranges::find(activationFunctions, activation, &NamedFunction::name);
    return found == activationFunctions.end() ? nullptr : found->text;
}

std::string initializerText(const Json& value, PythonApi api) {
    if (!isKerasObject(value))
        return pythonLiteral(value);
    const auto& className = value["class_name"].get_ref<const std::string&>();
    const auto function = std::ranges::find(functionsOf21, className, &NamedFunction::name);
    const bool isNamed = std::ranges::all_of(value["config"].items(),
                                             [](const auto& entry) { return isPythonName(entry.key()); });
    if (!isNamed || (function == functionsOf21.end() && !hasWord(initializers, className)))
        return pythonLiteral(value);
    const bool isFunction = function != functionsOf21.end() && api == PythonApi::TensorFlow21;
    return callText("tf.keras.initializers." + (isFunction ? function->text : className), value["config"]);
}

std::string regularizerText(const Json& value) {
    if (!isKerasObject(value))
        return pythonLiteral(value);
    const auto& className = value["class_name"].get_ref<const std::string&>();
    const Json& config = value["config"];
    for (const auto& [name, key] : {std::pair{"L1", "l1"}, std::pair{"L2", "l2"}})
        if (className == name && config.size() == 1 && config.contains(key))
            return fmt::format("tf.keras.regularizers.{}({})", key, pythonLiteral(config[key]));
    return className == "L1L2" ? callText("tf.keras.regularizers.L1L2", config) : pythonLiteral(value);
}

} // namespace core
