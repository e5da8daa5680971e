#include "simulator/compiler/planning/schedule_pipeline.h"

namespace simulator {

core::Result<PipelineSchedule> schedulePipeline(const CompileOptions& options, bool recompute) {
    PipelineShape shape;
    shape.stages = options.stages.count;
    shape.microBatches = options.microBatches;
    shape.training = options.training;
    shape.recompute = recompute;
    shape.deviceMapping = options.stages.ipus;
    shape.ioTiles = options.overlapsHostIo;
    if (!options.isPipelined)
        return buildUnpipelinedSchedule(std::move(shape));
    return buildSchedule(options.schedule, shape);
}

} // namespace simulator
