#pragma once

#include "core/base/job_context.h"
#include "core/base/result.h"
#include "core/plan/schedule_outcome.h"
#include "core/project/project.h"
#include "simulator/compiler/compilation_cache.h"

#include <filesystem>
#include <string>
#include <vector>

namespace simulator {

/// A project under every schedule of the catalogue, in the catalogue's order: one update of training, with
/// the figures that a run of the project with that schedule gives. A table of the user counts where it is the
/// project's own. What keeps a schedule from running the project is in its outcome. Error
/// "schedule/no-pipeline" for a model without stages. A job that was cancelled answers what it has by then.
[[nodiscard]] core::Result<std::vector<core::ScheduleOutcome>>
scheduleOutcomes(const core::Project& project, const std::string& file, CompilationCache& cache,
                 const core::JobContext& job = {}, const std::filesystem::path& folder = {});

} // namespace simulator
