#pragma once

#include "core/base/job_context.h"
#include "core/plan/plan_estimate.h"
#include "core/project/validated_project.h"
#include "simulator/compiler/compilation_cache.h"
#include "simulator/planner/timed_updates.h"
#include "simulator/program/executable.h"

#include <filesystem>

namespace simulator {

struct SimulatedUpdate;

/// What a plan would cost: the compiler's passes and the engine's timing without a recorder, so that every
/// figure equals a full run's. With a cache, moving a layer plans only operations of a new shape or with new
/// options, and a plan whose programs are known from an earlier one is only timed (`ProgramCache`). A plan
/// that does not compile has a refusal and no figures.
[[nodiscard]] core::PlanEstimate estimate(const core::ValidatedProject& project, CompilationCache& cache,
                                          const core::JobContext& job = {},
                                          const std::filesystem::path& folder = {});

/// The figures of the whole plan and of its IPUs' memory, the same as `estimate` gives, and neither stages,
/// calls nor why who idles: for many plans one after the other.
[[nodiscard]] core::PlanEstimate estimateTotals(const core::ValidatedProject& project,
                                                CompilationCache& cache, const core::JobContext& job = {},
                                                const std::filesystem::path& folder = {});

/// The same with updates that have been timed before, those of `cache`'s programs.
[[nodiscard]] core::PlanEstimate estimateTotals(const core::ValidatedProject& project,
                                                CompilationCache& cache, TimedUpdates& updates,
                                                const core::JobContext& job = {},
                                                const std::filesystem::path& folder = {});

/// The same of what is compiled already. `invocations` counts the layer calls of each stage; may be empty.
[[nodiscard]] core::PlanEstimate estimateOf(const CompiledPipeline& pipeline,
                                            const std::vector<std::size_t>& invocations = {});
/// The same of an update that was simulated already.
[[nodiscard]] core::PlanEstimate estimateOf(const CompiledPipeline& pipeline, const SimulatedUpdate& update,
                                            const std::vector<std::size_t>& invocations = {});

/// No figures, and the first error with its cures as the reason.
[[nodiscard]] core::PlanEstimate refusedEstimate(const core::Diagnostics& diagnostics);

} // namespace simulator
