#pragma once

#include "core/base/result.h"
#include "core/catalogue/optimizers.h"
#include "core/config/training_options.h"

#include <span>
#include <string_view>
#include <vector>

namespace simulator {

/// The numbers of an optimizer's config by name; a switch is 0 or 1. The learning rate is not among them: see
/// LearningRate.
class OptimizerSettings {
public:
    /// `values` in the order of the class's keys (`readHyperparameters`).
    OptimizerSettings(const core::OptimizerDefinition& definition, std::span<const double> values);

    /// The class must have a key of that name.
    [[nodiscard]] double operator[](std::string_view name) const;
    [[nodiscard]] bool has(std::string_view name) const { return (*this)[name] > 0; }

private:
    const core::OptimizerDefinition* m_definition;
    std::vector<double> m_values;
};

/// The numbers of `optimizer` in the order of its class's keys without the learning rate, defaults filled in.
/// Refuses a class without a formula ("training/unknown-optimizer") and values that are no numbers.
[[nodiscard]] core::Result<std::vector<double>> readHyperparameters(const core::KerasObject& optimizer);

/// Keras' learning rate of a class whose config gives none.
[[nodiscard]] double defaultLearningRate(const core::OptimizerDefinition& definition);

/// A slot that exists, with the value it starts from.
struct ActiveSlot {
    std::string_view name;
    double initialValue = 0;
};

/// The slots that exist with these numbers.
[[nodiscard]] std::vector<ActiveSlot> activeSlots(const core::OptimizerDefinition& definition,
                                                  std::span<const double> hyperparameters);

} // namespace simulator
