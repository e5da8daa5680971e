#include "core/profile/schema/profile_tables.h"

namespace core {

const std::string_view runViewsSql = R"sql(
CREATE VIEW v_run AS
SELECT run.id AS run, project_name AS project, run_mode.name AS mode, run_state.name AS state, schedule,
       target_name AS target, tiles, memory_per_tile_bytes, clock_hz, ipus, ipus_per_replica, replicas,
       micro_batches, batch_size, effective_batch, executions, fits, step_cycles,
       step_cycles * 1e9 / clock_hz AS step_ns, samples_per_second, idle_fraction, host_stall_fraction,
       (SELECT max(peak_bytes) FROM ipu_memory WHERE run_id = run.id) AS peak_bytes,
       seed, profile_level, program_version, cost_model_version, hash AS project_hash, started
FROM run
JOIN run_state ON run_state.id = run.state
JOIN run_mode ON run_mode.id = run.mode
JOIN project_snapshot ON project_snapshot.id = run.snapshot_id;

CREATE VIEW v_stage_summary AS
SELECT run_id AS run, stage, ipu, forward_cycles, backward_cycles, recompute_cycles, update_cycles,
       forward_cycles + backward_cycles + recompute_cycles AS slot_cycles,
       1.0 * (forward_cycles + backward_cycles + recompute_cycles)
           / max(1, max(forward_cycles + backward_cycles + recompute_cycles) OVER (PARTITION BY run_id))
           AS share_of_slowest,
       transfer_bytes, fifo_depth, stash_bytes
FROM stage;

CREATE VIEW v_diagnostic AS
SELECT run_id AS run, position, severity.name AS severity, code, file, place, message, hints
FROM diagnostic JOIN severity ON severity.id = diagnostic.severity;

CREATE VIEW v_metric AS
SELECT metric.run_id AS run, text.value AS metric, position, weight_update, epoch, metric.value AS value
FROM metric
JOIN metric_series USING (run_id, series)
JOIN text ON text.id = metric_series.name_id;

CREATE VIEW v_execution AS
SELECT execution.run_id AS run, execution, epoch, start_cycles, duration_cycles, host_before_cycles,
       host_after_cycles, updates, start_cycles * 1e9 / clock_hz AS start_ns,
       duration_cycles * 1e9 / clock_hz AS duration_ns
FROM execution JOIN run ON run.id = execution.run_id;
)sql";

const std::string_view timeViewsSql = R"sql(
CREATE VIEW v_lane AS
SELECT run_id AS run, lane, lane_kind.name AS kind, ipu
FROM lane JOIN lane_kind ON lane_kind.id = lane.kind;

CREATE VIEW v_span AS
SELECT span.run_id AS run, span.lane AS lane, lane.ipu AS ipu, span_kind.name AS kind, start_cycles,
       duration_cycles, start_cycles * 1e9 / clock_hz AS start_ns,
       duration_cycles * 1e9 / clock_hz AS duration_ns, stage, micro_batch, slot, bytes,
       idle_cause.name AS cause, blame_stage
FROM span
JOIN run ON run.id = span.run_id
JOIN lane ON lane.run_id = span.run_id AND lane.lane = span.lane
JOIN span_kind ON span_kind.id = span.kind
LEFT JOIN idle_cause ON idle_cause.id = span.cause;

CREATE VIEW v_idle AS
SELECT span.run_id AS run, lane.ipu AS ipu, idle_cause.name AS cause, count(*) AS gaps,
       sum(duration_cycles) AS cycles, 1.0 * sum(duration_cycles) / max(1, step_cycles) AS share_of_step
FROM span
JOIN run ON run.id = span.run_id
JOIN lane ON lane.run_id = span.run_id AND lane.lane = span.lane
JOIN idle_cause ON idle_cause.id = span.cause
GROUP BY span.run_id, lane.ipu, span.cause;

CREATE VIEW v_utilisation AS
SELECT span.run_id AS run, lane.ipu AS ipu,
       sum(duration_cycles) FILTER (WHERE span.cause IS NULL) AS busy_cycles,
       sum(duration_cycles) FILTER (WHERE span.cause IS NOT NULL) AS idle_cycles,
       1.0 * sum(duration_cycles) FILTER (WHERE span.cause IS NULL) / max(1, step_cycles) AS busy_share
FROM span
JOIN run ON run.id = span.run_id
JOIN lane ON lane.run_id = span.run_id AND lane.lane = span.lane
JOIN lane_kind ON lane_kind.id = lane.kind AND lane_kind.name = 'compute'
GROUP BY span.run_id, lane.ipu;

CREATE VIEW v_operation_span AS
SELECT span.run_id AS run, operation.operation AS operation, name.value AS name, layer.value AS layer,
       step_kind.name AS step_kind, lane.ipu AS ipu, span.stage AS stage, program_phase.name AS phase,
       span.micro_batch AS micro_batch, span.slot AS slot,
       span.start_cycles + program_step.start_cycles AS start_cycles,
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
    AND span.stage IS operation.stage;
)sql";

const std::string_view memoryViewsSql = R"sql(
CREATE VIEW v_peak AS
SELECT run_id AS run, ipu, limit_bytes, peak_bytes, limit_bytes - peak_bytes AS headroom_bytes,
       1.0 * peak_bytes / max(1, limit_bytes) AS share_of_limit, always_live_bytes,
       not_always_live_peak_bytes, worst_tile, worst_tile_bytes, memory_per_tile_bytes,
       worst_tile_bytes <= memory_per_tile_bytes AS fits
FROM ipu_memory JOIN run ON run.id = ipu_memory.run_id;

CREATE VIEW v_memory_category AS
SELECT run_id AS run, ipu, memory_category.name AS category, is_always_live, bytes
FROM ipu_memory_category
JOIN ipu_memory USING (run_id, position)
JOIN memory_category ON memory_category.id = ipu_memory_category.category;

CREATE VIEW v_liveness AS
SELECT liveness_step.run_id AS run, liveness_step.ipu AS ipu, step, liveness_step.stage AS stage,
       program_phase.name AS phase, liveness_step.operation AS operation, layer.value AS layer, live_bytes,
       ipu_memory.always_live_bytes AS always_live_bytes,
       live_bytes + ipu_memory.always_live_bytes AS total_bytes
FROM liveness_step
JOIN program_phase ON program_phase.id = liveness_step.phase
LEFT JOIN operation
    ON operation.run_id = liveness_step.run_id AND operation.operation = liveness_step.operation
LEFT JOIN text AS layer ON layer.id = operation.layer_id
LEFT JOIN ipu_memory ON ipu_memory.run_id = liveness_step.run_id AND ipu_memory.ipu = liveness_step.ipu;

CREATE VIEW v_tensor AS
SELECT run_id AS run, ipu, name.value AS tensor, memory_category.name AS category,
       live_range.is_always_live AS is_always_live, bytes, address_bytes, first_step, last_step,
       layer.value AS layer, stage, shape.value AS shape
FROM live_range
JOIN memory_category ON memory_category.id = live_range.category
LEFT JOIN text AS name ON name.id = live_range.name_id
LEFT JOIN text AS layer ON layer.id = live_range.layer_id
LEFT JOIN text AS shape ON shape.id = live_range.shape_id;

CREATE VIEW v_tile AS
SELECT run_id AS run, ipu, tile,
       vertex_code + vertex_state + exchange_code + control_code + constants + stack + weights
           + optimizer_state + accumulators + stash + host_io + message_buffers + activations + temporary
           AS total_bytes,
       vertex_code, vertex_state, exchange_code, control_code, constants, stack, weights, optimizer_state,
       accumulators, stash, host_io, message_buffers, activations, temporary
FROM tile_memory;
)sql";

const std::string_view programViewsSql = R"sql(
CREATE VIEW v_operation AS
SELECT run_id AS run, operation, name.value AS name, kind.value AS kind, layer.value AS layer, stage,
       program_phase.name AS phase, compute_cycles, exchange_cycles, sync_cycles,
       compute_cycles + exchange_cycles + sync_cycles AS cycles, flops, tiles_used, exchange_bytes,
       temporary_bytes_per_tile, output_bytes, plan.value AS plan
FROM operation
JOIN program_phase ON program_phase.id = operation.phase
JOIN text AS name ON name.id = operation.name_id
JOIN text AS kind ON kind.id = operation.kind_id
LEFT JOIN text AS layer ON layer.id = operation.layer_id
LEFT JOIN text AS plan ON plan.id = operation.plan_id;

CREATE VIEW v_layer AS
SELECT run, layer, stage, phase, count(*) AS operations, sum(cycles) AS cycles, sum(flops) AS flops,
       sum(exchange_bytes) AS exchange_bytes, max(temporary_bytes_per_tile) AS temporary_bytes_per_tile
FROM v_operation
WHERE layer IS NOT NULL
GROUP BY run, layer, stage, phase;

CREATE VIEW v_program_step AS
SELECT run_id AS run, step, parent, step_kind.name AS kind, label.value AS label, count, stage,
       program_phase.name AS phase, operation, start_cycles, duration_cycles, bytes
FROM program_step
JOIN step_kind ON step_kind.id = program_step.kind
LEFT JOIN program_phase ON program_phase.id = program_step.phase
LEFT JOIN text AS label ON label.id = program_step.label_id;

CREATE VIEW v_transfer AS
SELECT run_id AS run, tensor.value AS tensor, from_stage, to_stage, program_phase.name AS phase, bytes, hops,
       is_pass_through
FROM transfer
JOIN program_phase ON program_phase.id = transfer.phase
LEFT JOIN text AS tensor ON tensor.id = transfer.tensor_id;
)sql";

} // namespace core
