#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace core {

/// How the value of an option is written.
enum class OptionType : std::uint8_t {
    Switch,        ///< true or false
    Integer,       ///< a whole number within the limits
    Number,        ///< a real number within the limits
    Text,          ///< any text
    Choice,        ///< one of `choices`
    IntegerOrList, ///< a whole number or a list of them
    PoplarOptions, ///< an object of Poplar option names and their texts
};

/// What an option changes in the simulated system.
enum class OptionEffect : std::uint8_t { Honoured, None };

/// Everything there is to know about one option of IPUConfig. The texts are for people; `defaultText` is the
/// default as JSON.
struct IpuConfigOption {
    /// Full dotted name, "matmuls.clear_pass_type".
    std::string_view name;
    OptionType type = OptionType::Switch;
    /// The type as the Python API writes it: "SelectionOrder", "typing.Union[int, …]".
    std::string_view pythonType;
    std::string_view defaultText;
    std::string_view documentation;
    OptionEffect effect = OptionEffect::None;
    /// What the simulation does with it, or why it has no effect.
    std::string_view effectText;
    std::span<const std::string_view> choices = {};
    double low = 0;
    double high = 9007199254740992.0;
    /// Empty, or since when and what to use instead.
    std::string_view deprecation = {};
};

} // namespace core
