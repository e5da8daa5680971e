#include "core/interchange/python/writer/text/python_text.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace core {

namespace {

std::string quoted(const std::string& text) {
    std::string result = "\"";
    for (const char c : text) {
        const auto code = static_cast<unsigned char>(c);
        if (c == '"' || c == '\\') {
            result += '\\';
            result += c;
        } else if (c == '\n') {
            result += "\\n";
        } else if (c == '\t') {
            result += "\\t";
        } else if (c == '\r') {
            result += "\\r";
        } else if (code < 0x20 || code == 0x7f) {
            result += fmt::format("\\x{:02x}", code);
        } else {
            result += c;
        }
    }
    return result + "\"";
}

} // namespace

std::string pythonLiteral(const Json& value) {
    if (value.is_null())
        return "None";
    if (value.is_boolean())
        return value.get<bool>() ? "True" : "False";
    if (value.is_string())
        return quoted(value.get_ref<const std::string&>());
    if (value.is_array()) {
        std::string result = "[";
        for (const Json& entry : value)
            result += (result.size() > 1 ? ", " : "") + pythonLiteral(entry);
        return result + "]";
    }
    if (value.is_object()) {
        std::string result = "{";
        for (const auto& [key, entry] : value.items())
            result += (result.size() > 1 ? ", " : "") + quoted(key) + ": " + pythonLiteral(entry);
        return result + "}";
    }
    if (value.is_number_float() && !std::isfinite(value.get<double>()))
        return fmt::format("float(\"{}\")", value.get<double>()); // inf, -inf, nan
    return toText(value, -1);
}

bool isPythonName(std::string_view name) {
    constexpr std::array<std::string_view, 35> keywords{
        "False", "None",     "True",  "and",    "as",   "assert", "async",  "await",    "break",
        "class", "continue", "def",   "del",    "elif", "else",   "except", "finally",  "for",
        "from",  "global",   "if",    "import", "in",   "is",     "lambda", "nonlocal", "not",
        "or",    "pass",     "raise", "return", "try",  "while",  "with",   "yield"};
    const auto isPart = [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
    };
    return !name.empty() && std::ranges::all_of(name, isPart) && !(name[0] >= '0' && name[0] <= '9') &&
           std::ranges::find(keywords, name) == keywords.end();
}

std::string pythonName(std::string_view name) {
    std::string result;
    for (const char c : name)
        result += isPythonName(std::string(1, c)) || (c >= '0' && c <= '9') ? c : '_';
    if (result.empty() || (result[0] >= '0' && result[0] <= '9'))
        result.insert(result.begin(), '_');
    return isPythonName(result) ? result : result + "_";
}

void PythonText::line(std::string_view text) {
    if (!text.empty())
        m_text.append(static_cast<std::size_t>(4 * m_depth), ' ').append(text);
    m_text += '\n';
}

std::string PythonCallText::flat() const {
    return fmt::format("{}({})", callee, fmt::join(arguments, ", "));
}

void PythonText::block(std::string_view lines) {
    while (!lines.empty()) {
        const std::size_t end = std::min(lines.find('\n'), lines.size());
        line(lines.substr(0, end));
        lines.remove_prefix(std::min(end + 1, lines.size()));
    }
}

void PythonText::call(std::string_view head, const std::vector<std::string>& arguments,
                      std::string_view tail) {
    list(head, "(", arguments, fmt::format("){}", tail));
}

void PythonText::list(std::string_view head, std::string_view open, const std::vector<std::string>& entries,
                      std::string_view close) {
    constexpr std::size_t width = 100;
    const std::string flat = fmt::format("{}{}{}{}", head, open, fmt::join(entries, ", "), close);
    if (flat.size() + static_cast<std::size_t>(4 * m_depth) <= width || entries.empty()) {
        line(flat);
        return;
    }
    line(fmt::format("{}{}", head, open));
    indent();
    for (std::size_t i = 0; i < entries.size(); ++i)
        line(entries[i] + (i + 1 < entries.size() ? "," : ""));
    dedent();
    line(close);
}

} // namespace core
