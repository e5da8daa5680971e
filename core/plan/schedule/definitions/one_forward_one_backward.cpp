#include "core/plan/schedule/schedule_definition.h"
#include "core/plan/schedule/slot_layout.h"

// After a warm-up of S − 1 − k forward passes stage k runs a forward and a backward pass in turn: GPipe's
// bubble with the activations of at most S − k micro-batches.
//
// Published bubble, for equal stages: (p − 1) / m of the ideal time m·(tF + tB + tW). Source: Narayanan et
// al., Efficient Large-Scale Language Model Training on GPU Clusters Using Megatron-LM (2021), section 2.2.1
// (PipeDream-Flush), with p = S, m = N, tB + tW the whole backward pass.

namespace core::schedules {

namespace {

PipelineSchedule oneForwardOneBackwardLayOut(const PipelineShape& shape) {
    WorkLists lists(shape.ipuCount());
    for (std::size_t stage = 0; stage < shape.stages; ++stage)
        addTurns(lists, shape, stage,
                 {.warmUp = static_cast<std::int64_t>(shape.stages - 1 - stage), .delay = {}});
    return layOutLists(shape, lists);
}

double oneForwardOneBackwardBubble(const PipelineShape& shape, const StageTimes& times) {
    return static_cast<double>(shape.stages - 1) * times.total();
}

} // namespace

ScheduleDefinition oneForwardOneBackward() {
    return {.name = "1F1B",
            .meaning = "A forward and a backward pass in turn after a short warm-up: GPipe's bubble, fewer "
                       "activations",
            .isWhatIf = true,
            .isAsynchronous = true,
            .sharesIpusInTraining = false,
            .recomputesInsideBackward = true,
            .layOut = oneForwardOneBackwardLayOut,
            .publishedBubble = oneForwardOneBackwardBubble,
            .bubbleFormula = "(p - 1) (tF + tB + tW)"};
}

} // namespace core::schedules
