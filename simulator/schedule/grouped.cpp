#include "simulator/schedule/grouped.h"

#include "core/plan/schedule_traits.h"
#include "simulator/schedule/slot_layout.h"

namespace simulator {

namespace {

PipelineSchedule buildGrouped(const PipelineShape& shape) {
    return layOutSlots(core::ScheduleKind::Grouped, shape,
                       core::scheduleTraits(core::ScheduleKind::Grouped).startOffsets(shape), shape.ioTiles);
}

} // namespace

ScheduleDefinition groupedSchedule() {
    return {.kind = core::ScheduleKind::Grouped, .build = buildGrouped};
}

} // namespace simulator
