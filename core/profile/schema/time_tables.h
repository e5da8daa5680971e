#pragma once

#include "core/profile/records/span_bins.h"
#include "core/profile/records/time_records.h"
#include "core/profile/schema/span_blocks.h"
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

/// Spans of runs that programs up to version 6 of the schema recorded; those of later versions, and all of a
/// file that was brought up to date, are in `span_block`. `sequence` tells spans of no duration apart that
/// start together.
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

/// Sums of lanes of very many spans, beside `span`; empty since version 7, too.
inline constexpr auto spanBinTable =
    table<SpanBin>("span_bin", "run_id, lane, bin, kind, cause",
                   runColumn(),
                   given("lane", "INTEGER NOT NULL"),
                   column("bin", "INTEGER NOT NULL", &SpanBin::index),
                   column("kind", "INTEGER NOT NULL REFERENCES span_kind", &SpanBin::kind),
                   column("cause", "INTEGER NOT NULL", &SpanBin::cause),
                   column("cycles", "INTEGER NOT NULL", &SpanBin::cycles),
                   column("spans", "INTEGER NOT NULL", &SpanBin::spans));

/// What many spans of a run have in common.
inline constexpr auto spanShapeTable =
    table<SpanShape>("span_shape", "run_id, shape",
                     runColumn(),
                     given("shape", "INTEGER NOT NULL"),
                     column("kind", "INTEGER NOT NULL REFERENCES span_kind", &SpanShape::kind),
                     column<IndexOrNull>("stage", "INTEGER", &SpanShape::stage),
                     column("bytes", "INTEGER NOT NULL", &SpanShape::bytes),
                     column<IndexOrNull>("cause", "INTEGER REFERENCES idle_cause", &SpanShape::cause),
                     column<IndexOrNull>("blame_stage", "INTEGER", &SpanShape::blame),
                     column("part", "INTEGER NOT NULL", &SpanShape::part),
                     column("offset_cycles", "INTEGER NOT NULL", &SpanShape::offset),
                     column("has_micro_batch", "INTEGER NOT NULL", &SpanShape::hasMicroBatch),
                     column("has_slot", "INTEGER NOT NULL", &SpanShape::hasSlot))
        .from(7);

/// `spans` spans of a lane, in time, and the same `turns` times: in turn t, counted from 0, each is
/// t · `stride_cycles` later, with a micro-batch and a slot higher by t times their strides. The last five
/// columns hold a decimal number for each span, all of one width, without separators (an empty one: all 0).
inline constexpr auto spanBlockTable =
    table<SpanBlock>("span_block", "run_id, lane, start_cycles, block",
                     runColumn(),
                     column("lane", "INTEGER NOT NULL", &SpanBlock::lane),
                     column("start_cycles", "INTEGER NOT NULL", &SpanBlock::start),
                     column("block", "INTEGER NOT NULL", &SpanBlock::number),
                     column("end_cycles", "INTEGER NOT NULL", &SpanBlock::end),
                     column("spans", "INTEGER NOT NULL", &SpanBlock::spans),
                     column("turns", "INTEGER NOT NULL", &SpanBlock::turns),
                     column("stride_cycles", "INTEGER NOT NULL", &SpanBlock::strideCycles),
                     column("micro_batch_stride", "INTEGER NOT NULL", &SpanBlock::microBatchStride),
                     column("slot_stride", "INTEGER NOT NULL", &SpanBlock::slotStride),
                     column("micro_batch", "INTEGER NOT NULL", &SpanBlock::microBatch),
                     column("slot", "INTEGER NOT NULL", &SpanBlock::slot),
                     column("sums", "TEXT NOT NULL", &SpanBlock::sums),
                     column("starts", "BLOB NOT NULL", &SpanBlock::starts),
                     column("durations", "BLOB NOT NULL", &SpanBlock::durations),
                     column("micro_batches", "BLOB NOT NULL", &SpanBlock::microBatches),
                     column("slots", "BLOB NOT NULL", &SpanBlock::slotNumbers),
                     column("shapes", "BLOB NOT NULL", &SpanBlock::shapes))
        .from(7);

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
    // The spans of all blocks, one by one, with codes for names. `number` counts the turns of a block and the
    // spans of a turn. Of an empty list SQLite's substr gives NULL.
    ViewText{"v_span_code", R"sql(
SELECT b.run_id AS run, b.lane AS lane,
       b.start_cycles + turn.number * b.stride_cycles
           + ifnull(CAST(substr(b.starts, 1 + place.number * (length(b.starts) / b.spans),
                         length(b.starts) / b.spans) AS INTEGER), 0) AS start_cycles,
       ifnull(CAST(substr(b.durations, 1 + place.number * (length(b.durations) / b.spans),
                   length(b.durations) / b.spans) AS INTEGER), 0) AS duration_cycles,
       shape.kind AS kind, shape.stage AS stage,
       CASE WHEN shape.has_micro_batch THEN b.micro_batch + turn.number * b.micro_batch_stride
           + ifnull(CAST(substr(b.micro_batches, 1 + place.number * (length(b.micro_batches) / b.spans),
                         length(b.micro_batches) / b.spans) AS INTEGER), 0) END AS micro_batch,
       CASE WHEN shape.has_slot THEN b.slot + turn.number * b.slot_stride
           + ifnull(CAST(substr(b.slots, 1 + place.number * (length(b.slots) / b.spans),
                         length(b.slots) / b.spans) AS INTEGER), 0) END AS slot,
       nullif(shape.bytes, 0) AS bytes, shape.cause AS cause, shape.blame_stage AS blame_stage,
       shape.part AS part, shape.offset_cycles AS offset_cycles
FROM span_block AS b
CROSS JOIN number AS turn ON turn.number < b.turns
CROSS JOIN number AS place ON place.number < b.spans
CROSS JOIN span_shape AS shape ON shape.run_id = b.run_id AND shape.shape =
    ifnull(CAST(substr(b.shapes, 1 + place.number * (length(b.shapes) / b.spans),
                       length(b.shapes) / b.spans) AS INTEGER), 0))sql"},
    ViewText{"v_span", R"sql(
SELECT span.run AS run, span.lane AS lane, lane.ipu AS ipu, span_kind.name AS kind, start_cycles,
       duration_cycles, start_cycles * 1e9 / clock_hz AS start_ns,
       duration_cycles * 1e9 / clock_hz AS duration_ns, stage, micro_batch, slot, bytes,
       idle_cause.name AS cause, blame_stage, part, offset_cycles
FROM v_span_code AS span
JOIN run ON run.id = span.run
JOIN lane ON lane.run_id = span.run AND lane.lane = span.lane
JOIN span_kind ON span_kind.id = span.kind
LEFT JOIN idle_cause ON idle_cause.id = span.cause)sql"},
    // What the spans of a kind (and cause) sum to, by block.
    ViewText{"v_span_sum", R"sql(
SELECT b.run_id AS run, b.lane AS lane, CAST(substr(b.sums, 1 + 32 * place.number, 3) AS INTEGER) AS kind,
       nullif(CAST(substr(b.sums, 4 + 32 * place.number, 3) AS INTEGER) - 1, -1) AS cause,
       CAST(substr(b.sums, 7 + 32 * place.number, 8) AS INTEGER) AS spans,
       CAST(substr(b.sums, 15 + 32 * place.number, 18) AS INTEGER) AS cycles
FROM span_block AS b CROSS JOIN number AS place ON place.number < length(b.sums) / 32)sql"},
    ViewText{"v_idle", R"sql(
SELECT span.run AS run, lane.ipu AS ipu, idle_cause.name AS cause, sum(spans) AS gaps,
       sum(cycles) AS cycles, 1.0 * sum(cycles) / max(1, step_cycles) AS share_of_step
FROM v_span_sum AS span
JOIN run ON run.id = span.run
JOIN lane ON lane.run_id = span.run AND lane.lane = span.lane
JOIN idle_cause ON idle_cause.id = span.cause
GROUP BY span.run, lane.ipu, span.cause)sql"},
    ViewText{"v_utilisation", R"sql(
SELECT span.run AS run, lane.ipu AS ipu,
       sum(cycles) FILTER (WHERE span.cause IS NULL) AS busy_cycles,
       sum(cycles) FILTER (WHERE span.cause IS NOT NULL) AS idle_cycles,
       1.0 * sum(cycles) FILTER (WHERE span.cause IS NULL) / max(1, step_cycles) AS busy_share
FROM v_span_sum AS span
JOIN run ON run.id = span.run
JOIN lane ON lane.run_id = span.run AND lane.lane = span.lane
JOIN lane_kind ON lane_kind.id = lane.kind AND lane_kind.name = 'compute'
GROUP BY span.run, lane.ipu)sql"},
    // A LEFT JOIN of the name, which every operation has: nobody who groups by it makes it the outermost loop,
    // in which all spans are read anew for every text there is.
    ViewText{"v_operation_span", R"sql(
SELECT span.run AS run, operation.operation AS operation, name.value AS name, layer.value AS layer,
       step_kind.name AS step_kind, lane.ipu AS ipu, span.stage AS stage, program_phase.name AS phase,
       span.micro_batch AS micro_batch, span.slot AS slot,
       span.start_cycles - span.offset_cycles + program_step.start_cycles AS start_cycles,
       program_step.duration_cycles AS duration_cycles
FROM program_step
JOIN operation ON operation.run_id = program_step.run_id AND operation.operation = program_step.operation
JOIN program_phase ON program_phase.id = program_step.phase
JOIN step_kind ON step_kind.id = program_step.kind
LEFT JOIN text AS name ON name.id = operation.name_id
LEFT JOIN text AS layer ON layer.id = operation.layer_id
JOIN span_kind ON span_kind.name = program_phase.name
JOIN lane ON lane.run_id = program_step.run_id
JOIN lane_kind ON lane_kind.id = lane.kind AND lane_kind.name = 'compute'
JOIN v_span_code AS span ON span.run = lane.run_id AND span.lane = lane.lane AND span.kind = span_kind.id
    AND span.stage IS program_step.stage AND span.part = 0)sql"},
    ViewText{"v_execution", R"sql(
SELECT execution.run_id AS run, execution, epoch, start_cycles, duration_cycles, host_before_cycles,
       host_after_cycles, updates, start_cycles * 1e9 / clock_hz AS start_ns,
       duration_cycles * 1e9 / clock_hz AS duration_ns
FROM execution JOIN run ON run.id = execution.run_id)sql"},
};

} // namespace core
