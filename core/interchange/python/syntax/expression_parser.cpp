// Expressions of the parser, from the loosest binding to the tightest.
#include "core/interchange/python/syntax/parser.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <iterator>

namespace core {

namespace {

/// Binary operators by rising precedence; each level binds tighter than the one before. `not` and the
/// comparisons are between "and" and "|".
constexpr std::array<std::array<std::string_view, 6>, 8> operatorLevels{{
    {"or"},
    {"and"},
    {"|"},
    {"^"},
    {"&"},
    {"<<", ">>"},
    {"+", "-"},
    {"*", "/", "//", "%", "@"},
}};
constexpr std::size_t levelOfComparisons = 2;
constexpr std::array<std::string_view, 6> comparisonOperators{"==", "!=", "<=", ">=", "<", ">"};

/// Deep trees would overflow the stack when they are walked or destroyed.
constexpr int longestChain = 300;

} // namespace

PythonExpression PythonParser::make(Kind kind) const {
    PythonExpression result;
    result.kind = kind;
    result.place = token().place;
    return result;
}

PythonExpression PythonParser::targets() {
    const auto one = [&] { return isOperator("*") ? starred() : primary(); };
    PythonExpression first = one();
    if (!isOperator(","))
        return first;
    PythonExpression tuple = make(Kind::Tuple);
    tuple.children.push_back(std::move(first));
    while (!m_error && accept(",")) {
        if (isWord("in"))
            break;
        tuple.children.push_back(one());
    }
    return tuple;
}

PythonExpression PythonParser::expressionList() {
    PythonExpression first = starred();
    if (!isOperator(","))
        return first;
    PythonExpression tuple;
    tuple.kind = Kind::Tuple;
    tuple.place = first.place;
    tuple.children.push_back(std::move(first));
    while (!m_error && accept(",")) {
        if (is(Token::NewLine) || isOperator("=") || isOperator(")"))
            break;
        tuple.children.push_back(starred());
    }
    return tuple;
}

PythonExpression PythonParser::starred() {
    if (!isOperator("*") && !isOperator("**"))
        return expression();
    PythonExpression result = make(Kind::Starred);
    result.text = token().text;
    advance();
    result.children.push_back(expression());
    return result;
}

PythonExpression PythonParser::expression() {
    const Depth depth(*this);
    if (m_error)
        return {};
    if (isWord("lambda"))
        return lambda();
    PythonExpression value = binary(0);
    if (value.kind == Kind::Name && accept(":=")) {
        PythonExpression assigned = make(Kind::Assigned);
        assigned.place = value.place;
        assigned.children.push_back(std::move(value));
        assigned.children.push_back(expression());
        return assigned;
    }
    if (!isWord("if"))
        return value;
    PythonExpression result = make(Kind::Conditional);
    advance();
    result.children.push_back(std::move(value));
    result.children.push_back(binary(0));
    expect("else");
    result.children.push_back(expression());
    return result;
}

/// A function without a name, whose only statement returns its value.
PythonExpression PythonParser::lambda() {
    PythonExpression result = make(Kind::Lambda);
    PythonStatement function;
    function.kind = PythonStatement::Kind::Function;
    function.place = result.place;
    function.text = "lambda";
    advance();
    function.parameters = parameters(":", false);
    expect(":");
    PythonStatement answer;
    answer.kind = PythonStatement::Kind::Return;
    answer.place = token().place;
    answer.values.push_back(expression());
    function.body.push_back(std::move(answer));
    result.function = std::make_shared<const PythonStatement>(std::move(function));
    return result;
}

/// The operator of a level that is here; empty when there is none.
std::string PythonParser::operatorOf(std::size_t level) {
    for (const std::string_view text : operatorLevels[level]) {
        if (text.empty() || (!isOperator(text) && !isWord(text)))
            continue;
        advance();
        return std::string(text);
    }
    return "";
}

PythonExpression PythonParser::binary(std::size_t level) {
    if (level == operatorLevels.size())
        return unary();
    const auto tighter = [&] { return level + 1 == levelOfComparisons ? negation() : binary(level + 1); };
    PythonExpression left = tighter();
    for (int chain = 0; !m_error; ++chain) {
        if (chain > longestChain)
            fail(fmt::format("an expression goes on for more than {} steps", longestChain));
        const PythonPlace at = left.place;
        const std::string text = operatorOf(level);
        if (text.empty())
            break;
        PythonExpression result;
        result.kind = Kind::Binary;
        result.place = at;
        result.text = text;
        result.children.push_back(std::move(left));
        result.children.push_back(tighter());
        left = std::move(result);
    }
    return left;
}

/// `not` binds looser than comparisons.
PythonExpression PythonParser::negation() {
    const Depth depth(*this);
    if (m_error)
        return {};
    if (!isWord("not"))
        return comparison();
    PythonExpression result = make(Kind::Unary);
    result.text = "not";
    advance();
    result.children.push_back(negation());
    return result;
}

/// a < b < c is "a < b and b < c".
PythonExpression PythonParser::comparison() {
    const auto comparisonHere = [&]() -> std::string {
        for (const std::string_view text : comparisonOperators)
            if (is(Token::Operator) && accept(text))
                return std::string(text);
        if (accept("in"))
            return "in";
        if (isWord("not") && token(1).kind == Token::Name && token(1).text == "in") {
            advance();
            advance();
            return "not in";
        }
        if (accept("is"))
            return accept("not") ? "is not" : "is";
        return "";
    };
    const auto join = [](std::string text, PythonExpression left, PythonExpression right) {
        PythonExpression result;
        result.kind = Kind::Binary;
        result.place = left.place;
        result.text = std::move(text);
        result.children.push_back(std::move(left));
        result.children.push_back(std::move(right));
        return result;
    };
    PythonExpression left = binary(levelOfComparisons);
    std::string text = comparisonHere();
    if (text.empty())
        return left;
    PythonExpression right = binary(levelOfComparisons);
    PythonExpression whole = join(std::move(text), std::move(left), right);
    for (int chain = 0; !m_error && !(text = comparisonHere()).empty(); ++chain) {
        if (chain > longestChain)
            fail(fmt::format("an expression goes on for more than {} steps", longestChain));
        PythonExpression next = binary(levelOfComparisons);
        PythonExpression pair = join(std::move(text), std::move(right), next);
        whole = join("and", std::move(whole), std::move(pair));
        right = std::move(next);
    }
    return whole;
}

PythonExpression PythonParser::unary() {
    const Depth depth(*this);
    if (m_error)
        return {};
    if (isOperator("-") || isOperator("+") || isOperator("~")) {
        PythonExpression result = make(Kind::Unary);
        result.text = token().text;
        advance();
        result.children.push_back(unary());
        return result;
    }
    PythonExpression base = primary();
    if (!isOperator("**"))
        return base;
    PythonExpression result = make(Kind::Binary);
    result.text = "**";
    advance();
    result.children.push_back(std::move(base));
    result.children.push_back(unary());
    return result;
}

PythonExpression PythonParser::primary() {
    PythonExpression value = atom();
    int chain = 0;
    while (!m_error) {
        PythonExpression next;
        next.place = value.place;
        if (accept(".")) {
            next.kind = Kind::Attribute;
            next.text = name();
            next.children.push_back(std::move(value));
        } else if (isOperator("(")) {
            next.kind = Kind::Call;
            advance();
            PythonExpressions list = arguments(&next, ")");
            next.children.push_back(std::move(value));
            std::move(list.begin(), list.end(), std::back_inserter(next.children));
        } else if (accept("[")) {
            next.kind = Kind::Subscript;
            next.children.push_back(std::move(value));
            next.children.push_back(subscript());
            expect("]");
        } else {
            return value;
        }
        value = std::move(next);
        if (++chain > longestChain)
            fail(fmt::format("an expression goes on for more than {} steps", longestChain));
    }
    return value;
}

PythonExpression PythonParser::subscript() {
    PythonExpression first = slice();
    if (!isOperator(","))
        return first;
    PythonExpression tuple = make(Kind::Tuple);
    tuple.children.push_back(std::move(first));
    while (!m_error && accept(",")) {
        if (isOperator("]"))
            break;
        tuple.children.push_back(slice());
    }
    return tuple;
}

PythonExpression PythonParser::slice() {
    PythonExpression result = make(Kind::Slice);
    if (!isOperator(":")) {
        PythonExpression first = expression();
        if (!isOperator(":"))
            return first;
        result.children.push_back(std::move(first));
    } else {
        result.children.emplace_back();
    }
    while (!m_error && accept(":"))
        result.children.push_back(isOperator(":") || isOperator("]") || isOperator(",") ? PythonExpression{}
                                                                                        : expression());
    result.children.resize(3);
    return result;
}

/// Positional arguments; keywords and unpacked dictionaries go to `call` where there is one.
PythonExpressions PythonParser::arguments(PythonExpression* call, std::string_view end) {
    PythonExpressions list;
    while (!m_error && !isOperator(end)) {
        const bool isKeyword = is(Token::Name) && token(1).kind == Token::Operator && token(1).text == "=";
        if (isKeyword) {
            std::string key = name();
            advance();
            PythonExpression value = expression();
            if (call != nullptr)
                call->keywords.push_back({std::move(key), std::move(value)});
        } else if (call != nullptr && accept("**")) {
            call->keywords.push_back({"**", expression()});
        } else {
            list.push_back(starred());
            comprehension(list.back(), end == "]" ? "list" : "tuple");
        }
        if (!accept(","))
            break;
    }
    expect(end);
    return list;
}

/// `value for x in y if z`, as often as there is a "for".
void PythonParser::comprehension(PythonExpression& value, const char* makes) {
    if (!isWord("for"))
        return;
    PythonExpression result = make(Kind::Comprehension);
    result.text = makes;
    result.children.push_back(std::move(value));
    while (!m_error && accept("for")) {
        result.children.push_back(targets());
        expect("in");
        result.children.push_back(binary(0));
        PythonExpression conditions = make(Kind::Tuple);
        while (!m_error && accept("if"))
            conditions.children.push_back(binary(0));
        result.children.push_back(std::move(conditions));
    }
    value = std::move(result);
}

PythonExpression PythonParser::dictionary(PythonExpression result) {
    result.kind = Kind::Dictionary;
    while (!m_error && !isOperator("}")) {
        const bool isFirst = result.children.empty();
        if (isOperator("**")) {
            result.children.push_back(starred());
            result.children.emplace_back();
        } else {
            PythonExpression key = starred();
            if (isFirst && !isOperator(":")) { // a set
                result.kind = Kind::Set;
                comprehension(key, "set");
                if (key.kind == Kind::Comprehension) {
                    expect("}");
                    return key;
                }
            }
            result.children.push_back(std::move(key));
            if (result.kind == Kind::Dictionary) {
                expect(":");
                result.children.push_back(expression());
            }
            if (isFirst && isWord("for")) {
                PythonExpression pair = make(Kind::Tuple);
                pair.children = std::move(result.children);
                comprehension(pair, "dict");
                expect("}");
                return pair;
            }
        }
        if (!accept(","))
            break;
    }
    expect("}");
    return result;
}

} // namespace core
