#pragma once

#include "core/profile/records/memory_profile.h"
#include "simulator/compiler/compile.h"
#include "simulator/engine/run.h"
#include "tests/simulator/project_support.h"

#include <algorithm>

namespace tests {

/// A project compiled, simulated and recorded, without training.
struct SimulatedRun {
    simulator::Executable executable;
    core::MemoryProfile profile;
    core::RunSummary summary;

    [[nodiscard]] core::Bytes memory(std::size_t ipu, core::MemoryCategory category) const {
        return summary.memory[ipu].byCategory[static_cast<std::size_t>(category)];
    }
    /// Of all IPUs.
    [[nodiscard]] core::Bytes memory(core::MemoryCategory category) const {
        core::Bytes sum;
        for (std::size_t ipu = 0; ipu < summary.memory.size(); ++ipu)
            sum += memory(ipu, category);
        return sum;
    }
    [[nodiscard]] core::Cycles idle(core::IdleCause cause) const {
        return summary.idleByCause[static_cast<std::size_t>(cause)];
    }
    [[nodiscard]] std::size_t spans(core::SpanKind kind) const {
        return static_cast<std::size_t>(std::ranges::count(profile.spans(), kind, &core::SpanRecord::kind));
    }
    [[nodiscard]] core::Bytes spanBytes(core::SpanKind kind) const {
        core::Bytes sum;
        for (const core::SpanRecord& span : profile.spans())
            if (span.kind == kind)
                sum += span.bytes;
        return sum;
    }
    [[nodiscard]] const core::ProgramStepRecord* programStep(std::string_view label) const {
        const auto found = std::ranges::find_if(profile.programSteps(),
                                                [&](const auto& step) { return step.label == label; });
        return found == profile.programSteps().end() ? nullptr : &*found;
    }
    [[nodiscard]] std::size_t transfers(simulator::TransferPath path) const {
        return static_cast<std::size_t>(
            std::ranges::count(executable.transfers, path, &simulator::StageTransfer::path));
    }
};

inline SimulatedRun simulatedRun(const core::Project& project, core::RunMode mode = core::RunMode::Train,
                                 simulator::ProfileLevel level = simulator::ProfileLevel::Ipu) {
    SimulatedRun run{simulator::compile(validated(project, mode)).value(), {}, {}};
    const simulator::RunRequest request{run.executable.project, level, false, {}, {}, {}, {}};
    run.summary = simulator::runExecutable(run.executable, request, run.profile).value();
    return run;
}

} // namespace tests
