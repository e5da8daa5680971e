#pragma once

#include "simulator/schedule/schedule_catalogue.h"

namespace simulator {

/// Grouped: a new micro-batch enters in every slot, and all stages, forward and backward, run in each full
/// slot. P micro-batches in flight; FIFO depth 2·(S−1−k). The only schedule that overlaps host I/O on I/O
/// tiles.
[[nodiscard]] ScheduleDefinition groupedSchedule();

} // namespace simulator
