#pragma once

#include "core/base/json.h"

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace core {

/// A Keras weight initializer.
struct InitializerDefinition {
    std::string_view className;
    /// Keras' short name.
    std::string_view name;
    std::string_view documentation;
    /// The keys of its config beside those that files of older editions have in all: "mean stddev".
    std::string_view keys = {};
};

[[nodiscard]] std::span<const InitializerDefinition> initializerCatalogue();

/// {"class_name": …, "config": …} of any form Keras writes: a short name, a class name, an object. Null gives
/// `fallback`'s reading. A class the catalogue does not know is kept as it stands.
[[nodiscard]] Json initializerFromJson(const Json& value, std::string_view fallback = "glorot_uniform");

/// The class that a name or an object of any form names: "he_normal", "HeNormal", "Custom>HeNormalV2"; null:
/// none that is known.
[[nodiscard]] const InitializerDefinition* findInitializer(const Json& value);
/// What is wrong with the config of one that is known: a key that it does not have, or a value that is none
/// of the key's; nothing: it holds. Source: tf.keras.initializers of TensorFlow 2.
[[nodiscard]] std::optional<std::string> initializerObjection(const Json& value);
/// A number of its config that float32 does not hold, as weights begin with it; nothing: there is none.
[[nodiscard]] std::optional<double> initializerOverflow(const Json& value);

/// The numbers of a value that Constant may have, one or nested lists of them, in their order; nothing where
/// there is anything else in it.
[[nodiscard]] std::optional<std::vector<double>> constantNumbers(const Json& value);

} // namespace core
