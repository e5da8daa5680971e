#pragma once

#include "simulator/compiler/compile_options.h"

#include <vector>

namespace simulator {

/// Splits every operation over the tiles of its IPU, with the options of its stage and program; the I/O tiles
/// are not for computing. Indexed by operation.
[[nodiscard]] std::vector<OperationPlan> planOperations(const StagedGraph& staged, const IpuTarget& target,
                                                        const CompileOptions& options, PlanCache& cache);

/// Tiles that compute.
[[nodiscard]] std::int64_t computeTiles(const IpuTarget& target, std::int64_t ioTiles);

} // namespace simulator
