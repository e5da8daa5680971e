#pragma once

#include "core/base/ids.h"
#include "core/base/job_context.h"
#include "core/profile/schema/profile_database.h"
#include "simulator/engine/run.h"

namespace app {

/// A run that is in the database, complete.
struct RecordedRun {
    core::RunId id;
    core::RunSummary summary;
};

/// What a recorded run may have beside its request.
struct RecordOptions {
    /// Hears what is recorded while it is.
    core::ProfileSink* listener = nullptr;
    /// Instead of compiling the project.
    const simulator::Executable* executable = nullptr;
};

/// Compiles, simulates, trains and stores. A run that fails or is cancelled is marked as such and leaves no
/// rows of results. Errors: those of simulator::run and of the database.
[[nodiscard]] core::Result<RecordedRun> recordRun(const simulator::RunRequest& request,
                                                  core::ProfileDatabase& database,
                                                  const core::JobContext& job,
                                                  const RecordOptions& options = {});

/// Findings that name no file yet are about this one.
[[nodiscard]] core::Diagnostics withFile(core::Diagnostics findings, const std::string& file);

} // namespace app
