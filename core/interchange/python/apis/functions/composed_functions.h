#pragma once

#include "core/interchange/python/apis/calls/api_table.h"

#include <optional>

namespace core {

/// Functions on tensors that are formulas of other functions: weighted_cross_entropy_with_logits(),
/// log_poisson_loss(), l2_loss(), diag_part(), tensordot(), batch_normalization() and others. Nothing: the
/// call is none of them, or takes no tensor.
std::optional<PythonValue> composedFunction(const PythonApiCall& call);

} // namespace core
