#include "core/interchange/templates/template_arguments.h"

#include "core/model/attribute_definition.h"
#include "core/text/nearest_name.h"

#include <algorithm>
#include <cassert>
#include <charconv>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace core {

namespace parameter {

TemplateParameter integer(std::string name, Json byDefault, std::int64_t low, std::int64_t high,
                          std::string documentation) {
    return {std::move(name),
            TemplateParameterKind::Integer,
            std::move(byDefault),
            std::move(documentation),
            static_cast<double>(low),
            static_cast<double>(high),
            {},
            {}};
}
TemplateParameter number(std::string name, Json byDefault, double low, double high,
                         std::string documentation) {
    return {std::move(name),
            TemplateParameterKind::Number,
            std::move(byDefault),
            std::move(documentation),
            low,
            high,
            {},
            {}};
}
TemplateParameter toggle(std::string name, bool byDefault, std::string documentation) {
    return {
        std::move(name), TemplateParameterKind::Switch, byDefault, std::move(documentation), 0, 1, {}, {}};
}
TemplateParameter text(std::string name, Json byDefault, std::string documentation) {
    return {std::move(name),
            TemplateParameterKind::Text,
            std::move(byDefault),
            std::move(documentation),
            0,
            0,
            {},
            {}};
}
TemplateParameter choice(std::string name, std::vector<std::string> choices, std::string documentation) {
    Json byDefault = choices.front();
    return {std::move(name),
            TemplateParameterKind::Choice,
            std::move(byDefault),
            std::move(documentation),
            0,
            0,
            std::move(choices),
            {}};
}
TemplateParameter list(TemplateParameterKind kind, std::string name, Json byDefault,
                       std::string documentation) {
    return {std::move(name), kind, std::move(byDefault), std::move(documentation), 0, 1e9, {}, {}};
}
TemplateParameter withAliases(TemplateParameter parameter, std::vector<std::string> aliases) {
    parameter.aliases = std::move(aliases);
    return parameter;
}

} // namespace parameter

const TemplateParameter* findParameter(std::span<const TemplateParameter> parameters, std::string_view name) {
    for (const TemplateParameter& parameter : parameters)
        if (parameter.name == name ||
            std::find(parameter.aliases.begin(), parameter.aliases.end(), name) != parameter.aliases.end())
            return &parameter;
    return nullptr;
}

namespace {

std::vector<std::string> pieces(std::string_view text) {
    std::vector<std::string> list;
    while (true) {
        const std::size_t comma = text.find(',');
        std::string_view piece = text.substr(0, comma);
        while (piece.starts_with(' '))
            piece.remove_prefix(1);
        while (piece.ends_with(' '))
            piece.remove_suffix(1);
        list.emplace_back(piece);
        if (comma == std::string_view::npos)
            return list;
        text.remove_prefix(comma + 1);
    }
}

/// What a single `key=value` text stands for as a number; null when it is none.
Json numberFromText(const std::string& text) {
    std::int64_t whole = 0;
    const char* end = text.data() + text.size();
    if (const auto [stop, error] = std::from_chars(text.data(), end, whole);
        error == std::errc() && stop == end)
        return whole;
    double real = 0;
    if (const auto [stop, error] = std::from_chars(text.data(), end, real);
        error == std::errc() && stop == end)
        return real;
    return nullptr;
}

Json asNumber(const Json& given) {
    return given.is_string() ? numberFromText(given.get<std::string>()) : given;
}

std::optional<Json> readInteger(const TemplateParameter& parameter, const Json& given) {
    const auto number = wholeNumber(asNumber(given));
    const bool fits = number && static_cast<double>(*number) >= parameter.low &&
                      static_cast<double>(*number) <= parameter.high;
    return fits ? std::optional<Json>(*number) : std::nullopt;
}

std::optional<Json> readNumber(const TemplateParameter& parameter, const Json& given) {
    const Json number = asNumber(given);
    const bool fits =
        number.is_number() && number.get<double>() >= parameter.low && number.get<double>() <= parameter.high;
    return fits ? std::optional<Json>(number.get<double>()) : std::nullopt;
}

std::optional<Json> readSwitch(const Json& given) {
    const std::string text = given.is_string() ? given.get<std::string>() : toText(given, -1);
    if (text == "true" || text == "1" || text == "on" || text == "yes")
        return true;
    if (text == "false" || text == "0" || text == "off" || text == "no")
        return false;
    return std::nullopt;
}

/// Numbers and switches where texts are wanted ("version=1") count as texts.
std::optional<Json> readText(const Json& given) {
    if (given.is_string())
        return given;
    return given.is_number() || given.is_boolean() ? std::optional<Json>(toText(given, -1)) : std::nullopt;
}

std::optional<Json> readChoice(const TemplateParameter& parameter, const Json& given) {
    const auto text = readText(given);
    const bool isKnown = text && std::find(parameter.choices.begin(), parameter.choices.end(),
                                           text->get<std::string>()) != parameter.choices.end();
    return isKnown ? text : std::nullopt;
}

std::optional<Json> readList(const TemplateParameter& parameter, const Json& given) {
    Json entries = given;
    if (given.is_string())
        entries = pieces(given.get<std::string>());
    else if (!given.is_array())
        entries = Json::array({given});
    constexpr std::size_t longest = 10000;
    if (entries.empty() || entries.size() > longest)
        return std::nullopt;
    Json list = Json::array();
    for (const Json& entry : entries) {
        const auto value = parameter.kind == TemplateParameterKind::Integers  ? readInteger(parameter, entry)
                           : parameter.kind == TemplateParameterKind::Numbers ? readNumber(parameter, entry)
                                                                              : readText(entry);
        if (!value)
            return std::nullopt;
        list.push_back(*value);
    }
    return list;
}

std::optional<Json> readValue(const TemplateParameter& parameter, const Json& given) {
    switch (parameter.kind) {
    case TemplateParameterKind::Integer:
        return readInteger(parameter, given);
    case TemplateParameterKind::Number:
        return readNumber(parameter, given);
    case TemplateParameterKind::Switch:
        return readSwitch(given);
    case TemplateParameterKind::Text:
        return readText(given);
    case TemplateParameterKind::Choice:
        return readChoice(parameter, given);
    default:
        return readList(parameter, given);
    }
}

Diagnostic unknownKey(std::span<const TemplateParameter> parameters, const std::string& key) {
    std::vector<std::string> names;
    for (const TemplateParameter& parameter : parameters)
        names.push_back(parameter.name);
    std::vector<std::string> hints;
    if (const auto near = nearestName(key, names))
        hints.push_back(fmt::format("did you mean \"{}\"?", *near));
    hints.push_back(fmt::format("its parameters are: {}", fmt::join(names, ", ")));
    return makeError(Trouble::Usage, "template/unknown-key", {"", key},
                     fmt::format("the template has no parameter \"{}\"", key.substr(0, 80)),
                     std::move(hints));
}

} // namespace

std::string acceptedValues(const TemplateParameter& parameter) {
    const auto bounds = [&] {
        return parameter.high >= 1e9 ? fmt::format("from {}", parameter.low)
                                     : fmt::format("{} … {}", parameter.low, parameter.high);
    };
    switch (parameter.kind) {
    case TemplateParameterKind::Integer:
        return "integer " + bounds();
    case TemplateParameterKind::Number:
        return "number " + bounds();
    case TemplateParameterKind::Switch:
        return "true or false";
    case TemplateParameterKind::Text:
        return "text";
    case TemplateParameterKind::Choice:
        return fmt::format("one of {}", fmt::join(parameter.choices, ", "));
    case TemplateParameterKind::Integers:
        return "integers, separated by commas";
    case TemplateParameterKind::Numbers:
        return "numbers, separated by commas";
    case TemplateParameterKind::Texts:
        return "names or integers, separated by commas";
    }
    return "";
}

Result<TemplateArguments> TemplateArguments::read(std::span<const TemplateParameter> parameters,
                                                  const Json& given) {
    TemplateArguments arguments;
    for (const TemplateParameter& parameter : parameters)
        arguments.m_values[parameter.name] = parameter.defaultValue;
    Diagnostics findings;
    for (const auto& [key, value] : given.items()) {
        const TemplateParameter* parameter = findParameter(parameters, key);
        if (parameter == nullptr) {
            findings.push_back(unknownKey(parameters, key));
            continue;
        }
        if (value.is_null())
            continue;
        if (auto read = readValue(*parameter, value))
            arguments.m_values[parameter->name] = std::move(*read);
        else
            findings.push_back(
                makeError(Trouble::Usage, "template/value", {"", key},
                          fmt::format("\"{}\" cannot be {}", key, toText(value, -1).substr(0, 80)),
                          {fmt::format("give {}", acceptedValues(*parameter))}));
    }
    if (!findings.empty())
        return failure(std::move(findings));
    return arguments;
}

const Json& TemplateArguments::value(std::string_view name) const {
    const auto found = m_values.find(name);
    assert(found != m_values.end());
    return found->second;
}

bool TemplateArguments::has(std::string_view name) const {
    return !value(name).is_null();
}
std::int64_t TemplateArguments::integer(std::string_view name) const {
    return has(name) ? value(name).get<std::int64_t>() : 0;
}
double TemplateArguments::number(std::string_view name) const {
    return has(name) ? value(name).get<double>() : 0.0;
}
bool TemplateArguments::isOn(std::string_view name) const {
    return has(name) && value(name).get<bool>();
}
std::string TemplateArguments::text(std::string_view name) const {
    return has(name) ? value(name).get<std::string>() : std::string();
}
std::vector<std::int64_t> TemplateArguments::integers(std::string_view name) const {
    return has(name) ? value(name).get<std::vector<std::int64_t>>() : std::vector<std::int64_t>();
}
std::vector<double> TemplateArguments::numbers(std::string_view name) const {
    return has(name) ? value(name).get<std::vector<double>>() : std::vector<double>();
}
std::vector<std::string> TemplateArguments::texts(std::string_view name) const {
    return has(name) ? value(name).get<std::vector<std::string>>() : std::vector<std::string>();
}

} // namespace core
