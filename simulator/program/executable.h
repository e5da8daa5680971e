#pragma once

#include "core/profile/records.h"
#include "core/project/validated_project.h"
#include "simulator/cost/operation_plan.h"
#include "simulator/graph/staged_graph.h"
#include "simulator/memory/memory_plan.h"
#include "simulator/schedule/pipeline_schedule.h"
#include "simulator/target/ipu_system.h"

#include <memory>
#include <vector>

namespace simulator {

/// One leaf step of a stage program.
struct Step {
    core::StepKind kind = core::StepKind::OnTileExecute;
    core::OperationId operation;
    core::Cycles duration;
    core::Bytes bytes;
};

/// What one stage runs for one micro-batch in one phase (or once per update), as BSP steps in order.
struct StageProgram {
    core::StageId stage;
    Phase phase = Phase::Forward;
    std::vector<core::OperationId> order;
    std::vector<Step> steps;
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

/// Everything the engine, the numerics and the estimate need; made by `compile()`. Immutable in use.
struct Executable {
    core::ValidatedProject project;
    IpuSystem system;
    StagedGraph staged;
    /// Plan of every operation.
    std::vector<OperationPlan> plans;
    std::vector<StagePrograms> stages;
    PipelineSchedule schedule;
    MemoryPlan memory;
    /// Gradient all-reduce of one weight update, per IPU; zero with one replica.
    std::vector<core::Cycles> allReduce;
    std::vector<core::Bytes> allReduceBytes;
    /// Host traffic of one micro-batch.
    core::Bytes infeedBytes;
    core::Bytes outfeedBytes;
};

} // namespace simulator
