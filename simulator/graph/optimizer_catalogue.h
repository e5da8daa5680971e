#pragma once

#include "core/base/result.h"
#include "core/config/training_options.h"

#include <span>
#include <string_view>
#include <vector>

namespace simulator {

/// A number an optimizer takes, with Keras' name and default.
struct Hyperparameter {
    std::string_view name;
    double preset = 0;
};

/// A tensor an optimizer keeps beside each parameter.
struct OptimizerSlot {
    std::string_view name;
    double initialValue = 0;
    /// Position of the hyperparameter that gives the initial value instead; −1: none.
    int initialHyperparameter = -1;
    /// Position of the hyperparameter that must be positive for the slot to exist; −1: always there.
    int onlyWith = -1;
};

/// A Keras optimizer (formulas of OptimizerV2 where Keras has one there). Booleans are hyperparameters of 0
/// and 1. The learning rate is not among them: see LearningRate.
struct OptimizerDefinition {
    std::string_view className;
    double learningRate = 0.001;
    std::vector<Hyperparameter> hyperparameters;
    std::vector<OptimizerSlot> slots;
    /// Work per element of an update, for the cost model: additions, multiplications, divisions and roots
    /// alike.
    int flopsPerElement = 2;

    /// Position of a hyperparameter; −1 when the optimizer has none of that name.
    [[nodiscard]] int indexOf(std::string_view name) const;
};

[[nodiscard]] std::span<const OptimizerDefinition> optimizerCatalogue();

/// By class name in any case ("sgd", "SGD", "Adam"); null when unknown.
[[nodiscard]] const OptimizerDefinition* findOptimizer(std::string_view className);

/// The hyperparameters of `optimizer` in the catalogue's order, defaults filled in. Refuses an unknown class
/// ("training/unknown-optimizer") and values that are no numbers.
[[nodiscard]] core::Result<std::vector<double>> readHyperparameters(const core::KerasObject& optimizer);

/// The slots that exist with these hyperparameters.
[[nodiscard]] std::vector<OptimizerSlot> activeSlots(const OptimizerDefinition& definition,
                                                     std::span<const double> hyperparameters);

} // namespace simulator
