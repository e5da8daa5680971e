#pragma once

#include "core/base/diagnostic.h"
#include "simulator/schedule/pipeline_schedule.h"

namespace simulator {

/// What is wrong with a table of work, whoever wrote it: work missing or done twice, work on an IPU that does
/// not hold the stage, and work before what it depends on (F_k after F_{k−1} of an earlier slot; B_k after
/// B_{k+1} of an earlier slot and after its own F_k; R_k after F_k and in a slot before B_k). Each finding
/// names both slots. Empty for every schedule of the catalogue.
[[nodiscard]] core::Diagnostics checkSchedule(const PipelineSchedule& schedule);

} // namespace simulator
