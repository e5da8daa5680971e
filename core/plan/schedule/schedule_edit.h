#pragma once

#include "core/base/result.h"
#include "core/plan/schedule/pipeline_schedule.h"

#include <cstddef>
#include <string>

namespace core {

/// A piece of work that is taken to another slot of its IPU, behind what that slot holds.
struct ScheduleMove {
    std::size_t slot = 0;
    IpuId ipu;
    /// The how manieth of the IPU's work in its slot.
    std::size_t index = 0;
    /// Up to one past the last slot.
    std::size_t toSlot = 0;
};

/// The cells (`schedule_cells.h`) of the schedule after a move; slots at the end that are left without work
/// are gone. Errors: "schedule/move" where there is no such work or slot; what `checkSchedule` finds wrong
/// with the new table, which names both slots.
[[nodiscard]] Result<std::string> movedCells(const PipelineSchedule& schedule, const ScheduleMove& move);

} // namespace core
