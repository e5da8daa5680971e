#include "core/interchange/python/writer/layers/formula_text.h"

#include "core/catalogue/functions.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <utility>

namespace core {

namespace {

/// Functions that are not in tf.math by the name that the function catalogue has for it.
constexpr std::array<std::pair<std::string_view, std::string_view>, 17> formulaFunctions{{
    {"identity", "tf.identity"},
    {"negate", "tf.math.negative"},
    {"inverse", "tf.math.reciprocal"},
    {"relu", "tf.nn.relu"},
    {"relu6", "tf.nn.relu6"},
    {"elu", "tf.nn.elu"},
    {"selu", "tf.nn.selu"},
    {"sigmoid", "tf.math.sigmoid"},
    {"hard_sigmoid", "ipu.nn_ops.hard_sigmoid"},
    {"tanh", "tf.math.tanh"},
    {"softplus", "tf.math.softplus"},
    {"softsign", "tf.nn.softsign"},
    {"swish", "ipu.nn_ops.swish"},
    {"gelu", "ipu.nn_ops.gelu"},
    {"power", "tf.math.pow"},
    {"modulo", "tf.math.floormod"},
    {"remainder", "tf.truncatemod"},
}};

std::string functionText(std::string_view name) {
    const auto known =
        std::ranges::find(formulaFunctions, name, &std::pair<std::string_view, std::string_view>::first);
    if (known != formulaFunctions.end())
        return std::string(known->second);
    static constexpr auto unary = unaryDefinitions();
    static constexpr auto binary = binaryDefinitions();
    std::string_view calls;
    if (const UnaryDefinition* called = unaryCalled(name))
        calls = called->calls;
    else if (const auto row = std::ranges::find(unary, name, &UnaryDefinition::key); row != unary.end())
        calls = row->calls;
    else if (const BinaryCall both = binaryCalled(name); both.definition != nullptr && !both.isSwapped)
        calls = both.definition->calls;
    else if (const auto two = std::ranges::find(binary, name, &BinaryDefinition::key); two != binary.end())
        calls = two->calls;
    return calls.empty() ? std::string() : "tf.math." + std::string(firstCall(calls));
}

} // namespace

std::optional<PythonFormula> pythonFormula(std::string_view expression) {
    PythonFormula formula;
    const auto isLetter = [](char c) {
        return (std::isalnum(static_cast<unsigned char>(c)) != 0) || c == '_';
    };
    for (std::size_t i = 0; i < expression.size();) {
        const char c = expression[i];
        const bool isNumber = (std::isdigit(static_cast<unsigned char>(c)) != 0) || c == '.';
        std::size_t end = i + 1;
        while (end < expression.size() && (isLetter(c) || isNumber) &&
               (isLetter(expression[end]) || (isNumber && expression[end] == '.')))
            ++end;
        const std::string_view token = expression.substr(i, end - i);
        std::size_t next = end;
        while (next < expression.size() && expression[next] == ' ')
            ++next;
        const bool isCalled = isLetter(c) && !isNumber && next < expression.size() && expression[next] == '(';
        if (isCalled) {
            const std::string function = functionText(token);
            if (function.empty())
                return std::nullopt;
            formula.text += function;
            formula.callsFunctions = true;
        } else if (c == '^') {
            formula.text += "**";
        } else {
            formula.text += token;
        }
        i = end;
    }
    return formula;
}

} // namespace core
