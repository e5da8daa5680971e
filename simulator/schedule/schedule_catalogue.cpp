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

core::Result<PipelineSchedule> buildUnpipelinedSchedule(std::int64_t microBatches, bool training) {
    PipelineShape shape{.stages = 1, .microBatches = microBatches, .training = training, .deviceMapping = {}};
    if (auto broken = core::brokenMicroBatchRule(core::ScheduleKind::Sequential, shape))
        return core::failure(std::move(*broken));
    PipelineSchedule schedule = scheduleDefinition(core::ScheduleKind::Sequential).build(shape);
    schedule.fifoDepths = fifoDepths(shape, 0);
    return schedule;
}

} // namespace simulator
