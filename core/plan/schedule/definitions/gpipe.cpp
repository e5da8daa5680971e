#include "core/plan/schedule/schedule_definition.h"
#include "core/plan/schedule/slot_layout.h"

// All forward passes, then all backward passes; every stage keeps the activations of all N micro-batches.
//
// Published bubble, for equal stages: (p − 1) / (m + p − 1) of the time, that is (p − 1)·(tF + tB + tW)
// beside m·(tF + tB + tW) of work. Source: Huang et al., GPipe (2019), section 2.3, with p = S stages, m = N
// micro-batches, tB + tW the whole backward pass. Backward passes run here in the order of the forward ones,
// as FIFOs hand activations on; the paper's order takes the same time.

namespace core::schedules {

namespace {

PipelineSchedule gpipeLayOut(const PipelineShape& shape) {
    WorkLists lists(shape.ipuCount());
    for (std::size_t stage = 0; stage < shape.stages; ++stage)
        addTurns(lists, shape, stage, {.warmUp = shape.microBatches, .delay = {}});
    return layOutLists(shape, lists);
}

double gpipeBubble(const PipelineShape& shape, const StageTimes& times) {
    return static_cast<double>(shape.stages - 1) * times.total();
}

} // namespace

ScheduleDefinition gpipe() {
    return {.name = "GPipe",
            .meaning = "All forward passes, then all backward passes: simple, with activations of every "
                       "micro-batch",
            .isWhatIf = true,
            .isAsynchronous = true,
            .sharesIpusInTraining = false,
            .recomputesInsideBackward = true,
            .layOut = gpipeLayOut,
            .publishedBubble = gpipeBubble,
            .bubbleFormula = "(p - 1) (tF + tB + tW)"};
}

} // namespace core::schedules
