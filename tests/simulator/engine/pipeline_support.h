#pragma once

#include "core/plan/schedule/schedule_catalogue.h"
#include "simulator/engine/clock/timeline.h"
#include "simulator/target/selection_order.h"
#include "simulator/target/target_catalogue.h"

#include <vector>

namespace tests {

/// Cycles of one stage.
struct StageCycles {
    std::int64_t forward = 1000;
    std::int64_t backward = 2000;
    std::int64_t recompute = 0;
    std::int64_t update = 500;
    /// Of a schedule that splits the backward pass.
    std::int64_t weightGradient = 0;
};

/// A pipeline of given stage times, without a model behind it.
struct PipelineSpec {
    std::string kind = "Grouped";
    std::int64_t microBatches = 8;
    bool training = true;
    std::vector<StageCycles> stages = {};
    /// IPU of each stage; empty: stage k on IPU k.
    std::vector<std::size_t> ipus = {};
    /// Bytes that cross to each neighbour in each direction.
    std::int64_t crossingBytes = 0;
    std::int64_t infeedBytes = 0;
    std::int64_t outfeedBytes = 0;
    std::int64_t allReduceCycles = 0;
    std::int64_t prefetchDepth = 3;
    bool overlapsHostIo = false;
    std::string target = "ipu2";
    /// Micro-batches that may wait where copies arrive.
    std::int64_t arrivalDepth = 0;
};

inline simulator::StageProgram program(std::size_t stage, simulator::Phase phase, std::int64_t cycles) {
    simulator::StageProgram result;
    result.stage = core::StageId(stage);
    result.phase = phase;
    if (cycles > 0)
        result.steps.push_back(
            {core::StepKind::OnTileExecute, core::OperationId(0), {}, core::Cycles(cycles), {}});
    result.compute = core::Cycles(cycles);
    return result;
}

inline simulator::CompiledPipeline pipelineOf(const PipelineSpec& spec) {
    using namespace simulator;
    CompiledPipeline pipeline;
    core::PipelineShape shape;
    shape.stages = spec.stages.size();
    shape.microBatches = spec.microBatches;
    shape.training = spec.training;
    shape.ioTiles = spec.overlapsHostIo;
    std::size_t ipuCount = 0;
    for (std::size_t stage = 0; stage < spec.stages.size(); ++stage) {
        const std::size_t ipu = spec.ipus.empty() ? stage : spec.ipus[stage];
        shape.deviceMapping.emplace_back(ipu);
        shape.recompute = shape.recompute || spec.stages[stage].recompute > 0;
        ipuCount = std::max(ipuCount, ipu + 1);
        const StageCycles& cycles = spec.stages[stage];
        const bool isMerged = spec.kind == "Sequential" && spec.training && stage + 1 == spec.stages.size();
        pipeline.stages.push_back(
            {program(stage, Phase::Forward, isMerged ? 0 : cycles.forward),
             program(stage, Phase::Backward,
                     spec.training ? cycles.backward + (isMerged ? cycles.forward : 0) : 0),
             program(stage, Phase::WeightGradient, cycles.weightGradient),
             program(stage, Phase::Recompute, cycles.recompute),
             program(stage, Phase::WeightUpdate, spec.training ? cycles.update : 0)});
    }
    pipeline.schedule = core::buildSchedule(spec.kind, shape).value();
    pipeline.stageCount = spec.stages.size();
    pipeline.ipus = shape.deviceMapping;
    pipeline.graph.operations.push_back({core::OperationId(0), "work", Copy{}, {}, {}, Phase::Forward, {}});
    for (std::size_t stage = 0; spec.crossingBytes > 0 && stage + 1 < spec.stages.size(); ++stage) {
        const bool isLocal = shape.deviceMapping[stage] == shape.deviceMapping[stage + 1];
        const TransferPath path = isLocal ? TransferPath::IntraIpuCopy : TransferPath::InterIpuCopy;
        pipeline.transfers.push_back({{},
                                      core::StageId(stage),
                                      core::StageId(stage + 1),
                                      Phase::Forward,
                                      false,
                                      spec.crossingBytes,
                                      path,
                                      spec.arrivalDepth});
        if (spec.training)
            pipeline.transfers.push_back({{},
                                          core::StageId(stage + 1),
                                          core::StageId(stage),
                                          Phase::Backward,
                                          false,
                                          spec.crossingBytes,
                                          path,
                                          spec.arrivalDepth});
    }
    pipeline.system.target = findTarget(spec.target)->target;
    pipeline.system.ipus = pipeline.system.ipusPerReplica = static_cast<std::int64_t>(ipuCount);
    pipeline.system.physicalIndex =
        physicalIndices(SelectionOrder::Snake, static_cast<std::int64_t>(ipuCount));
    pipeline.memory.ipus.resize(ipuCount);
    pipeline.allReduce.assign(ipuCount, core::Cycles(spec.allReduceCycles));
    pipeline.allReduceBytes.assign(ipuCount, core::Bytes(spec.allReduceCycles));
    pipeline.infeedBytes = core::Bytes(spec.infeedBytes);
    pipeline.outfeedBytes = core::Bytes(spec.outfeedBytes);
    pipeline.execution.prefetchDepth = spec.prefetchDepth;
    pipeline.execution.effectiveBatch = 1;
    pipeline.overlapsHostIo = spec.overlapsHostIo;
    pipeline.ioTiles = spec.overlapsHostIo ? 32 : 0;
    return pipeline;
}

} // namespace tests
