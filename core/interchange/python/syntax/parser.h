#pragma once

#include "core/interchange/python/syntax/lexer.h"
#include "core/interchange/python/syntax/syntax.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace core {

/// Recursive descent over the tokens of a program. After the first error every read answers at once.
class PythonParser {
public:
    PythonParser(std::vector<PythonToken> tokens, std::string_view file)
        : m_tokens(std::move(tokens))
        , m_file(file) {}

    [[nodiscard]] Result<PythonBlock> program();
    /// One expression and nothing behind it.
    [[nodiscard]] Result<PythonExpression> wholeExpression();

private:
    using Kind = PythonExpression::Kind;
    using Token = PythonToken::Kind;

    /// Counts the depth of recursion while it lives.
    struct Depth {
        explicit Depth(PythonParser& owner);
        ~Depth() { --parser.m_depth; }
        Depth(const Depth&) = delete;
        Depth& operator=(const Depth&) = delete;
        PythonParser& parser;
    };

    // Tokens.
    [[nodiscard]] const PythonToken& token(std::size_t ahead = 0) const;
    [[nodiscard]] bool is(Token kind) const { return token().kind == kind; }
    [[nodiscard]] bool isOperator(std::string_view text) const;
    [[nodiscard]] bool isWord(std::string_view text) const;
    void advance();
    bool accept(std::string_view text);
    void expect(std::string_view text);
    void fail(std::string message);
    void failAt(PythonPlace place, std::string message,
                std::vector<std::string> cures = {"write it as Python 3 takes it"});
    std::string name();
    std::string path();

    // Statements.
    void statement(PythonBlock& block);
    void decorated(PythonBlock& block);
    void suite(PythonBlock& block);
    PythonStatement compound();
    void tryStatement(PythonStatement& result);
    void contexts(PythonStatement& result);
    [[nodiscard]] bool closesBefore(std::string_view text) const;
    void definition(PythonStatement& result, bool isClass);
    std::vector<PythonParameter> parameters(std::string_view end, bool withTypes);
    void import(PythonStatement& result, bool isFrom);
    PythonStatement simple();
    bool keywordStatement(PythonStatement& result);
    void assignment(PythonStatement& result, PythonExpression first);
    [[nodiscard]] bool opensMatch() const;
    PythonStatement match();
    PythonExpression patterns();
    PythonExpression pattern();
    PythonExpression closedPattern();
    PythonExpression sequencePattern();
    PythonExpression mappingPattern();

    // Expressions, from the loosest binding to the tightest.
    [[nodiscard]] PythonExpression make(Kind kind) const;
    PythonExpression targets();
    PythonExpression expressionList();
    PythonExpression starred();
    PythonExpression expression();
    PythonExpression lambda();
    std::string operatorOf(std::size_t level);
    PythonExpression binary(std::size_t level);
    PythonExpression negation();
    PythonExpression comparison();
    PythonExpression unary();
    PythonExpression primary();
    PythonExpression subscript();
    PythonExpression slice();
    PythonExpressions arguments(PythonExpression* call, std::string_view end);
    void comprehension(PythonExpression& value, const char* makes);
    PythonExpression atom();
    PythonExpression formattedPieces(const std::string& text);
    PythonExpression formattedText();
    PythonExpression formattedValue(std::string_view text);
    PythonExpression named();
    PythonExpression bracketed();
    PythonExpression parenthesised(PythonExpression result);
    PythonExpression dictionary(PythonExpression result);

    std::vector<PythonToken> m_tokens;
    std::string m_file;
    std::size_t m_at = 0;
    int m_depth = 0;
    /// A "yield" was met in the function that is read.
    bool m_hasYield = false;
    std::optional<Diagnostic> m_error;
};

} // namespace core
