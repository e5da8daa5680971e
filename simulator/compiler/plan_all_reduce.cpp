#include "simulator/compiler/plan_all_reduce.h"

#include "simulator/cost/communication.h"

#include <algorithm>
#include <vector>

namespace simulator {

namespace {

/// Bytes that the updates of each IPU reduce over the replicas.
std::vector<std::int64_t> reducedBytes(const StagedGraph& staged, std::size_t ipus) {
    std::vector<std::int64_t> bytes(ipus, 0);
    for (const Operation& operation : staged.graph.operations)
        if (operation.phase == Phase::WeightUpdate &&
            std::holds_alternative<Collective>(operation.attributes))
            bytes[staged.ipus[staged.stageOf(operation.id).index()].index()] +=
                staged.graph.tensor(operation.inputs.front()).bytes();
    return bytes;
}

} // namespace

void planAllReduce(CompiledPipeline& pipeline) {
    const auto ipus = static_cast<std::size_t>(pipeline.system.ipusPerReplica);
    pipeline.allReduce.assign(ipus, core::Cycles(0));
    pipeline.allReduceBytes.assign(ipus, core::Bytes(0));
    if (pipeline.system.replicas < 2)
        return;
    const std::vector<std::int64_t> bytes = reducedBytes(pipeline.staged, ipus);
    const core::Cycles cycles = collectiveCost(pipeline.system, CollectiveKind::AllReduce, bytes).total();
    for (std::size_t ipu = 0; ipu < ipus; ++ipu)
        if (bytes[ipu] > 0) {
            pipeline.allReduce[ipu] = cycles;
            pipeline.allReduceBytes[ipu] = core::Bytes(bytes[ipu]);
        }
}

} // namespace simulator
