#pragma once

#include "core/base/job_context.h"
#include "core/base/json.h"
#include "core/base/result.h"
#include "core/profile/records/run_records.h"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace app {

/// A figure that a stored run and its repetition do not share.
struct FigureDifference {
    /// Place in the JSON of `show`: "stages/0/forward_cycles".
    std::string name;
    core::Json stored;
    core::Json now;
};

/// A figure of the target that has another value than when the run was stored.
struct ConstantDifference {
    /// Its name in a target file.
    std::string key;
    core::Json stored;
    core::Json now;
    /// What the new value alone does to the step: cycles now less cycles with the stored value. Nothing where
    /// the project does not compile with that.
    std::optional<std::int64_t> stepCyclesMoved;
    std::optional<std::int64_t> peakBytesMoved;
};

/// A stored run held against the same project simulated now.
struct RunVerification {
    std::vector<FigureDifference> differences;
    std::vector<ConstantDifference> constants;
    /// "engine", "cost_model", "program": versions that changed since.
    std::vector<FigureDifference> versions;
    /// Whether the stored run says its target's figures (files of schema version 4 on).
    bool knowsConstants = false;
    core::Diagnostics warnings;

    [[nodiscard]] bool matches() const { return differences.empty(); }
};

/// Simulates what `stored` was made from and compares every figure of its summary, losses and metrics too
/// where it has any and `numerics` asks for them. Nothing is written: callbacks that write files are left
/// out. Relative paths of the project start at `folder`. Errors: those of reading, validating and running the
/// stored project.
[[nodiscard]] core::Result<RunVerification> verifyRun(const core::RunSummary& stored,
                                                      const std::filesystem::path& folder, bool numerics,
                                                      const core::JobContext& job);

} // namespace app
