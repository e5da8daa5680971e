#pragma once

#include "core/model/typed_graph.h"
#include "core/plan/schedule/pipeline_shape.h"
#include "core/project/project.h"

#include <memory>
#include <vector>

namespace core {

/// A project that breaks no rule which can be known before compiling. Only `validate()` makes one, so
/// whatever takes it has no user errors to expect. Cheap to copy.
class ValidatedProject {
public:
    /// The project with the defaults that a run needs filled in: an optimizer, one loss per output.
    [[nodiscard]] const Project& project() const { return *m_project; }
    /// The flattened model with the shape and type of every tensor, batch axis = micro-batch.
    [[nodiscard]] const TypedGraph& graph() const { return *m_graph; }
    [[nodiscard]] RunMode mode() const { return m_mode; }
    [[nodiscard]] bool isPipelined() const { return m_project->assignment.isPipelined(); }

    /// Stages of a pipeline, at least 2; the steps of a sharded model, each on one IPU; 1 otherwise.
    [[nodiscard]] std::size_t stageCount() const { return m_stageCount; }
    /// Stage of every invocation of `graph()`; InputLayer calls are on stage 0.
    [[nodiscard]] StageId stageOf(InvocationId invocation) const { return m_stageOf[invocation.index()]; }
    /// With batch serialisation and no mapping every stage is on IPU 0.
    [[nodiscard]] IpuId ipuOf(StageId stage) const { return m_ipuOf[stage.index()]; }
    /// IPUs of one replica, a power of two.
    [[nodiscard]] std::int64_t ipusPerReplica() const { return m_ipusPerReplica; }
    [[nodiscard]] std::int64_t replicas() const { return m_replicas; }
    /// N: micro-batches of one pipeline execution (training: per weight update; otherwise steps per
    /// execution).
    [[nodiscard]] std::int64_t microBatches() const { return m_microBatches; }
    /// Weight updates (training) or pipeline executions (inference) per execution of the program.
    [[nodiscard]] std::int64_t updatesPerExecution() const { return m_updatesPerExecution; }
    /// Executions of one epoch; 1 when there is no dataset to count.
    [[nodiscard]] std::int64_t executionsPerEpoch() const { return m_executionsPerEpoch; }
    /// micro-batch × batch serialisation × N × replicas.
    [[nodiscard]] std::int64_t effectiveBatch() const;
    /// Whether anything can be offloaded: remote memory at hand, and the connection type lets it be known.
    [[nodiscard]] bool hasRemoteMemory() const;
    /// What the schedule is made from, recomputation and I/O tiles resolved. Not for an unpipelined model.
    [[nodiscard]] PipelineShape pipelineShape() const;

    /// The project, for whoever makes the next one of it: moved out where no copy of this holds it too.
    [[nodiscard]] Project intoProject() &&;

private:
    friend class Validation;
    ValidatedProject() = default;

    std::shared_ptr<Project> m_project;
    std::shared_ptr<const TypedGraph> m_graph;
    RunMode m_mode = RunMode::Train;
    std::size_t m_stageCount = 1;
    std::vector<StageId> m_stageOf;
    std::vector<IpuId> m_ipuOf;
    std::int64_t m_ipusPerReplica = 1;
    std::int64_t m_replicas = 1;
    std::int64_t m_microBatches = 1;
    std::int64_t m_updatesPerExecution = 1;
    std::int64_t m_executionsPerEpoch = 1;
};

} // namespace core
