#pragma once

#include "app/services/sweep/point_evaluator.h"
#include "core/profile/schema/profile_database.h"
#include "core/profile/writer/sweep_store.h"

#include <cstdint>
#include <string>
#include <vector>

namespace app {

/// Which points of a sweep are done, and how.
struct SweepOptions {
    /// Threads; 0: as many as the machine has cores.
    std::int64_t jobs = 0;
    /// Every shardCount-th point from shard on, 0 ≤ shard < shardCount.
    std::int64_t shard = 0;
    std::int64_t shardCount = 1;
};

/// The points that are to be done: those of the shard that meet the conditions which need no figures, less
/// `done`, which is ascending.
[[nodiscard]] std::vector<std::int64_t> openPoints(const SweepSubject& subject, const SweepOptions& options,
                                                   const std::vector<std::int64_t>& done = {});

/// Refuses paths that no project has before any point is simulated: "project/unknown-key",
/// "template/unknown-key".
[[nodiscard]] core::Result<void> checkPaths(const SweepSubject& subject);

/// The hash of a sweep and what it varies, with the files that its values name and the versions of the
/// engine: the same points with the same figures have the same.
[[nodiscard]] std::string hashOf(const SweepSubject& subject);

/// Simulates the points on threads of their own and stores them about once a second, so that a process that
/// dies loses no more. Reports the rate and the time left. Cancelled: what is done is stored, then a
/// diagnostic of Trouble::Interrupted. Errors: those of the database.
[[nodiscard]] core::Result<void> runSweep(const SweepSubject& subject, const SweepOptions& options,
                                          const std::vector<std::int64_t>& points,
                                          const core::ProfileDatabase& database,
                                          const core::StoredSweep& sweep, const core::JobContext& job);

/// "12 s", "3 min 5 s", "2 h 10 min".
[[nodiscard]] std::string durationText(double seconds);

/// How long the points take together in one thread, in seconds, estimated from some of them: most points are
/// quick once one with the same stage programs has been compiled.
[[nodiscard]] double secondsOf(const SweepSubject& subject, const std::vector<std::int64_t>& points,
                               const core::JobContext& job);

} // namespace app
