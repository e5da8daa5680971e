#pragma once

#include "app/reports/report.h"
#include "app/services/sweep/sweep_runner.h"
#include "core/profile/records/sweep_records.h"

#include <filesystem>
#include <optional>
#include <vector>

namespace app {

/// The numbers of the points that a database holds of the sweep with that hash, ascending; none where there
/// is no such file. Errors: those of opening and reading it.
[[nodiscard]] core::Result<std::vector<std::int64_t>> storedPoints(const std::filesystem::path& database,
                                                                   const std::string& hash);

/// A warning where a database holds no point of this sweep, and some of another one with its name: what was
/// simulated before its file, project, target or the engine changed. Errors: those of reading it.
[[nodiscard]] core::Result<std::optional<core::Diagnostic>>
pointsOfChangedSweeps(const core::ProfileDatabase& database, const core::SweepRecord& record);

/// How far a sweep is: what its database holds, and what its parts do whose job script lies beside it.
[[nodiscard]] core::Result<Report> sweepStatus(const SweepSubject& subject, const SweepOptions& options,
                                               const core::SweepRecord& record,
                                               const std::filesystem::path& database);

} // namespace app
