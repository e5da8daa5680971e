#pragma once

#include "core/base/json.h"
#include "core/catalogue/keras_class.h"

#include <array>

namespace core {

/// A tensor that an optimizer keeps beside each parameter, with Keras' name.
struct OptimizerSlot {
    std::string_view name;
    /// Key of the config that gives the initial value; empty: zero.
    std::string_view initialKey = {};
    /// Key of the config that must be positive (a switch: on) for the slot to exist; empty: always there.
    std::string_view onlyWith = {};
    /// Another such key, which alone suffices.
    std::string_view orWith = {};

    /// Whether an optimizer has it, by what `isOn` says of the keys of its config.
    template <class IsOn>
    [[nodiscard]] bool isKept(IsOn isOn) const {
        return onlyWith.empty() || isOn(onlyWith) || (!orWith.empty() && isOn(orWith));
    }
};

/// A Keras optimizer. Defaults are those of tf.keras 2.4. Source: the constructors' signatures in the Keras
/// documentation. How it computes and what that costs is the simulator's row of the same class name.
struct OptimizerDefinition : KerasClass {
    std::vector<OptimizerSlot> slotVariables = {};
    /// Its updates are those of another optimizer (key `inner_optimizer`).
    bool wrapsAnother = false;
};

[[nodiscard]] std::span<const OptimizerDefinition> optimizers();
/// By class name in any case or in snake case; null when unknown.
[[nodiscard]] const OptimizerDefinition* findOptimizer(std::string_view text);

/// The optimizer, as Keras writes it in JSON, within one that scales the loss; others are it themselves.
[[nodiscard]] Json& scaledOptimizer(Json& optimizer);

/// Options by which an optimizer of Keras clips gradients.
inline constexpr std::array<const char*, 3> clippingOptions{"clipnorm", "clipvalue", "global_clipnorm"};
/// Whether the config of an optimizer has one of them.
[[nodiscard]] bool clipsGradients(const Json& config);

/// The same rows as their keys alone.
[[nodiscard]] const KerasCatalogue& optimizerCatalogue();
[[nodiscard]] const KerasCatalogue& learningRateScheduleCatalogue();

} // namespace core
