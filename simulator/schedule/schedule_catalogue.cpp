#include "simulator/schedule/schedule_catalogue.h"

#include "simulator/schedule/grouped.h"
#include "simulator/schedule/interleaved.h"
#include "simulator/schedule/schedule_rules.h"
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
    const ScheduleDefinition& definition = scheduleDefinition(kind);
    if (auto broken = brokenRule(definition, shape))
        return core::failure(std::move(*broken));
    PipelineSchedule schedule = definition.build(shape);
    schedule.fifoDepths = fifoDepths(shape, definition.fifoFactor);
    return schedule;
}

core::Result<PipelineSchedule> buildUnpipelinedSchedule(std::int64_t microBatches, bool training) {
    PipelineShape shape{.stages = 1, .microBatches = microBatches, .training = training, .deviceMapping = {}};
    if (auto broken = brokenMicroBatchRule(scheduleDefinition(core::ScheduleKind::Sequential), shape))
        return core::failure(std::move(*broken));
    PipelineSchedule schedule = scheduleDefinition(core::ScheduleKind::Sequential).build(shape);
    schedule.fifoDepths = fifoDepths(shape, 0);
    return schedule;
}

core::Result<core::RecomputationMode> resolveRecomputation(core::ScheduleKind kind,
                                                           core::RecomputationMode mode) {
    const ScheduleDefinition& definition = scheduleDefinition(kind);
    if (mode == core::RecomputationMode::Auto)
        return definition.automaticRecomputation;
    const bool isThen = mode == core::RecomputationMode::RecomputeThenBackpropagate;
    if (isThen ? definition.recomputesThenBackpropagates : definition.recomputesInsideBackward)
        return mode;
    return core::failure(unsupportedRecomputation(definition, isThen));
}

} // namespace simulator
