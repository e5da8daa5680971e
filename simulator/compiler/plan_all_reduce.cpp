#include "simulator/compiler/plan_all_reduce.h"

#include "simulator/cost/communication.h"

#include <algorithm>
#include <map>
#include <vector>

namespace simulator {

namespace {

/// The gradient that the update of each parameter reads, by parameter.
std::map<core::TensorId, core::TensorId> gradientsOf(const TrainingGraph& graph) {
    std::map<core::TensorId, core::TensorId> gradients;
    for (const ParameterSlots& slots : graph.parameters)
        if (!slots.gradients.empty())
            gradients[slots.parameter] =
                slots.accumulator.isValid() ? slots.accumulator : slots.gradients.front();
    return gradients;
}

/// Bytes of gradients that the updates of each IPU reduce over the replicas.
std::vector<std::int64_t> reducedBytes(const StagedGraph& staged, std::size_t ipus) {
    const auto gradients = gradientsOf(staged.graph);
    std::vector<std::int64_t> bytes(ipus, 0);
    for (const Operation& operation : staged.graph.operations) {
        if (!std::holds_alternative<OptimizerUpdate>(operation.attributes))
            continue;
        const auto gradient = gradients.find(operation.outputs.front());
        if (gradient != gradients.end())
            bytes[staged.ipus[staged.stageOf(operation.id).index()].index()] +=
                staged.graph.tensor(gradient->second).bytes();
    }
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
