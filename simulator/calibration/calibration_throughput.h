#pragma once

#include "core/base/job_context.h"
#include "simulator/calibration/calibration_case.h"
#include "simulator/compiler/compilation_cache.h"

namespace simulator {

/// Items per second of an application case: its project compiled, one weight update simulated. Measured
/// programs may have counts of micro-batches that a schedule of the programming system does not take; the
/// time of an update is linear in that count, so it is taken from the two nearest that it does.
[[nodiscard]] core::Result<double> predictThroughput(const CalibrationCase& item, CompilationCache& cache,
                                                     const core::JobContext& job = {});

} // namespace simulator
