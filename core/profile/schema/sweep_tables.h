#pragma once

#include "core/profile/records/sweep_records.h"
#include "core/profile/schema/table.h"

namespace core {

/// The version in which sweeps came.
inline constexpr std::int32_t sweepVersion = 4;

/// Most points of a sweep have the same: stored once, as a text.
struct InternedIntervals : InternedOrNull {
    template <class Record>
    static InternedText write(const Record&, const std::optional<ProgramIntervals>& value) {
        // Valid until the next is written.
        thread_local std::optional<ProgramIntervals> latest;
        thread_local std::string text;
        if (value != latest) {
            latest = value;
            text = value ? toText(*value) : std::string();
        }
        return {text, true};
    }
    static void read(RowReader& row, std::optional<ProgramIntervals>& value) {
        std::string text;
        row.next(text);
        value = programIntervals(text);
    }
};

/// The same for many points: stored once, and held once.
struct InternedOrigin : InternedOrNull {
    template <class Record>
    static InternedText write(const Record&, const SharedText& value) {
        return {value.str(), true};
    }
    static void read(RowReader& row, SharedText& value) {
        thread_local SharedText latest;
        std::string text;
        row.next(text);
        if (latest != text)
            latest = SharedText(std::move(text));
        value = latest;
    }
};

/// In which the database of a point came.
inline constexpr std::int32_t originVersion = 10;

// clang-format off
/// Sweeps belong to no run. A point takes less than 200 bytes, so that a million of them is a file one can
/// carry.
inline constexpr auto sweepTable =
    table<SweepRecord>("sweep", "",
                       given("id", "INTEGER PRIMARY KEY"),
                       column("name", "TEXT NOT NULL", &SweepRecord::name),
                       column("hash", "TEXT NOT NULL UNIQUE", &SweepRecord::hash),
                       column("content", "TEXT NOT NULL", &SweepRecord::content),
                       column("paths", "TEXT NOT NULL", &SweepRecord::paths),
                       column("points", "INTEGER NOT NULL", &SweepRecord::points),
                       column("started", "TEXT NOT NULL", &SweepRecord::started),
                       column("recorder", "TEXT NOT NULL DEFAULT ''", &SweepRecord::recorder, originVersion)).from(sweepVersion);

inline constexpr auto sweepPointTable =
    table<SweepPointRecord>("sweep_point", "sweep_id, point",
                            given("sweep_id", "INTEGER NOT NULL REFERENCES sweep ON DELETE CASCADE"),
                            column("point", "INTEGER NOT NULL", &SweepPointRecord::point),
                            column("state", "INTEGER NOT NULL REFERENCES sweep_point_state", &SweepPointRecord::state),
                            column("point_values", "TEXT NOT NULL", &SweepPointRecord::values),
                            column<InternedOrNull>("finding_id", "INTEGER REFERENCES text", &SweepPointRecord::finding),
                            column("ipus", "INTEGER", &SweepPointRecord::ipus),
                            column("replicas", "INTEGER", &SweepPointRecord::replicas),
                            column("effective_batch", "INTEGER", &SweepPointRecord::effectiveBatch),
                            column("step_cycles", "INTEGER", &SweepPointRecord::step),
                            column("samples_per_second", "REAL", &SweepPointRecord::samplesPerSecond),
                            column("idle_fraction", "REAL", &SweepPointRecord::idleFraction),
                            column("peak_bytes", "INTEGER", &SweepPointRecord::peak),
                            column("limit_bytes", "INTEGER", &SweepPointRecord::limit),
                            column("run_id", "INTEGER REFERENCES run ON DELETE SET NULL", &SweepPointRecord::run),
                            column<InternedIntervals>("intervals_id", "INTEGER REFERENCES text", &SweepPointRecord::intervals, 9),
                            column<InternedOrigin>("origin_id", "INTEGER REFERENCES text", &SweepPointRecord::origin, originVersion)).from(sweepVersion);
// clang-format on

inline constexpr std::array sweepViews{
    ViewText{"v_sweep", R"sql(
SELECT sweep.id AS sweep, name, hash, points, count(point) AS done, started, paths
FROM sweep LEFT JOIN sweep_point ON sweep_point.sweep_id = sweep.id GROUP BY sweep.id)sql"},
    ViewText{"v_sweep_point", R"sql(
SELECT sweep_id AS sweep, point, sweep_point_state.name AS state, point_values, text.value AS finding, ipus,
       replicas, effective_batch, step_cycles, samples_per_second, idle_fraction, peak_bytes, limit_bytes,
       run_id AS run, samples_per_second * CAST(substr(known.value, 1, 24) AS REAL) AS samples_per_second_low,
       samples_per_second * CAST(substr(known.value, 25, 24) AS REAL) AS samples_per_second_high,
       peak_bytes * CAST(substr(known.value, 73, 24) AS REAL) AS peak_bytes_low,
       peak_bytes * CAST(substr(known.value, 97, 24) AS REAL) AS peak_bytes_high,
       CASE WHEN substr(origin.value, 1, length(sweep.recorder)) = sweep.recorder AND sweep.recorder <> ''
            THEN NULL ELSE origin.value END AS merged_from
FROM sweep_point
JOIN sweep ON sweep.id = sweep_point.sweep_id
JOIN sweep_point_state ON sweep_point_state.id = sweep_point.state
LEFT JOIN text ON text.id = sweep_point.finding_id
LEFT JOIN text AS known ON known.id = sweep_point.intervals_id
LEFT JOIN text AS origin ON origin.id = sweep_point.origin_id)sql"},
};

} // namespace core
