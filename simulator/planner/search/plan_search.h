#pragma once

#include "core/base/job_context.h"
#include "core/plan/prediction_interval.h"
#include "core/project/project.h"
#include "core/project/run_figures.h"
#include "simulator/compiler/compilation_cache.h"
#include "simulator/planner/search/plan_choice.h"
#include "simulator/planner/search/plan_freedom.h"

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace simulator {

struct SearchedPlan;

struct PlanSearchRequest {
    const core::Project& project;
    /// Of the project's dataset.
    std::optional<core::DatasetFacts> facts;
    /// Names the project in diagnostics; relative paths start at `folder`.
    std::string file;
    std::filesystem::path folder;
    /// IPUs of all replicas together, at most.
    std::int64_t ipus = 1;
    /// Samples per weight update; nothing: the project's.
    std::optional<std::int64_t> effectiveBatch = std::nullopt;
    /// Bytes of the fullest IPU, at most; nothing: the target's.
    std::optional<std::int64_t> memoryLimit = std::nullopt;
    /// Plans to simulate, at most, for the proof and for the front together; the search is the same on every
    /// machine because of it. A space of few plans may take twice as many for its whole
    /// front.
    std::size_t simulations = 400;
    /// What the plans have as the project has it.
    PlanFreedom freedom = {};
    /// Of every layer call the stage it stays on (`core::lockedStages`); empty: none is locked.
    std::vector<std::optional<std::size_t>> locks = {};
    /// Told every plan that was simulated and fits, as it is found, on the thread that searches.
    std::function<void(const SearchedPlan&)> found = {};
};

/// A plan that was simulated and fits.
struct SearchedPlan {
    PlanChoice choice;
    /// End of every stage in the chain of layer calls.
    std::vector<std::size_t> ends;
    core::Project project;
    double samplesPerSecond = 0;
    core::Cycles step;
    /// Of the fullest IPU.
    core::Bytes peak;
    /// Of all replicas.
    std::int64_t ipus = 1;
    /// Where throughput and peak lie once they are measured.
    core::ProgramIntervals intervals = {};
};

struct PlanSearchOutcome {
    /// Plans of which no other simulated one has more throughput, less memory and fewer IPUs at once; the
    /// highest throughput first. Empty: nothing fits as far as the search got.
    std::vector<SearchedPlan> front;
    /// Every plan of the space that is not in the front is no better than one that is.
    bool isFrontWhole = false;
    std::int64_t effectiveBatch = 0;
    /// No plan of the space that fits has more samples per second than this; equal to the best one's where
    /// it is proven. Infinite: not known.
    double bound = 0;
    /// Relative gap between the best plan and the bound.
    double gap = 0;
    /// Also that nothing fits.
    bool isProven = false;
    /// Stopped before its end: the front is what was found until then.
    bool isCut = false;
    /// Choices of everything but the cuts.
    std::size_t choices = 0;
    /// Plans.
    std::size_t simulated = 0;
};

/// Splits of all choices together that are gone through one by one for the front, at most.
inline constexpr std::size_t fewPlans = 20'000;

/// The plan of the highest throughput that fits, over split × replicas × schedule × micro-batch ×
/// accumulation × recomputation × offloading × memory proportion, by branch and bound: choices and splits in
/// the order of their bounds, each simulated as a run would be (`estimateTotals`). Errors: those of
/// `validate` for the parts that matter; "plan/batch": no choice keeps the effective batch.
[[nodiscard]] core::Result<PlanSearchOutcome>
searchPlans(const PlanSearchRequest& request, CompilationCache& cache, const core::JobContext& job = {});

} // namespace simulator
