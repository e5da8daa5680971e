#pragma once

#include "app/reports/report.h"
#include "app/services/sweep/sweep_subject.h"
#include "app/verbs/base/database_argument.h"
#include "core/profile/records/sweep_records.h"

#include <cstdint>
#include <filesystem>

namespace app {

/// Whether a point fits and meets every condition, so that it can be on the front or be kept.
[[nodiscard]] bool isEligible(const SweepSubject& subject, const core::SweepPointRecord& record);

/// What has become of the points of a stored sweep: how many fit, why others were not simulated, the front,
/// and every row. Negative where none fits. Errors: those of the database.
[[nodiscard]] core::Result<Report> sweepReport(const SweepSubject& subject, core::ProfileDatabase database,
                                               std::int64_t sweep);

/// A sweep file and the database that holds its points.
struct StoredSweepOfFile {
    SweepSubject subject;
    core::ProfileDatabase database;
    std::int64_t sweep = 0;
};
/// Errors: those of the file and of the database; "sweep/unknown" where it holds no point of this sweep.
[[nodiscard]] core::Result<StoredSweepOfFile> storedSweepOf(const std::filesystem::path& file,
                                                            const DatabaseArgument& database);

} // namespace app
