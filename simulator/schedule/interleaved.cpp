#include "simulator/schedule/interleaved.h"

#include "core/plan/schedule_traits.h"
#include "simulator/schedule/slot_layout.h"

namespace simulator {

namespace {

PipelineSchedule buildInterleaved(const PipelineShape& shape) {
    return layOutSlots(core::ScheduleKind::Interleaved, shape,
                       core::scheduleTraits(core::ScheduleKind::Interleaved).startOffsets(shape), false);
}

} // namespace

ScheduleDefinition interleavedSchedule() {
    return {.kind = core::ScheduleKind::Interleaved, .build = buildInterleaved};
}

} // namespace simulator
