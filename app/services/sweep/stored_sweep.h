#pragma once

#include "core/profile/schema/profile_database.h"
#include "views/sweep/sweep_data.h"

#include <cstdint>
#include <optional>

namespace app {

/// The wanted sweep of a database, or the newest, with every point that is stored and those that no other
/// beats among the ones that meet the sweep's conditions. Errors: those of the database; "sweep/…" where the
/// stored sweep file cannot be read.
[[nodiscard]] core::Result<views::SweepData> readStoredSweep(const core::ProfileDatabase& database,
                                                             std::optional<std::int64_t> wanted,
                                                             const views::SweptProject& swept);

/// A point of a sweep as a project.
struct PointOfSweep {
    core::Project project;
    /// The sweep was of this project (or of a template), so that the point's figures are this project's.
    bool isAsSwept = true;
    /// The sweep computes losses, too.
    bool numerics = false;
    /// The run that is kept of it.
    std::optional<core::RunId> run;
};

/// Errors: those of `readStoredSweep`, of the point's settings and of the project that they make;
/// "sweep/unknown" where the database has no such sweep or point.
[[nodiscard]] core::Result<PointOfSweep> projectOfPoint(const core::ProfileDatabase& database,
                                                        std::int64_t sweep, std::int64_t point,
                                                        const views::SweptProject& swept);

} // namespace app
