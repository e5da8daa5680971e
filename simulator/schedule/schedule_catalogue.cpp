#include "simulator/schedule/schedule_catalogue.h"

#include "core/plan/schedule_rules.h"
#include "core/plan/schedule_traits.h"
#include "simulator/schedule/grouped.h"
#include "simulator/schedule/interleaved.h"
#include "simulator/schedule/sequential.h"
#include "simulator/schedule/slot_layout.h"

#include <algorithm>
#include <array>

namespace simulator {

std::span<const ScheduleDefinition> scheduleCatalogue() {
    static const std::array catalogue{
        groupedSchedule(),
        interleavedSchedule(),
        sequentialSchedule(),
    };
    return catalogue;
}

const ScheduleDefinition& scheduleDefinition(core::ScheduleKind kind) {
    return *std::ranges::find(scheduleCatalogue(), kind, &ScheduleDefinition::kind);
}

core::Result<PipelineSchedule> buildSchedule(core::ScheduleKind kind, const PipelineShape& shape) {
    if (auto broken = core::brokenScheduleRule(kind, shape))
        return core::failure(std::move(*broken));
    PipelineSchedule schedule = scheduleDefinition(kind).build(shape);
    schedule.fifoDepths = fifoDepths(shape, core::scheduleTraits(kind).fifoFactor);
    return schedule;
}

core::Result<PipelineSchedule> buildUnpipelinedSchedule(PipelineShape shape) {
    shape.recompute = false;
    shape.ioTiles = false;
    auto broken = shape.stages > 1 ? core::brokenScheduleRule(core::ScheduleKind::Sequential, shape)
                                   : core::brokenMicroBatchRule(core::ScheduleKind::Sequential, shape);
    if (broken)
        return core::failure(std::move(*broken));
    PipelineSchedule schedule = scheduleDefinition(core::ScheduleKind::Sequential).build(shape);
    schedule.fifoDepths = fifoDepths(shape, 0);
    return schedule;
}

} // namespace simulator
