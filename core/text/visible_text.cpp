#include "core/text/visible_text.h"

#include <algorithm>
#include <cstdint>
#include <fmt/format.h>
#include <optional>

namespace core {

namespace {

/// One code point of UTF-8, or what is no UTF-8: then `value` is empty and `length` is 1.
struct CodePoint {
    std::optional<std::uint32_t> value;
    std::size_t length = 1;
};

/// The well-formed sequences of the Unicode Standard, table 3-7.
CodePoint codePointAt(std::string_view text, std::size_t at) {
    const auto byte = [&](std::size_t i) -> std::uint32_t {
        return at + i < text.size() ? static_cast<unsigned char>(text[at + i]) : 0U;
    };
    const std::uint32_t first = byte(0);
    if (first < 0x80)
        return {first, 1};
    const std::size_t length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
    if (first < 0xc2 || first > 0xf4)
        return {};
    std::uint32_t value = first & (0x7fU >> length);
    for (std::size_t i = 1; i < length; ++i) {
        if ((byte(i) & 0xc0U) != 0x80U)
            return {};
        value = (value << 6U) | (byte(i) & 0x3fU);
    }
    constexpr std::uint32_t least[]{0, 0, 0x80, 0x800, 0x10000};
    const bool isSurrogate = value >= 0xd800 && value <= 0xdfff;
    if (value < least[length] || value > 0x10ffff || isSurrogate)
        return {};
    return {value, length};
}

bool isMark(std::uint32_t code) {
    return (code >= 0x80 && code <= 0x9f) || code == 0x61c || code == 0x200e || code == 0x200f ||
           (code >= 0x2028 && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069) || code == 0xfffe ||
           code == 0xffff;
}

bool isControl(std::uint32_t code) {
    return code < 0x20 || code == 0x7f;
}

template <class Stays>
std::string escaped(std::string_view text, Stays stays) {
    std::string out;
    out.reserve(text.size());
    for (std::size_t at = 0; at < text.size();) {
        const CodePoint point = codePointAt(text, at);
        if (!point.value || (isControl(*point.value) && !stays(text[at])))
            out += fmt::format("\\x{:02x}", static_cast<unsigned char>(text[at]));
        else if (isMark(*point.value))
            out += fmt::format("\\u{:04x}", *point.value);
        else
            out += text.substr(at, point.length);
        at += point.length;
    }
    return out;
}

/// "-3", "+0.5", "-12.5%", "-1,024 cycles", "-4 MiB/s", "-", "-inf": signs that no spreadsheet computes with.
bool isSignedFigure(std::string_view text) {
    text.remove_prefix(1);
    if (text == "inf" || text == "nan")
        return true;
    const auto isOneOf = [](std::string_view set) {
        return [set](char c) { return set.find(c) != std::string_view::npos; };
    };
    const auto end = std::ranges::find_if_not(text, isOneOf("0123456789.,eE+-"));
    const std::string_view digits = text.substr(0, static_cast<std::size_t>(end - text.begin()));
    // An exponent has the only sign that a number holds inside.
    for (std::size_t i = 0; i < digits.size(); ++i) {
        const bool isSign = digits[i] == '+' || digits[i] == '-';
        if (isSign && (i == 0 || (digits[i - 1] != 'e' && digits[i - 1] != 'E')))
            return false;
    }
    const std::string_view unit = text.substr(digits.size());
    if (unit.empty())
        return true;
    // Right behind digits a letter or "/" would be a name or a division.
    const bool isApart = unit.front() == ' ' || unit.front() == '%';
    const auto isLetter = [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || static_cast<unsigned char>(c) >= 0x80;
    };
    for (std::size_t i = 0; i < unit.size(); ++i) {
        const bool isPer = unit[i] == '/' && i > 0 && isLetter(unit[i - 1]);
        if (!isPer && unit[i] != ' ' && unit[i] != '%' && !isLetter(unit[i]))
            return false;
    }
    return isApart && !digits.empty();
}

bool looksLikeFormula(std::string_view text) {
    if (text.empty())
        return false;
    if (text.front() == '=' || text.front() == '@')
        return true;
    return (text.front() == '+' || text.front() == '-') && !isSignedFigure(text);
}

} // namespace

bool isUtf8(std::string_view text) {
    for (std::size_t at = 0; at < text.size();) {
        const CodePoint point = codePointAt(text, at);
        if (!point.value)
            return false;
        at += point.length;
    }
    return true;
}

std::string visibleText(std::string_view text) {
    return escaped(text, [](char) { return false; });
}

std::string visibleLines(std::string_view text) {
    return escaped(text, [](char c) { return c == '\n' || c == '\t'; });
}

std::string withEscapedMarks(std::string document) {
    const bool isPlain = std::ranges::none_of(document, [](char c) {
        const auto byte = static_cast<unsigned char>(c);
        return byte == 0x7f || byte == 0xc2 || byte == 0xd8 || byte == 0xe2 ||
               byte == 0xef; // what the marks begin with
    });
    if (isPlain)
        return document;
    std::string out;
    out.reserve(document.size());
    for (std::size_t at = 0; at < document.size();) {
        const CodePoint point = codePointAt(document, at);
        if (point.value && (isMark(*point.value) || *point.value == 0x7f))
            out += fmt::format("\\u{:04x}", *point.value);
        else
            out += document.substr(at, point.length);
        at += point.length;
    }
    return out;
}

std::string csvField(std::string_view text, char separator) {
    std::string field = visibleText(text);
    if (looksLikeFormula(field))
        field.insert(field.begin(), '\'');
    if (field.find(separator) == std::string::npos && field.find('"') == std::string::npos)
        return field;
    std::string quoted(1, '"');
    for (const char c : field)
        quoted.append(c == '"' ? 2 : 1, c);
    quoted += '"';
    return quoted;
}

} // namespace core
