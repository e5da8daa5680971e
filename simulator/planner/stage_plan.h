#pragma once

#include "core/project/project.h"
#include "simulator/planner/partition_problem.h"

#include <filesystem>
#include <string>

namespace simulator {

/// A project's parts that matter for pricing its layers: whatever depends on the present stages, replicas and
/// data is left out.
[[nodiscard]] core::Project projectForPricing(core::Project project);

/// Prices the layers of a project and cuts it into stages, exactly, best first. `file` names the project in
/// diagnostics; relative paths start at `folder`. Errors: those of `validate` for the parts that matter, and
/// those of `partitionStages`.
[[nodiscard]] core::Result<std::vector<Partition>>
planStages(const core::Project& project, const std::string& file, const std::filesystem::path& folder,
           const PartitionRequest& request, CompilationCache& cache, const core::JobContext& job = {});

/// The project with the plan, on enough IPUs for it.
[[nodiscard]] core::Project withPlan(const core::Project& project, const Partition& partition);

} // namespace simulator
