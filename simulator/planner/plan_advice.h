#pragma once

#include "core/base/job_context.h"
#include "core/plan/plan_estimate.h"
#include "core/project/project.h"
#include "core/project/run_figures.h"
#include "simulator/compiler/compilation_cache.h"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace simulator {

/// A change that makes the plan better, and by how much: both plans were simulated.
struct Advice {
    /// "Use 16 micro-batches".
    std::string text;
    core::Project project;
    /// Relative gain of samples per second.
    double gain = 0;
    /// Samples per second with it.
    double samplesPerSecond = 0;
    /// One weight update with it.
    core::Cycles step;
    /// Peak of the fullest IPU with it.
    core::Bytes peak;
    /// Of both, once they are measured.
    core::ProgramIntervals intervals;
    /// The present plan does not fit into memory, this one does.
    bool repairs = false;
    /// IPUs of all replicas.
    std::int64_t ipus = 1;
    /// A weight update is of another number of samples: training is no longer the same.
    bool changesBatch = false;
};

/// What advice is asked about.
struct AdviceRequest {
    const core::Project& project;
    /// Of the project as it is.
    const core::PlanEstimate& present;
    /// Of the project's dataset; no change that is tried is one of the dataset.
    std::optional<core::DatasetFacts> facts;
    /// Names the project in diagnostics; relative paths start at `folder`.
    std::string file;
    std::filesystem::path folder;
};

/// Every single change worth trying on a project that fits then, simulated, in no order. Empty when
/// cancelled.
[[nodiscard]] std::vector<Advice> simulatedChanges(const AdviceRequest& request, CompilationCache& cache,
                                                   const core::JobContext& job = {});

/// Every single change worth trying on a project, simulated: another split, schedule, number of
/// micro-batches, recomputation, place of the optimizer state. Those that gain at least half a percent and
/// fit, best first; for a project that does not fit, those that do. Empty when cancelled.
[[nodiscard]] std::vector<Advice> findAdvice(const AdviceRequest& request, CompilationCache& cache,
                                             const core::JobContext& job = {});
/// The same of changes that were simulated.
[[nodiscard]] std::vector<Advice> adviceOf(std::vector<Advice> changes);

/// A changed project simulated as advice about the present one; nothing where it breaks a rule, is refused or
/// does not fit.
[[nodiscard]] std::optional<Advice> simulatedAdvice(std::string text, core::Project project,
                                                    const AdviceRequest& request, CompilationCache& cache,
                                                    const core::JobContext& job);

} // namespace simulator
