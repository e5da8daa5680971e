// What every part of the parser reads with: tokens, names, the first error.
#include "core/interchange/python/syntax/parser.h"

#include "core/interchange/python/syntax/messages.h"

#include <algorithm>
#include <fmt/format.h>

namespace core {

namespace {

constexpr int deepestSyntax = 100;

} // namespace

PythonParser::Depth::Depth(PythonParser& owner)
    : parser(owner) {
    if (++parser.m_depth > deepestSyntax)
        parser.fail(fmt::format("the program is nested deeper than {} levels", deepestSyntax));
}

const PythonToken& PythonParser::token(std::size_t ahead) const {
    return m_tokens[std::min(m_at + ahead, m_tokens.size() - 1)];
}

bool PythonParser::isOperator(std::string_view text) const {
    return is(Token::Operator) && token().text == text;
}

bool PythonParser::isWord(std::string_view text) const {
    return is(Token::Name) && token().text == text;
}

void PythonParser::advance() {
    if (m_at + 1 < m_tokens.size())
        ++m_at;
}

bool PythonParser::accept(std::string_view text) {
    if (!isOperator(text) && !isWord(text))
        return false;
    advance();
    return true;
}

void PythonParser::expect(std::string_view text) {
    if (!accept(text))
        fail(fmt::format("\"{}\" is missing here", text));
}

void PythonParser::fail(std::string message) {
    failAt(token().place, std::move(message));
}

void PythonParser::failAt(PythonPlace place, std::string message, std::vector<std::string> cures) {
    if (!m_error)
        m_error = pythonError(m_file, place, "python/syntax", std::move(message), std::move(cures));
    m_at = m_tokens.size() - 1;
}

std::string PythonParser::name() {
    if (!is(Token::Name)) {
        fail("a name is missing here");
        return {};
    }
    std::string text = token().text;
    advance();
    return text;
}

std::string PythonParser::path() {
    std::string text = name();
    while (!m_error && accept("."))
        text += "." + name();
    return text;
}

Result<PythonBlock> PythonParser::program() {
    PythonBlock block;
    while (!m_error && !is(Token::End))
        statement(block);
    if (m_error)
        return failure(*m_error);
    return block;
}

Result<PythonExpression> PythonParser::wholeExpression() {
    PythonExpression value = expressionList();
    while (is(Token::NewLine))
        advance();
    if (!is(Token::End))
        fail("the expression goes on in a way that is not read");
    if (m_error)
        return failure(*m_error);
    return value;
}

Result<PythonBlock> parsePython(std::string_view text, std::string_view file, int index) {
    constexpr std::size_t largest = std::size_t{64} * 1024 * 1024;
    if (text.size() > largest)
        return failure(pythonError(file, {}, "python/size", "a program of more than 64 MiB is not read",
                                   {"import the file that makes the model only"}));
    auto tokens = tokenizePython(text, file, index);
    if (!tokens)
        return failure(std::move(tokens.error()));
    return PythonParser(std::move(*tokens), file).program();
}

} // namespace core
