#pragma once

#include "simulator/schedule/schedule_catalogue.h"

namespace simulator {

/// Sequential: one stage step at a time, micro-batch after micro-batch; a slot is one stage step. No ramps
/// and no FIFOs. In training the last forward stage is merged into the last backward stage. A model without
/// stages runs as the same schedule with one stage, whose forward and backward share a slot.
[[nodiscard]] ScheduleDefinition sequentialSchedule();

} // namespace simulator
