#include "core/profile/schema/profile_tables.h"

namespace core {

const std::string_view enumTablesSql = R"sql(
CREATE TABLE text (id INTEGER PRIMARY KEY, value TEXT NOT NULL UNIQUE);
CREATE TABLE run_state (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
CREATE TABLE run_mode (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
CREATE TABLE lane_kind (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
CREATE TABLE span_kind (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
CREATE TABLE idle_cause (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
CREATE TABLE program_phase (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
CREATE TABLE step_kind (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
CREATE TABLE severity (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
CREATE TABLE memory_category (
    id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, is_always_live INTEGER NOT NULL);
)sql";

const std::string_view runTablesSql = R"sql(
CREATE TABLE project_snapshot (
    id INTEGER PRIMARY KEY,
    hash TEXT NOT NULL,
    content TEXT NOT NULL,
    UNIQUE (hash, content));

CREATE TABLE run (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    state INTEGER NOT NULL REFERENCES run_state,
    process TEXT NOT NULL,
    project_name TEXT NOT NULL,
    snapshot_id INTEGER NOT NULL REFERENCES project_snapshot,
    program_version TEXT NOT NULL,
    cost_model_version TEXT NOT NULL,
    mode INTEGER NOT NULL REFERENCES run_mode,
    seed INTEGER NOT NULL,
    target_name TEXT NOT NULL,
    tiles INTEGER NOT NULL,
    memory_per_tile_bytes INTEGER NOT NULL,
    clock_hz REAL NOT NULL,
    ipus INTEGER NOT NULL,
    ipus_per_replica INTEGER NOT NULL,
    replicas INTEGER NOT NULL,
    micro_batches INTEGER NOT NULL,
    batch_size INTEGER NOT NULL,
    schedule TEXT NOT NULL,
    profile_level TEXT NOT NULL,
    started TEXT NOT NULL,
    fits INTEGER,
    effective_batch INTEGER,
    executions INTEGER,
    step_cycles INTEGER,
    samples_per_second REAL,
    idle_fraction REAL,
    host_stall_fraction REAL);
CREATE INDEX run_by_snapshot ON run (snapshot_id);

CREATE TABLE stage (
    run_id INTEGER NOT NULL REFERENCES run ON DELETE CASCADE,
    position INTEGER NOT NULL,
    stage INTEGER,
    ipu INTEGER,
    forward_cycles INTEGER NOT NULL,
    backward_cycles INTEGER NOT NULL,
    recompute_cycles INTEGER NOT NULL,
    update_cycles INTEGER NOT NULL,
    transfer_bytes INTEGER NOT NULL,
    fifo_depth INTEGER NOT NULL,
    stash_bytes INTEGER NOT NULL,
    PRIMARY KEY (run_id, position)) WITHOUT ROWID;

CREATE TABLE ipu_memory (
    run_id INTEGER NOT NULL REFERENCES run ON DELETE CASCADE,
    position INTEGER NOT NULL,
    ipu INTEGER,
    limit_bytes INTEGER NOT NULL,
    peak_bytes INTEGER NOT NULL,
    always_live_bytes INTEGER NOT NULL,
    not_always_live_peak_bytes INTEGER NOT NULL,
    worst_tile INTEGER NOT NULL,
    worst_tile_bytes INTEGER NOT NULL,
    PRIMARY KEY (run_id, position)) WITHOUT ROWID;

CREATE TABLE ipu_memory_category (
    run_id INTEGER NOT NULL REFERENCES run ON DELETE CASCADE,
    position INTEGER NOT NULL,
    category INTEGER NOT NULL REFERENCES memory_category,
    bytes INTEGER NOT NULL,
    PRIMARY KEY (run_id, position, category)) WITHOUT ROWID;

CREATE TABLE idle_total (
    run_id INTEGER NOT NULL REFERENCES run ON DELETE CASCADE,
    cause INTEGER NOT NULL REFERENCES idle_cause,
    cycles INTEGER NOT NULL,
    PRIMARY KEY (run_id, cause)) WITHOUT ROWID;

CREATE TABLE diagnostic (
    run_id INTEGER NOT NULL REFERENCES run ON DELETE CASCADE,
    position INTEGER NOT NULL,
    severity INTEGER NOT NULL REFERENCES severity,
    trouble INTEGER NOT NULL,
    code TEXT NOT NULL,
    file TEXT NOT NULL,
    place TEXT NOT NULL,
    message TEXT NOT NULL,
    hints TEXT NOT NULL,
    PRIMARY KEY (run_id, position)) WITHOUT ROWID;
)sql";

const std::string_view programTablesSql = R"sql(
CREATE TABLE operation (
    run_id INTEGER NOT NULL REFERENCES run ON DELETE CASCADE,
    operation INTEGER NOT NULL,
    name_id INTEGER NOT NULL REFERENCES text,
    kind_id INTEGER NOT NULL REFERENCES text,
    layer_id INTEGER REFERENCES text,
    stage INTEGER,
    phase INTEGER NOT NULL REFERENCES program_phase,
    compute_cycles INTEGER NOT NULL,
    exchange_cycles INTEGER NOT NULL,
    sync_cycles INTEGER NOT NULL,
    flops INTEGER NOT NULL,
    tiles_used INTEGER NOT NULL,
    exchange_bytes INTEGER NOT NULL,
    temporary_bytes_per_tile INTEGER NOT NULL,
    output_bytes INTEGER NOT NULL,
    plan_id INTEGER REFERENCES text,
    PRIMARY KEY (run_id, operation)) WITHOUT ROWID;

CREATE TABLE program_step (
    run_id INTEGER NOT NULL REFERENCES run ON DELETE CASCADE,
    step INTEGER NOT NULL,
    parent INTEGER,
    kind INTEGER NOT NULL REFERENCES step_kind,
    label_id INTEGER REFERENCES text,
    count INTEGER NOT NULL,
    stage INTEGER,
    phase INTEGER REFERENCES program_phase,
    operation INTEGER,
    start_cycles INTEGER NOT NULL,
    duration_cycles INTEGER NOT NULL,
    bytes INTEGER NOT NULL,
    PRIMARY KEY (run_id, step)) WITHOUT ROWID;

CREATE TABLE transfer (
    run_id INTEGER NOT NULL REFERENCES run ON DELETE CASCADE,
    position INTEGER NOT NULL,
    tensor_id INTEGER REFERENCES text,
    from_stage INTEGER,
    to_stage INTEGER,
    phase INTEGER NOT NULL REFERENCES program_phase,
    bytes INTEGER NOT NULL,
    hops INTEGER NOT NULL,
    is_pass_through INTEGER NOT NULL,
    PRIMARY KEY (run_id, position)) WITHOUT ROWID;
)sql";

const std::string_view timeTablesSql = R"sql(
CREATE TABLE lane (
    run_id INTEGER NOT NULL REFERENCES run ON DELETE CASCADE,
    lane INTEGER NOT NULL,
    kind INTEGER NOT NULL REFERENCES lane_kind,
    ipu INTEGER,
    PRIMARY KEY (run_id, lane)) WITHOUT ROWID;

-- `sequence` tells spans of no duration apart that start together.
CREATE TABLE span (
    run_id INTEGER NOT NULL REFERENCES run ON DELETE CASCADE,
    lane INTEGER NOT NULL,
    start_cycles INTEGER NOT NULL,
    sequence INTEGER NOT NULL,
    duration_cycles INTEGER NOT NULL,
    kind INTEGER NOT NULL REFERENCES span_kind,
    stage INTEGER,
    micro_batch INTEGER,
    slot INTEGER,
    bytes INTEGER,
    cause INTEGER REFERENCES idle_cause,
    blame_stage INTEGER,
    PRIMARY KEY (run_id, lane, start_cycles, sequence)) WITHOUT ROWID;

-- Lanes of very many spans, summed over equal parts of the update, so that a picture of all of it reads few
-- rows. `span` remains the truth.
CREATE TABLE span_bin (
    run_id INTEGER NOT NULL REFERENCES run ON DELETE CASCADE,
    lane INTEGER NOT NULL,
    bin INTEGER NOT NULL,
    kind INTEGER NOT NULL REFERENCES span_kind,
    cause INTEGER NOT NULL,
    cycles INTEGER NOT NULL,
    spans INTEGER NOT NULL,
    PRIMARY KEY (run_id, lane, bin, kind, cause)) WITHOUT ROWID;

CREATE TABLE execution (
    run_id INTEGER NOT NULL REFERENCES run ON DELETE CASCADE,
    execution INTEGER NOT NULL,
    epoch INTEGER NOT NULL,
    start_cycles INTEGER NOT NULL,
    duration_cycles INTEGER NOT NULL,
    host_before_cycles INTEGER NOT NULL,
    host_after_cycles INTEGER NOT NULL,
    updates INTEGER NOT NULL,
    PRIMARY KEY (run_id, execution)) WITHOUT ROWID;
)sql";

const std::string_view memoryTablesSql = R"sql(
CREATE TABLE liveness_step (
    run_id INTEGER NOT NULL REFERENCES run ON DELETE CASCADE,
    ipu INTEGER NOT NULL,
    step INTEGER NOT NULL,
    stage INTEGER,
    phase INTEGER NOT NULL REFERENCES program_phase,
    operation INTEGER,
    live_bytes INTEGER NOT NULL,
    PRIMARY KEY (run_id, ipu, step)) WITHOUT ROWID;

CREATE TABLE live_range (
    run_id INTEGER NOT NULL REFERENCES run ON DELETE CASCADE,
    ipu INTEGER NOT NULL,
    position INTEGER NOT NULL,
    name_id INTEGER REFERENCES text,
    category INTEGER NOT NULL REFERENCES memory_category,
    is_always_live INTEGER NOT NULL,
    bytes INTEGER NOT NULL,
    address_bytes INTEGER NOT NULL,
    first_step INTEGER NOT NULL,
    last_step INTEGER NOT NULL,
    layer_id INTEGER REFERENCES text,
    stage INTEGER,
    shape_id INTEGER REFERENCES text,
    PRIMARY KEY (run_id, ipu, position)) WITHOUT ROWID;

-- One row per tile, one column per memory category, at the peak of the worst tile.
CREATE TABLE tile_memory (
    run_id INTEGER NOT NULL REFERENCES run ON DELETE CASCADE,
    ipu INTEGER NOT NULL,
    tile INTEGER NOT NULL,
    vertex_code INTEGER NOT NULL,
    vertex_state INTEGER NOT NULL,
    exchange_code INTEGER NOT NULL,
    control_code INTEGER NOT NULL,
    constants INTEGER NOT NULL,
    stack INTEGER NOT NULL,
    weights INTEGER NOT NULL,
    optimizer_state INTEGER NOT NULL,
    accumulators INTEGER NOT NULL,
    stash INTEGER NOT NULL,
    host_io INTEGER NOT NULL,
    message_buffers INTEGER NOT NULL,
    activations INTEGER NOT NULL,
    temporary INTEGER NOT NULL,
    PRIMARY KEY (run_id, ipu, tile)) WITHOUT ROWID;
)sql";

const std::string_view trainingTablesSql = R"sql(
CREATE TABLE metric_series (
    run_id INTEGER NOT NULL REFERENCES run ON DELETE CASCADE,
    series INTEGER NOT NULL,
    name_id INTEGER NOT NULL REFERENCES text,
    is_in_summary INTEGER NOT NULL,
    PRIMARY KEY (run_id, series)) WITHOUT ROWID;

-- A NULL value is "not a number".
CREATE TABLE metric (
    run_id INTEGER NOT NULL REFERENCES run ON DELETE CASCADE,
    series INTEGER NOT NULL,
    position INTEGER NOT NULL,
    weight_update INTEGER,
    epoch INTEGER,
    value REAL,
    PRIMARY KEY (run_id, series, position)) WITHOUT ROWID;
)sql";

const std::string_view trainingRecordsSql = R"sql(
CREATE TABLE trained_tensor_kind (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
INSERT INTO trained_tensor_kind (id, name) VALUES (0, 'weight'), (1, 'gradient');

-- `histogram` is a JSON list of counts in equal bins from minimum to maximum. NULL: no finite element.
CREATE TABLE tensor_statistics (
    run_id INTEGER NOT NULL REFERENCES run ON DELETE CASCADE,
    weight_update INTEGER NOT NULL,
    kind INTEGER NOT NULL REFERENCES trained_tensor_kind,
    tensor_id INTEGER NOT NULL REFERENCES text,
    layer_id INTEGER REFERENCES text,
    epoch INTEGER NOT NULL,
    elements INTEGER NOT NULL,
    not_finite INTEGER NOT NULL,
    norm REAL,
    minimum REAL,
    maximum REAL,
    mean REAL,
    histogram TEXT NOT NULL,
    PRIMARY KEY (run_id, weight_update, kind, tensor_id)) WITHOUT ROWID;

CREATE TABLE confusion (
    run_id INTEGER NOT NULL REFERENCES run ON DELETE CASCADE,
    output_id INTEGER NOT NULL REFERENCES text,
    epoch INTEGER NOT NULL,
    truth INTEGER NOT NULL,
    predicted INTEGER NOT NULL,
    count INTEGER NOT NULL,
    PRIMARY KEY (run_id, output_id, epoch, truth, predicted)) WITHOUT ROWID;

-- A NULL probability: the output is a value, no class.
CREATE TABLE sample_prediction (
    run_id INTEGER NOT NULL REFERENCES run ON DELETE CASCADE,
    output_id INTEGER NOT NULL REFERENCES text,
    epoch INTEGER NOT NULL,
    sample INTEGER NOT NULL,
    truth REAL,
    predicted REAL,
    probability REAL,
    PRIMARY KEY (run_id, output_id, epoch, sample)) WITHOUT ROWID;

-- 8 bits per channel, row by row, channels last.
CREATE TABLE sample_image (
    run_id INTEGER NOT NULL REFERENCES run ON DELETE CASCADE,
    sample INTEGER NOT NULL,
    rows INTEGER NOT NULL,
    columns INTEGER NOT NULL,
    channels INTEGER NOT NULL,
    pixels BLOB NOT NULL,
    PRIMARY KEY (run_id, sample)) WITHOUT ROWID;

CREATE VIEW v_tensor_statistics AS
SELECT run_id AS run, epoch, weight_update, layer.value AS layer, tensor.value AS tensor,
       trained_tensor_kind.name AS kind, elements, not_finite, norm, minimum, maximum, mean, histogram
FROM tensor_statistics
JOIN trained_tensor_kind ON trained_tensor_kind.id = tensor_statistics.kind
JOIN text AS tensor ON tensor.id = tensor_statistics.tensor_id
LEFT JOIN text AS layer ON layer.id = tensor_statistics.layer_id;

CREATE VIEW v_confusion AS
SELECT run_id AS run, epoch, text.value AS output, truth, predicted, count
FROM confusion JOIN text ON text.id = confusion.output_id;

CREATE VIEW v_sample_prediction AS
SELECT run_id AS run, epoch, text.value AS output, sample, truth, predicted, probability
FROM sample_prediction JOIN text ON text.id = sample_prediction.output_id;

CREATE VIEW v_sample_image AS
SELECT run_id AS run, sample, rows, columns, channels, pixels FROM sample_image;
)sql";

const std::string_view callbacksSql = R"sql(
-- The calls of one execution, from its start; all executions of a run have the same.
CREATE TABLE callback (
    run_id INTEGER NOT NULL REFERENCES run ON DELETE CASCADE,
    position INTEGER NOT NULL,
    name_id INTEGER NOT NULL REFERENCES text,
    step INTEGER NOT NULL,
    replica INTEGER NOT NULL,
    at_cycles INTEGER NOT NULL,
    due_cycles INTEGER NOT NULL,
    PRIMARY KEY (run_id, position)) WITHOUT ROWID;

-- Every call of a run: the step it names in its epoch, when it came, and how far behind the device.
CREATE VIEW v_callback AS
SELECT execution.run_id AS run, execution.execution AS execution, execution.epoch AS epoch,
       callback.position AS position, text.value AS callback,
       (execution.execution
           - (SELECT min(first.execution) FROM execution AS first
              WHERE first.run_id = execution.run_id AND first.epoch = execution.epoch))
           * execution.updates * run.micro_batches + callback.step AS step,
       callback.replica AS replica, execution.start_cycles + at_cycles AS called_cycles,
       execution.start_cycles + due_cycles AS due_cycles, at_cycles - due_cycles AS late_cycles,
       (at_cycles - due_cycles) * 1e9 / run.clock_hz AS late_ns
FROM execution
JOIN run ON run.id = execution.run_id
JOIN callback ON callback.run_id = execution.run_id
JOIN text ON text.id = callback.name_id;
)sql";

} // namespace core
