// What expressions are made of: numbers, texts, names and what is in brackets.
#include "core/interchange/python/syntax/lexer.h"
#include "core/interchange/python/syntax/parser.h"

#include <algorithm>
#include <fmt/format.h>

namespace core {

PythonExpression PythonParser::atom() {
    PythonExpression result = make(Kind::None);
    const PythonToken& current = token();
    switch (current.kind) {
    case Token::Integer:
        result.kind = Kind::Integer;
        result.integer = current.integer;
        break;
    case Token::Real:
        result.kind = Kind::Real;
        result.real = current.real;
        break;
    case Token::Text:
        result.kind = Kind::Text;
        result.text = current.text;
        break;
    case Token::FormattedText:
        return formattedText();
    case Token::Name:
        return named();
    case Token::Operator:
        return bracketed();
    default:
        fail("something is missing here");
        return result;
    }
    advance();
    return result;
}

PythonExpression PythonParser::formattedText() {
    PythonExpression result = formattedPieces(token().text);
    if (!m_error)
        advance();
    return result;
}

namespace {

/// Where the brace that was opened before `begin` is closed; the length of the text: nowhere.
std::size_t closingBrace(std::string_view text, std::size_t begin) {
    int depth = 1;
    for (std::size_t end = begin; end < text.size(); ++end) {
        depth += text[end] == '{' || text[end] == '[' || text[end] == '(' ? 1 : 0;
        depth -= text[end] == '}' || text[end] == ']' || text[end] == ')' ? 1 : 0;
        if (depth == 0)
            return end;
    }
    return text.size();
}

/// Where the value between the braces of a text ends, and its conversion or format begins.
std::size_t endOfValue(std::string_view text) {
    int brackets = 0;
    std::size_t end = 0;
    for (; end < text.size(); ++end) {
        const char c = text[end];
        brackets += c == '[' || c == '(' || c == '{' ? 1 : 0;
        brackets -= c == ']' || c == ')' || c == '}' ? 1 : 0;
        const bool isConversion = c == '!' && (end + 1 >= text.size() || text[end + 1] != '=');
        if (brackets == 0 && (c == ':' || isConversion))
            break;
    }
    return end;
}

/// "x=" of f"{x=}", which writes it before the value; empty: the value stands alone.
std::string labelOfValue(std::string_view text) {
    const std::string_view value = text.substr(0, endOfValue(text));
    const std::size_t last = value.find_last_not_of(' ');
    constexpr std::string_view comparisons = "=!<>";
    const bool isLabel = last != std::string_view::npos && last > 0 && value[last] == '=' &&
                         comparisons.find(value[last - 1]) == std::string_view::npos;
    return isLabel ? std::string(value) : std::string();
}

} // namespace

/// f"…{value:format}…": its texts and values in order.
PythonExpression PythonParser::formattedPieces(const std::string& text) {
    PythonExpression result = make(Kind::FormattedText);
    const auto addText = [&](char c) {
        if (result.children.empty() || result.children.back().kind != Kind::Text)
            result.children.push_back(make(Kind::Text));
        result.children.back().text += c;
    };
    for (std::size_t i = 0; i < text.size() && !m_error; ++i) {
        const bool isDoubled = i + 1 < text.size() && text[i + 1] == text[i];
        if ((text[i] == '{' || text[i] == '}') && isDoubled) {
            addText(text[i++]);
        } else if (text[i] == '}') {
            fail("a \"}\" of this text was never opened");
        } else if (text[i] != '{') {
            addText(text[i]);
        } else {
            const std::size_t end = closingBrace(text, i + 1);
            if (end >= text.size()) {
                fail("a \"{\" of this text is never closed");
                break;
            }
            const std::string_view inside = std::string_view(text).substr(i + 1, end - i - 1);
            const std::string label = labelOfValue(inside);
            for (const char c : label)
                addText(c);
            const std::string_view rest = inside.substr(endOfValue(inside));
            std::string value(label.empty() ? inside : inside.substr(0, label.rfind('=')));
            if (!label.empty())
                value += rest.empty() ? "!r" : rest;
            result.children.push_back(formattedValue(value));
            i = end;
        }
    }
    return result;
}

/// `value`, `value!r`, `value:format` or `value=` as it stands between the braces of a text.
PythonExpression PythonParser::formattedValue(std::string_view text) {
    PythonExpression result = make(Kind::FormattedValue);
    const Depth depth(*this);
    if (m_error)
        return result;
    const std::size_t end = endOfValue(text);
    std::string_view rest = text.substr(end);
    const bool asRepresentation = rest == "!r" || rest.starts_with("!r:");
    if (rest.starts_with("!") && !asRepresentation)
        rest = rest.substr(std::min<std::size_t>(2, rest.size()));
    result.text = rest.starts_with(":") ? std::string(rest.substr(1)) : std::string(rest);
    auto tokens = tokenizePythonExpression(text.substr(0, end), m_file, result.place);
    auto value = tokens ? PythonParser(std::move(*tokens), m_file).wholeExpression()
                        : Result<PythonExpression>(failure(std::move(tokens.error())));
    if (!value) {
        failAt(result.place, fmt::format("in this text: {}", value.error().front().message));
        return result;
    }
    result.children.push_back(std::move(*value));
    if (result.text.find('{') != std::string::npos)
        result.children.push_back(formattedPieces(result.text));
    return result;
}

PythonExpression PythonParser::named() {
    PythonExpression result = make(Kind::Name);
    result.text = name();
    if (result.text == "None") {
        result.kind = Kind::None;
    } else if (result.text == "True" || result.text == "False") {
        result.kind = Kind::Boolean;
        result.integer = result.text == "True" ? 1 : 0;
    }
    return result;
}

PythonExpression PythonParser::bracketed() {
    PythonExpression result = make(Kind::Tuple);
    if (accept("...")) {
        result.kind = Kind::Ellipsis;
        return result;
    }
    if (accept("[")) {
        result.kind = Kind::List;
        result.children = arguments(nullptr, "]");
        if (result.children.size() == 1 && result.children[0].kind == Kind::Comprehension) {
            PythonExpression inner = std::move(result.children[0]);
            return inner;
        }
        return result;
    }
    if (accept("{"))
        return dictionary(std::move(result));
    if (!accept("(")) {
        fail("this is not read here");
        return result;
    }
    return parenthesised(std::move(result));
}

PythonExpression PythonParser::parenthesised(PythonExpression result) {
    if (accept(")"))
        return result;
    PythonExpression first = starred();
    comprehension(first, "tuple");
    if (!isOperator(",")) {
        expect(")");
        return first;
    }
    result.children.push_back(std::move(first));
    while (!m_error && accept(",")) {
        if (isOperator(")"))
            break;
        result.children.push_back(starred());
    }
    expect(")");
    return result;
}

} // namespace core
