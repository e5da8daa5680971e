#pragma once

#include "app/services/run/dataset_facts.h"
#include "core/base/json.h"
#include "core/profile/records/run_records.h"
#include "core/project/validate.h"
#include "simulator/engine/run.h"

#include <optional>
#include <string>

namespace app {

/// What a run is asked to be beside its project.
struct SimulationOptions {
    core::RunMode mode = core::RunMode::Train;
    simulator::ProfileLevel level = simulator::ProfileLevel::Ipu;
    bool numerics = true;
    std::optional<std::int64_t> seed;
    /// What a person allows the project beyond its folder.
    core::ProjectGrants grants = {};
};

/// A run that is ready to start, and what was odd about its project.
struct PreparedRun {
    simulator::RunRequest request;
    core::Diagnostics warnings;
    /// The target file of a stored run is gone: its figures are those that the run keeps.
    bool hasStoredTarget = false;
};

/// Validates the project of a run. `file` names it in diagnostics; its relative paths start at `folder`.
/// Errors: everything that `validate` finds; "failed-precondition/not-attached" when its connection type
/// never attaches to a device.
[[nodiscard]] core::Result<PreparedRun> prepareRun(core::Project project, const std::string& file,
                                                   const std::filesystem::path& folder,
                                                   const SimulationOptions& options,
                                                   DatasetFactsCache& datasets);

/// What a stored run was made from, ready to be simulated again with no spans recorded and no files written:
/// callbacks that write files are left out. `figures`: of its target, in place of the project's. Errors:
/// those of reading the stored project and of `prepareRun`.
[[nodiscard]] core::Result<PreparedRun> prepareStoredRun(const core::RunSummary& stored,
                                                         const std::filesystem::path& folder, bool numerics,
                                                         DatasetFactsCache& datasets,
                                                         const core::Json& figures = {});

/// The present time as ISO 8601 with zone, "2024-05-01T12:00:00+02:00".
[[nodiscard]] std::string timeStamp();

} // namespace app
