#pragma once

#include "simulator/graph/rules/gradient_rule.h"

namespace simulator {

[[nodiscard]] std::span<const PartRow<OutputRule>> elementwiseOutputs();
[[nodiscard]] std::span<const PartRow<GradientChoice>> elementwiseGradients();
[[nodiscard]] std::span<const PartRow<OutputRule>> lossesOutputs();
[[nodiscard]] std::span<const PartRow<GradientChoice>> lossesGradients();
[[nodiscard]] std::span<const PartRow<OutputRule>> movementsOutputs();
[[nodiscard]] std::span<const PartRow<GradientChoice>> movementsGradients();
[[nodiscard]] std::span<const PartRow<OutputRule>> productsOutputs();
[[nodiscard]] std::span<const PartRow<GradientChoice>> productsGradients();
[[nodiscard]] std::span<const PartRow<OutputRule>> reductionsOutputs();
[[nodiscard]] std::span<const PartRow<GradientChoice>> reductionsGradients();

} // namespace simulator
