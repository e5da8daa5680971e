#pragma once

#include "core/profile/records/span_bins.h"
#include "core/profile/records/time_records.h"
#include "core/profile/schema/table.h"

namespace core {

/// The cause of a gap; NULL for spans that are none.
struct CauseOfGap : Plain {
    static std::optional<IdleCause> write(const SpanRecord& span, IdleCause cause) {
        return span.kind == SpanKind::Idle ? std::optional(cause) : std::nullopt;
    }
    static void read(RowReader& row, IdleCause& cause) {
        std::optional<IdleCause> stored;
        row.next(stored);
        cause = stored.value_or(SpanRecord().cause);
    }
};

// clang-format off
inline constexpr auto laneTable =
    table<LaneRecord>("lane", "run_id, lane",
                      runColumn(),
                      column("lane", "INTEGER NOT NULL", &LaneRecord::id),
                      column("kind", "INTEGER NOT NULL REFERENCES lane_kind", &LaneRecord::kind),
                      column("ipu", "INTEGER", &LaneRecord::ipu));

/// `sequence` tells spans of no duration apart that start together.
inline constexpr auto spanTable =
    table<SpanRecord>("span", "run_id, lane, start_cycles, sequence",
                      runColumn(),
                      column("lane", "INTEGER NOT NULL", &SpanRecord::lane),
                      column("start_cycles", "INTEGER NOT NULL", &SpanRecord::start),
                      given("sequence", "INTEGER NOT NULL"),
                      column("duration_cycles", "INTEGER NOT NULL", &SpanRecord::duration),
                      column("kind", "INTEGER NOT NULL REFERENCES span_kind", &SpanRecord::kind),
                      column("stage", "INTEGER", &SpanRecord::stage),
                      column<IndexOrNull>("micro_batch", "INTEGER", &SpanRecord::microBatch),
                      column<IndexOrNull>("slot", "INTEGER", &SpanRecord::slot),
                      column<QuantityOrNull>("bytes", "INTEGER", &SpanRecord::bytes),
                      column<CauseOfGap>("cause", "INTEGER REFERENCES idle_cause", &SpanRecord::cause),
                      column("blame_stage", "INTEGER", &SpanRecord::blame),
                      column("part", "INTEGER NOT NULL DEFAULT 0", &SpanRecord::part, 5),
                      column("offset_cycles", "INTEGER NOT NULL DEFAULT 0", &SpanRecord::offset, 5));

/// Lanes of very many spans, summed over equal parts of the update, so that a picture of all of it reads few
/// rows. `span` remains the truth.
inline constexpr auto spanBinTable =
    table<SpanBin>("span_bin", "run_id, lane, bin, kind, cause",
                   runColumn(),
                   given("lane", "INTEGER NOT NULL"),
                   column("bin", "INTEGER NOT NULL", &SpanBin::index),
                   column("kind", "INTEGER NOT NULL REFERENCES span_kind", &SpanBin::kind),
                   column("cause", "INTEGER NOT NULL", &SpanBin::cause),
                   column("cycles", "INTEGER NOT NULL", &SpanBin::cycles),
                   column("spans", "INTEGER NOT NULL", &SpanBin::spans));

inline constexpr auto executionTable =
    table<ExecutionRecord>("execution", "run_id, execution",
                           runColumn(),
                           column("execution", "INTEGER NOT NULL", &ExecutionRecord::index),
                           column("epoch", "INTEGER NOT NULL", &ExecutionRecord::epoch),
                           column("start_cycles", "INTEGER NOT NULL", &ExecutionRecord::start),
                           column("duration_cycles", "INTEGER NOT NULL", &ExecutionRecord::duration),
                           column("host_before_cycles", "INTEGER NOT NULL", &ExecutionRecord::hostBefore),
                           column("host_after_cycles", "INTEGER NOT NULL", &ExecutionRecord::hostAfter),
                           column("updates", "INTEGER NOT NULL", &ExecutionRecord::updates));
// clang-format on

inline constexpr std::array timeViews{
    ViewText{"v_lane", R"sql(
SELECT run_id AS run, lane, lane_kind.name AS kind, ipu
FROM lane JOIN lane_kind ON lane_kind.id = lane.kind)sql"},
    ViewText{"v_span", R"sql(
SELECT span.run_id AS run, span.lane AS lane, lane.ipu AS ipu, span_kind.name AS kind, start_cycles,
       duration_cycles, start_cycles * 1e9 / clock_hz AS start_ns,
       duration_cycles * 1e9 / clock_hz AS duration_ns, stage, micro_batch, slot, bytes,
       idle_cause.name AS cause, blame_stage, part, offset_cycles
FROM span
JOIN run ON run.id = span.run_id
JOIN lane ON lane.run_id = span.run_id AND lane.lane = span.lane
JOIN span_kind ON span_kind.id = span.kind
LEFT JOIN idle_cause ON idle_cause.id = span.cause)sql"},
    ViewText{"v_idle", R"sql(
SELECT span.run_id AS run, lane.ipu AS ipu, idle_cause.name AS cause, count(*) AS gaps,
       sum(duration_cycles) AS cycles, 1.0 * sum(duration_cycles) / max(1, step_cycles) AS share_of_step
FROM span
JOIN run ON run.id = span.run_id
JOIN lane ON lane.run_id = span.run_id AND lane.lane = span.lane
JOIN idle_cause ON idle_cause.id = span.cause
GROUP BY span.run_id, lane.ipu, span.cause)sql"},
    ViewText{"v_utilisation", R"sql(
SELECT span.run_id AS run, lane.ipu AS ipu,
       sum(duration_cycles) FILTER (WHERE span.cause IS NULL) AS busy_cycles,
       sum(duration_cycles) FILTER (WHERE span.cause IS NOT NULL) AS idle_cycles,
       1.0 * sum(duration_cycles) FILTER (WHERE span.cause IS NULL) / max(1, step_cycles) AS busy_share
FROM span
JOIN run ON run.id = span.run_id
JOIN lane ON lane.run_id = span.run_id AND lane.lane = span.lane
JOIN lane_kind ON lane_kind.id = lane.kind AND lane_kind.name = 'compute'
GROUP BY span.run_id, lane.ipu)sql"},
    ViewText{"v_operation_span", R"sql(
SELECT span.run_id AS run, operation.operation AS operation, name.value AS name, layer.value AS layer,
       step_kind.name AS step_kind, lane.ipu AS ipu, span.stage AS stage, program_phase.name AS phase,
       span.micro_batch AS micro_batch, span.slot AS slot,
       span.start_cycles - span.offset_cycles + program_step.start_cycles AS start_cycles,
       program_step.duration_cycles AS duration_cycles
FROM program_step
JOIN operation ON operation.run_id = program_step.run_id AND operation.operation = program_step.operation
JOIN program_phase ON program_phase.id = operation.phase
JOIN step_kind ON step_kind.id = program_step.kind
JOIN text AS name ON name.id = operation.name_id
LEFT JOIN text AS layer ON layer.id = operation.layer_id
JOIN span_kind ON span_kind.name = program_phase.name
JOIN lane ON lane.run_id = program_step.run_id
JOIN lane_kind ON lane_kind.id = lane.kind AND lane_kind.name = 'compute'
JOIN span ON span.run_id = lane.run_id AND span.lane = lane.lane AND span.kind = span_kind.id
    AND span.stage IS operation.stage AND span.part = 0)sql"},
    ViewText{"v_execution", R"sql(
SELECT execution.run_id AS run, execution, epoch, start_cycles, duration_cycles, host_before_cycles,
       host_after_cycles, updates, start_cycles * 1e9 / clock_hz AS start_ns,
       duration_cycles * 1e9 / clock_hz AS duration_ns
FROM execution JOIN run ON run.id = execution.run_id)sql"},
};

} // namespace core
