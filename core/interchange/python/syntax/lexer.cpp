#include "core/interchange/python/syntax/lexer.h"

#include "core/interchange/python/syntax/messages.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdlib>
#include <fmt/format.h>
#include <optional>

namespace core {

namespace {

bool isNameStart(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
           static_cast<unsigned char>(c) >= 0x80;
}
bool isDigit(char c) {
    return c >= '0' && c <= '9';
}

class Lexer {
public:
    Lexer(std::string_view text, std::string_view file, int index)
        : m_text(text)
        , m_file(file)
        , m_index(index) {}

    /// One expression, whose lines need no indentation.
    Result<std::vector<PythonToken>> runExpression(PythonPlace at) {
        m_atLineStart = false;
        m_indents.push_back(0);
        auto tokens = run();
        if (!tokens) {
            for (Diagnostic& diagnostic : tokens.error())
                diagnostic = pythonError(m_file, at, diagnostic.code, diagnostic.message, diagnostic.hints);
            return tokens;
        }
        for (PythonToken& token : *tokens)
            token.place = at;
        return tokens;
    }

    Result<std::vector<PythonToken>> run() {
        if (m_text.starts_with("\xef\xbb\xbf"))
            m_at = 3;
        while (!m_error && m_at < m_text.size()) {
            if (m_tokens.size() > mostPythonTokens)
                m_error =
                    pythonError(m_file, place(), "python/too-long",
                                fmt::format("the program has more than {} words and signs", mostPythonTokens),
                                {"write what repeats as a loop, or read long lists from a file"});
            else if (m_atLineStart && m_brackets == 0)
                readIndentation();
            else
                readToken();
        }
        if (!m_error && m_brackets > 0)
            fail("a bracket is never closed");
        if (m_error)
            return failure(*m_error);
        if (!m_tokens.empty() && m_tokens.back().kind != PythonToken::Kind::NewLine)
            add(PythonToken::Kind::NewLine);
        while (m_indents.size() > 1) {
            m_indents.pop_back();
            add(PythonToken::Kind::Dedent);
        }
        add(PythonToken::Kind::End);
        return std::move(m_tokens);
    }

private:
    [[nodiscard]] PythonPlace place() const {
        return {m_line, static_cast<int>(m_at - m_lineStart) + 1, m_index};
    }
    [[nodiscard]] char peek(std::size_t ahead = 0) const {
        return m_at + ahead < m_text.size() ? m_text[m_at + ahead] : '\0';
    }
    void fail(std::string message) {
        if (!m_error)
            m_error = pythonError(m_file, place(), "python/syntax", std::move(message),
                                  {"write it as Python 3 takes it"});
    }
    void add(PythonToken::Kind kind, std::string text = {}) {
        m_tokens.push_back({kind, place(), std::move(text)});
    }

    void newLine() {
        ++m_at;
        ++m_line;
        m_lineStart = m_at;
    }

    /// Blank lines, lines of a comment and commands of a notebook (!pip install, %matplotlib inline) have no
    /// indentation.
    void readIndentation() {
        std::size_t width = 0;
        while (peek() == ' ' || peek() == '\t') {
            width = peek() == '\t' ? (width / 8 + 1) * 8 : width + 1;
            ++m_at;
        }
        if (peek() == '\r')
            ++m_at;
        if (peek() == '\n') {
            newLine();
            return;
        }
        const bool isCommand = peek() == '%' || peek() == '!'; // no statement begins so
        if (peek() == '#' || isCommand || m_at >= m_text.size()) {
            skipComment();
            return;
        }
        m_atLineStart = false;
        if (m_indents.empty()) { // a snippet may be indented as a whole
            m_indents.push_back(width);
            return;
        }
        if (width > m_indents.back()) {
            m_indents.push_back(width);
            add(PythonToken::Kind::Indent);
        }
        while (width < m_indents.back() && m_indents.size() > 1) {
            m_indents.pop_back();
            add(PythonToken::Kind::Dedent);
        }
        if (width != m_indents.back())
            fail("this line's indentation fits no line before it");
    }

    void skipComment() {
        while (m_at < m_text.size() && peek() != '\n')
            ++m_at;
    }

    void readToken() {
        const char c = peek();
        if (c == '\n') {
            if (m_brackets == 0) {
                add(PythonToken::Kind::NewLine);
                m_atLineStart = true;
            }
            newLine();
        } else if (c == ' ' || c == '\t' || c == '\r' || c == '\f') {
            ++m_at;
        } else if (c == '#') {
            skipComment();
        } else if (c == '\\' && (peek(1) == '\n' || (peek(1) == '\r' && peek(2) == '\n'))) {
            m_at += peek(1) == '\r' ? 2 : 1;
            newLine();
        } else if (isDigit(c) || (c == '.' && isDigit(peek(1)))) {
            readNumber();
        } else if (c == '"' || c == '\'') {
            readText({});
        } else if (isNameStart(c)) {
            readName();
        } else {
            readOperator();
        }
    }

    void readName() {
        const std::size_t begin = m_at;
        while (m_at < m_text.size() && (isNameStart(peek()) || isDigit(peek())))
            ++m_at;
        const std::string_view name = m_text.substr(begin, m_at - begin);
        const bool isPrefix = name.size() <= 2 && std::all_of(name.begin(), name.end(), [](char c) {
                                  return std::string_view("rRbBuUfF").find(c) != std::string_view::npos;
                              });
        if (isPrefix && (peek() == '"' || peek() == '\'')) {
            readText(name);
            return;
        }
        PythonToken token{PythonToken::Kind::Name,
                          {m_line, static_cast<int>(begin - m_lineStart) + 1, m_index},
                          std::string(name)};
        m_tokens.push_back(std::move(token));
    }

    void readNumber() {
        const PythonPlace at = place();
        std::string digits;
        bool isReal = false;
        const char kind = peek() == '0' ? static_cast<char>(peek(1) | 0x20) : ' ';
        const bool isHex = kind == 'x';
        const int base = isHex ? 16 : kind == 'o' ? 8 : kind == 'b' ? 2 : 10;
        if (base != 10)
            m_at += 2;
        while (m_at < m_text.size()) {
            const char c = peek();
            const bool isExponent = !isHex && (c == 'e' || c == 'E');
            if (c == '_') {
                ++m_at;
                continue;
            }
            if (isHex ? std::isxdigit(static_cast<unsigned char>(c)) == 0
                      : !(isDigit(c) || c == '.' || isExponent))
                break;
            isReal = isReal || c == '.' || isExponent;
            digits += c;
            ++m_at;
            if (isExponent && (peek() == '+' || peek() == '-'))
                digits += m_text[m_at++];
        }
        PythonToken token{PythonToken::Kind::Integer, at, digits};
        const char* end = digits.data() + digits.size();
        if (!isReal) {
            const auto read = std::from_chars(digits.data(), end, token.integer, base);
            if (read.ec == std::errc::result_out_of_range && base == 10)
                isReal = true;
            else if (read.ec != std::errc() || read.ptr != end)
                return fail("this is no number");
        }
        if (isReal) {
            token.kind = PythonToken::Kind::Real;
            const auto read = std::from_chars(digits.data(), end, token.real);
            if (read.ec != std::errc() || read.ptr != end)
                return fail("this is no number");
        }
        if (isNameStart(peek()))
            return fail("this is no number");
        m_tokens.push_back(std::move(token));
    }

    void readText(std::string_view prefix) {
        const bool isRaw = prefix.find_first_of("rR") != std::string_view::npos;
        const bool isFormatted = prefix.find_first_of("fF") != std::string_view::npos;
        const PythonPlace at = place();
        const char quote = peek();
        const bool isLong = peek(1) == quote && peek(2) == quote;
        m_at += isLong ? 3 : 1;
        std::string text;
        while (true) {
            if (m_error)
                return;
            if (m_at >= m_text.size() || (!isLong && peek() == '\n'))
                return fail("a text is never closed");
            if (peek() == quote && (!isLong || (peek(1) == quote && peek(2) == quote)))
                break;
            if (peek() == '\\' && !isRaw) {
                readEscape(text);
            } else if (peek() == '\\' && (peek(1) == quote || peek(1) == '\\')) {
                text += m_text[m_at++];
                text += m_text[m_at++];
            } else if (peek() == '\n') {
                text += '\n';
                newLine();
            } else {
                text += m_text[m_at++];
            }
        }
        m_at += isLong ? 3 : 1;
        addText(at, std::move(text), isFormatted);
    }

    /// Texts in a row are one; formatted as soon as one of them is.
    void addText(PythonPlace at, std::string text, bool isFormatted) {
        using Kind = PythonToken::Kind;
        const bool isNext = !m_tokens.empty() && (m_tokens.back().kind == Kind::Text ||
                                                  m_tokens.back().kind == Kind::FormattedText);
        if (!isNext) {
            m_tokens.push_back({isFormatted ? Kind::FormattedText : Kind::Text, at, std::move(text)});
            return;
        }
        PythonToken& before = m_tokens.back();
        const bool wasFormatted = before.kind == Kind::FormattedText;
        if (isFormatted && !wasFormatted)
            before.text = withDoubledBraces(before.text);
        before.text += wasFormatted && !isFormatted ? withDoubledBraces(text) : text;
        before.kind = isFormatted || wasFormatted ? Kind::FormattedText : Kind::Text;
    }

    static std::string withDoubledBraces(const std::string& text) {
        std::string doubled;
        for (const char c : text) {
            doubled += c;
            if (c == '{' || c == '}')
                doubled += c;
        }
        return doubled;
    }

    void readEscape(std::string& text) {
        constexpr std::string_view plain = "n\nt\tr\r\\\\'\'\"\"0\0a\ab\bf\fv\v";
        const char c = peek(1);
        if (c == '\n') {
            ++m_at;
            newLine();
            return;
        }
        if (c == 'x' || c == 'u') {
            const std::size_t count = c == 'x' ? 2 : 4;
            unsigned code = 0;
            const std::string_view digits = m_text.substr(std::min(m_at + 2, m_text.size()), count);
            const auto read = std::from_chars(digits.data(), digits.data() + digits.size(), code, 16);
            if (digits.size() != count || read.ptr != digits.data() + count)
                return fail("this is no escape sequence");
            appendUtf8(text, code);
            m_at += 2 + count;
            return;
        }
        m_at += 2;
        for (std::size_t i = 0; i + 1 < plain.size(); i += 2) {
            if (plain[i] == c) {
                text += plain[i + 1];
                return;
            }
        }
        text += '\\';
        text += c;
    }

    static void appendUtf8(std::string& text, unsigned code) {
        if (code < 0x80) {
            text += static_cast<char>(code);
        } else if (code < 0x800) {
            text += static_cast<char>(0xc0 | code >> 6);
            text += static_cast<char>(0x80 | (code & 0x3f));
        } else {
            text += static_cast<char>(0xe0 | code >> 12);
            text += static_cast<char>(0x80 | (code >> 6 & 0x3f));
            text += static_cast<char>(0x80 | (code & 0x3f));
        }
    }

    void readOperator() {
        constexpr std::array<std::string_view, 40> operators{
            "**=", "//=", ">>=", "<<=", "...", "->", "**", "//", "==", "!=", "<=", ">=", "+=", "-=",
            "*=",  "/=",  "%=",  "|=",  "&=",  "^=", ":=", "<<", ">>", "(",  ")",  "[",  "]",  "{",
            "}",   ",",   ":",   ".",   ";",   "=",  "+",  "-",  "*",  "/",  "%",  "@"};
        constexpr std::string_view single = "<>|&^~";
        const std::string_view rest = m_text.substr(m_at);
        std::string_view found;
        for (const std::string_view candidate : operators) {
            if (rest.starts_with(candidate)) {
                found = candidate;
                break;
            }
        }
        if (found.empty() && single.find(peek()) != std::string_view::npos)
            found = rest.substr(0, 1);
        if (found.empty())
            return fail(fmt::format("the character \"{}\" has no place here",
                                    peek() >= ' ' && peek() < 127 ? std::string(1, peek()) : "?"));
        if (found == "(" || found == "[" || found == "{")
            ++m_brackets;
        if (found == ")" || found == "]" || found == "}") {
            if (m_brackets == 0)
                return fail("this bracket was never opened");
            --m_brackets;
        }
        add(PythonToken::Kind::Operator, std::string(found));
        m_at += found.size();
    }

    std::string_view m_text;
    std::string_view m_file;
    std::size_t m_at = 0;
    std::size_t m_lineStart = 0;
    int m_line = 1;
    int m_index = 0;
    int m_brackets = 0;
    bool m_atLineStart = true;
    std::vector<std::size_t> m_indents;
    std::vector<PythonToken> m_tokens;
    std::optional<Diagnostic> m_error;
};

} // namespace

Result<std::vector<PythonToken>> tokenizePython(std::string_view text, std::string_view file, int index) {
    return Lexer(text, file, index).run();
}

Result<std::vector<PythonToken>> tokenizePythonExpression(std::string_view text, std::string_view file,
                                                          PythonPlace place) {
    return Lexer(text, file, place.file).runExpression(place);
}

} // namespace core
