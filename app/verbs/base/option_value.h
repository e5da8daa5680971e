#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace app {

/// What is thrown where an option's value cannot be read, with its cure; the command line's parser passes it
/// on.
class RefusedValue final : public CLI::ParseError {
public:
    RefusedValue(std::string refused, const std::string& message, std::string cure)
        : ParseError("RefusedValue", message, CLI::ExitCodes::ValidationError)
        , option(std::move(refused))
        , hint(std::move(cure)) {}

    std::string option;
    std::string hint;
};

/// The index of the value among the names; refused with the nearest and all of them otherwise.
[[nodiscard]] std::size_t readChoice(const std::string& option, const std::string& value,
                                     std::span<const std::string_view> names);

/// A whole number of the range, written in digits.
[[nodiscard]] std::int64_t readWholeNumber(const std::string& option, const std::string& value,
                                           std::int64_t low, std::int64_t high);

/// A finite number of the range; `isOpen` excludes `low` itself.
[[nodiscard]] double readNumber(const std::string& option, const std::string& value, double low, double high,
                                bool isOpen);

/// Whether the person wrote this option of the verb.
[[nodiscard]] inline bool isGiven(const CLI::App& command, const std::string& option) {
    return command.get_option(option)->count() > 0;
}

/// An option that takes one of some names.
template <class Value>
CLI::Option* addChoice(CLI::App& command, const char* name, Value& value,
                       std::vector<std::pair<std::string_view, Value>> choices, const char* documentation) {
    return command.add_option_function<std::string>(
        name,
        [&value, name, choices = std::move(choices)](const std::string& text) {
            std::vector<std::string_view> names;
            for (const auto& choice : choices)
                names.push_back(choice.first);
            value = choices[readChoice(name, text, names)].second;
        },
        documentation);
}

/// An option that takes a whole number of a range.
template <class Value>
CLI::Option* addWholeNumber(CLI::App& command, const char* name, Value& value, std::int64_t low,
                            std::int64_t high, const char* documentation) {
    return command.add_option_function<std::string>(
        name,
        [&value, name, low, high](const std::string& text) {
            const std::int64_t number = readWholeNumber(name, text, low, high);
            if constexpr (requires { value.emplace(number); })
                value.emplace(number);
            else
                value = static_cast<Value>(number);
        },
        documentation);
}

/// An option that takes a number from 0, or above it, to `high`.
enum class NumberRange { FromZero, AboveZero };
template <class Value>
CLI::Option* addNumber(CLI::App& command, const char* name, Value& value, NumberRange range, double high,
                       const char* documentation) {
    return command.add_option_function<std::string>(
        name,
        [&value, name, range, high](const std::string& text) {
            value = readNumber(name, text, 0, high, range == NumberRange::AboveZero);
        },
        documentation);
}

} // namespace app
