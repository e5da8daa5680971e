#pragma once

#include "core/project/validated_project.h"
#include "simulator/compiler/compilation_cache.h"
#include "simulator/planner/stage_partition.h"
#include "simulator/target/ipu_system.h"

#include <filesystem>

namespace simulator {

/// What the planner asks for besides the project.
struct PartitionRequest {
    std::size_t stages = 2;
    PartitionObjective objective = PartitionObjective::Time;
    double timeShare = 0.5;
    /// By assignable invocation; empty: none.
    std::vector<std::optional<std::size_t>> locks = {};
    std::size_t alternatives = 1;
};

/// The chain of a project's assignable layer calls, in post-order, with the price of each from the plans of
/// its operations: as compiled on one stage, so that no plan depends on the split. Layer i of the problem is
/// entry i of the stage assignment. Loss and metrics belong to the last layer.
[[nodiscard]] core::Result<PartitionProblem> partitionProblem(const core::ValidatedProject& project,
                                                              const PartitionRequest& request,
                                                              CompilationCache& cache,
                                                              const std::filesystem::path& folder = {});

/// A project's graph with the prices of its operations: `layerOf` gives the chain position of every
/// invocation of the typed graph (nothing for inputs, which count as position 0).
struct PartitionSource {
    TrainingGraph graph;
    std::vector<std::optional<std::size_t>> layerOf;
    std::size_t layers = 0;
    std::string schedule = "Grouped";
    bool recompute = false;
    /// Only these stages; nothing: all but the last.
    std::optional<std::vector<std::int64_t>> recomputedStages = {};
    IpuSystem system;
    /// Tiles of an IPU that compute.
    std::int64_t computeTiles = 0;
    /// Plan of every operation.
    std::vector<OperationPlan> plans;
};
/// The source of a project, everything on one stage. Errors: those of its target and of its training graph.
[[nodiscard]] core::Result<PartitionSource> partitionSource(const core::ValidatedProject& project,
                                                            CompilationCache& cache,
                                                            const std::filesystem::path& folder = {});
/// The chain of a graph that is there.
[[nodiscard]] PartitionProblem partitionProblem(const PartitionSource& source,
                                                const PartitionRequest& request);

} // namespace simulator
