#pragma once

#include "core/base/json.h"

#include <span>
#include <string>
#include <string_view>

namespace core {

/// A Keras activation function.
struct ActivationDefinition {
    std::string_view name;
    std::string_view documentation;
    /// Other spellings; empty when there is none.
    std::string_view alias;
};

/// Every activation of Keras 2 and 3, "linear" first.
[[nodiscard]] std::span<const ActivationDefinition> activationCatalogue();

/// An activation as a layer's attribute names it.
struct ActivationSpec {
    /// The catalogue's name, or the file's when the catalogue does not know it. "linear" for none.
    std::string name = "linear";
    /// Attributes when it was given as an object, for example {"alpha": 0.2} of LeakyReLU.
    Json config = Json::object();
    bool isKnown = true;
};

/// Reads every form Keras writes: null, "relu", {"class_name": "ReLU", "config": …},
/// {"class_name": "function", "config": "relu"}. A serialised Python lambda is unknown and named "lambda".
[[nodiscard]] ActivationSpec activationFromJson(const Json& value);

} // namespace core
