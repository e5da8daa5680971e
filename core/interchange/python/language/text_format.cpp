#include "core/interchange/python/language/text_format.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fmt/format.h>

namespace core {

namespace {

std::optional<std::string> written(const PythonValue& value, bool isInside, int depth);

/// 1.0, 1e-05: the shortest digits that read back the same, as Python writes them.
std::string writtenNumber(double number) {
    std::string text = fmt::format("{}", number);
    if (text.find_first_of(".einf") == std::string::npos)
        text += ".0";
    return text;
}

std::optional<std::string> writtenList(const PythonList& list, int depth) {
    std::string text = list.isTuple ? "(" : "[";
    for (std::size_t i = 0; i < list.items->size(); ++i) {
        const auto item = written((*list.items)[i], true, depth + 1);
        if (!item)
            return std::nullopt;
        text += (i > 0 ? ", " : "") + *item;
    }
    text += list.isTuple && list.items->size() == 1 ? "," : "";
    return text + (list.isTuple ? ")" : "]");
}

/// {'a': 1}
std::optional<std::string> writtenDictionary(const PythonDictionary& dictionary, int depth) {
    std::string text;
    for (const auto& [key, value] : *dictionary.entries) {
        const auto first = written(key, true, depth + 1);
        const auto second = written(value, true, depth + 1);
        if (!first || !second)
            return std::nullopt;
        text += (text.empty() ? "" : ", ") + *first + ": " + *second;
    }
    return "{" + text + "}";
}

/// A text as repr() writes it: between the quotes that it does not hold.
std::string writtenText(const std::string& text) {
    const bool isDouble = text.find('\'') != std::string::npos && text.find('"') == std::string::npos;
    const char quote = isDouble ? '"' : '\'';
    std::string whole(1, quote);
    for (const char c : text) {
        if (c == '\n' || c == '\t' || c == '\r')
            whole += c == '\n' ? "\\n" : c == '\t' ? "\\t" : "\\r";
        else
            whole += c == quote || c == '\\' ? std::string("\\") + c : std::string(1, c);
    }
    return whole + quote;
}

std::optional<std::string> written(const PythonValue& value, bool isInside, int depth) {
    constexpr int deepest = 16;
    if (depth > deepest)
        return std::nullopt;
    if (const auto* list = value.as<PythonList>())
        return list->isSet ? std::nullopt : writtenList(*list, depth);
    if (const auto* dictionary = value.as<PythonDictionary>())
        return writtenDictionary(*dictionary, depth);
    if (!value.is<PythonConstant>())
        return std::nullopt;
    const Json& json = value.constant();
    if (json.is_null())
        return "None";
    if (json.is_boolean())
        return json.get<bool>() ? "True" : "False";
    if (json.is_string())
        return isInside ? writtenText(json.get<std::string>()) : json.get<std::string>();
    if (json.is_number_float())
        return writtenNumber(json.get<double>());
    return json.is_number() ? std::optional(json.dump()) : std::nullopt;
}

/// Python's format specification: [[fill]align][sign][#][0][width][grouping][.precision][type].
struct Specification {
    std::string fill = " ";
    /// "<", ">", "^", "=" (between sign and digits); 0: what the value has by itself.
    char align = 0;
    char sign = '-';
    bool isAlternate = false;
    std::size_t width = 0;
    /// "," or "_" between groups of digits; 0: none.
    char grouping = 0;
    int precision = -1;
    char type = 0;
};

/// Bytes of the letter at the beginning of a text.
std::size_t letterLength(std::string_view text) {
    std::size_t length = 1;
    while (length < text.size() && (static_cast<unsigned char>(text[length]) & 0xC0U) == 0x80U)
        ++length;
    return length;
}

std::optional<Specification> readSpecification(std::string_view text) {
    constexpr std::string_view aligns = "<>^=";
    constexpr int most = 999; // of width and precision
    Specification read;
    const auto take = [&](std::string_view letters) -> char {
        if (text.empty() || letters.find(text.front()) == std::string_view::npos)
            return 0;
        const char taken = text.front();
        text.remove_prefix(1);
        return taken;
    };
    const auto takeNumber = [&]() -> int {
        int number = -1;
        const auto end = std::from_chars(text.data(), text.data() + text.size(), number).ptr;
        text.remove_prefix(static_cast<std::size_t>(end - text.data()));
        return number;
    };
    const std::size_t letter = text.empty() ? 0 : letterLength(text);
    if (letter < text.size() && aligns.find(text[letter]) != std::string_view::npos) {
        read.fill = std::string(text.substr(0, letter));
        read.align = text[letter];
        text.remove_prefix(letter + 1);
    } else {
        read.align = take(aligns);
    }
    if (const char sign = take("+- "))
        read.sign = sign;
    read.isAlternate = take("#") != 0;
    if (!text.empty() && text.front() == '0') {
        take("0");
        if (read.align == 0) {
            read.align = '=';
            read.fill = "0";
        }
    }
    if (const int width = takeNumber(); width > most)
        return std::nullopt;
    else if (width > 0)
        read.width = static_cast<std::size_t>(width);
    read.grouping = take(",_");
    if (take(".") != 0) {
        read.precision = takeNumber();
        if (read.precision < 0 || read.precision > most)
            return std::nullopt;
    }
    read.type = take("bcdeEfFgGnosxX%");
    return text.empty() ? std::optional(read) : std::nullopt;
}

/// Letters between groups of digits, from the end of the whole part.
std::string grouped(std::string digits, char separator, std::size_t size) {
    const std::size_t end = std::min(digits.find_first_not_of("0123456789abcdefABCDEF"), digits.size());
    for (std::size_t at = end; at > size; at -= size)
        digits.insert(at - size, 1, separator);
    return digits;
}

std::string padded(const Specification& read, const std::string& sign, const std::string& body,
                   char ownAlign) {
    const std::string whole = sign + body;
    const auto letters = static_cast<std::size_t>(std::ranges::count_if(
        whole, [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
    const std::size_t missing = read.width > letters ? read.width - letters : 0;
    const auto fills = [&](std::size_t count) {
        std::string text;
        for (std::size_t i = 0; i < count; ++i)
            text += read.fill;
        return text;
    };
    switch (read.align == 0 ? ownAlign : read.align) {
    case '<':
        return whole + fills(missing);
    case '^':
        return fills(missing / 2) + whole + fills(missing - missing / 2);
    case '=':
        return sign + fills(missing) + body;
    default:
        return fills(missing) + whole;
    }
}

std::optional<std::string> formattedLetters(const std::string& text, const Specification& read) {
    if ((read.type != 0 && read.type != 's') || read.align == '=' || read.grouping != 0)
        return std::nullopt;
    std::string shown;
    for (std::size_t at = 0, letters = 0;
         at < text.size() && (read.precision < 0 || static_cast<int>(letters) < read.precision); ++letters) {
        const std::size_t length = letterLength(std::string_view(text).substr(at));
        shown += text.substr(at, length);
        at += length;
    }
    return padded(read, "", shown, '<');
}

std::string signOf(bool isNegative, const Specification& read) {
    return isNegative ? "-" : read.sign == '-' ? "" : std::string(1, read.sign);
}

std::optional<std::string> formattedWhole(std::int64_t number, const Specification& read) {
    if (read.precision >= 0)
        return std::nullopt;
    const bool isNegative = number < 0;
    const std::uint64_t size =
        isNegative ? ~static_cast<std::uint64_t>(number) + 1 : static_cast<std::uint64_t>(number);
    std::string digits;
    std::string prefix = signOf(isNegative, read);
    constexpr std::size_t decimalGroup = 3;
    constexpr std::size_t otherGroup = 4;
    constexpr std::uint64_t ascii = 128;
    const std::string base = read.isAlternate && read.type != 0 ? std::string("0") + read.type : "";
    switch (read.type) {
    case 'b':
        digits = fmt::format("{:b}", size);
        break;
    case 'o':
        digits = fmt::format("{:o}", size);
        break;
    case 'x':
        digits = fmt::format("{:x}", size);
        break;
    case 'X':
        digits = fmt::format("{:X}", size);
        break;
    case 'c':
        return size < ascii && !isNegative
                   ? std::optional(padded(read, "", std::string(1, static_cast<char>(size)), '<'))
                   : std::nullopt;
    case 's':
        return std::nullopt;
    default:
        digits = fmt::format("{}", size);
        if (read.grouping != 0)
            digits = grouped(digits, read.grouping, decimalGroup);
        return padded(read, prefix, digits, '>');
    }
    if (read.grouping != 0)
        digits = grouped(digits, read.grouping, otherGroup);
    return padded(read, prefix + base, digits, '>');
}

/// Without a type, digits behind the point are shown: 12.0, 1.2e+10.
std::string plainReal(double size, int precision) {
    if (precision < 0)
        return writtenNumber(size);
    const int digits = std::max(precision, 1);
    const std::string exponent = fmt::format("{:.{}e}", size, digits - 1);
    int power = 0;
    const std::size_t e = exponent.find('e');
    if (e == std::string::npos)
        return exponent;
    const std::size_t from = e + (exponent[e + 1] == '+' ? 2 : 1);
    std::from_chars(exponent.data() + from, exponent.data() + exponent.size(), power);
    constexpr int smallest = -4;
    std::string text;
    if (power >= digits - 1 || power < smallest) {
        text = fmt::format("{:.{}g}", size, digits);
        return text.find('e') == std::string::npos ? exponent : text;
    }
    text = fmt::format("{:.{}g}", size, digits);
    return text.find_first_of(".e") == std::string::npos ? text + ".0" : text;
}

std::optional<std::string> formattedReal(double number, const Specification& read) {
    constexpr int usual = 6;
    constexpr std::size_t group = 3;
    const int precision = read.precision < 0 ? usual : read.precision;
    const double size = std::abs(number);
    std::string digits;
    switch (read.type) {
    case 0:
        digits = plainReal(size, read.precision);
        break;
    case 'e':
        digits = fmt::format("{:.{}e}", size, precision);
        break;
    case 'E':
        digits = fmt::format("{:.{}E}", size, precision);
        break;
    case 'f':
    case 'F':
        digits = fmt::format("{:.{}f}", size, precision);
        break;
    case 'g':
    case 'n':
        digits = fmt::format("{:.{}g}", size, std::max(precision, 1));
        break;
    case 'G':
        digits = fmt::format("{:.{}G}", size, std::max(precision, 1));
        break;
    case '%':
        digits = fmt::format("{:.{}f}%", size * 100, precision);
        break;
    default:
        return std::nullopt;
    }
    if (read.grouping != 0 && std::isfinite(number) && digits.find_first_of("eE") == std::string::npos)
        digits = grouped(digits, read.grouping, group);
    return padded(read, signOf(std::signbit(number), read), digits, '>');
}

} // namespace

std::optional<std::string> formatValue(const PythonValue& value, std::string_view specification) {
    if (specification.empty() || specification == "!r" || specification == "!s")
        return written(value, specification == "!r", 0);
    if (specification.starts_with("!r:") || specification.starts_with("!s:")) {
        const auto text = written(value, specification[1] == 'r', 0);
        return text ? formatValue(pythonText(*text), specification.substr(3)) : std::nullopt;
    }
    const auto read = readSpecification(specification);
    if (!read)
        return std::nullopt;
    const Json& json = value.constant();
    if (json.is_string())
        return formattedLetters(json.get<std::string>(), *read);
    if (json.is_boolean())
        return formattedWhole(json.get<bool>() ? 1 : 0, *read);
    if (!json.is_number())
        return std::nullopt;
    const bool isReal =
        std::string_view("eEfFgG%").find(read->type == 0 ? 'd' : read->type) != std::string_view::npos;
    if (json.is_number_integer() && !isReal)
        return formattedWhole(json.get<std::int64_t>(), *read);
    return formattedReal(json.get<double>(), *read);
}

std::optional<std::string> formatByPercent(const std::string& text, const PythonValue& values) {
    const auto* list = values.as<PythonList>();
    const PythonValues given = list != nullptr && list->isTuple ? *list->items : PythonValues{values};
    std::string result;
    std::size_t used = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] != '%') {
            result += text[i];
            continue;
        }
        if (i + 1 < text.size() && text[i + 1] == '%') {
            result += text[++i];
            continue;
        }
        const std::size_t end = text.find_first_of("disfeEgGxX", i + 1);
        if (end == std::string::npos || used >= given.size())
            return std::nullopt;
        std::string specification = text.substr(i + 1, end - i - 1);
        if (specification.starts_with("-"))
            specification[0] = '<';
        else if (text[end] == 's' && !specification.empty())
            specification.insert(0, ">"); // texts stand at the right here, as numbers do
        const char kind = text[end];
        const bool isText = kind == 's';
        const bool isWhole = kind == 'd' || kind == 'i';
        PythonValue value = given[used++];
        if (isWhole && value.isNumber())
            value = pythonConstant(static_cast<std::int64_t>(value.constant().get<double>()));
        if (isText) {
            auto plain = formatValue(value, "");
            if (!plain)
                return std::nullopt;
            value = pythonText(std::move(*plain));
        } else if (!value.isNumber()) {
            return std::nullopt;
        }
        if (!isText)
            specification += isWhole ? 'd' : kind;
        const auto piece = formatValue(value, specification);
        if (!piece)
            return std::nullopt;
        result += *piece;
        i = end;
    }
    return used == given.size() ? std::optional(result) : std::nullopt;
}

namespace {

/// Where the field ends that begins at a brace; its specification may have fields of its own.
std::size_t endOfField(const std::string& text, std::size_t from) {
    int depth = 0;
    for (std::size_t at = from; at < text.size(); ++at) {
        depth += text[at] == '{' ? 1 : text[at] == '}' ? -1 : 0;
        if (depth == 0)
            return at;
    }
    return std::string::npos;
}

} // namespace

std::optional<std::string> formatByBraces(const std::string& text, const PythonArguments& arguments) {
    std::string result;
    std::size_t next = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const bool isDoubled = i + 1 < text.size() && text[i + 1] == text[i];
        if ((text[i] == '{' || text[i] == '}') && isDoubled) {
            result += text[i++];
            continue;
        }
        if (text[i] != '{') {
            result += text[i];
            continue;
        }
        const std::size_t end = endOfField(text, i);
        if (end == std::string::npos)
            return std::nullopt;
        const std::string field = text.substr(i + 1, end - i - 1);
        const std::size_t nameEnd = std::min(field.find_first_of(":!"), field.size());
        const std::string name = field.substr(0, nameEnd);
        std::string specification = field.substr(nameEnd); // "!r:>8"
        if (specification.starts_with(":"))
            specification.erase(0, 1);
        std::size_t position = next;
        const char* const last = name.data() + name.size();
        const bool isNumbered = !name.empty() && std::from_chars(name.data(), last, position).ptr == last;
        next += name.empty() ? 1 : 0;
        const PythonValue* value = nullptr;
        if (name.empty() || isNumbered)
            value = position < arguments.list.size() ? &arguments.list[position] : nullptr;
        else
            value = arguments.keyword(name);
        if (specification.find('{') != std::string::npos) {
            PythonArguments further = arguments; // those behind the value
            further.list.erase(further.list.begin(),
                               further.list.begin() +
                                   static_cast<std::ptrdiff_t>(std::min(next, further.list.size())));
            next += name.empty() ? static_cast<std::size_t>(std::ranges::count(specification, '{')) : 0;
            specification = formatByBraces(specification, name.empty() ? further : arguments).value_or("?");
        }
        const auto piece = value == nullptr ? std::nullopt : formatValue(*value, specification);
        if (!piece)
            return std::nullopt;
        result += *piece;
        i = end;
    }
    return result;
}

} // namespace core
