#include "core/interchange/python/language/text_format.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <fmt/format.h>

namespace core {

namespace {

constexpr std::size_t longestSpecification = 12;

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

/// What the library makes of a specification that both languages have.
template <class T>
std::optional<std::string> formatted(const T& value, const std::string& specification) {
    try { // the library's only way to say that a specification does not fit
        return fmt::format(fmt::runtime("{:" + specification + "}"), value);
    } catch (const fmt::format_error&) {
        return std::nullopt;
    }
}

} // namespace

std::optional<std::string> formatValue(const PythonValue& value, std::string_view specification) {
    if (specification.empty() || specification == "!r")
        return written(value, !specification.empty(), 0);
    const bool isSane = specification.size() <= longestSpecification &&
                        specification.find_first_of("{}") == std::string_view::npos;
    int digits = 0;
    for (const char c : specification)
        digits = std::isdigit(static_cast<unsigned char>(c)) != 0 ? digits + 1 : c == '.' ? 0 : digits;
    constexpr int mostDigits = 3;
    if (!isSane || digits > mostDigits)
        return std::nullopt;
    std::string own(specification);
    const Json& json = value.constant();
    const bool isReal = std::string_view("fFeEgG").find(own.back()) != std::string_view::npos;
    if (json.is_string())
        return formatted(json.get<std::string>(), own);
    if (!json.is_number())
        return std::nullopt;
    if (json.is_number_integer() && !isReal)
        return formatted(json.get<std::int64_t>(), own);
    return formatted(json.get<double>(), own);
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
        const std::size_t end = text.find('}', i);
        if (end == std::string::npos)
            return std::nullopt;
        const std::string field = text.substr(i + 1, end - i - 1);
        const std::string name = field.substr(0, field.find(':'));
        const std::string specification = name.size() < field.size() ? field.substr(name.size() + 1) : "";
        std::size_t position = next;
        const char* const last = name.data() + name.size();
        const bool isNumbered = !name.empty() && std::from_chars(name.data(), last, position).ptr == last;
        next += name.empty() ? 1 : 0;
        const PythonValue* value = nullptr;
        if (name.empty() || isNumbered)
            value = position < arguments.list.size() ? &arguments.list[position] : nullptr;
        else
            value = arguments.keyword(name);
        const auto piece = value == nullptr ? std::nullopt : formatValue(*value, specification);
        if (!piece)
            return std::nullopt;
        result += *piece;
        i = end;
    }
    return result;
}

} // namespace core
