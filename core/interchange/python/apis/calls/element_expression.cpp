#include "core/interchange/python/apis/calls/element_expression.h"

#include "core/interchange/python/apis/calls/operation_layers.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>

namespace core {

namespace {

constexpr const char* elementClass = "ipu.custom_ops.element";
constexpr const char* formula = "$formula";

PythonValue element(std::string text) {
    PythonLibraryObject object = pythonObject(elementClass);
    (*object.attributes)[formula] = pythonText(std::move(text));
    return object;
}

bool isElement(const PythonValue& value) {
    const auto* object = value.as<PythonLibraryObject>();
    return object != nullptr && object->className == elementClass;
}

/// The text of an element or a number; nothing for others.
std::optional<std::string> textOf(const PythonValue& value) {
    if (isElement(value))
        return value.as<PythonLibraryObject>()->attributes->at(formula).constant().get<std::string>();
    if (value.isNumber())
        return value.constant().dump();
    return std::nullopt;
}

} // namespace

PythonValue callElementExpression(const PythonApiCall& call) {
    const PythonValue* function =
        call.arguments.list.empty() ? call.arguments.keyword("vertex_expression") : &call.arguments.list[0];
    if (function == nullptr || !function->is<PythonFunction>())
        call.refuse("python/value", "codelet_expression_op() takes a function of the program first",
                    {"write codelet_expression_op(lambda x, y: x * y, a, b)"});
    const PythonValue callee = *function;
    PythonValues tensors;
    if (!call.arguments.list.empty())
        tensors.assign(call.arguments.list.begin() + 1, call.arguments.list.end());
    if (std::ranges::none_of(tensors, [](const PythonValue& one) { return one.is<PythonTensor>(); }))
        return PythonData();
    PythonArguments elements{{}, {}, call.place()};
    for (std::size_t i = 0; i < tensors.size(); ++i)
        elements.list.push_back(element(fmt::format("x{}", i)));
    const auto text = textOf(call.interpreter.call(callee, elements));
    if (!text)
        call.refuse("python/unsupported", "this function is no formula of one element of each tensor",
                    {"use + - * / and functions of tf.math on its arguments"});
    PythonValue made = callNewLayer(call, "ElementwiseExpression", {{"expression", *text}},
                                    listedInputs(std::move(tensors)));
    if (const auto* tensor = made.as<PythonTensor>())
        call.builder.layer(tensor->layer).hasNoGradient = true;
    return made;
}

std::optional<PythonValue> elementOperation(const std::string& operation, const PythonValue& left,
                                            const PythonValue& right) {
    constexpr std::array<std::string_view, 5> known{"+", "-", "*", "/", "**"};
    if ((!isElement(left) && !isElement(right)) || std::ranges::find(known, operation) == known.end())
        return std::nullopt;
    const auto a = textOf(left);
    const auto b = textOf(right);
    return a && b ? std::optional(element(fmt::format("({} {} {})", *a, operation, *b))) : std::nullopt;
}

std::optional<PythonValue> elementFunction(const std::string& function, const PythonArguments& arguments) {
    if (std::ranges::none_of(arguments.list, isElement))
        return std::nullopt;
    std::string text = function + "(";
    for (std::size_t i = 0; i < arguments.list.size(); ++i) {
        const auto one = textOf(arguments.list[i]);
        if (!one)
            return std::nullopt;
        text += (i == 0 ? "" : ", ") + *one;
    }
    return element(text + ")");
}

} // namespace core
