#include "core/interchange/sweep/point_condition.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>

namespace core {

namespace {

using ExpressionKind = PythonExpression::Kind;

constexpr std::array<std::string_view, 8> figures{"fits",          "step_cycles",    "samples_per_second",
                                                  "idle_fraction", "peak_bytes",     "peak_fraction",
                                                  "ipus",          "effective_batch"};
constexpr std::array<std::string_view, 14> conditionOperators{"+", "-",  "*", "/",  "//", "%",  "**",
                                                              "<", "<=", ">", ">=", "==", "!=", "and"};

/// "a.b.c" of names and attributes; empty for anything else.
std::string dottedName(const PythonExpression& expression) {
    if (expression.kind == ExpressionKind::Name)
        return expression.text;
    if (expression.kind != ExpressionKind::Attribute)
        return {};
    const std::string owner = dottedName(expression.children.front());
    return owner.empty() ? std::string() : owner + "." + expression.text;
}

/// The first part that a condition cannot have; nothing where there is none.
std::optional<std::string> unreadable(const PythonExpression& expression) {
    if (!dottedName(expression).empty())
        return std::nullopt;
    switch (expression.kind) {
    case ExpressionKind::None:
    case ExpressionKind::Boolean:
    case ExpressionKind::Integer:
    case ExpressionKind::Real:
    case ExpressionKind::Text:
        return std::nullopt;
    case ExpressionKind::Unary:
        if (expression.text == "~")
            return "the operator ~";
        break;
    case ExpressionKind::Binary:
        if (expression.text != "or" &&
            std::ranges::find(conditionOperators, expression.text) == conditionOperators.end())
            return fmt::format("the operator {}", expression.text);
        break;
    case ExpressionKind::Conditional:
        break;
    default:
        return "a call, list or text with braces";
    }
    for (const PythonExpression& child : expression.children) {
        if (auto part = unreadable(child))
            return part;
    }
    return std::nullopt;
}

void collectNames(const PythonExpression& expression, std::vector<std::string>& names) {
    if (std::string name = dottedName(expression); !name.empty()) {
        if (std::ranges::find(names, name) == names.end())
            names.push_back(std::move(name));
        return;
    }
    for (const PythonExpression& child : expression.children)
        collectNames(child, names);
}

bool isTrue(const Json& value) {
    if (value.is_boolean())
        return value.get<bool>();
    if (value.is_number())
        return value.get<double>() != 0;
    return value.is_string() && !value.get_ref<const std::string&>().empty();
}

std::optional<double> numberOf(const Json& value) {
    if (value.is_boolean())
        return value.get<bool>() ? 1.0 : 0.0;
    return value.is_number() ? std::optional(value.get<double>()) : std::nullopt;
}

Json compared(const std::string& sign, auto left, auto right) {
    if (sign == "<")
        return left < right;
    if (sign == "<=")
        return left <= right;
    if (sign == ">")
        return left > right;
    if (sign == ">=")
        return left >= right;
    return sign == "==" ? left == right : left != right;
}

/// Null where the operands are of no use to the operator.
Json combined(const std::string& sign, const Json& left, const Json& right) {
    if (left.is_string() && right.is_string()) {
        const bool isComparison = sign.find_first_of("<>=!") != std::string::npos;
        return isComparison ? compared(sign, left.get<std::string>(), right.get<std::string>()) : Json();
    }
    const auto a = numberOf(left);
    const auto b = numberOf(right);
    if (!a || !b)
        return sign == "==" ? Json(left == right) : sign == "!=" ? Json(left != right) : Json();
    if (sign == "+")
        return *a + *b;
    if (sign == "-")
        return *a - *b;
    if (sign == "*")
        return *a * *b;
    if (sign == "**")
        return std::pow(*a, *b);
    if (sign == "/" || sign == "//" || sign == "%") {
        if (*b == 0)
            return {};
        const double quotient = *a / *b;
        return sign == "/" ? quotient : sign == "//" ? std::floor(quotient) : *a - *b * std::floor(quotient);
    }
    return compared(sign, *a, *b);
}

Json valueOf(const PythonExpression& expression, const PointCondition::Values& values) {
    if (const std::string name = dottedName(expression); !name.empty())
        return values(name);
    const auto& children = expression.children;
    switch (expression.kind) {
    case ExpressionKind::Boolean:
    case ExpressionKind::Integer:
        return expression.kind == ExpressionKind::Boolean ? Json(expression.integer != 0)
                                                          : Json(expression.integer);
    case ExpressionKind::Real:
        return expression.real;
    case ExpressionKind::Text:
        return expression.text;
    case ExpressionKind::Unary: {
        const Json operand = valueOf(children.front(), values);
        if (expression.text == "not")
            return !isTrue(operand);
        const auto number = numberOf(operand);
        return number ? Json(expression.text == "-" ? -*number : *number) : Json();
    }
    case ExpressionKind::Conditional:
        return valueOf(isTrue(valueOf(children[1], values)) ? children[0] : children[2], values);
    case ExpressionKind::Binary: {
        const Json left = valueOf(children[0], values);
        if (expression.text == "and")
            return isTrue(left) ? valueOf(children[1], values) : left;
        if (expression.text == "or")
            return isTrue(left) ? left : valueOf(children[1], values);
        return combined(expression.text, left, valueOf(children[1], values));
    }
    default:
        return {};
    }
}

Diagnostic conditionError(const std::string& file, const std::string& place, std::string message) {
    return makeError(Trouble::Input, "sweep/condition", {file, place}, std::move(message),
                     {fmt::format("write for example \"fits\" or \"training.batch_size * replicas <= 1024\"; "
                                  "figures: {}",
                                  fmt::join(figures, ", "))});
}

} // namespace

std::span<const std::string_view> pointFigures() {
    return figures;
}

PointCondition::PointCondition(std::string text, PythonExpression expression)
    : m_text(std::move(text))
    , m_expression(std::move(expression)) {
    collectNames(m_expression, m_names);
}

Result<PointCondition> PointCondition::parse(std::string_view text, const std::string& file,
                                             const std::string& place) {
    auto program = parsePython(text, file);
    if (!program)
        return failure(conditionError(
            file, place, fmt::format("\"{}\" is no expression: {}", text, program.error().front().message)));
    if (program->size() != 1 || program->front().kind != PythonStatement::Kind::Expression ||
        program->front().values.size() != 1)
        return failure(conditionError(file, place, fmt::format("\"{}\" is no expression", text)));
    PythonExpression expression = std::move(program->front().values.front());
    if (const auto part = unreadable(expression))
        return failure(conditionError(file, place, fmt::format("a condition cannot hold {}", *part)));
    return PointCondition(std::string(text), std::move(expression));
}

bool PointCondition::needsFigures() const {
    return std::ranges::any_of(
        m_names, [](const std::string& name) { return std::ranges::find(figures, name) != figures.end(); });
}

bool PointCondition::holds(const Values& values) const {
    return isTrue(valueOf(m_expression, values));
}

} // namespace core
