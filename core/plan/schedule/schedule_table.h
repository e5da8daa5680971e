#pragma once

#include "core/plan/schedule/pipeline_schedule.h"

#include <string>

namespace core {

/// The slot table as people write it, one line per slot: "3 up | F3 | F2 R0 | B0 F1 | 3 | 1", IPUs between
/// the bars, then the micro-batch fed in and the one fed out. A cell names the micro-batch; the stage follows
/// a dot where an IPU holds several stages ("F2.1").
[[nodiscard]] std::string toText(const PipelineSchedule& schedule);

} // namespace core
