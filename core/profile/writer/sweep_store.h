#pragma once

#include "core/base/result.h"
#include "core/profile/records/sweep_records.h"
#include "core/profile/schema/profile_database.h"

#include <cstdint>
#include <span>
#include <string>

namespace core {

/// A sweep in a database, and what is done of it.
struct StoredSweep {
    std::int64_t id = 0;
    /// Whether the database held it before.
    bool isKnown = false;
    /// `SweepRecord::recorder`, which it has from now on.
    std::string recorder;
};

/// The row of the sweep with the hash of `sweep`, made if there is none, for points that are recorded here.
/// Errors: those of the database.
[[nodiscard]] Result<StoredSweep> openSweep(const ProfileDatabase& database, const SweepRecord& sweep);

/// Stores points in one transaction; a point that is there already is replaced. Errors: those of the
/// database; "database/moved" where they are stored, but in a file that is not in its place any more.
[[nodiscard]] Result<void> storePoints(const ProfileDatabase& database, std::int64_t sweep,
                                       std::span<const SweepPointRecord> points);

/// Says which full run was kept of a point.
[[nodiscard]] Result<void> storeRunOfPoint(const ProfileDatabase& database, std::int64_t sweep,
                                           std::int64_t point, RunId run);

/// Forgets every point of a sweep; runs that were kept of them stay.
[[nodiscard]] Result<void> forgetPoints(const ProfileDatabase& database, std::int64_t sweep);

} // namespace core
