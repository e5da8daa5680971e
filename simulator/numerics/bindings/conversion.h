#pragma once

#include "simulator/numerics/bindings/bound_operation.h"

namespace simulator {

/// Copies `count` elements of one type into another, float16 as the request wants it rounded. The types
/// differ.
[[nodiscard]] BoundPhase convertPhase(const BindRequest& request, core::DataType from, core::DataType to,
                                      const std::byte* source, std::byte* target, std::int64_t count);

} // namespace simulator
