#pragma once

#include "simulator/cost/query/cost_query.h"

namespace simulator {

/// The query with the names that other programs have for operations and keys replaced by those of
/// `costOperations`: conv2d, strides=2, padding=same, a convolution by its shapes (input_shape N×H×W×C,
/// weight_shape H×W×C×N as Keras stores them), a product by those of its operands (left_shape, right_shape).
/// Keys that describe a measurement to people (note, description, details) are left out; what is not known
/// stays as it is.
[[nodiscard]] CostQuery withKnownNames(CostQuery query);

} // namespace simulator
