#include "simulator/schedule/sequential.h"

#include "core/plan/schedule_traits.h"

namespace simulator {

namespace {

void addSlot(PipelineSchedule& schedule, std::initializer_list<WorkItem> items) {
    const auto first = static_cast<std::uint32_t>(schedule.items.size());
    schedule.items.insert(schedule.items.end(), items);
    schedule.timeSlots.push_back({SlotPhase::Main, first, static_cast<std::uint32_t>(items.size()), {}, {}});
}

void addMicroBatch(PipelineSchedule& schedule, std::int32_t microBatch) {
    const PipelineShape& shape = schedule.shape;
    const std::size_t first = schedule.timeSlots.size();
    for (std::size_t stage = 0; stage < shape.stages; ++stage)
        addSlot(schedule, {{WorkKind::Forward, core::StageId(stage), microBatch, shape.ipuOf(stage)}});
    schedule.timeSlots[first].infeedMicroBatch = microBatch;
    schedule.timeSlots.back().outfeedMicroBatch = microBatch;
    for (std::size_t stage = shape.stages; shape.training && stage-- > 0;)
        addSlot(schedule, {{WorkKind::Backward, core::StageId(stage), microBatch, shape.ipuOf(stage)}});
}

/// Without stages there is nothing to exchange between forward and backward.
void addUnpipelinedMicroBatch(PipelineSchedule& schedule, std::int32_t microBatch) {
    const core::StageId stage(0);
    const core::IpuId ipu = schedule.shape.ipuOf(0);
    if (schedule.shape.training)
        addSlot(schedule,
                {{WorkKind::Forward, stage, microBatch, ipu}, {WorkKind::Backward, stage, microBatch, ipu}});
    else
        addSlot(schedule, {{WorkKind::Forward, stage, microBatch, ipu}});
    schedule.timeSlots.back().infeedMicroBatch = microBatch;
    schedule.timeSlots.back().outfeedMicroBatch = microBatch;
}

PipelineSchedule buildSequential(const PipelineShape& shape) {
    PipelineSchedule schedule;
    schedule.kind = core::ScheduleKind::Sequential;
    schedule.shape = shape;
    schedule.startOffsets = core::scheduleTraits(core::ScheduleKind::Sequential).startOffsets(shape);
    schedule.lastForwardMerged = shape.training && shape.stages > 1;
    const std::size_t steps = shape.positions() * static_cast<std::size_t>(shape.microBatches);
    schedule.timeSlots.reserve(steps);
    schedule.items.reserve(steps);
    for (std::int32_t microBatch = 0; microBatch < shape.microBatches; ++microBatch)
        if (shape.stages > 1)
            addMicroBatch(schedule, microBatch);
        else
            addUnpipelinedMicroBatch(schedule, microBatch);
    if (shape.training)
        schedule.weightUpdateAfterSlot = static_cast<std::int64_t>(schedule.timeSlots.size()) - 1;
    return schedule;
}

} // namespace

ScheduleDefinition sequentialSchedule() {
    return {.kind = core::ScheduleKind::Sequential, .build = buildSequential};
}

} // namespace simulator
