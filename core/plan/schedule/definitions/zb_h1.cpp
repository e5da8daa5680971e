#include "core/plan/schedule/schedule_definition.h"
#include "core/plan/schedule/slot_layout.h"

// 1F1B with the backward pass split: stage k delays its weight gradients by k backward passes, so that
// gradients of activations reach the earlier stages sooner and weight gradients fill the end. Activations of
// at most S micro-batches on any stage, as in 1F1B.
//
// Published bubble, for equal stages: (p − 1)·(tF + tB − tW), where 1F1B has (p − 1)·(tF + tB + tW). Source:
// Qi et al., Zero Bubble Pipeline Parallelism (2023), table 2. It is the idle time of a stage between its
// first and its last work, and holds for m ≥ p and tW ≤ tF, tB.

namespace core::schedules {

namespace {

PipelineSchedule zbH1LayOut(const PipelineShape& shape) {
    WorkLists lists(shape.ipuCount());
    for (std::size_t stage = 0; stage < shape.stages; ++stage)
        addTurns(lists, shape, stage,
                 {.warmUp = static_cast<std::int64_t>(shape.stages - 1 - stage),
                  .delay = static_cast<std::int64_t>(stage)});
    return layOutLists(shape, lists);
}

double zbH1Bubble(const PipelineShape& shape, const StageTimes& times) {
    return static_cast<double>(shape.stages - 1) *
           (times.forward + times.inputGradient - times.weightGradient);
}

} // namespace

ScheduleDefinition zbH1() {
    return {.name = "ZB-H1",
            .meaning = "1F1B whose weight gradients wait and fill the bubble: a third of it is left, with "
                       "the same activations",
            .isWhatIf = true,
            .isAsynchronous = true,
            .sharesIpusInTraining = false,
            .layOut = zbH1LayOut,
            .publishedBubble = zbH1Bubble,
            .bubbleFormula = "(p - 1) (tF + tB - tW)"};
}

} // namespace core::schedules
