#include "core/project/options/option_field.h"

#include "core/text/nearest_name.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace core {

namespace {

std::int64_t lowest(const ProjectOption& option) {
    return std::isfinite(option.range.low) ? static_cast<std::int64_t>(option.range.low) : anyLow;
}

std::int64_t highest(const ProjectOption& option) {
    return std::isfinite(option.range.high) ? static_cast<std::int64_t>(option.range.high) : anyHigh;
}

} // namespace

std::optional<std::int64_t> readOptionInteger(ObjectReader& reader, const ProjectOption& option) {
    return reader.readInteger(option.key(), lowest(option), highest(option));
}

std::optional<std::int64_t> readOptionCount(ObjectReader& reader, const ProjectOption& option,
                                            std::string_view way) {
    const auto count = reader.readInteger(option.key(), anyLow, anyHigh);
    const std::int64_t low = lowest(option);
    const std::int64_t high = highest(option);
    if (!count || (*count >= low && *count <= high))
        return count;
    std::string code = "value-error/" + std::string(option.key());
    std::ranges::replace(code, '_', '-');
    std::string limit = *count < low ? fmt::format("write at least {}", low) : "write a smaller number";
    reader.refuse(option.key(), std::move(code),
                  fmt::format("{} is {}, allowed are {} to {}", option.key(), *count, low, high),
                  {way.empty() ? std::move(limit) : std::string(way)});
    return std::nullopt;
}

std::optional<DataType> readOptionType(ObjectReader& reader, const ProjectOption& option) {
    const auto text = reader.readText(option.key());
    if (!text)
        return std::nullopt;
    const auto type = dataTypeFromName(*text);
    if (type && isFloating(*type))
        return type;
    reader.refuse(option.key(), "type-error/data-type",
                  fmt::format("{} cannot be \"{}\"", option.key(), text->substr(0, 80)),
                  {"allowed: float32, float16"});
    return std::nullopt;
}

std::optional<std::string> readOptionText(ObjectReader& reader, const ProjectOption& option) {
    if (option.type != ProjectOptionType::Choice)
        return reader.readText(option.key());
    const auto choice = reader.readChoice(option.key(), option.range.choices);
    return choice ? std::optional(std::string(option.range.choices[*choice])) : std::nullopt;
}

void refuseOptionName(ObjectReader& reader, const ProjectOption& option, std::string_view key,
                      const Json& value) {
    const std::vector<std::string> names(option.range.choices.begin(), option.range.choices.end());
    const std::string text = value.is_string() ? value.get<std::string>() : std::string();
    std::vector<std::string> hints;
    if (const auto near = nearestName(text, names))
        hints.push_back(fmt::format("did you mean \"{}\"?", *near));
    hints.push_back(fmt::format("allowed: {}", fmt::join(names, ", ")));
    reader.refuse(
        key, std::string(option.range.errorCode),
        fmt::format("{} cannot be {}", key,
                    value.is_string() ? toText(Json(text.substr(0, 80)), -1) : std::string(typeName(value))),
        std::move(hints));
}

} // namespace core
