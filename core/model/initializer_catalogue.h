#pragma once

#include "core/base/json.h"

#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace core {

/// A Keras weight initializer.
struct InitializerDefinition {
    std::string_view className;
    /// Keras' short name.
    std::string_view name;
    std::string_view documentation;
};

[[nodiscard]] std::span<const InitializerDefinition> initializerCatalogue();

/// {"class_name": …, "config": …} of any form Keras writes: a short name, a class name, an object. Null gives
/// `fallback`'s reading. A class the catalogue does not know is kept as it stands.
[[nodiscard]] Json initializerFromJson(const Json& value, std::string_view fallback = "glorot_uniform");

/// The numbers of a value that Constant may have, one or nested lists of them, in their order; nothing where
/// there is anything else in it.
[[nodiscard]] std::optional<std::vector<double>> constantNumbers(const Json& value);

} // namespace core
