#pragma once

#include "core/base/json.h"
#include "core/base/result.h"
#include "core/config/training_options.h"

#include <limits>
#include <optional>
#include <string>
#include <string_view>
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
    Axes,     ///< a whole number or a list of them
    Optimizer ///< another optimizer as {"class_name", "config"} or by name
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
};

/// A class of Keras with its keys.
struct KerasClass {
    std::string_view className;
    std::vector<KerasParameter> parameters;
    /// Texts that Keras reads as this class beside the class name ("mse").
    std::vector<std::string_view> aliases = {};
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
};

/// Defaults of the classes are those of tf.keras 2.4. Source: the constructors' signatures in the Keras
/// documentation.
[[nodiscard]] const KerasCatalogue& optimizerCatalogue();
[[nodiscard]] const KerasCatalogue& learningRateScheduleCatalogue();
[[nodiscard]] const KerasCatalogue& lossCatalogue();
[[nodiscard]] const KerasCatalogue& metricCatalogue();
/// The callbacks of `fit` that need no Python function.
[[nodiscard]] const KerasCatalogue& callbackCatalogue();

/// Reads a Keras object as Keras does: a bare text ("sgd", "mse", "accuracy") or {"class_name", "config"}.
/// Files an error for an unknown class or key (with the nearest known one) and for a value of the wrong kind.
[[nodiscard]] std::optional<KerasObject> readKerasObject(const Json& value, const KerasCatalogue& catalogue,
                                                         const std::string& file, const std::string& pointer,
                                                         Diagnostics& findings);

/// A bare text where one says it all, else {"class_name", "config"}.
[[nodiscard]] Json toJson(const KerasObject& object, const KerasCatalogue& catalogue);

/// The object's `config` with every key of its class, defaults filled in. `object` must be of the catalogue.
[[nodiscard]] Json resolvedConfig(const KerasObject& object, const KerasCatalogue& catalogue);

/// The optimizer of a project; where none is set, Keras' own default, RMSprop.
[[nodiscard]] KerasObject optimizerOf(const TrainingOptions& training);

/// The optimizer that a LossScaleOptimizer wraps; any other optimizer itself.
[[nodiscard]] KerasObject unwrappedOptimizer(const KerasObject& optimizer);

/// Whether an optimizer keeps variables beside the weights (momentum, moments): all but plain SGD.
[[nodiscard]] bool keepsState(const KerasObject& optimizer);

/// The name under which Keras reports a metric: its `name`, else its class in snake case ("accuracy",
/// "mean_squared_error").
[[nodiscard]] std::string reportedName(const KerasObject& metric);

} // namespace core
