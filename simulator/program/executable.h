#pragma once

#include "core/profile/records/records.h"
#include "core/project/validated_project.h"
#include "simulator/cost/operation_plan.h"
#include "simulator/graph/staged_graph.h"
#include "simulator/memory/memory_plan.h"
#include "simulator/schedule/pipeline_schedule.h"
#include "simulator/target/ipu_system.h"

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

    [[nodiscard]] core::Cycles total() const { return compute + exchange + sync; }
};

/// The programs of one stage; an empty program takes no time.
struct StagePrograms {
    StageProgram forward;
    StageProgram backward;
    StageProgram recompute;
    StageProgram weightUpdate;
};

/// The order of each program of a stage.
struct StageOrders {
    std::vector<core::OperationId> forward;
    /// The recomputed part of `forward`, in its order.
    std::vector<core::OperationId> recompute;
    /// With recomputation inside the backward pass, recomputed operations stand right before the first
    /// backward operation that needs them, so that what lies before a checkpoint waits until it is needed.
    std::vector<core::OperationId> backward;
    std::vector<core::OperationId> weightUpdate;
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

/// How often what runs, and what the host does around it.
struct ExecutionShape {
    core::RunMode mode = core::RunMode::Train;
    /// Weight updates (training) or pipeline executions (inference) per execution of the program.
    std::int64_t updatesPerExecution = 1;
    std::int64_t executionsPerEpoch = 1;
    std::int64_t epochs = 1;
    /// Samples of one update over all replicas.
    std::int64_t effectiveBatch = 1;
    /// Micro-batches the host prepares ahead; 0: none, every transfer waits for the host.
    std::int64_t prefetchDepth = 3;
    /// Results of micro-batches that the host keeps for its program; the device waits when it is full.
    std::int64_t bufferDepth = 3;
    /// One value per metric and update instead of one per micro-batch.
    bool accumulateOutfeed = false;
    /// Of the sums; nothing: the type of each value.
    std::optional<core::DataType> accumulateOutfeedType;
    /// Nothing comes from (goes to) the host: the device works on what it finds.
    bool syntheticInfeed = false;
    bool syntheticOutfeed = false;

    bool operator==(const ExecutionShape&) const = default;
};

/// A compiled model, whatever project it came from: all that the engine, the numerics and the estimate need.
/// Immutable in use.
struct CompiledPipeline {
    IpuSystem system;
    ExecutionShape execution;
    /// False: a model without a pipeline, on one IPU or, sharded, on one IPU after the other.
    bool isPipelined = true;
    /// Micro-batches that a stage runs in a loop before the next stage does; 1 but for batch serialisation.
    std::int64_t batchSerialization = 1;
    /// The buffers between the stages of a batch-serialised pipeline are in streaming memory.
    bool offloadsSerializedBuffers = false;
    StagedGraph staged;
    /// Plan of every operation.
    std::vector<OperationPlan> plans;
    /// By stage; the programs are made from them.
    std::vector<StageOrders> orders;
    std::vector<StagePrograms> stages;
    PipelineSchedule schedule;
    MemoryPlan memory;
    /// What compiling did other than asked.
    core::Diagnostics warnings;
    /// Tiles kept for host I/O; with `overlapsHostIo` it hides behind the compute of its slot.
    std::int64_t ioTiles = 0;
    bool overlapsHostIo = false;
    /// Bytes that copies between the IPUs of a sharded model wait for one another; 0: each goes by itself. In
    /// a pipeline the copies of a slot always go together.
    std::int64_t interIpuCopyBytes = 0;
    /// Gradient all-reduce of one weight update, per IPU; zero with one replica.
    std::vector<core::Cycles> allReduce;
    std::vector<core::Bytes> allReduceBytes;
    /// What that is made of, in the order in which it runs.
    std::vector<UpdateCollective> collectives;
    /// Host traffic of one micro-batch; `updateOutfeedBytes` once per update where the outfeed accumulates.
    core::Bytes infeedBytes;
    /// Stream copies that bring them.
    std::int64_t infeedCopies = 1;
    core::Bytes outfeedBytes;
    core::Bytes updateOutfeedBytes;

    [[nodiscard]] std::size_t ipuCount() const { return memory.ipus.size(); }
};

/// A compiled project; made by `compile()`.
struct Executable : CompiledPipeline {
    core::ValidatedProject project;
};

} // namespace simulator
