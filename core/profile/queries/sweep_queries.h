#pragma once

#include "core/base/result.h"
#include "core/profile/records/sweep_records.h"
#include "core/profile/schema/profile_database.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

namespace core {

/// A stored sweep.
struct SweepRow {
    std::int64_t id = 0;
    SweepRecord record;
    /// Points that are stored.
    std::int64_t done = 0;
};

/// Every stored sweep, the newest first.
[[nodiscard]] Result<std::vector<SweepRow>> listSweeps(const ProfileDatabase& database);

/// Every point that is stored of a sweep, in order.
[[nodiscard]] Result<std::vector<SweepPointRecord>> loadPoints(const ProfileDatabase& database,
                                                               std::int64_t sweep);

/// The numbers of the points that are stored, ascending.
[[nodiscard]] Result<std::vector<std::int64_t>> donePoints(const ProfileDatabase& database,
                                                           std::int64_t sweep);

/// The number of the sweep with that hash; nothing where the database has none.
[[nodiscard]] Result<std::optional<std::int64_t>> findSweep(const ProfileDatabase& database,
                                                            const std::string& hash);

/// The wanted points that no other wanted one beats: none has at least its throughput with at most its peak
/// and its IPUs, and is better in one of them. Indices into `points`, the fastest first; points that do not
/// fit are none. Of points with the same three figures the first. O(n log n).
[[nodiscard]] std::vector<std::size_t>
paretoFront(const std::vector<SweepPointRecord>& points,
            const std::function<bool(const SweepPointRecord&)>& isWanted = {});

} // namespace core
