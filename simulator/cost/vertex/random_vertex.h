#pragma once

#include "core/model/data_type.h"
#include "simulator/graph/operation_attributes.h"

#include <cstdint>

namespace simulator {

/// Supervisor vertices that draw random numbers for the `elements` of one tile (poplibs,
/// lib/poprand/poprandCycleEstimators.cpp).

[[nodiscard]] double dropoutCycles(core::DataType type, std::int64_t elements);
[[nodiscard]] double randomCycles(RandomDistribution distribution, core::DataType type,
                                  std::int64_t elements);

} // namespace simulator
