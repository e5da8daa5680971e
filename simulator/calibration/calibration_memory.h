#pragma once

#include "core/base/job_context.h"
#include "simulator/calibration/calibration_case.h"
#include "simulator/compiler/compilation_cache.h"

namespace simulator {

/// Bytes of a memory case. Whole models (and their first layers) are compiled and their memory plan read;
/// single layers and operations are those of the compiled model: their weights, the largest temporary with
/// its operands, and their code on the tiles they use. What every program has is read off the target.
[[nodiscard]] core::Result<double> predictMemory(const CalibrationCase& item, CompilationCache& cache,
                                                 const core::JobContext& job = {});

} // namespace simulator
