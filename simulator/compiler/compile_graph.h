#pragma once

#include "core/base/job_context.h"
#include "simulator/compiler/passes/compiler_passes.h"
#include "simulator/compiler/planning/compile_options.h"

namespace simulator {

/// What the costly passes found in an earlier compilation of the same graph with the same options.
struct CompiledParts {
    std::vector<OperationPlan> plans;
    std::vector<StageOrders> orders;
};

/// The passes of `compilerPasses()`, in their order: a training graph for a system becomes programs with a
/// schedule and a memory plan. Refuses what the programming system finds when it compiles, in the order of
/// its checks. Out of memory is a finding of the memory plan, not a refusal. Cancelled through `job`: a
/// diagnostic of Trouble::Interrupted. `observer` sees what each pass gives.
[[nodiscard]] core::Result<CompiledPipeline> compileGraph(TrainingGraph graph, const CompileOptions& options,
                                                          const IpuSystem& system, PlanCache& plans,
                                                          const core::JobContext& job = {},
                                                          const PassObserver& observer = {});
/// The same with parts known from an earlier compilation. Parts of another graph are refused:
/// "executable/format".
[[nodiscard]] core::Result<CompiledPipeline> compileGraph(TrainingGraph graph, const CompileOptions& options,
                                                          const IpuSystem& system, const CompiledParts& known,
                                                          const core::JobContext& job = {});

/// The diagnostic of work that was asked to stop.
[[nodiscard]] core::Diagnostic interrupted();

} // namespace simulator
