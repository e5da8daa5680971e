#pragma once

#include "core/base/result.h"
#include "core/project/validated_project.h"
#include "simulator/compiler/program_cache.h"
#include "simulator/cost/operations/plan_operation.h"
#include "simulator/graph/training_graph.h"

#include <optional>

namespace simulator {

/// Results of earlier compilations that a later one may use again: operation plans by signature; the training
/// graph as long as the model and what it is trained with stay the same (moving a layer to another stage
/// changes neither); for estimates, whole programs that only run in other slots. The other passes are quick.
/// Not safe for use from two threads at once.
class CompilationCache {
public:
    [[nodiscard]] PlanCache& plans() { return m_plans; }
    [[nodiscard]] ProgramCache& programs() { return m_programs; }
    /// The training graph of a project, built or remembered.
    [[nodiscard]] core::Result<TrainingGraph> trainingGraph(const core::ValidatedProject& project);

private:
    PlanCache m_plans;
    ProgramCache m_programs;
    std::optional<core::ValidatedProject> m_project;
    TrainingGraph m_graph;
};

} // namespace simulator
