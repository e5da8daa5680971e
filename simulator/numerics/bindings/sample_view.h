#pragma once

#include "simulator/catalogue/compared_samples.h"
#include "simulator/numerics/bindings/bound_operation.h"

namespace simulator {

/// The operands of a loss or metric: inputs prediction, target (, weight).
[[nodiscard]] ComparedSamples comparedSamples(const BindRequest& request, bool weighted);

/// One of them for a loss; `scratch`: at least `classes` floats.
[[nodiscard]] LossSample lossSample(const ComparedSamples& samples, std::int64_t index,
                                    const Loss& attributes, float* scratch);

} // namespace simulator
