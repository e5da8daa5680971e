// A small grammar of formulas:
//   sum = product {(+ | −) product}    product = sign {(* | /) sign}    sign = − sign | power
//   power = atom [(^ | **) sign]       atom = number | x0 … | name(sum {, sum}) | (sum)
#include "simulator/compiler/lowering/ipu_operations.h"

#include <array>
#include <cctype>
#include <charconv>
#include <fmt/format.h>
#include <optional>

namespace simulator {
namespace {

using core::TensorId;

struct NamedUnary {
    std::string_view name;
    Unary unary;
};
constexpr std::array unaryNames{
    NamedUnary{"abs", {UnaryFunction::Absolute}},
    NamedUnary{"sign", {UnaryFunction::Sign}},
    NamedUnary{"square", {UnaryFunction::Square}},
    NamedUnary{"sqrt", {UnaryFunction::SquareRoot}},
    NamedUnary{"rsqrt", {UnaryFunction::ReciprocalSquareRoot}},
    NamedUnary{"reciprocal", {UnaryFunction::Reciprocal}},
    NamedUnary{"exp", {UnaryFunction::Exponential}},
    NamedUnary{"expm1", {UnaryFunction::ExponentialMinusOne}},
    NamedUnary{"log", {UnaryFunction::Logarithm}},
    NamedUnary{"log1p", {UnaryFunction::LogarithmPlusOne}},
    NamedUnary{"sin", {UnaryFunction::Sine}},
    NamedUnary{"cos", {UnaryFunction::Cosine}},
    NamedUnary{"tan", {UnaryFunction::Tangent}},
    NamedUnary{"asin", {UnaryFunction::ArcSine}},
    NamedUnary{"acos", {UnaryFunction::ArcCosine}},
    NamedUnary{"atan", {UnaryFunction::ArcTangent}},
    NamedUnary{"sinh", {UnaryFunction::HyperbolicSine}},
    NamedUnary{"cosh", {UnaryFunction::HyperbolicCosine}},
    NamedUnary{"tanh", {UnaryFunction::Tanh}},
    NamedUnary{"erf", {UnaryFunction::ErrorFunction}},
    NamedUnary{"floor", {UnaryFunction::Floor}},
    NamedUnary{"ceil", {UnaryFunction::Ceiling}},
    NamedUnary{"round", {UnaryFunction::Round}},
    NamedUnary{"relu", {UnaryFunction::Relu}},
    NamedUnary{"relu6", {UnaryFunction::Relu6}},
    NamedUnary{"elu", {UnaryFunction::Elu, 1}},
    NamedUnary{"selu", {UnaryFunction::Selu}},
    NamedUnary{"sigmoid", {UnaryFunction::Sigmoid}},
    NamedUnary{"hard_sigmoid", {UnaryFunction::HardSigmoid, 0.2, 0.5}},
    NamedUnary{"softplus", {UnaryFunction::Softplus}},
    NamedUnary{"softsign", {UnaryFunction::Softsign}},
    NamedUnary{"swish", {UnaryFunction::Swish}},
    NamedUnary{"gelu", {UnaryFunction::GeluTanh}},
    NamedUnary{"mish", {UnaryFunction::Mish}},
};

struct NamedBinary {
    std::string_view name;
    BinaryFunction function;
};
constexpr std::array binaryNames{
    NamedBinary{"maximum", BinaryFunction::Maximum},
    NamedBinary{"minimum", BinaryFunction::Minimum},
    NamedBinary{"pow", BinaryFunction::Power},
    NamedBinary{"mod", BinaryFunction::Modulo},
    NamedBinary{"atan2", BinaryFunction::Atan2},
    NamedBinary{"squared_difference", BinaryFunction::SquaredDifference},
};

/// Reads a formula from left to right; once something is wrong every part answers an invalid tensor.
class Reader {
public:
    Reader(GraphBuilder& build, std::string_view text, const std::vector<TensorId>& inputs)
        : m_build(build)
        , m_text(text)
        , m_inputs(inputs) {}

    core::Result<TensorId> read() {
        const TensorId value = sum(0);
        skipSpace();
        if (m_at < m_text.size())
            refuse("does not go on like this");
        if (m_trouble)
            return cannotLower(
                fmt::format("the expression \"{}\" {} at position {}", m_text, *m_trouble, m_troubleAt + 1),
                "write sums, products, powers and functions of x0, x1, …");
        return value;
    }

private:
    TensorId refuse(std::string why) {
        if (!m_trouble) {
            m_trouble = std::move(why);
            m_troubleAt = m_at;
        }
        m_at = m_text.size();
        return {};
    }

    void skipSpace() {
        while (m_at < m_text.size() && std::isspace(static_cast<unsigned char>(m_text[m_at])) != 0)
            ++m_at;
    }
    bool accept(std::string_view sign) {
        skipSpace();
        if (!m_text.substr(m_at).starts_with(sign))
            return false;
        m_at += sign.size();
        return true;
    }
    /// '*' that is not the first half of "**".
    bool acceptTimes() {
        skipSpace();
        return !m_text.substr(m_at).starts_with("**") && accept("*");
    }

    TensorId binary(BinaryFunction function, TensorId a, TensorId b) {
        return a.isValid() && b.isValid() ? m_build.binary(function, a, b) : TensorId{};
    }

    TensorId sum(int depth) {
        TensorId value = product(depth);
        while (!m_trouble) {
            if (accept("+"))
                value = binary(BinaryFunction::Add, value, product(depth));
            else if (accept("-"))
                value = binary(BinaryFunction::Subtract, value, product(depth));
            else
                break;
        }
        return value;
    }

    TensorId product(int depth) {
        TensorId value = sign(depth);
        while (!m_trouble) {
            if (acceptTimes())
                value = binary(BinaryFunction::Multiply, value, sign(depth));
            else if (accept("/"))
                value = binary(BinaryFunction::Divide, value, sign(depth));
            else
                break;
        }
        return value;
    }

    TensorId sign(int depth) {
        constexpr int deepest = 200;
        if (depth > deepest)
            return refuse("is nested too deeply");
        if (accept("-")) {
            const TensorId value = sign(depth + 1);
            return value.isValid() ? m_build.scaleShift(value, -1) : value;
        }
        const TensorId base = atom(depth);
        if (m_trouble || !(accept("**") || accept("^")))
            return base;
        return binary(BinaryFunction::Power, base, sign(depth + 1));
    }

    TensorId atom(int depth) {
        skipSpace();
        if (accept("(")) {
            const TensorId value = sum(depth + 1);
            return m_trouble || accept(")") ? value : refuse("misses a \")\"");
        }
        if (m_at >= m_text.size())
            return refuse("ends too early");
        const char first = m_text[m_at];
        if (std::isdigit(static_cast<unsigned char>(first)) != 0 || first == '.')
            return number();
        if (std::isalpha(static_cast<unsigned char>(first)) != 0)
            return named(depth);
        return refuse("does not go on like this");
    }

    TensorId number() {
        double value = 0;
        const char* begin = m_text.data() + m_at;
        const auto [end, error] = std::from_chars(begin, m_text.data() + m_text.size(), value);
        if (error != std::errc())
            return refuse("has no number");
        m_at += static_cast<std::size_t>(end - begin);
        return m_build.constant(value, {}, m_build.type(m_inputs.front()));
    }

    TensorId named(int depth) {
        const std::size_t begin = m_at;
        const auto isPart = [](char c) {
            return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
        };
        while (m_at < m_text.size() && isPart(m_text[m_at]))
            ++m_at;
        const std::string_view name = m_text.substr(begin, m_at - begin);
        if (!accept("("))
            return input(name, begin);
        std::vector<TensorId> arguments{sum(depth + 1)};
        while (!m_trouble && accept(","))
            arguments.push_back(sum(depth + 1));
        if (!m_trouble && !accept(")"))
            return refuse("misses a \")\"");
        return m_trouble ? TensorId{} : function(name, arguments, begin);
    }

    TensorId input(std::string_view name, std::size_t begin) {
        std::size_t index = 0;
        const bool isInput = name.size() > 1 && name.front() == 'x';
        const auto [end, error] = std::from_chars(name.data() + 1, name.data() + name.size(), index);
        if (isInput && error == std::errc() && end == name.data() + name.size() && index < m_inputs.size())
            return m_inputs[index];
        m_at = begin;
        return refuse(fmt::format("names \"{}\", which is no input,", name));
    }

    TensorId function(std::string_view name, const std::vector<TensorId>& arguments, std::size_t begin) {
        for (const NamedUnary& one : unaryNames) {
            if (one.name == name && arguments.size() == 1)
                return m_build.unary(one.unary.function, arguments[0], one.unary.alpha, one.unary.beta);
        }
        for (const NamedBinary& one : binaryNames) {
            if (one.name == name && arguments.size() == 2)
                return m_build.binary(one.function, arguments[0], arguments[1]);
        }
        m_at = begin;
        return refuse(
            fmt::format("calls \"{}\" with {} arguments, which is no function,", name, arguments.size()));
    }

    GraphBuilder& m_build;
    std::string_view m_text;
    const std::vector<TensorId>& m_inputs;
    std::size_t m_at = 0;
    std::optional<std::string> m_trouble;
    std::size_t m_troubleAt = 0;
};

} // namespace

core::Result<TensorId> addExpression(GraphBuilder& build, std::string_view expression,
                                     const std::vector<TensorId>& inputs) {
    return Reader(build, expression, inputs).read();
}

} // namespace simulator
