#include "core/plan/schedule/schedule_definition.h"

#include <initializer_list>

// One stage step at a time, micro-batch after micro-batch; a slot is one stage step. No ramps and no FIFOs.
// In training the last forward stage is merged into the last backward stage. A model without stages runs as
// the same schedule with one stage, whose forward and backward share a slot: there is nothing to exchange
// between them. Source: SequentialPipelineVisitor and pipeline_stage_merger of Graphcore's TensorFlow.

namespace core::schedules {

namespace {

void addStep(PipelineSchedule& schedule, std::initializer_list<WorkItem> items) {
    const auto first = static_cast<std::uint32_t>(schedule.items.size());
    schedule.items.insert(schedule.items.end(), items);
    schedule.timeSlots.push_back({SlotPhase::Main, first, static_cast<std::uint32_t>(items.size()), {}, {}});
}

void addMicroBatch(PipelineSchedule& schedule, std::int32_t microBatch) {
    const PipelineShape& shape = schedule.shape;
    const std::size_t first = schedule.timeSlots.size();
    for (std::size_t stage = 0; stage < shape.stages; ++stage)
        addStep(schedule, {{Phase::Forward, StageId(stage), microBatch, shape.ipuOf(stage)}});
    schedule.timeSlots[first].infeedMicroBatch = microBatch;
    schedule.timeSlots.back().outfeedMicroBatch = microBatch;
    for (std::size_t stage = shape.stages; shape.training && stage-- > 0;)
        addStep(schedule, {{Phase::Backward, StageId(stage), microBatch, shape.ipuOf(stage)}});
}

void addUnpipelinedMicroBatch(PipelineSchedule& schedule, std::int32_t microBatch) {
    const StageId stage(0);
    const IpuId ipu = schedule.shape.ipuOf(0);
    if (schedule.shape.training)
        addStep(schedule,
                {{Phase::Forward, stage, microBatch, ipu}, {Phase::Backward, stage, microBatch, ipu}});
    else
        addStep(schedule, {{Phase::Forward, stage, microBatch, ipu}});
    schedule.timeSlots.back().infeedMicroBatch = microBatch;
    schedule.timeSlots.back().outfeedMicroBatch = microBatch;
}

PipelineSchedule sequentialLayOut(const PipelineShape& shape) {
    PipelineSchedule schedule;
    schedule.shape = shape;
    schedule.lastForwardMerged = shape.training && shape.stages > 1;
    schedule.cycle = shape.stages == 1 ? 1 : shape.positions();
    const std::size_t steps = shape.positions() * static_cast<std::size_t>(shape.microBatches);
    schedule.timeSlots.reserve(steps);
    schedule.items.reserve(steps);
    for (std::int32_t microBatch = 0; microBatch < shape.microBatches; ++microBatch)
        if (shape.stages > 1)
            addMicroBatch(schedule, microBatch);
        else
            addUnpipelinedMicroBatch(schedule, microBatch);
    return schedule;
}

} // namespace

ScheduleDefinition sequential() {
    return {.name = "Sequential",
            .meaning = "One stage at a time: for debugging and models of one IPU",
            .isSerial = true,
            .shortensPassThrough = true,
            .recomputesThenBackpropagates = false,
            .recomputesInsideBackward = true,
            .layOut = sequentialLayOut};
}

} // namespace core::schedules
