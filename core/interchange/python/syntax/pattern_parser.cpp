// `match` and the patterns of its cases.
#include "core/interchange/python/syntax/parser.h"

namespace core {

/// "match" is a name like any other, but for a statement whose block begins with "case".
bool PythonParser::opensMatch() const {
    if (!isWord("match"))
        return false;
    int depth = 0;
    for (std::size_t ahead = 1; m_at + ahead + 3 < m_tokens.size(); ++ahead) {
        const PythonToken& next = token(ahead);
        if (next.kind == Token::NewLine)
            return false;
        if (next.kind != Token::Operator)
            continue;
        const bool opens = next.text == "(" || next.text == "[" || next.text == "{";
        const bool closes = next.text == ")" || next.text == "]" || next.text == "}";
        depth += opens ? 1 : closes ? -1 : 0;
        if (depth == 0 && next.text == ":")
            return token(ahead + 1).kind == Token::NewLine && token(ahead + 2).kind == Token::Indent &&
                   token(ahead + 3).kind == Token::Name && token(ahead + 3).text == "case";
    }
    return false;
}

PythonStatement PythonParser::match() {
    PythonStatement result;
    result.kind = PythonStatement::Kind::Match;
    result.place = token().place;
    advance();
    result.values.push_back(expressionList());
    expect(":");
    while (!m_error && (is(Token::NewLine) || is(Token::Indent)))
        advance();
    while (!m_error && isWord("case")) {
        PythonStatement one;
        one.kind = PythonStatement::Kind::Case;
        one.place = token().place;
        advance();
        one.values.push_back(patterns());
        if (accept("if"))
            one.values.push_back(expression());
        suite(one.body);
        result.handlers.push_back(std::move(one));
    }
    if (!m_error && !is(Token::Dedent) && !is(Token::End))
        fail("a \"case\" is missing here");
    if (is(Token::Dedent))
        advance();
    return result;
}

/// A pattern, or several of a sequence without brackets.
PythonExpression PythonParser::patterns() {
    PythonExpression first = pattern();
    if (!isOperator(",") && first.kind != Kind::Starred)
        return first;
    PythonExpression tuple = make(Kind::Tuple);
    tuple.place = first.place;
    tuple.children.push_back(std::move(first));
    while (!m_error && accept(",")) {
        if (isOperator(":") || isWord("if"))
            break;
        tuple.children.push_back(pattern());
    }
    return tuple;
}

/// `one | other as name`, or `*name` in a sequence.
PythonExpression PythonParser::pattern() {
    const Depth depth(*this);
    if (m_error)
        return {};
    if (isOperator("*")) {
        PythonExpression rest = make(Kind::Starred);
        advance();
        rest.children.push_back(make(Kind::Name));
        rest.children[0].text = name();
        return rest;
    }
    PythonExpression value = closedPattern();
    while (!m_error && isOperator("|")) {
        PythonExpression either = make(Kind::Binary);
        either.text = "|";
        advance();
        either.children.push_back(std::move(value));
        either.children.push_back(closedPattern());
        value = std::move(either);
    }
    if (!isWord("as"))
        return value;
    PythonExpression named = make(Kind::Assigned);
    advance();
    named.children.push_back(make(Kind::Name));
    named.children[0].text = name();
    named.children.push_back(std::move(value));
    return named;
}

PythonExpression PythonParser::closedPattern() {
    if (isOperator("(") || isOperator("["))
        return sequencePattern();
    if (isOperator("{"))
        return mappingPattern();
    const bool isConstant = isWord("None") || isWord("True") || isWord("False");
    if (!is(Token::Name) || isConstant)
        return unary(); // a number or a text
    PythonExpression value = named();
    while (!m_error && accept(".")) {
        PythonExpression member = make(Kind::Attribute);
        member.text = name();
        member.children.push_back(std::move(value));
        value = std::move(member);
    }
    if (!isOperator("("))
        return value;
    PythonExpression object = make(Kind::Call);
    advance();
    object.children.push_back(std::move(value));
    while (!m_error && !isOperator(")")) {
        const bool isKeyword = is(Token::Name) && token(1).kind == Token::Operator && token(1).text == "=";
        if (isKeyword) {
            std::string key = name();
            advance();
            object.keywords.push_back({std::move(key), pattern()});
        } else {
            object.children.push_back(pattern());
        }
        if (!accept(","))
            break;
    }
    expect(")");
    return object;
}

/// `[a, *b]`, `(a, b)`, or one pattern in brackets.
PythonExpression PythonParser::sequencePattern() {
    PythonExpression list = make(Kind::List);
    const std::string_view end = isOperator("[") ? "]" : ")";
    advance();
    bool isOne = end == ")" && !isOperator(")");
    while (!m_error && !isOperator(end)) {
        list.children.push_back(pattern());
        if (!accept(","))
            break;
        isOne = false;
    }
    expect(end);
    if (m_error || !isOne || list.children[0].kind == Kind::Starred)
        return list;
    PythonExpression inner = std::move(list.children[0]);
    return inner;
}

/// `{"key": pattern, **rest}`: as a dictionary has its entries.
PythonExpression PythonParser::mappingPattern() {
    PythonExpression entries = make(Kind::Dictionary);
    advance();
    while (!m_error && !isOperator("}")) {
        if (isOperator("**")) {
            PythonExpression rest = make(Kind::Starred);
            advance();
            rest.children.push_back(make(Kind::Name));
            rest.children[0].text = name();
            entries.children.push_back(std::move(rest));
            entries.children.emplace_back();
        } else {
            entries.children.push_back(unary());
            expect(":");
            entries.children.push_back(pattern());
        }
        if (!accept(","))
            break;
    }
    expect("}");
    return entries;
}

} // namespace core
