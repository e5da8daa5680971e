#pragma once

#include "simulator/compiler/compile_graph.h"
#include "simulator/target/selection_order.h"
#include "simulator/target/target_catalogue.h"
#include "tests/simulator/chain_graph.h"

#include <QString>

namespace tests {

/// Options of a chain whose layer i is on stage `stages[i]`; with one stage it is not pipelined.
inline simulator::CompileOptions chainOptions(const std::vector<std::size_t>& stages,
                                              std::int64_t microBatches, bool training = true) {
    simulator::CompileOptions options;
    options.stages = stageMap(stages);
    options.isPipelined = options.stages.count > 1;
    options.training = training;
    options.microBatches = microBatches;
    options.offload.remoteMemory = false;
    options.offload.pipelined = options.isPipelined;
    options.forward.resize(options.stages.count);
    options.backward.resize(options.stages.count);
    options.execution.mode = training ? core::RunMode::Train : core::RunMode::Predict;
    options.execution.effectiveBatch = microBatches * 8;
    return options;
}

inline simulator::IpuSystem systemFor(simulator::CompileOptions& options, std::int64_t replicas = 1) {
    simulator::IpuSystem system;
    system.target = simulator::findTarget("ipu2")->target;
    std::int64_t ipus = 1;
    for (const core::IpuId ipu : options.stages.ipus)
        while (ipus <= static_cast<std::int64_t>(ipu.index()))
            ipus *= 2;
    system.ipusPerReplica = ipus;
    system.replicas = replicas;
    system.ipus = ipus * replicas;
    system.physicalIndex = simulator::physicalIndices(simulator::SelectionOrder::Snake, ipus);
    options.offload.replicas = replicas;
    return system;
}

inline core::Result<simulator::CompiledPipeline>
compiled(const ChainShape& shape, simulator::CompileOptions options, std::int64_t replicas = 1) {
    const simulator::IpuSystem system = systemFor(options, replicas);
    simulator::PlanCache plans;
    return simulator::compileGraph(chainGraph(shape), options, system, plans);
}

/// The code of the first refusal, or "accepted".
inline QString codeOf(const core::Result<simulator::CompiledPipeline>& result) {
    return result ? "accepted" : QString::fromStdString(result.error().front().code);
}

} // namespace tests
