#include "core/interchange/python/writer/call_text.h"

#include "core/catalogue/functions.h"
#include "core/interchange/python/writer/layers/layer_writer.h"
#include "core/model/layer_naming.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <utility>

namespace core {

namespace {

bool isTensor(const Json& value) {
    return value.is_object() && value.size() == 1 && value.contains("$input");
}

std::size_t countTensors(const Json& value) {
    if (value.is_object() && value.contains("$input"))
        return 1;
    std::size_t count = 0;
    if (value.is_structured())
        for (const Json& entry : value)
            count += countTensors(entry);
    return count;
}

/// JSON of an argument with its tensors as variables.
std::string argumentText(const LayerInvocation& call, const PythonVariables& variables, const Json& value) {
    if (isTensor(value)) {
        const auto at = value["$input"].get<std::size_t>();
        return at < call.inputs.size() ? variables(call.inputs[at]) : "None";
    }
    if (value.is_object() && value.size() == 1 && value.contains("$constant"))
        return pythonLiteral(value["$constant"]);
    if (!value.is_array())
        return pythonLiteral(value);
    std::vector<std::string> list;
    for (const Json& entry : value)
        list.push_back(argumentText(call, variables, entry));
    return fmt::format("[{}]", fmt::join(list, ", "));
}

using Names = std::pair<std::string_view, std::string_view>;
constexpr std::array<Names, 6> operators{
    {{"add", "+"}, {"sub", "-"}, {"mul", "*"}, {"truediv", "/"}, {"pow", "**"}, {"matmul", "@"}}};
/// Operators of Python that are written as the functions they are.
constexpr std::array<Names, 11> operatorFunctions{{{"floordiv", "tf.math.floordiv"},
                                                   {"mod", "tf.math.floormod"},
                                                   {"lt", "tf.math.less"},
                                                   {"le", "tf.math.less_equal"},
                                                   {"gt", "tf.math.greater"},
                                                   {"ge", "tf.math.greater_equal"},
                                                   {"eq", "tf.math.equal"},
                                                   {"ne", "tf.math.not_equal"},
                                                   {"neg", "tf.math.negative"},
                                                   {"abs", "tf.math.abs"},
                                                   {"invert", "tf.math.logical_not"}}};
/// Operations of Keras 3 and the functions of TensorFlow with the same arguments.
constexpr std::array<Names, 18> operations{{{"Matmul", "tf.linalg.matmul"},
                                            {"Reshape", "tf.reshape"},
                                            {"Transpose", "tf.transpose"},
                                            {"ExpandDims", "tf.expand_dims"},
                                            {"Squeeze", "tf.squeeze"},
                                            {"Cast", "tf.cast"},
                                            {"Concatenate", "tf.concat"},
                                            {"Stack", "tf.stack"},
                                            {"BroadcastTo", "tf.broadcast_to"},
                                            {"Softmax", "tf.nn.softmax"},
                                            {"Relu", "tf.nn.relu"},
                                            {"Sigmoid", "tf.math.sigmoid"},
                                            {"Tanh", "tf.math.tanh"},
                                            {"Mean", "tf.reduce_mean"},
                                            {"Sum", "tf.reduce_sum"},
                                            {"Max", "tf.reduce_max"},
                                            {"Min", "tf.reduce_min"},
                                            {"Prod", "tf.reduce_prod"}}};

template <std::size_t Size>
std::string_view secondOf(const std::array<Names, Size>& names, std::string_view first) {
    const auto found = std::ranges::find(names, first, &Names::first);
    return found == names.end() ? std::string_view() : found->second;
}

/// One entry between brackets.
std::string indexText(const Json& entry) {
    if (entry.is_object() && entry.value("class_name", "") == "__ellipsis__")
        return "...";
    if (!entry.is_object() || !(entry.contains("start") || entry.contains("stop")))
        return pythonLiteral(entry);
    const auto bound = [&](const char* key) {
        return entry.contains(key) && !entry[key].is_null() ? pythonLiteral(entry[key]) : std::string();
    };
    const std::string step = bound("step");
    return fmt::format("{}:{}{}{}", bound("start"), bound("stop"), step.empty() ? "" : ":", step);
}

std::optional<std::string> sliceText(const LayerInvocation& call, const PythonVariables& variables) {
    const Json* slices = call.arguments.contains("slice_spec") ? &call.arguments["slice_spec"] : nullptr;
    if (slices == nullptr && call.arguments.contains("$args") && call.arguments["$args"].size() == 2)
        slices = &call.arguments["$args"][1];
    if (slices == nullptr || call.inputs.size() != 1 || countTensors(*slices) > 0)
        return std::nullopt;
    std::vector<std::string> list;
    if (!slices->is_array())
        return fmt::format("{}[{}]", variables(call.inputs[0]), indexText(*slices));
    for (const Json& entry : *slices)
        list.push_back(indexText(entry));
    return fmt::format("{}[{}]", variables(call.inputs[0]), fmt::join(list, ", "));
}

/// Both operands of an operator.
std::optional<std::pair<std::string, std::string>> operandsOf(const LayerInvocation& call,
                                                              const PythonVariables& variables) {
    if (call.arguments.contains("$args")) {
        const Json& args = call.arguments["$args"];
        if (args.size() == 2)
            return std::pair{argumentText(call, variables, args[0]), argumentText(call, variables, args[1])};
        return std::nullopt;
    }
    for (const char* name : {"y", "b"})
        if (call.arguments.contains(name) && !call.inputs.empty())
            return std::pair{variables(call.inputs[0]), argumentText(call, variables, call.arguments[name])};
    if (call.inputs.size() == 2)
        return std::pair{variables(call.inputs[0]), variables(call.inputs[1])};
    return std::nullopt;
}

/// The function of TensorFlow behind the name that a layer has for it; empty: an operator, or none.
std::string functionOf(const Layer& layer, const std::string& name) {
    if (layer.className != "Operation") {
        constexpr std::string_view prefix = "__operators__.";
        return name.starts_with(prefix)
                   ? std::string(secondOf(operatorFunctions, std::string_view(name).substr(prefix.size())))
                   : "tf." + name;
    }
    if (const std::string_view known = secondOf(operations, name); !known.empty())
        return std::string(known);
    if (const UnaryDefinition* unary = unaryCalled(snakeCase(name)))
        return "tf.math." + std::string(firstCall(unary->calls));
    const BinaryCall binary = binaryCalled(snakeCase(name));
    return binary.definition == nullptr || binary.isSwapped
               ? std::string()
               : "tf.math." + std::string(firstCall(binary.definition->calls));
}

} // namespace

std::vector<std::string> callArguments(const LayerInvocation& call, const PythonVariables& variables) {
    std::vector<std::string> arguments;
    std::size_t named = 0;
    std::vector<std::string> keywords;
    for (const auto& [key, value] : call.arguments.items()) {
        if (key == "$args" || (key == "name" && value.is_null()))
            continue;
        named += countTensors(value);
        if (isPythonName(key))
            keywords.push_back(key + "=" + argumentText(call, variables, value));
    }
    if (call.arguments.contains("$args")) {
        for (const Json& entry : call.arguments["$args"])
            arguments.push_back(argumentText(call, variables, entry));
    } else {
        std::vector<std::string> list;
        for (std::size_t i = 0; i + named < call.inputs.size(); ++i)
            list.push_back(variables(call.inputs[i]));
        arguments.push_back(list.size() == 1 ? list[0] : fmt::format("[{}]", fmt::join(list, ", ")));
    }
    arguments.insert(arguments.end(), keywords.begin(), keywords.end());
    return arguments;
}

std::vector<std::string> listedArguments(const LayerInvocation& call, const PythonVariables& variables) {
    std::vector<std::string> list;
    std::size_t named = 0;
    for (const Json& value : call.arguments)
        named += countTensors(value);
    for (std::size_t i = 0; i + named < call.inputs.size(); ++i)
        list.push_back(variables(call.inputs[i]));
    for (const char* name : {"value", "key"})
        if (call.arguments.contains(name))
            list.push_back(argumentText(call, variables, call.arguments[name]));
    std::vector<std::string> arguments{fmt::format("[{}]", fmt::join(list, ", "))};
    for (const auto& [key, value] : call.arguments.items())
        if (countTensors(value) == 0 && isPythonName(key))
            arguments.push_back(key + "=" + pythonLiteral(value));
    return arguments;
}

std::optional<std::string> functionCallText(const Layer& layer, const LayerInvocation& call,
                                            const PythonVariables& variables) {
    if (layer.className == "SlicingOpLambda" || layer.className == "GetItem")
        return sliceText(call, variables);
    if ((layer.className != "TFOpLambda" && layer.className != "Operation") ||
        !layer.config.contains("function") || !layer.config["function"].is_string())
        return std::nullopt;
    const auto name = layer.config["function"].get<std::string>();
    if (name == "GetItem" || name.ends_with("getitem"))
        return sliceText(call, variables);
    const std::string last = name.substr(name.rfind('.') + 1);
    const bool isReversed = last.starts_with('r') && name.starts_with("__operators__.");
    const std::string_view plain = secondOf(operators, last);
    const std::string_view reversed =
        isReversed ? secondOf(operators, std::string_view(last).substr(1)) : std::string_view();
    if (name.starts_with("__operators__.") && !(plain.empty() && reversed.empty())) {
        const auto operands = operandsOf(call, variables);
        if (!operands)
            return std::nullopt;
        return plain.empty() ? fmt::format("{} {} {}", operands->second, reversed, operands->first)
                             : fmt::format("{} {} {}", operands->first, plain, operands->second);
    }
    const std::string function = functionOf(layer, name);
    if (function.empty())
        return std::nullopt;
    // tf.gather() takes no such factor.
    if (function == "tf.gather" && call.arguments.contains("serialization_factor")) {
        LayerInvocation lookup = call;
        lookup.arguments["ids"] = call.arguments.value("indices", Json());
        lookup.arguments.erase("indices");
        return fmt::format("ipu.embedding_ops.embedding_lookup({})",
                           fmt::join(callArguments(lookup, variables), ", "));
    }
    return fmt::format("{}({})", function, fmt::join(callArguments(call, variables), ", "));
}

PythonCallText inputCallText(const Layer& layer) {
    std::vector<std::string> arguments;
    for (const auto& [key, value] : layer.config.items()) {
        if ((key == "batch_input_shape" || key == "batch_shape") && value.is_array() && !value.empty()) {
            const Json shape(value.begin() + 1, value.end());
            arguments.push_back("shape=" + pythonLiteral(value.size() == 1 ? Json::array() : shape));
            if (!value[0].is_null())
                arguments.push_back("batch_size=" + pythonLiteral(value[0]));
        } else if ((key == "dtype" || key == "sparse" || key == "ragged") && !value.is_null() &&
                   value != false && value != "float32") {
            arguments.push_back(key + "=" + pythonLiteral(value));
        }
    }
    arguments.push_back("name=" + pythonLiteral(LayerWriter::tensorFlowName(layer.name)));
    return {"tf.keras.Input", std::move(arguments)};
}

} // namespace core
