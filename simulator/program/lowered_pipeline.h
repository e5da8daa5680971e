#pragma once

#include "core/profile/records/program_records.h"
#include "simulator/graph/host_visit.h"
#include "simulator/program/deployment.h"
#include "simulator/program/ordered_graph.h"

#include <vector>

namespace simulator {

/// One leaf step of a stage program.
struct Step {
    core::StepKind kind = core::StepKind::OnTileExecute;
    /// Invalid for what moves data between operations: FIFOs, copies on the IPU, streaming memory.
    core::OperationId operation;
    /// What such a step moves.
    core::TensorId tensor;
    core::Cycles duration;
    core::Bytes bytes;
};

/// What one stage runs for one micro-batch in one phase (or once per update), as BSP steps in order.
struct StageProgram {
    core::StageId stage;
    Phase phase = Phase::Forward;
    /// A backward program with recomputation inside holds forward operations too; so does the backward
    /// program that a Sequential pipeline's last forward stage is merged into.
    std::vector<core::OperationId> order;
    std::vector<Step> steps;
    /// Steps `loopBegin` … `loopEnd` − 1 run this often (batch serialisation).
    std::int64_t iterations = 1;
    std::uint32_t loopBegin = 0;
    std::uint32_t loopEnd = 0;
    /// Sums over the steps, the loop as often as it runs; streaming memory counts as exchange.
    core::Cycles compute;
    core::Cycles exchange;
    core::Cycles sync;
    /// Of `exchange`: streaming memory and the host's tables. The IPU computes nothing meanwhile.
    core::Cycles streamed;
    /// Of `streamed`: streaming memory.
    core::Cycles remote;

    [[nodiscard]] core::Cycles total() const { return compute + exchange + sync; }
};

/// The programs of one stage; an empty program takes no time.
struct StagePrograms {
    StageProgram forward;
    StageProgram backward;
    /// Empty where the schedule does not split the backward pass.
    StageProgram weightGradient;
    StageProgram recompute;
    StageProgram weightUpdate;

    [[nodiscard]] const StageProgram& of(Phase phase) const {
        switch (phase) {
        case Phase::Backward:
            return backward;
        case Phase::Recompute:
            return recompute;
        case Phase::WeightUpdate:
            return weightUpdate;
        case Phase::WeightGradient:
            return weightGradient;
        case Phase::Forward:
            break;
        }
        return forward;
    }
};

/// Gradients of one IPU that one collective reduces over the replicas, once per weight update.
struct UpdateCollective {
    core::IpuId ipu;
    std::vector<core::TensorId> gradients;
    core::Bytes bytes;
    /// Over the replicas of one machine, then over machines (links or gateways).
    core::Cycles withinMachine;
    core::Cycles acrossMachines;
    core::Cycles sync;

    [[nodiscard]] core::Cycles total() const { return withinMachine + acrossMachines + sync; }
    bool operator==(const UpdateCollective&) const = default;
};

/// The gradient all-reduce of one weight update.
struct GradientReduction {
    /// Per IPU; zero with one replica.
    std::vector<core::Cycles> allReduce;
    std::vector<core::Bytes> allReduceBytes;
    /// What that is made of, in the order in which it runs.
    std::vector<UpdateCollective> collectives;
};

/// What one execution of a stage brings from and sends to the host.
struct HostTraffic {
    /// Of one micro-batch (of all that a batch-serialised stage loops over).
    core::Bytes infeedBytes;
    /// Stream copies that bring them.
    std::int64_t infeedCopies = 1;
    core::Bytes outfeedBytes;
    /// Once per update, where the outfeed accumulates.
    core::Bytes updateOutfeedBytes;
};

/// Whether a step that streams moves remote memory: neither rows of a table of the host, nor what the host
/// computes with in the middle of a program.
[[nodiscard]] inline bool isOfRemoteMemory(const TrainingGraph& graph, const Step& step) {
    if (!step.operation.isValid())
        return true;
    const OperationAttributes& attributes = graph.operation(step.operation).attributes;
    if (const auto* lookup = std::get_if<HostLookup>(&attributes))
        return lookup->table.remoteBuffer;
    const auto* update = std::get_if<HostUpdate>(&attributes);
    return !isHostVisit(attributes) && (update == nullptr || update->table.remoteBuffer);
}

/// A pipeline with its programs: every stage has its steps with their cycles, the update its collectives.
struct LoweredPipeline : OrderedGraph, Deployment, GradientReduction, HostTraffic {
    std::vector<StagePrograms> stages;
};

} // namespace simulator
