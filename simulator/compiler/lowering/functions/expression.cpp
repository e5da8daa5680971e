// A small grammar of formulas:
//   sum = product {(+ | −) product}    product = sign {(* | /) sign}    sign = − sign | power
//   power = atom [(^ | **) sign]       atom = number | x0 … | name(sum {, sum}) | (sum)
#include "core/catalogue/functions.h"
#include "simulator/compiler/lowering/ipu_operations.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <fmt/format.h>
#include <optional>

namespace simulator {
namespace {

using core::TensorId;

/// By what functional models call it, else by its key; null when there is none.
const core::UnaryDefinition* unaryNamed(std::string_view name) {
    if (const core::UnaryDefinition* called = core::unaryCalled(name))
        return called;
    static constexpr auto rows = core::unaryDefinitions();
    const auto found = std::ranges::find(rows, name, &core::UnaryDefinition::key);
    return found == rows.end() || found->needsParameters ? nullptr : &*found;
}

const core::BinaryDefinition* binaryNamed(std::string_view name) {
    const core::BinaryCall call = core::binaryCalled(name);
    if (call.definition != nullptr && !call.isSwapped)
        return call.definition;
    static constexpr auto rows = core::binaryDefinitions();
    const auto found = std::ranges::find(rows, name, &core::BinaryDefinition::key);
    return found == rows.end() ? nullptr : &*found;
}

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
        const core::UnaryDefinition* unary = unaryNamed(name);
        if (unary != nullptr && arguments.size() == 1)
            return m_build.unary(unary->function, arguments[0], unary->alpha, unary->beta);
        const core::BinaryDefinition* two = binaryNamed(name);
        if (two != nullptr && arguments.size() == 2)
            return m_build.binary(two->function, arguments[0], arguments[1]);
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
