#include "app/services/plan/faster_parts.h"

#include "app/services/run/prepare_run.h"
#include "simulator/compiler/compile.h"
#include "simulator/compiler/compile_graph.h"
#include "simulator/engine/clock/step_trials.h"

namespace app {

core::Result<core::FasterParts> simulateFasterParts(const core::RunSummary& stored,
                                                    const std::vector<core::PathPart>& parts,
                                                    const std::filesystem::path& folder, double less,
                                                    const core::JobContext& job) {
    DatasetFactsCache datasets;
    const auto prepared = prepareStoredRun(stored, folder, false, datasets);
    if (!prepared)
        return core::failure(prepared.error());
    const auto executable = simulator::compile(prepared->request.project, job, nullptr, folder);
    if (!executable)
        return core::failure(executable.error());
    simulator::StepTrials trials(
        *executable,
        [&](core::InvocationId invocation) {
            return invocation.isValid() ? executable->project.graph().layerOf(invocation).path
                                        : std::string();
        },
        less);
    core::FasterParts faster{less, trials.step(), {}};
    for (const core::PathPart& part : parts) {
        if (job.isCancelled())
            return core::failure(simulator::interrupted());
        if (const std::optional<core::Cycles> step = trials.stepWith(part))
            faster.parts.push_back({part, *step});
    }
    return faster;
}

core::Result<core::FasterParts> fasterParts(const core::RunSummary& stored,
                                            const std::vector<core::PathPart>& parts,
                                            const std::filesystem::path& folder,
                                            const core::JobContext& job) {
    constexpr double tenth = 0.1;
    return simulateFasterParts(stored, parts, folder, tenth, job);
}

} // namespace app
