#pragma once

#include "core/base/diagnostic.h"
#include "core/plan/schedule/pipeline_schedule.h"

namespace core {

/// What is wrong with a table of work, whoever wrote it; each finding names both slots. Empty for every table
/// that the catalogue hands out.
/// - Work missing, done twice, on an IPU that does not hold the stage, or out of the order of micro-batches
/// in
///   which FIFOs hand values on.
/// - Work before what it depends on: F_k after F_{k−1} of an earlier slot; B_k after B_{k+1} of an earlier
///   slot and after its own F_k; R_k after F_k and before B_k, with no other R_k between; W_k after B_k.
/// - Weight gradients of some micro-batches apart and of others not.
[[nodiscard]] Diagnostics checkSchedule(const PipelineSchedule& schedule);

} // namespace core
