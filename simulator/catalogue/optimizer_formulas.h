#pragma once

#include "simulator/catalogue/optimizer_factors.h"
#include "simulator/catalogue/optimizer_settings.h"

#include <span>
#include <string_view>

namespace simulator {

/// What an optimizer does to every element of a parameter, as element-wise compute sets.
struct OptimizerPrice {
    /// Scaled adds and products.
    int sums = 0;
    int squareRoots = 0;
    int divides = 0;
    /// Norms of whole tensors (layer-wise adaptive optimizers).
    int norms = 0;
    /// Scaled adds more where it keeps slots: momentum turns plain descent into two more.
    int slotSums = 0;
};

/// An optimizer as the simulator has it: formulas of Keras' OptimizerV2 where Keras has one there.
struct OptimizerFormula {
    /// As core's catalogue spells it.
    std::string_view className;
    OptimizerPrice price;
    /// The numbers of update t, counted from 1, at a learning rate.
    OptimizerFactors (*factors)(const OptimizerSettings& settings, double rate, double t);
    /// Name of the kernel of these settings (numerics/kernels/optimizer.cpp).
    std::string_view (*kernel)(const OptimizerSettings& settings);
    /// The step is scaled to the parameter's own length, so it takes the whole parameter at once.
    bool scalesByTrustRatio = false;
};

[[nodiscard]] std::span<const OptimizerFormula> optimizerFormulas();
/// Their class names, in the order of the rows.
[[nodiscard]] std::vector<std::string_view> optimizerNames();
/// Null for a class without a row.
[[nodiscard]] const OptimizerFormula* findOptimizerFormula(std::string_view className);
/// The row of an update that the graph holds: `readHyperparameters` has refused a class without one.
[[nodiscard]] const OptimizerFormula& optimizerFormula(std::string_view className);

} // namespace simulator
