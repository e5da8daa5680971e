#pragma once

#include "core/base/job_context.h"
#include "core/base/result.h"
#include "core/base/write_door.h"
#include "core/profile/records/profile_sink.h"
#include "core/profile/records/run_records.h"
#include "core/project/validated_project.h"
#include "simulator/compiler/compile.h"
#include "simulator/engine/records/record_simulation.h"

#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace simulator {

struct ModelOutput;

struct RunRequest {
    core::ValidatedProject project;
    ProfileLevel level = ProfileLevel::Ipu;
    /// Compute the loss as well as the time; needs a dataset.
    bool numerics = true;
    /// Relative paths of datasets and weights start here.
    std::filesystem::path baseFolder;
    /// The text and hash of the project as it is run, for the record.
    std::string projectText;
    std::string projectHash;
    /// ISO 8601 with zone, for the record.
    std::string started;
    /// Threads that compute; 0: as many as the machine has cores. The results do not depend on it.
    unsigned threads = 0;
    /// What the project may do beyond its folder.
    core::ProjectGrants grants = {};
    /// Files that it never writes: the project, its database, its data.
    std::vector<std::filesystem::path> kept = {};
    /// Hears each file that it writes, once, on the thread of the run.
    std::function<void(const std::filesystem::path&)> written = {};
    /// Hears everything that the model gave when a run predicts or evaluates, before the sink hears the end.
    /// Without it the sink hears of a prediction what a database stores, and nothing of an evaluation.
    std::function<void(std::span<const ModelOutput>)> outputs = {};
};

/// Compiles, simulates, trains (or evaluates, predicts) and records a run. Refusals of the compilation come
/// before the sink hears anything. Cancelling through `job` answers a diagnostic of Trouble::Interrupted and
/// leaves the sink unfinished. With a cache, operation plans of earlier runs are used again.
[[nodiscard]] core::Result<core::RunSummary> run(const RunRequest& request, core::ProfileSink& sink,
                                                 const core::JobContext& job = {},
                                                 CompilationCache* cache = nullptr);

/// The same for a project that is compiled already.
[[nodiscard]] core::Result<core::RunSummary> runExecutable(const Executable& executable,
                                                           const RunRequest& request, core::ProfileSink& sink,
                                                           const core::JobContext& job = {});

/// "none", "device", "ipu", "tile".
[[nodiscard]] std::string_view toString(ProfileLevel level);
[[nodiscard]] std::optional<ProfileLevel> profileLevelFromName(std::string_view name);

} // namespace simulator
