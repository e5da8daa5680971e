#include "simulator/engine/records/record_simulation.h"

#include "simulator/engine/clock/executions.h"
#include "simulator/engine/records/program_tree.h"

namespace simulator {

void recordSimulation(const CompiledPipeline& pipeline, const SimulatedUpdate& update, ProfileLevel level,
                      const LayerNames& layers, core::ProfileSink& sink, const core::JobContext& job) {
    const auto record = [&](ProfileLevel from, const auto& part) {
        if (level >= from && !job.isCancelled())
            part();
    };
    record(ProfileLevel::Device, [&] { recordOperations(pipeline, layers, sink); });
    record(ProfileLevel::Ipu, [&] { recordLanes(pipeline, sink); });
    record(ProfileLevel::Device, [&] { recordProgram(pipeline, sink); });
    record(ProfileLevel::Device, [&] { recordTransfers(pipeline, sink); });
    record(ProfileLevel::Device, [&] { recordLiveness(pipeline, sink); });
    record(ProfileLevel::Ipu, [&] { recordSpans(pipeline, update, level == ProfileLevel::Tile, sink); });
    record(ProfileLevel::Ipu, [&] { recordMemory(pipeline, layers, sink); });
    sink.executions(executionRecords(pipeline, update.timing));
}

} // namespace simulator
