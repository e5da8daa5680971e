#pragma once

#include "core/base/ids.h"
#include "core/base/quantity.h"
#include "core/base/shared_text.h"
#include "core/plan/prediction_interval.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace core {

/// What became of a point of a sweep.
enum class SweepPointState : std::uint8_t {
    Fits,       ///< simulated, and every IPU's memory holds it
    DoesNotFit, ///< simulated, but an IPU is too small
    Refused,    ///< breaks a rule of the programming system; the finding says which
    Failed,     ///< could not be read or simulated; the finding says why
};
inline constexpr std::size_t sweepPointStateCount = 4;
/// "fits", "does_not_fit", "refused", "failed".
[[nodiscard]] constexpr std::string_view toString(SweepPointState state) {
    constexpr std::array<std::string_view, sweepPointStateCount> names{"fits", "does_not_fit", "refused",
                                                                       "failed"};
    return names[static_cast<std::size_t>(state)];
}

/// One point of a sweep with its figures; those of a run without numerics. Figures are nothing where the
/// point was not simulated.
struct SweepPointRecord {
    /// Place in the sweep, from 0.
    std::int64_t point = 0;
    SweepPointState state = SweepPointState::Failed;
    /// Values of the sweep's paths in their order, as JSON text; null where the point does not set one.
    std::string values;
    /// "code: message" of the first error; empty without one.
    std::string finding;
    std::optional<std::int64_t> ipus;
    std::optional<std::int64_t> replicas;
    std::optional<std::int64_t> effectiveBatch;
    std::optional<Cycles> step;
    std::optional<double> samplesPerSecond;
    std::optional<double> idleFraction;
    /// Of the fullest IPU.
    std::optional<Bytes> peak;
    std::optional<Bytes> limit;
    /// Where throughput and peak lie once they are measured.
    std::optional<ProgramIntervals> intervals;
    /// The full run that was kept of it.
    std::optional<std::int64_t> run;
    /// The database that it was recorded in, as `SweepRecord::recorder`, with " shard I/N" behind it where it
    /// is of a part; it goes along when databases are merged. Empty where an older program stored it.
    SharedText origin;

    bool operator==(const SweepPointRecord&) const = default;
};

/// A sweep: what was varied, and how.
struct SweepRecord {
    std::string name;
    /// Of the sweep file's content and of the project; two sweeps with the same hash are the same.
    std::string hash;
    /// The sweep file.
    std::string content;
    /// The paths that points set, as a JSON list.
    std::string paths;
    std::int64_t points = 0;
    /// ISO 8601 with zone, from the caller.
    std::string started;
    /// "FILE@PID-START-SUM": the database's name when this sweep began in it, and who began it, so that two
    /// files of one name are told apart. Empty in one that holds it by merging alone.
    std::string recorder;

    bool operator==(const SweepRecord&) const = default;
};

} // namespace core
