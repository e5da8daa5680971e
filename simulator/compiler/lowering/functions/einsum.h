#pragma once

#include "core/base/result.h"
#include "simulator/graph/graph_builder.h"

#include <string_view>

namespace simulator {

/// An Einstein summation of two operands, "abc,cd->abd", as one matrix product between reshapes and
/// transpositions. The letters of each operand are its axes; a letter missing from the output is summed over.
/// No ellipses.
[[nodiscard]] core::Result<core::TensorId> addEinsum(GraphBuilder& build, std::string_view equation,
                                                     core::TensorId left, core::TensorId right);

/// Replaces "..." in an equation by letters it does not use, for operands of these ranks. Answers the
/// equation without spaces.
[[nodiscard]] std::string withoutEllipsis(std::string_view equation, std::size_t leftRank,
                                          std::size_t rightRank);

} // namespace simulator
