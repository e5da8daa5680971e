#pragma once

#include "views/plan/schedule/schedule_chart.h"

namespace tests {

/// Two stages, Grouped, four micro-batches, as the pipelining documents list them.
[[nodiscard]] views::ScheduleChart grouped();

} // namespace tests
