#pragma once

#include "core/base/result.h"
#include "core/profile/records/sweep_records.h"
#include "core/profile/schema/profile_database.h"

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
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

/// The same, one after the other; ends with the first error of `visit`.
[[nodiscard]] Result<void> forEachPoint(const ProfileDatabase& database, std::int64_t sweep,
                                        const std::function<Result<void>(const SweepPointRecord&)>& visit);

/// Those of these points that are stored, in the order of `points`.
[[nodiscard]] Result<std::vector<SweepPointRecord>>
loadPoints(const ProfileDatabase& database, std::int64_t sweep, std::span<const std::int64_t> points);

/// The numbers of the points that are stored, ascending.
[[nodiscard]] Result<std::vector<std::int64_t>> donePoints(const ProfileDatabase& database,
                                                           std::int64_t sweep);

/// The number of the sweep with that hash; nothing where the database has none.
[[nodiscard]] Result<std::optional<std::int64_t>> findSweep(const ProfileDatabase& database,
                                                            const std::string& hash);

/// Where a point was recorded, as people are told; empty: in the database itself. `recorder`: of its sweep.
[[nodiscard]] std::string_view mergedFrom(std::string_view origin, std::string_view recorder);
/// `SweepRecord::recorder` of a stored sweep.
[[nodiscard]] Result<std::string> recorderOf(const ProfileDatabase& database, std::int64_t sweep);

/// Points that were recorded in one database.
struct PointsOfOrigin {
    /// `mergedFrom`.
    std::string origin;
    std::int64_t points = 0;
};
/// Of the stored points of a sweep, by the text.
[[nodiscard]] Result<std::vector<PointsOfOrigin>> pointsByOrigin(const ProfileDatabase& database,
                                                                 std::int64_t sweep);

/// What decides whether a point is on the front.
struct FrontCandidate {
    std::int64_t point = 0;
    double samplesPerSecond = 0;
    Bytes peak;
    std::int64_t ipus = 1;
};
/// Of a point that fits; nothing of any other.
[[nodiscard]] std::optional<FrontCandidate> frontCandidate(const SweepPointRecord& point);

/// What keeps points from being simulated.
struct SweepFinding {
    /// Of the diagnostic, for example "value-error/device-mapping-length".
    std::string code;
    /// Points that have it.
    std::int64_t points = 0;
    /// What it says of the first of them.
    std::string message;
};

/// What has become of the stored points of a sweep.
struct SweepResults {
    /// How many points, by state.
    std::array<std::int64_t, sweepPointStateCount> counts{};
    /// The commonest first.
    std::vector<SweepFinding> findings;
    /// By point, ascending.
    std::vector<FrontCandidate> candidates;
};

/// Goes through the points once.
[[nodiscard]] Result<SweepResults> loadSweepResults(const ProfileDatabase& database, std::int64_t sweep);

/// The wanted candidates that no other wanted one beats: none has at least its throughput with at most its
/// peak and its IPUs, and is better in one of them. Indices into `candidates`, the fastest first. Of those
/// with the same three figures the first point. O(n log n); `isWanted` is asked only of candidates that no
/// wanted one beats.
[[nodiscard]] std::vector<std::size_t>
paretoFront(const std::vector<FrontCandidate>& candidates,
            const std::function<bool(const FrontCandidate&)>& isWanted = {});

/// The same of the points that fit: indices into `points`.
[[nodiscard]] std::vector<std::size_t>
paretoFront(const std::vector<SweepPointRecord>& points,
            const std::function<bool(const SweepPointRecord&)>& isWanted = {});

/// The stored points that fit, the fastest first, of points as fast as each other the first; ends where
/// `visit` answers false.
[[nodiscard]] Result<void> forEachFittingPoint(const ProfileDatabase& database, std::int64_t sweep,
                                               const std::function<bool(const SweepPointRecord&)>& visit);

} // namespace core
