#include "simulator/engine/records/record_simulation.h"

#include "simulator/engine/clock/executions.h"
#include "simulator/engine/records/program_tree.h"

namespace simulator {

void recordSimulation(const CompiledPipeline& pipeline, const SimulatedUpdate& update, ProfileLevel level,
                      const LayerNames& layers, core::ProfileSink& sink) {
    if (level >= ProfileLevel::Device)
        recordOperations(pipeline, layers, sink);
    if (level >= ProfileLevel::Ipu)
        recordLanes(pipeline, sink);
    if (level >= ProfileLevel::Device) {
        recordProgram(pipeline, sink);
        recordTransfers(pipeline, sink);
        recordLiveness(pipeline, sink);
    }
    if (level >= ProfileLevel::Ipu) {
        recordSpans(pipeline, update, level == ProfileLevel::Tile, sink);
        recordMemory(pipeline, layers, sink);
    }
    sink.executions(executionRecords(pipeline, update.timing));
}

} // namespace simulator
