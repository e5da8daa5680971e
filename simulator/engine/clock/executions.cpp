#include "simulator/engine/clock/executions.h"

#include "simulator/cost/communication.h"
#include "simulator/engine/clock/infeed_queue.h"

#include <algorithm>

namespace simulator {

namespace {

core::Cycles resultCycles(const CompiledPipeline& pipeline) {
    const core::Bytes bytes =
        pipeline.execution.accumulateOutfeed ? pipeline.updateOutfeedBytes : pipeline.outfeedBytes;
    return hostCopyCycles(pipeline.system.target, bytes);
}

core::ExecutionRecord firstExecution(const CompiledPipeline& pipeline, const UpdateTiming& timing) {
    core::ExecutionRecord record;
    record.updates = pipeline.execution.updatesPerExecution;
    // The program starts when the host has met the device.
    record.hostBefore = hostRendezvous(pipeline.system.target);
    record.hostAfter = resultCycles(pipeline);
    record.duration = record.hostBefore + timing.total * record.updates + record.hostAfter;
    return record;
}

/// Of an update: what the stage that waits longest in the middle of its programs waits for the host.
core::Cycles visitedHost(const CompiledPipeline& pipeline) {
    core::Cycles longest;
    for (const StagePrograms& stage : pipeline.stages) {
        core::Cycles each;
        for (const StageProgram* program :
             {&stage.forward, &stage.backward, &stage.weightGradient, &stage.recompute})
            each += program->streamed - program->remote;
        longest = std::max(longest, each * pipeline.schedule.shape.microBatches);
    }
    return longest;
}

} // namespace

std::vector<core::ExecutionRecord> executionRecords(const CompiledPipeline& pipeline,
                                                    const UpdateTiming& timing) {
    std::vector<core::ExecutionRecord> records;
    core::ExecutionRecord record = firstExecution(pipeline, timing);
    for (std::int64_t epoch = 0; epoch < pipeline.execution.epochs; ++epoch)
        for (std::int64_t index = 0; index < pipeline.execution.executionsPerEpoch; ++index) {
            record.index = static_cast<std::int64_t>(records.size());
            record.epoch = epoch;
            records.push_back(record);
            record.start += record.duration;
        }
    return records;
}

double samplesPerSecond(const CompiledPipeline& pipeline, const UpdateTiming& timing) {
    const core::ExecutionRecord record = firstExecution(pipeline, timing);
    if (timing.total.value() == 0)
        return 0;
    return static_cast<double>(pipeline.execution.effectiveBatch * record.updates) *
           pipeline.system.target.clockHz / static_cast<double>(record.duration.value());
}

double hostStallFraction(const CompiledPipeline& pipeline, const UpdateTiming& timing) {
    const core::ExecutionRecord record = firstExecution(pipeline, timing);
    return ratio(record.hostBefore + record.hostAfter +
                     (timing.exposedHost + visitedHost(pipeline)) * record.updates,
                 record.duration);
}

} // namespace simulator
