// Statements of the parser.
#include "core/interchange/python/syntax/parser.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <iterator>
#include <utility>

namespace core {

namespace {

constexpr std::array<std::string_view, 7> compoundWords{"with", "if", "for", "while", "def", "class", "try"};

/// Statements that are not followed, and what to write instead.
struct UnreadStatement {
    std::string_view word;
    const char* cure;
};
constexpr std::array<UnreadStatement, 2> unreadStatements{{
    {"async", "write the function without async"},
    {"await", "call the function without await"},
}};

} // namespace

void PythonParser::statement(PythonBlock& block) {
    const Depth depth(*this);
    if (m_error)
        return;
    if (is(Token::NewLine))
        return advance();
    if (isOperator("@"))
        return decorated(block);
    if (is(Token::Indent))
        return fail("this line is indented for no reason");
    if (is(Token::Name) && std::ranges::find(compoundWords, token().text) != compoundWords.end()) {
        block.push_back(compound());
        return;
    }
    if (opensMatch()) {
        block.push_back(match());
        return;
    }
    do {
        if (is(Token::NewLine))
            break;
        block.push_back(simple());
    } while (!m_error && accept(";"));
    if (!m_error && !is(Token::NewLine))
        return fail("the line goes on in a way that is not read");
    advance();
}

void PythonParser::decorated(PythonBlock& block) {
    PythonExpressions decorators;
    while (!m_error && accept("@")) {
        decorators.push_back(expression());
        advance();
    }
    if (!isWord("def") && !isWord("class"))
        return fail("a function or a class is missing behind its decorator");
    block.push_back(compound());
    block.back().decorators = std::move(decorators);
}

void PythonParser::suite(PythonBlock& block) {
    expect(":");
    if (!is(Token::NewLine)) {
        block.push_back(simple());
        while (!m_error && accept(";") && !is(Token::NewLine))
            block.push_back(simple());
        advance();
        return;
    }
    advance();
    if (!is(Token::Indent))
        return fail("an indented block is missing here");
    advance();
    while (!m_error && !is(Token::Dedent) && !is(Token::End))
        statement(block);
    if (is(Token::Dedent))
        advance();
}

PythonStatement PythonParser::compound() {
    PythonStatement result;
    result.place = token().place;
    const std::string word = token().text;
    const bool isIf = word == "if" || word == "elif";
    advance();
    if (word == "try") {
        tryStatement(result);
        return result;
    }
    if (word == "with") {
        result.kind = PythonStatement::Kind::With;
        contexts(result);
    } else if (isIf || word == "while") {
        result.kind = isIf ? PythonStatement::Kind::If : PythonStatement::Kind::While;
        result.values.push_back(expression());
    } else if (word == "for") {
        result.kind = PythonStatement::Kind::For;
        result.targets.push_back(targets());
        expect("in");
        result.values.push_back(expressionList());
    } else {
        definition(result, word == "class");
    }
    const bool hadYield = std::exchange(m_hasYield, m_hasYield && word != "def");
    suite(result.body);
    if (word == "def")
        result.isGenerator = std::exchange(m_hasYield, hadYield);
    if (isIf && isWord("elif")) {
        const Depth depth(*this);
        result.orElse.push_back(compound());
    } else if ((isIf || word == "for" || word == "while") && accept("else")) {
        suite(result.orElse);
    }
    return result;
}

/// `a as b, c as d`, with or without brackets around all of them.
void PythonParser::contexts(PythonStatement& result) {
    const bool isBracketed = isOperator("(") && closesBefore(":");
    if (isBracketed)
        advance();
    do {
        if (isBracketed && isOperator(")"))
            break;
        result.values.push_back(expression());
        result.targets.push_back(accept("as") ? primary() : PythonExpression{});
    } while (!m_error && accept(","));
    if (isBracketed)
        expect(")");
}

/// Whether the bracket that opens here closes right before `text`.
bool PythonParser::closesBefore(std::string_view text) const {
    int depth = 0;
    for (std::size_t ahead = 0; m_at + ahead + 1 < m_tokens.size(); ++ahead) {
        const PythonToken& next = token(ahead);
        if (next.kind != Token::Operator)
            continue;
        depth += next.text == "(" ? 1 : next.text == ")" ? -1 : 0;
        if (depth == 0)
            return token(ahead + 1).kind == Token::Operator && token(ahead + 1).text == text;
    }
    return false;
}

/// The body, its handlers, and what is under "else" and "finally".
void PythonParser::tryStatement(PythonStatement& result) {
    result.kind = PythonStatement::Kind::Try;
    suite(result.body);
    bool isClosed = false;
    while (!m_error && (isWord("except") || isWord("else") || isWord("finally"))) {
        isClosed = isClosed || !isWord("else");
        PythonStatement handler;
        handler.kind = PythonStatement::Kind::Handler;
        handler.place = token().place;
        if (accept("except")) {
            if (!isOperator(":")) {
                handler.values.push_back(expression());
                if (accept("as"))
                    handler.text = name();
            }
            suite(handler.body);
            result.handlers.push_back(std::move(handler));
            continue;
        }
        PythonBlock& block = isWord("else") ? result.orElse : result.atEnd;
        advance();
        suite(block);
    }
    if (!isClosed)
        failAt(result.place, "this \"try\" has neither \"except\" nor \"finally\"");
}

void PythonParser::definition(PythonStatement& result, bool isClass) {
    result.kind = isClass ? PythonStatement::Kind::Class : PythonStatement::Kind::Function;
    result.text = name();
    if (isClass) {
        PythonExpression call;
        if (accept("("))
            result.values = arguments(&call, ")");
        result.keywords = std::move(call.keywords);
        return;
    }
    expect("(");
    result.parameters = parameters(")", true);
    expect(")");
    if (accept("->"))
        static_cast<void>(expression());
}

std::vector<PythonParameter> PythonParser::parameters(std::string_view end, bool withTypes) {
    std::vector<PythonParameter> list;
    bool isBehindStar = false;
    while (!m_error && !isOperator(end)) {
        if (accept("/")) { // what comes before it has no name for callers
            accept(",");
            continue;
        }
        PythonParameter parameter;
        parameter.kind = isBehindStar ? PythonParameter::Kind::KeywordOnly : PythonParameter::Kind::Any;
        if (accept("*")) {
            isBehindStar = true;
            if (accept(","))
                continue;
            parameter.kind = PythonParameter::Kind::Positions;
        } else if (accept("**")) {
            parameter.kind = PythonParameter::Kind::Keywords;
        }
        parameter.name = name();
        if (withTypes && accept(":"))
            static_cast<void>(expression());
        if (accept("=")) {
            parameter.hasDefault = true;
            parameter.value = expression();
        }
        list.push_back(std::move(parameter));
        if (!accept(","))
            break;
    }
    return list;
}

void PythonParser::import(PythonStatement& result, bool isFrom) {
    result.kind = PythonStatement::Kind::Import;
    std::string from; // one dot for the package of the file, another for each one around it
    while (isFrom && (isOperator(".") || isOperator("..."))) {
        from += token().text;
        advance();
    }
    const bool isOwnPackage = isFrom && isWord("import");
    if (isFrom && !isOwnPackage)
        from += path();
    if (isFrom)
        expect("import");
    const bool isList = isFrom && accept("(");
    do {
        if (isList && isOperator(")"))
            break;
        if (accept("*")) {
            result.imports.emplace_back("*", from);
            continue;
        }
        const std::string what = path();
        const std::string full = !isFrom ? what : isOwnPackage ? from + what : from + "." + what;
        if (accept("as"))
            result.imports.emplace_back(name(), full);
        else if (isFrom)
            result.imports.emplace_back(what, full);
        else // "import a.b" binds a
            result.imports.emplace_back(what.substr(0, what.find('.')), what.substr(0, what.find('.')));
    } while (!m_error && accept(","));
    if (isList)
        expect(")");
}

/// Statements that begin with a word of their own.
bool PythonParser::keywordStatement(PythonStatement& result) {
    using Statement = PythonStatement::Kind;
    constexpr std::array<std::pair<std::string_view, Statement>, 3> bare{
        {{"pass", Statement::Pass}, {"break", Statement::Break}, {"continue", Statement::Continue}}};
    for (const auto& [word, kind] : bare) {
        if (!accept(word))
            continue;
        result.kind = kind;
        return true;
    }
    if (accept("import")) {
        import(result, false);
    } else if (accept("from")) {
        import(result, true);
    } else if (accept("return")) {
        result.kind = Statement::Return;
        if (!is(Token::NewLine) && !isOperator(";"))
            result.values.push_back(expressionList());
    } else if (accept("assert")) {
        result.kind = Statement::Assert;
        result.values.push_back(expressionList());
    } else if (accept("raise")) {
        result.kind = Statement::Raise;
        if (!is(Token::NewLine) && !isOperator(";"))
            result.values.push_back(expression());
        if (accept("from"))
            static_cast<void>(expression());
    } else if (accept("global") || accept("nonlocal")) {
        result.kind = Statement::Global;
        do
            result.targets.push_back(primary());
        while (!m_error && accept(","));
    } else if (isWord("del") && !(token(1).kind == Token::Operator && token(1).text == "=")) {
        advance();
        result.kind = Statement::Delete;
        do {
            PythonExpression target = primary();
            if (target.kind == Kind::Tuple || target.kind == Kind::List)
                std::ranges::move(target.children, std::back_inserter(result.targets));
            else
                result.targets.push_back(std::move(target));
        } while (!m_error && accept(",") && !is(Token::NewLine));
    } else if (accept("yield")) {
        result.kind = Statement::Yield;
        m_hasYield = true;
        result.text = accept("from") ? "from" : "";
        if (!is(Token::NewLine) && !isOperator(";"))
            result.values.push_back(expressionList());
    } else {
        return false;
    }
    return true;
}

PythonStatement PythonParser::simple() {
    PythonStatement result;
    result.place = token().place;
    if (is(Token::Name)) {
        const auto unread = std::ranges::find(unreadStatements, token().text, &UnreadStatement::word);
        if (unread != unreadStatements.end()) {
            failAt(result.place, fmt::format("a program with \"{}\" is not read", unread->word),
                   {unread->cure});
            return result;
        }
        if (keywordStatement(result))
            return result;
    }
    assignment(result, expressionList());
    return result;
}

void PythonParser::assignment(PythonStatement& result, PythonExpression first) {
    if (accept(":")) { // an annotation
        static_cast<void>(expression());
        result.text = ":";
        if (!isOperator("=")) {
            result.targets.push_back(std::move(first));
            return;
        }
    }
    constexpr std::array<std::string_view, 13> augmented{
        "+=", "-=", "@=", "*=", "/=", "//=", "%=", "**=", "<<=", ">>=", "|=", "&=", "^="};
    for (const std::string_view text : augmented) {
        if (!accept(text))
            continue;
        result.kind = PythonStatement::Kind::Augmented;
        result.text = text.substr(0, text.size() - 1);
        result.targets.push_back(std::move(first));
        result.values.push_back(expressionList());
        return;
    }
    if (!isOperator("=")) {
        result.kind = PythonStatement::Kind::Expression;
        result.values.push_back(std::move(first));
        return;
    }
    result.kind = PythonStatement::Kind::Assignment;
    result.targets.push_back(std::move(first));
    while (!m_error && accept("=")) {
        if (accept("yield")) { // what is sent is None: the program takes the values one by one
            result.kind = PythonStatement::Kind::Yield;
            m_hasYield = true;
            if (!is(Token::NewLine) && !isOperator(";"))
                result.values.push_back(expressionList());
            return;
        }
        PythonExpression next = expressionList();
        if (isOperator("="))
            result.targets.push_back(std::move(next));
        else
            result.values.push_back(std::move(next));
    }
}

} // namespace core
