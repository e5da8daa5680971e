#pragma once

#include "simulator/compiler/planning/compile_options.h"
#include "simulator/target/ipu_system.h"

#include <vector>

namespace simulator {

/// Counts the IPUs of a pipeline in the order in which its stages first use them, those without a stage last,
/// so that plans whose stages share IPUs alike have one mapping, and differ only in where on the links each
/// IPU is (`IpuSystem::physicalIndex`). `options` and `system` are of one project. Returns the IPU of the
/// project that each one stands for; where it matters what an IPU is called (without a pipeline, and where
/// the schedule has a rule or a table of its own over the mapping) each for itself.
[[nodiscard]] std::vector<core::IpuId> renameIpus(CompileOptions& options, IpuSystem& system);

} // namespace simulator
