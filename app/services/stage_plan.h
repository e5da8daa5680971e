#pragma once

#include "core/project/project.h"
#include "simulator/planner/partition_problem.h"

#include <filesystem>
#include <string>

namespace app {

/// Prices the layers of a project and cuts it into stages, exactly, best first. `file` names the project in
/// diagnostics; relative paths start at `folder`. Errors: those of `validate` for the parts that matter, and
/// those of `partitionStages`.
[[nodiscard]] core::Result<std::vector<simulator::Partition>>
planStages(const core::Project& project, const std::string& file, const std::filesystem::path& folder,
           const simulator::PartitionRequest& request, simulator::CompilationCache& cache,
           const core::JobContext& job = {});

/// The project with the plan, on enough IPUs for it.
[[nodiscard]] core::Project withPlan(const core::Project& project, const simulator::Partition& partition);

} // namespace app
