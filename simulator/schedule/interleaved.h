#pragma once

#include "simulator/schedule/schedule_catalogue.h"

namespace simulator {

/// Interleaved: forward and backward slots alternate on each IPU, so an IPU runs one stage program per slot.
/// As many micro-batches in flight as fit without two on one IPU in one slot (S with the default mapping);
/// FIFO depth S−1−k.
[[nodiscard]] ScheduleDefinition interleavedSchedule();

} // namespace simulator
