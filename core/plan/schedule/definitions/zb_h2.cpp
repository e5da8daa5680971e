#include "core/plan/schedule/schedule_definition.h"
#include "core/plan/schedule/slot_layout.h"

// Twice the warm-up of 1F1B: stage k runs 2·(S − 1 − k) forward passes first and delays its weight gradients
// by 2·k backward passes. Activations of up to 2·S − 1 micro-batches.
//
// Published bubble, for equal stages: (p − 1)·(tF + tB − 2·tW), none where all three take the same. Source:
// Qi et al., Zero Bubble Pipeline Parallelism (2023), table 2. It is the idle time of a stage between its
// first and its last work: stages start and end one after the other, and the paper lets the next iteration
// follow at once; here all stages meet for the weight update, as the programming system does. Holds for m ≥
// 2·p − 1, tW ≤ tF, tB.

namespace core::schedules {

namespace {

PipelineSchedule zbH2LayOut(const PipelineShape& shape) {
    WorkLists lists(shape.ipuCount());
    for (std::size_t stage = 0; stage < shape.stages; ++stage)
        addTurns(lists, shape, stage,
                 {.warmUp = 2 * static_cast<std::int64_t>(shape.stages - 1 - stage),
                  .delay = 2 * static_cast<std::int64_t>(stage)});
    return layOutLists(shape, lists);
}

double zbH2Bubble(const PipelineShape& shape, const StageTimes& times) {
    return static_cast<double>(shape.stages - 1) *
           (times.forward + times.inputGradient - 2 * times.weightGradient);
}

} // namespace

ScheduleDefinition zbH2() {
    return {
        .name = "ZB-H2",
        .meaning =
            "Twice the warm-up of ZB-H1: no bubble where all passes take the same, for twice the activations",
        .isWhatIf = true,
        .isAsynchronous = true,
        .sharesIpusInTraining = false,
        .layOut = zbH2LayOut,
        .publishedBubble = zbH2Bubble,
        .bubbleFormula = "(p - 1) (tF + tB - 2 tW)"};
}

} // namespace core::schedules
