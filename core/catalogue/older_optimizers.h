#pragma once

#include "core/base/json.h"

#include <string_view>
#include <vector>

namespace core {

/// An optimizer of tf.compat.v1.train: the class of the catalogue that computes the same, its arguments in
/// order with the names that the catalogue has for them, and what sets its rule apart from that of Keras.
/// Source: the constructors' signatures and the kernels (training_ops) in TensorFlow's documentation.
struct OlderOptimizer {
    struct Argument {
        const char* name;
        /// Null: it says nothing about the update.
        const char* keras;
        /// Where it differs from Keras'; null: it is the catalogue's, or there is none.
        const char* defaultText = nullptr;
    };
    std::string_view name;
    std::string_view className;
    std::vector<Argument> arguments;
    /// Keys of the config, with their values, that make the class compute as this one does.
    Json rule = Json::object();
};

[[nodiscard]] const std::vector<OlderOptimizer>& olderOptimizers();

/// Whether a key of an optimizer's config is one that Keras does not have, because it makes the class compute
/// as an optimizer of tf.compat.v1.train does.
[[nodiscard]] bool isOlderRule(std::string_view key);

/// The optimizer of tf.compat.v1.train that does exactly what a class of the catalogue does with a config
/// that has such keys; null: none does, or the config has no such key.
[[nodiscard]] const OlderOptimizer* olderOptimizerOf(std::string_view className, const Json& config);

} // namespace core
