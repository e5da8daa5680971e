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

/// Bytes that are reduced together, in the order of the updates.
using Batches = std::vector<std::int64_t>;

/// The collectives of each IPU: gradients wait for one another up to `buffer` bytes.
std::vector<Batches> batchesOfIpus(const StagedGraph& staged, std::size_t ipus, std::int64_t buffer) {
    const auto gradients = gradientsOf(staged.graph);
    std::vector<Batches> batches(ipus);
    for (const Operation& operation : staged.graph.operations) {
        if (!std::holds_alternative<OptimizerUpdate>(operation.attributes))
            continue;
        const auto gradient = gradients.find(operation.outputs.front());
        if (gradient == gradients.end())
            continue;
        Batches& ofIpu = batches[staged.ipus[staged.stageOf(operation.id).index()].index()];
        const std::int64_t bytes = staged.graph.tensor(gradient->second).bytes();
        if (!ofIpu.empty() && ofIpu.back() + bytes <= buffer)
            ofIpu.back() += bytes;
        else
            ofIpu.push_back(bytes);
    }
    return batches;
}

} // namespace

void planAllReduce(CompiledPipeline& pipeline, std::int64_t bufferBytes) {
    const auto ipus = static_cast<std::size_t>(pipeline.system.ipusPerReplica);
    pipeline.allReduce.assign(ipus, core::Cycles(0));
    pipeline.allReduceBytes.assign(ipus, core::Bytes(0));
    if (pipeline.system.replicas < 2)
        return;
    const std::vector<Batches> batches = batchesOfIpus(pipeline.staged, ipus, bufferBytes);
    // The IPUs reduce side by side: their first collectives together, then their second ones, ….
    const std::size_t rounds = std::ranges::max(batches, {}, &Batches::size).size();
    for (std::size_t round = 0; round < rounds; ++round) {
        std::vector<std::int64_t> bytes(ipus, 0);
        for (std::size_t ipu = 0; ipu < ipus; ++ipu)
            bytes[ipu] = round < batches[ipu].size() ? batches[ipu][round] : 0;
        const core::Cycles cycles = collectiveCost(pipeline.system, CollectiveKind::AllReduce, bytes).total();
        for (std::size_t ipu = 0; ipu < ipus; ++ipu)
            if (bytes[ipu] > 0) {
                pipeline.allReduce[ipu] += cycles;
                pipeline.allReduceBytes[ipu] += core::Bytes(bytes[ipu]);
            }
    }
}

} // namespace simulator
