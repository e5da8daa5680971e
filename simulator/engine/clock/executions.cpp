#include "simulator/engine/clock/executions.h"

#include "simulator/cost/communication.h"
#include "simulator/engine/clock/infeed_queue.h"

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
    return ratio(record.hostBefore + record.hostAfter + timing.exposedHost * record.updates, record.duration);
}

} // namespace simulator
