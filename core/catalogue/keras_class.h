#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

namespace core {

/// What the value of a key of a Keras object's `config` may be.
enum class KerasParameterType : std::uint8_t {
    Number,
    Integer,
    Switch,
    Text,
    Choice,
    NumberOrSchedule,
    Numbers,
    Axes,      ///< a whole number or a list of them
    Optimizer, ///< another optimizer as {"class_name", "config"} or by name
    Model      ///< a model as Keras' `to_json()` writes it
};

/// A key of `config`. Null is allowed where the default is null.
struct KerasParameter {
    std::string_view name;
    KerasParameterType type = KerasParameterType::Number;
    /// As JSON; empty: the key is required.
    std::string_view defaultText;
    double low = -std::numeric_limits<double>::infinity();
    double high = std::numeric_limits<double>::infinity();
    std::vector<std::string_view> choices = {};
    /// What other editions of Keras call it; empty: the same.
    std::string_view otherName = {};
};

/// A class of Keras with its keys.
struct KerasClass {
    std::string_view className;
    std::vector<KerasParameter> parameters;
    /// Texts that Keras reads as this class beside the class name ("mse").
    std::vector<std::string_view> aliases = {};

    /// Null when the class has no key of that name.
    [[nodiscard]] const KerasParameter* parameter(std::string_view name) const;
    /// Whether a text names the class as Keras' functions do: an alias or the class name in snake case.
    [[nodiscard]] bool isFunctionName(std::string_view text) const;
};

/// All classes of one family.
struct KerasCatalogue {
    /// "optimizer", "loss", "metric", "learning rate schedule", "callback".
    std::string_view family;
    std::vector<KerasClass> classes;
    /// Keys that every class of the family has.
    std::vector<KerasParameter> common = {};
    /// Metrics are reported under the text that names them, so it is kept as the object's name.
    bool aliasIsName = false;
    /// What the common keyword arguments of old files are called today ("lr" → "learning_rate").
    std::vector<std::pair<std::string_view, std::string_view>> olderKeys = {};

    [[nodiscard]] const KerasClass* find(std::string_view className) const;
    /// The class that a bare text names: its class name in any case, in snake case, or one of its aliases.
    [[nodiscard]] const KerasClass* named(std::string_view text) const;
};

/// The classes of rows that say more than their keys.
template <class Definition>
[[nodiscard]] std::vector<KerasClass> classesOf(std::span<const Definition> rows) {
    return {rows.begin(), rows.end()};
}

/// The row of a class of `catalogue`, whose classes are those of `rows` in their order; null for a text that
/// names none.
template <class Definition>
[[nodiscard]] const Definition* rowNamed(std::span<const Definition> rows, const KerasCatalogue& catalogue,
                                         std::string_view text) {
    const KerasClass* found = catalogue.named(text);
    return found == nullptr ? nullptr : &rows[static_cast<std::size_t>(found - catalogue.classes.data())];
}

} // namespace core
