#include "simulator/compiler/planning/schedule_pipeline.h"

#include "core/plan/recomputation.h"
#include "core/plan/schedule/schedule_catalogue.h"
#include "simulator/compiler/staging/split_backward.h"

namespace simulator {

namespace {

using core::RecomputationMode;

core::Result<RecomputationMode> recomputationMode(const CompileOptions& options) {
    // Without stages there is no pipeline to refuse a mode: recomputation runs inside the backward pass.
    if (!options.isPipelined)
        return RecomputationMode::RecomputeAndBackpropagateInterleaved;
    return core::resolveRecomputation(options.schedule, options.recomputationMode,
                                      options.scheduleTable.text);
}

core::Result<PipelineSchedule> scheduleOf(const CompileOptions& options, bool overlapsHostIo,
                                          RecomputationMode mode) {
    core::PipelineShape shape;
    shape.stages = options.stages.count;
    shape.microBatches = options.microBatches;
    shape.training = options.training;
    shape.recompute =
        options.allowRecompute && options.training && mode == RecomputationMode::RecomputeThenBackpropagate;
    shape.recomputedStages = options.recomputedStages;
    shape.deviceMapping = options.stages.ipus;
    shape.ioTiles = overlapsHostIo;
    shape.table = options.scheduleTable;
    if (!options.isPipelined)
        return core::buildUnpipelinedSchedule(std::move(shape));
    return core::buildSchedule(options.schedule, shape);
}

} // namespace

core::Result<SlotPlan> planSlots(const CompileOptions& options, bool overlapsHostIo) {
    const auto mode = recomputationMode(options);
    if (!mode)
        return core::failure(mode.error());
    auto schedule = scheduleOf(options, overlapsHostIo, *mode);
    if (!schedule)
        return core::failure(std::move(schedule.error()));
    return SlotPlan{std::move(*schedule), *mode};
}

core::Result<ScheduledGraph> schedulePipeline(StagedGraph staged, const TensorUses& uses,
                                              const CompileOptions& options, const Deployment& deployment) {
    auto slots = planSlots(options, deployment.overlapsHostIo);
    if (!slots)
        return core::failure(std::move(slots.error()));
    if (slots->schedule.splitsBackward())
        staged = splitBackward(std::move(staged), uses);
    return ScheduledGraph{std::move(staged), std::move(slots->schedule), slots->recomputationMode};
}

} // namespace simulator
