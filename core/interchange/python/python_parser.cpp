#include "core/interchange/python/python_lexer.h"
#include "core/interchange/python/python_syntax.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <optional>

namespace core {

namespace {

using Kind = PythonExpression::Kind;
using Token = PythonToken::Kind;

constexpr int deepestNesting = 100;

/// Operators by rising precedence; each level binds tighter than the one before.
constexpr std::array<std::array<std::string_view, 6>, 8> levels{{
    {"or"},
    {"and"},
    {"==", "!=", "<", "<=", ">", ">="},
    {"|"},
    {"&", "^"},
    {"<<", ">>"},
    {"+", "-"},
    {"*", "/", "//", "%", "@"},
}};

/// Recursive descent. After the first error every read answers at once.
class Parser {
public:
    Parser(std::vector<PythonToken> tokens, std::string_view file)
        : m_tokens(std::move(tokens))
        , m_file(file) {}

    Result<PythonBlock> run() {
        PythonBlock block;
        while (!m_error && !is(Token::End))
            statement(block);
        if (m_error)
            return failure(*m_error);
        return block;
    }

private:
    [[nodiscard]] const PythonToken& token(std::size_t ahead = 0) const {
        return m_tokens[std::min(m_at + ahead, m_tokens.size() - 1)];
    }
    [[nodiscard]] bool is(Token kind) const { return token().kind == kind; }
    [[nodiscard]] bool isOperator(std::string_view text) const {
        return is(Token::Operator) && token().text == text;
    }
    [[nodiscard]] bool isWord(std::string_view text) const { return is(Token::Name) && token().text == text; }
    void advance() {
        if (m_at + 1 < m_tokens.size())
            ++m_at;
    }
    bool accept(std::string_view text) {
        if (!isOperator(text) && !isWord(text))
            return false;
        advance();
        return true;
    }
    void expect(std::string_view text) {
        if (!accept(text))
            fail(fmt::format("\"{}\" is missing here", text));
    }
    void fail(std::string message) {
        if (!m_error)
            m_error = pythonError(m_file, token().place, "python/syntax", std::move(message));
        m_at = m_tokens.size() - 1;
    }

    /// Counts the depth of recursion while it lives.
    struct Depth {
        explicit Depth(Parser& owner)
            : parser(owner) {
            if (++parser.m_depth > deepestNesting)
                parser.fail(fmt::format("the program is nested deeper than {} levels", deepestNesting));
        }
        ~Depth() { --parser.m_depth; }
        Depth(const Depth&) = delete;
        Depth& operator=(const Depth&) = delete;
        Parser& parser;
    };

    // ---- statements -------------------------------------------------------------------------------------

    void statement(PythonBlock& block) {
        const Depth depth(*this);
        if (m_error)
            return;
        if (is(Token::NewLine)) {
            advance();
            return;
        }
        if (accept("@")) {
            PythonExpressions decorators{expression()};
            advance();
            while (!m_error && accept("@")) {
                decorators.push_back(expression());
                advance();
            }
            if (!isWord("def") && !isWord("class"))
                return fail("a function or a class is missing behind its decorator");
            block.push_back(compound());
            block.back().decorators = std::move(decorators);
            return;
        }
        if (is(Token::Indent))
            return fail("this line is indented for no reason");
        if (isWord("with") || isWord("if") || isWord("for") || isWord("while") || isWord("def") ||
            isWord("class")) {
            block.push_back(compound());
            return;
        }
        if (isWord("try") || isWord("async") || isWord("global") || isWord("nonlocal") || isWord("del") ||
            isWord("raise") || isWord("yield"))
            return fail(fmt::format("a program with \"{}\" is not read", token().text));
        do {
            if (is(Token::NewLine))
                break;
            block.push_back(simple());
        } while (!m_error && accept(";"));
        if (!m_error && !is(Token::NewLine))
            return fail("the line goes on in a way that is not read");
        advance();
    }

    void suite(PythonBlock& block) {
        expect(":");
        if (!is(Token::NewLine)) {
            block.push_back(simple());
            while (!m_error && accept(";"))
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

    PythonStatement compound() {
        PythonStatement result;
        result.place = token().place;
        const std::string word = token().text;
        advance();
        if (word == "with") {
            result.kind = PythonStatement::Kind::With;
            do {
                result.values.push_back(expression());
                result.targets.push_back(accept("as") ? target() : PythonExpression{});
            } while (!m_error && accept(","));
        } else if (word == "if" || word == "while") {
            result.kind = word == "if" ? PythonStatement::Kind::If : PythonStatement::Kind::While;
            result.values.push_back(expression());
        } else if (word == "for") {
            result.kind = PythonStatement::Kind::For;
            result.targets.push_back(targets());
            expect("in");
            result.values.push_back(expressionList());
        } else {
            definition(result, word == "class");
        }
        suite(result.body);
        if (word == "if" && isWord("elif")) {
            const Depth depth(*this);
            result.orElse.push_back(compound());
        } else if (word == "if" && accept("else")) {
            suite(result.orElse);
        }
        return result;
    }

    void definition(PythonStatement& result, bool isClass) {
        result.kind = isClass ? PythonStatement::Kind::Class : PythonStatement::Kind::Function;
        result.text = name();
        if (isClass) {
            if (accept("("))
                result.values = arguments(nullptr, ")");
            return;
        }
        expect("(");
        while (!m_error && !isOperator(")")) {
            PythonParameter parameter;
            if (isOperator("*") || isOperator("**"))
                advance();
            if (!is(Token::Operator))
                parameter.name = name();
            if (accept(":"))
                static_cast<void>(expression());
            if (accept("=")) {
                parameter.hasDefault = true;
                parameter.value = expression();
            }
            if (!parameter.name.empty())
                result.parameters.push_back(std::move(parameter));
            if (!accept(","))
                break;
        }
        expect(")");
        if (accept("->"))
            static_cast<void>(expression());
    }

    std::string name() {
        if (!is(Token::Name)) {
            fail("a name is missing here");
            return {};
        }
        std::string text = token().text;
        advance();
        return text;
    }
    std::string path() {
        std::string text = name();
        while (!m_error && accept("."))
            text += "." + name();
        return text;
    }

    void import(PythonStatement& result, bool isFrom) {
        result.kind = PythonStatement::Kind::Import;
        const std::string from = isFrom ? path() : std::string();
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
            const std::string full = isFrom ? from + "." + what : what;
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

    PythonStatement simple() {
        PythonStatement result;
        result.place = token().place;
        if (accept("pass") || accept("break") || accept("continue"))
            return result;
        if (accept("import")) {
            import(result, false);
            return result;
        }
        if (accept("from")) {
            import(result, true);
            return result;
        }
        if (accept("return")) {
            result.kind = PythonStatement::Kind::Return;
            if (!is(Token::NewLine) && !isOperator(";"))
                result.values.push_back(expressionList());
            return result;
        }
        if (accept("assert")) {
            result.kind = PythonStatement::Kind::Assert;
            result.values.push_back(expressionList());
            return result;
        }
        PythonExpression first = expressionList();
        if (isOperator(":")) { // an annotation
            advance();
            static_cast<void>(expression());
        }
        constexpr std::array<std::string_view, 7> augmented{"+=", "-=", "*=", "/=", "//=", "%=", "**="};
        for (const std::string_view text : augmented) {
            if (accept(text)) {
                result.kind = PythonStatement::Kind::Augmented;
                result.text = text.substr(0, text.size() - 1);
                result.targets.push_back(std::move(first));
                result.values.push_back(expressionList());
                return result;
            }
        }
        if (!isOperator("=")) {
            result.kind = PythonStatement::Kind::Expression;
            result.values.push_back(std::move(first));
            return result;
        }
        result.kind = PythonStatement::Kind::Assignment;
        result.targets.push_back(std::move(first));
        while (!m_error && accept("=")) {
            PythonExpression next = expressionList();
            if (isOperator("="))
                result.targets.push_back(std::move(next));
            else
                result.values.push_back(std::move(next));
        }
        return result;
    }

    // ---- expressions ------------------------------------------------------------------------------------

    PythonExpression make(Kind kind) const {
        PythonExpression result;
        result.kind = kind;
        result.place = token().place;
        return result;
    }

    PythonExpression target() { return primary(); }
    PythonExpression targets() {
        PythonExpression first = primary();
        if (!isOperator(","))
            return first;
        PythonExpression tuple = make(Kind::Tuple);
        tuple.children.push_back(std::move(first));
        while (!m_error && accept(","))
            tuple.children.push_back(primary());
        return tuple;
    }

    PythonExpression expressionList() {
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

    PythonExpression starred() {
        if (!isOperator("*") && !isOperator("**"))
            return expression();
        PythonExpression result = make(Kind::Starred);
        result.text = token().text;
        advance();
        result.children.push_back(expression());
        return result;
    }

    PythonExpression expression() {
        const Depth depth(*this);
        if (m_error)
            return {};
        if (isWord("lambda")) {
            PythonExpression result = make(Kind::Lambda);
            advance();
            while (!m_error && !isOperator(":") && !is(Token::End) && !is(Token::NewLine))
                advance();
            expect(":");
            static_cast<void>(expression());
            return result;
        }
        PythonExpression value = binary(0);
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

    /// The operator of a level that stands here, several words joined; empty when there is none.
    std::string operatorOf(std::size_t level) {
        for (const std::string_view text : levels[level]) {
            if (!text.empty() && (isOperator(text) || isWord(text))) {
                advance();
                return std::string(text);
            }
        }
        constexpr std::size_t comparisons = 2;
        if (level != comparisons)
            return "";
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
    }

    PythonExpression binary(std::size_t level) {
        if (level == levels.size())
            return unary();
        PythonExpression left = binary(level + 1);
        for (int chain = 0; !m_error; ++chain) {
            constexpr int longestChain = 300;
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
            result.children.push_back(binary(level + 1));
            left = std::move(result);
        }
        return left;
    }

    PythonExpression unary() {
        const Depth depth(*this);
        if (m_error)
            return {};
        if (isOperator("-") || isOperator("+") || isWord("not") || isOperator("~")) {
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

    PythonExpression primary() {
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
            // Deep trees would overflow the stack when they are walked or destroyed.
            constexpr int longestChain = 300;
            if (++chain > longestChain)
                fail(fmt::format("an expression goes on for more than {} steps", longestChain));
        }
        return value;
    }

    PythonExpression subscript() {
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

    PythonExpression slice() {
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
            result.children.push_back(
                isOperator(":") || isOperator("]") || isOperator(",") ? PythonExpression{} : expression());
        result.children.resize(3);
        return result;
    }

    /// Positional arguments; keywords go to `call` where there is one.
    PythonExpressions arguments(PythonExpression* call, std::string_view end) {
        PythonExpressions list;
        while (!m_error && !isOperator(end)) {
            const bool isKeyword =
                is(Token::Name) && token(1).kind == Token::Operator && token(1).text == "=";
            if (isKeyword) {
                std::string key = name();
                advance();
                PythonExpression value = expression();
                if (call != nullptr)
                    call->keywords.emplace_back(std::move(key), std::move(value));
            } else {
                list.push_back(starred());
                comprehension(list.back());
            }
            if (!accept(","))
                break;
        }
        expect(end);
        return list;
    }

    /// `value for x in y`: kept as what it is, to be refused where it matters.
    void comprehension(PythonExpression& value) {
        if (!isWord("for"))
            return;
        PythonExpression result = make(Kind::Comprehension);
        advance();
        PythonExpression variable = targets();
        expect("in");
        PythonExpression source = binary(0);
        result.children.push_back(std::move(value));
        result.children.push_back(std::move(variable));
        result.children.push_back(std::move(source));
        if (accept("if"))
            result.children.push_back(binary(0));
        value = std::move(result);
    }

    PythonExpression atom() {
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

    PythonExpression named() {
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

    PythonExpression bracketed() {
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
        if (accept(")"))
            return result;
        PythonExpression first = starred();
        comprehension(first);
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

    PythonExpression dictionary(PythonExpression result) {
        result.kind = Kind::Dictionary;
        while (!m_error && !isOperator("}")) {
            if (isOperator("**")) {
                fail("a dictionary made of another is not read");
                break;
            }
            result.children.push_back(expression());
            expect(":");
            result.children.push_back(expression());
            if (!accept(","))
                break;
        }
        expect("}");
        return result;
    }

    std::vector<PythonToken> m_tokens;
    std::string_view m_file;
    std::size_t m_at = 0;
    int m_depth = 0;
    std::optional<Diagnostic> m_error;
};

} // namespace

Result<PythonBlock> parsePython(std::string_view text, std::string_view file) {
    constexpr std::size_t largest = std::size_t{64} * 1024 * 1024;
    if (text.size() > largest)
        return failure(pythonError(file, {}, "python/size", "a program of more than 64 MiB is not read"));
    auto tokens = tokenizePython(text, file);
    if (!tokens)
        return failure(std::move(tokens.error()));
    return Parser(std::move(*tokens), file).run();
}

} // namespace core
