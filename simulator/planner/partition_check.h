#pragma once

#include "core/plan/prediction_interval.h"
#include "core/project/project.h"
#include "core/project/run_figures.h"
#include "simulator/compiler/compilation_cache.h"
#include "simulator/planner/stage_partition.h"

#include <filesystem>
#include <optional>
#include <string>

namespace simulator {

/// What the model is called in which `partitionStages` is exact: every layer has one price, whatever its
/// stage, and a stage costs the sum of its layers.
inline constexpr std::string_view partitionModel = "sum of layer prices";

/// A partition as the compiler sees it, which prices whole stages: it fuses, orders and shares over a stage.
struct CompiledPartition {
    /// Forward, backward and recomputation of the slowest stage, per micro-batch.
    std::int64_t slowestStageCycles = 0;
    /// Of the fullest IPU.
    std::int64_t peakBytes = 0;
    /// Where a rate, and the peak, lie once they are measured.
    core::ProgramIntervals intervals;
    /// Cycles of every stage and bytes of every IPU are those of the partition: what is optimal among sums of
    /// layer prices is so here.
    bool agrees = false;
};

/// Compiles the project with the partition. `planned` holds it already (`withPlan`); `file` names it in
/// diagnostics, relative paths start at `folder`. Errors: those of `validate`, and "plan/refused" where it
/// does not compile.
[[nodiscard]] core::Result<CompiledPartition>
compilePartition(const core::Project& planned, const Partition& partition,
                 const std::optional<core::DatasetFacts>& facts, const std::string& file,
                 const std::filesystem::path& folder, CompilationCache& cache,
                 const core::JobContext& job = {});

} // namespace simulator
