#pragma once

#include "core/base/whole_number.h"
#include "core/project/options/project_option.h"

#include <cmath>
#include <optional>
#include <span>
#include <string>
#include <type_traits>

namespace core {

// Makers of `OptionField` for members of a project: the type of the member says how its value is read and
// written, the row says within which limits.

/// A whole number whose limits are mistakes of form.
[[nodiscard]] std::optional<std::int64_t> readOptionInteger(ObjectReader& reader,
                                                            const ProjectOption& option);
/// One whose limits are rules of the programming system: "value-error/repeat-count". Empty `way`: the limit
/// to keep.
[[nodiscard]] std::optional<std::int64_t> readOptionCount(ObjectReader& reader, const ProjectOption& option,
                                                          std::string_view way = {});
/// A floating-point type.
[[nodiscard]] std::optional<DataType> readOptionType(ObjectReader& reader, const ProjectOption& option);
/// The text of a choice; any text where the choice is open.
[[nodiscard]] std::optional<std::string> readOptionText(ObjectReader& reader, const ProjectOption& option);

namespace option_field_detail {

template <class T>
struct Plain {
    using Type = T;
};
template <class T>
struct Plain<std::optional<T>> {
    using Type = T;
};

template <class Member>
auto read(ObjectReader& reader, const ProjectOption& option) {
    using Value = typename Plain<Member>::Type;
    if constexpr (std::is_same_v<Value, bool>)
        return reader.readBool(option.key());
    else if constexpr (std::is_same_v<Value, DataType>)
        return readOptionType(reader, option);
    else if constexpr (std::is_integral_v<Value>)
        return readOptionInteger(reader, option);
    else if constexpr (std::is_floating_point_v<Value>)
        return reader.readNumber(option.key(), option.range.low, option.range.high);
    else
        return readOptionText(reader, option);
}

template <class T>
Json value(const T& member) {
    if constexpr (std::is_same_v<T, DataType>)
        return toString(member);
    else
        return member;
}
template <class T>
Json value(const std::optional<T>& member) {
    return member ? value(*member) : Json();
}

} // namespace option_field_detail

/// How the member at the end of the path goes from one project to another.
template <auto... members>
void copyOption(const Project& from, Project& to) {
    (to.*....*members) = (from.*....*members);
}

/// The member at the end of the path: field<&Project::training, &TrainingOptions::epochs>.
template <auto... members>
constexpr OptionField field() {
    return {[](ObjectReader& reader, const ProjectOption& option, Project& project) {
                auto& member = (project.*....*members);
                using Member = std::remove_reference_t<decltype(member)>;
                if (auto value = option_field_detail::read<Member>(reader, option))
                    member = static_cast<Member>(std::move(*value));
            },
            [](const Project& project) { return option_field_detail::value((project.*....*members)); },
            copyOption<members...>};
}

/// The same of a count whose limits are rules of the programming system.
template <auto... members>
constexpr OptionField countField() {
    return {[](ObjectReader& reader, const ProjectOption& option, Project& project) {
                if (const auto value = readOptionCount(reader, option))
                    (project.*....*members) = *value;
            },
            field<members...>().value, copyOption<members...>};
}

/// Files that a text is no member of an enumeration of the Python API, with the nearest that is.
void refuseOptionName(ObjectReader& reader, const ProjectOption& option, std::string_view key,
                      const Json& value);

/// A text that must be a member of an enumeration of the Python API.
template <class Enum>
std::optional<Enum> readOptionEnum(ObjectReader& reader, const ProjectOption& option,
                                   std::optional<Enum> (*fromName)(std::string_view)) {
    const Json* value = reader.readValue(option.key());
    if (value == nullptr)
        return std::nullopt;
    if (value->is_string())
        if (const std::optional<Enum> found = fromName(value->get<std::string>()))
            return found;
    refuseOptionName(reader, option, option.key(), *value);
    return std::nullopt;
}

/// The same of an enumeration of the Python API.
template <auto fromName, auto... members>
constexpr OptionField enumField() {
    return {[](ObjectReader& reader, const ProjectOption& option, Project& project) {
                if (const auto value = readOptionEnum(reader, option, fromName))
                    (project.*....*members) = *value;
            },
            [](const Project& project) -> Json { return toString((project.*....*members)); },
            copyOption<members...>};
}

} // namespace core
