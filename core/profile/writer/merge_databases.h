#pragma once

#include "core/base/result.h"
#include "core/profile/schema/profile_database.h"

#include <cstdint>
#include <filesystem>

namespace core {

/// What came of one database of a merge.
struct MergedDatabase {
    std::int64_t runsAdded = 0;
    /// Runs that the target had already.
    std::int64_t runsKnown = 0;
    /// Runs that a living process is recording: not taken.
    std::int64_t runsRecording = 0;
    std::int64_t pointsAdded = 0;
    std::int64_t pointsKnown = 0;
};

/// Copies every run with all its rows, and every sweep with its points, from the database at `source` into
/// `target`, in one transaction. A run is known by who recorded it and its number there, which go with it
/// from file to file, a sweep by its hash, a point by its place: merging twice, or in another order, gives
/// the same rows. A point goes along with the database that it was recorded in; one that both have is that
/// of the database whose name comes first, with the run of the one that kept it. Errors:
/// those of opening `source` (a truncated file is "database/damaged"), and of reading it.
[[nodiscard]] Result<MergedDatabase> mergeDatabase(const ProfileDatabase& target,
                                                   const std::filesystem::path& source);

} // namespace core
