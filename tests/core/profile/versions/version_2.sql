-- A profile database of version 2 as the program of its time wrote it (recordSmallRun, a failed run and one
-- whose process was killed), as SQL. Never changed.
PRAGMA auto_vacuum = INCREMENTAL;
PRAGMA journal_mode = WAL;
PRAGMA application_id = 1230001495;
BEGIN TRANSACTION;
CREATE TABLE confusion (
    run_id INTEGER NOT NULL REFERENCES run ON DELETE CASCADE,
    output_id INTEGER NOT NULL REFERENCES text,
    epoch INTEGER NOT NULL,
    truth INTEGER NOT NULL,
    predicted INTEGER NOT NULL,
    count INTEGER NOT NULL,
    PRIMARY KEY (run_id, output_id, epoch, truth, predicted)) WITHOUT ROWID;
INSERT INTO "confusion" VALUES(1,16,0,0,0,5);
INSERT INTO "confusion" VALUES(1,16,0,0,1,2);
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
INSERT INTO "diagnostic" VALUES(1,0,1,0,'memory/over-limit','small.ipuproj','/model','does not fit','["use more IPUs","use smaller batches"]');
INSERT INTO "diagnostic" VALUES(2,0,2,2,'model/wrong','failed.ipuproj','/model','cannot run','["try less"]');
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
INSERT INTO "execution" VALUES(1,0,0,0,2100,60,40,2);
INSERT INTO "execution" VALUES(1,1,0,2100,2100,60,40,2);
INSERT INTO "execution" VALUES(1,2,1,4200,2100,60,40,2);
INSERT INTO "execution" VALUES(1,3,1,6300,2100,60,40,2);
CREATE TABLE idle_cause (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
INSERT INTO "idle_cause" VALUES(0,'warm_up');
INSERT INTO "idle_cause" VALUES(1,'drain');
INSERT INTO "idle_cause" VALUES(2,'imbalance');
INSERT INTO "idle_cause" VALUES(3,'transfer');
INSERT INTO "idle_cause" VALUES(4,'host');
INSERT INTO "idle_cause" VALUES(5,'all_reduce');
INSERT INTO "idle_cause" VALUES(6,'serial');
CREATE TABLE idle_total (
    run_id INTEGER NOT NULL REFERENCES run ON DELETE CASCADE,
    cause INTEGER NOT NULL REFERENCES idle_cause,
    cycles INTEGER NOT NULL,
    PRIMARY KEY (run_id, cause)) WITHOUT ROWID;
INSERT INTO "idle_total" VALUES(1,0,100);
INSERT INTO "idle_total" VALUES(1,1,101);
INSERT INTO "idle_total" VALUES(1,2,102);
INSERT INTO "idle_total" VALUES(1,3,103);
INSERT INTO "idle_total" VALUES(1,4,104);
INSERT INTO "idle_total" VALUES(1,5,105);
INSERT INTO "idle_total" VALUES(1,6,106);
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
INSERT INTO "ipu_memory" VALUES(1,0,0,2555904,1300,900,400,3,400);
INSERT INTO "ipu_memory" VALUES(1,1,1,2555904,1300,900,400,3,400);
CREATE TABLE ipu_memory_category (
    run_id INTEGER NOT NULL REFERENCES run ON DELETE CASCADE,
    position INTEGER NOT NULL,
    category INTEGER NOT NULL REFERENCES memory_category,
    bytes INTEGER NOT NULL,
    PRIMARY KEY (run_id, position, category)) WITHOUT ROWID;
INSERT INTO "ipu_memory_category" VALUES(1,0,0,10);
INSERT INTO "ipu_memory_category" VALUES(1,0,1,20);
INSERT INTO "ipu_memory_category" VALUES(1,0,2,30);
INSERT INTO "ipu_memory_category" VALUES(1,0,3,40);
INSERT INTO "ipu_memory_category" VALUES(1,0,4,50);
INSERT INTO "ipu_memory_category" VALUES(1,0,5,60);
INSERT INTO "ipu_memory_category" VALUES(1,0,6,70);
INSERT INTO "ipu_memory_category" VALUES(1,0,7,80);
INSERT INTO "ipu_memory_category" VALUES(1,0,8,90);
INSERT INTO "ipu_memory_category" VALUES(1,0,9,100);
INSERT INTO "ipu_memory_category" VALUES(1,0,10,110);
INSERT INTO "ipu_memory_category" VALUES(1,0,11,120);
INSERT INTO "ipu_memory_category" VALUES(1,0,12,130);
INSERT INTO "ipu_memory_category" VALUES(1,0,13,140);
INSERT INTO "ipu_memory_category" VALUES(1,1,0,10);
INSERT INTO "ipu_memory_category" VALUES(1,1,1,20);
INSERT INTO "ipu_memory_category" VALUES(1,1,2,30);
INSERT INTO "ipu_memory_category" VALUES(1,1,3,40);
INSERT INTO "ipu_memory_category" VALUES(1,1,4,50);
INSERT INTO "ipu_memory_category" VALUES(1,1,5,60);
INSERT INTO "ipu_memory_category" VALUES(1,1,6,70);
INSERT INTO "ipu_memory_category" VALUES(1,1,7,80);
INSERT INTO "ipu_memory_category" VALUES(1,1,8,90);
INSERT INTO "ipu_memory_category" VALUES(1,1,9,100);
INSERT INTO "ipu_memory_category" VALUES(1,1,10,110);
INSERT INTO "ipu_memory_category" VALUES(1,1,11,120);
INSERT INTO "ipu_memory_category" VALUES(1,1,12,130);
INSERT INTO "ipu_memory_category" VALUES(1,1,13,140);
CREATE TABLE lane (
    run_id INTEGER NOT NULL REFERENCES run ON DELETE CASCADE,
    lane INTEGER NOT NULL,
    kind INTEGER NOT NULL REFERENCES lane_kind,
    ipu INTEGER,
    PRIMARY KEY (run_id, lane)) WITHOUT ROWID;
INSERT INTO "lane" VALUES(1,0,0,0);
INSERT INTO "lane" VALUES(1,1,1,0);
INSERT INTO "lane" VALUES(1,2,2,0);
INSERT INTO "lane" VALUES(1,3,3,NULL);
INSERT INTO "lane" VALUES(1,4,0,1);
CREATE TABLE lane_kind (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
INSERT INTO "lane_kind" VALUES(0,'compute');
INSERT INTO "lane_kind" VALUES(1,'exchange');
INSERT INTO "lane_kind" VALUES(2,'sync');
INSERT INTO "lane_kind" VALUES(3,'host');
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
INSERT INTO "live_range" VALUES(1,0,0,NULL,0,1,10,0,0,3,NULL,0,NULL);
INSERT INTO "live_range" VALUES(1,0,1,NULL,1,1,11,100,0,3,NULL,0,NULL);
INSERT INTO "live_range" VALUES(1,0,2,NULL,2,1,12,200,0,3,NULL,0,NULL);
INSERT INTO "live_range" VALUES(1,0,3,NULL,3,1,13,300,0,3,NULL,0,NULL);
INSERT INTO "live_range" VALUES(1,0,4,NULL,4,1,14,400,0,3,NULL,0,NULL);
INSERT INTO "live_range" VALUES(1,0,5,NULL,5,1,15,500,0,3,NULL,0,NULL);
INSERT INTO "live_range" VALUES(1,0,6,NULL,6,1,16,600,0,3,NULL,0,NULL);
INSERT INTO "live_range" VALUES(1,0,7,NULL,7,1,17,700,0,3,NULL,0,NULL);
INSERT INTO "live_range" VALUES(1,0,8,NULL,8,1,18,800,0,3,NULL,0,NULL);
INSERT INTO "live_range" VALUES(1,0,9,9,9,0,19,900,1,2,2,0,11);
INSERT INTO "live_range" VALUES(1,0,10,NULL,10,1,20,1000,0,3,NULL,0,NULL);
INSERT INTO "live_range" VALUES(1,0,11,NULL,11,1,21,1100,0,3,NULL,0,NULL);
INSERT INTO "live_range" VALUES(1,0,12,9,12,0,22,1200,1,2,2,0,11);
INSERT INTO "live_range" VALUES(1,0,13,9,13,0,23,1300,1,2,2,0,11);
INSERT INTO "live_range" VALUES(1,1,14,NULL,0,1,10,0,0,3,NULL,1,NULL);
INSERT INTO "live_range" VALUES(1,1,15,NULL,1,1,11,100,0,3,NULL,1,NULL);
INSERT INTO "live_range" VALUES(1,1,16,NULL,2,1,12,200,0,3,NULL,1,NULL);
INSERT INTO "live_range" VALUES(1,1,17,NULL,3,1,13,300,0,3,NULL,1,NULL);
INSERT INTO "live_range" VALUES(1,1,18,NULL,4,1,14,400,0,3,NULL,1,NULL);
INSERT INTO "live_range" VALUES(1,1,19,NULL,5,1,15,500,0,3,NULL,1,NULL);
INSERT INTO "live_range" VALUES(1,1,20,NULL,6,1,16,600,0,3,NULL,1,NULL);
INSERT INTO "live_range" VALUES(1,1,21,NULL,7,1,17,700,0,3,NULL,1,NULL);
INSERT INTO "live_range" VALUES(1,1,22,NULL,8,1,18,800,0,3,NULL,1,NULL);
INSERT INTO "live_range" VALUES(1,1,23,9,9,0,19,900,1,2,2,1,11);
INSERT INTO "live_range" VALUES(1,1,24,NULL,10,1,20,1000,0,3,NULL,1,NULL);
INSERT INTO "live_range" VALUES(1,1,25,NULL,11,1,21,1100,0,3,NULL,1,NULL);
INSERT INTO "live_range" VALUES(1,1,26,9,12,0,22,1200,1,2,2,1,11);
INSERT INTO "live_range" VALUES(1,1,27,9,13,0,23,1300,1,2,2,1,11);
CREATE TABLE liveness_step (
    run_id INTEGER NOT NULL REFERENCES run ON DELETE CASCADE,
    ipu INTEGER NOT NULL,
    step INTEGER NOT NULL,
    stage INTEGER,
    phase INTEGER NOT NULL REFERENCES program_phase,
    operation INTEGER,
    live_bytes INTEGER NOT NULL,
    PRIMARY KEY (run_id, ipu, step)) WITHOUT ROWID;
INSERT INTO "liveness_step" VALUES(1,0,0,0,0,0,100);
INSERT INTO "liveness_step" VALUES(1,0,1,0,1,1,200);
INSERT INTO "liveness_step" VALUES(1,0,2,0,2,2,300);
INSERT INTO "liveness_step" VALUES(1,0,3,0,3,3,400);
INSERT INTO "liveness_step" VALUES(1,1,0,1,0,0,100);
INSERT INTO "liveness_step" VALUES(1,1,1,1,1,1,200);
INSERT INTO "liveness_step" VALUES(1,1,2,1,2,2,300);
INSERT INTO "liveness_step" VALUES(1,1,3,1,3,3,400);
CREATE TABLE memory_category (
    id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, is_always_live INTEGER NOT NULL);
INSERT INTO "memory_category" VALUES(0,'vertex_code',1);
INSERT INTO "memory_category" VALUES(1,'vertex_state',1);
INSERT INTO "memory_category" VALUES(2,'exchange_code',1);
INSERT INTO "memory_category" VALUES(3,'control_code',1);
INSERT INTO "memory_category" VALUES(4,'constants',1);
INSERT INTO "memory_category" VALUES(5,'stack',1);
INSERT INTO "memory_category" VALUES(6,'weights',1);
INSERT INTO "memory_category" VALUES(7,'optimizer_state',1);
INSERT INTO "memory_category" VALUES(8,'accumulators',1);
INSERT INTO "memory_category" VALUES(9,'stash',0);
INSERT INTO "memory_category" VALUES(10,'host_io',1);
INSERT INTO "memory_category" VALUES(11,'message_buffers',1);
INSERT INTO "memory_category" VALUES(12,'activations',0);
INSERT INTO "memory_category" VALUES(13,'temporary',0);
CREATE TABLE metric (
    run_id INTEGER NOT NULL REFERENCES run ON DELETE CASCADE,
    series INTEGER NOT NULL,
    position INTEGER NOT NULL,
    weight_update INTEGER,
    epoch INTEGER,
    value REAL,
    PRIMARY KEY (run_id, series, position)) WITHOUT ROWID;
INSERT INTO "metric" VALUES(1,0,0,1,0,2.5);
INSERT INTO "metric" VALUES(1,0,1,2,0,1.25);
INSERT INTO "metric" VALUES(1,1,0,NULL,NULL,0.25);
INSERT INTO "metric" VALUES(1,1,1,NULL,NULL,0.5);
INSERT INTO "metric" VALUES(1,2,0,1,0,0.1);
INSERT INTO "metric" VALUES(1,2,1,2,0,NULL);
CREATE TABLE metric_series (
    run_id INTEGER NOT NULL REFERENCES run ON DELETE CASCADE,
    series INTEGER NOT NULL,
    name_id INTEGER NOT NULL REFERENCES text,
    is_in_summary INTEGER NOT NULL,
    PRIMARY KEY (run_id, series)) WITHOUT ROWID;
INSERT INTO "metric_series" VALUES(1,0,12,1);
INSERT INTO "metric_series" VALUES(1,1,13,1);
INSERT INTO "metric_series" VALUES(1,2,14,0);
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
INSERT INTO "operation" VALUES(1,0,4,3,2,0,0,60,30,10,1048576,4,512,64,256,1);
INSERT INTO "operation" VALUES(1,1,5,3,2,1,1,60,30,10,1048576,4,512,64,256,NULL);
INSERT INTO "operation" VALUES(1,2,6,3,2,0,2,60,30,10,1048576,4,512,64,256,NULL);
INSERT INTO "operation" VALUES(1,3,7,3,NULL,1,3,60,30,10,1048576,4,512,64,256,NULL);
CREATE TABLE program_phase (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
INSERT INTO "program_phase" VALUES(0,'forward');
INSERT INTO "program_phase" VALUES(1,'backward');
INSERT INTO "program_phase" VALUES(2,'recompute');
INSERT INTO "program_phase" VALUES(3,'weight_update');
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
INSERT INTO "program_step" VALUES(1,0,NULL,0,8,1,NULL,NULL,NULL,0,0,0);
INSERT INTO "program_step" VALUES(1,1,0,1,NULL,3,NULL,NULL,NULL,0,0,0);
INSERT INTO "program_step" VALUES(1,2,1,2,NULL,1,NULL,NULL,NULL,0,0,0);
INSERT INTO "program_step" VALUES(1,3,2,3,NULL,1,NULL,NULL,NULL,0,0,0);
INSERT INTO "program_step" VALUES(1,4,3,4,NULL,1,0,0,0,30,60,0);
INSERT INTO "program_step" VALUES(1,5,4,5,NULL,1,NULL,NULL,NULL,0,0,0);
INSERT INTO "program_step" VALUES(1,6,5,6,NULL,1,NULL,NULL,NULL,0,0,0);
INSERT INTO "program_step" VALUES(1,7,6,7,NULL,1,NULL,NULL,NULL,0,0,4096);
INSERT INTO "program_step" VALUES(1,8,7,8,NULL,1,NULL,NULL,NULL,0,0,0);
CREATE TABLE project_snapshot (
    id INTEGER PRIMARY KEY,
    hash TEXT NOT NULL,
    content TEXT NOT NULL,
    UNIQUE (hash, content));
INSERT INTO "project_snapshot" VALUES(1,'00c0ffee','{"name": "small"}');
INSERT INTO "project_snapshot" VALUES(2,'01','{}');
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
INSERT INTO "run" VALUES(1,1,'4581 254047 00000000-0000-0000-0000-000000000000','small',1,'0.1','1',0,-1,'Mk2',4,638976,1850000000.0,4,2,2,3,8,'Grouped','full','2026-11-21T10:00:00Z',0,48,4,1000,1234.5,0.45,0.05);
INSERT INTO "run" VALUES(2,2,'4581 254047 00000000-0000-0000-0000-000000000000','failed',2,'','',0,0,'',0,0,0.0,1,1,1,1,1,'','','2026-11-21T11:00:00Z',NULL,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO "run" VALUES(3,0,'4581 254047 00000000-0000-0000-0000-000000000000','killed',2,'','',2,0,'',0,0,0.0,1,1,1,1,1,'','','2026-11-21T12:00:00Z',NULL,NULL,NULL,NULL,NULL,NULL,NULL);
CREATE TABLE run_mode (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
INSERT INTO "run_mode" VALUES(0,'train');
INSERT INTO "run_mode" VALUES(1,'evaluate');
INSERT INTO "run_mode" VALUES(2,'predict');
CREATE TABLE run_state (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
INSERT INTO "run_state" VALUES(0,'recording');
INSERT INTO "run_state" VALUES(1,'complete');
INSERT INTO "run_state" VALUES(2,'failed');
INSERT INTO "run_state" VALUES(3,'cancelled');
INSERT INTO "run_state" VALUES(4,'interrupted');
CREATE TABLE sample_image (
    run_id INTEGER NOT NULL REFERENCES run ON DELETE CASCADE,
    sample INTEGER NOT NULL,
    rows INTEGER NOT NULL,
    columns INTEGER NOT NULL,
    channels INTEGER NOT NULL,
    pixels BLOB NOT NULL,
    PRIMARY KEY (run_id, sample)) WITHOUT ROWID;
INSERT INTO "sample_image" VALUES(1,7,2,2,1,X'004080FF');
CREATE TABLE sample_prediction (
    run_id INTEGER NOT NULL REFERENCES run ON DELETE CASCADE,
    output_id INTEGER NOT NULL REFERENCES text,
    epoch INTEGER NOT NULL,
    sample INTEGER NOT NULL,
    truth REAL,
    predicted REAL,
    probability REAL,
    PRIMARY KEY (run_id, output_id, epoch, sample)) WITHOUT ROWID;
INSERT INTO "sample_prediction" VALUES(1,16,0,7,1.0,0.0,0.75);
INSERT INTO "sample_prediction" VALUES(1,17,0,7,1.5,1.25,NULL);
CREATE TABLE severity (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
INSERT INTO "severity" VALUES(0,'note');
INSERT INTO "severity" VALUES(1,'warning');
INSERT INTO "severity" VALUES(2,'error');
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
INSERT INTO "span" VALUES(1,0,0,0,100,0,0,0,0,NULL,NULL,NULL);
INSERT INTO "span" VALUES(1,0,100,0,100,0,0,1,1,NULL,NULL,NULL);
INSERT INTO "span" VALUES(1,0,200,0,50,11,NULL,NULL,NULL,NULL,2,1);
INSERT INTO "span" VALUES(1,0,250,0,100,2,0,0,2,NULL,NULL,NULL);
INSERT INTO "span" VALUES(1,0,350,0,100,1,0,0,3,NULL,NULL,NULL);
INSERT INTO "span" VALUES(1,0,450,0,150,11,NULL,NULL,NULL,NULL,3,NULL);
INSERT INTO "span" VALUES(1,0,600,0,100,11,NULL,NULL,NULL,NULL,5,NULL);
INSERT INTO "span" VALUES(1,0,700,0,100,11,NULL,NULL,NULL,NULL,4,NULL);
INSERT INTO "span" VALUES(1,0,800,0,200,3,0,NULL,NULL,NULL,NULL,NULL);
INSERT INTO "span" VALUES(1,1,10,0,5,4,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO "span" VALUES(1,1,100,0,20,5,NULL,NULL,NULL,256,NULL,NULL);
INSERT INTO "span" VALUES(1,1,120,0,20,7,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO "span" VALUES(1,1,600,0,100,6,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO "span" VALUES(1,2,100,0,0,8,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO "span" VALUES(1,2,100,1,0,8,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO "span" VALUES(1,2,100,2,0,8,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO "span" VALUES(1,3,0,0,40,9,NULL,NULL,NULL,4096,NULL,NULL);
INSERT INTO "span" VALUES(1,3,900,0,40,10,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO "span" VALUES(1,4,0,0,100,11,NULL,NULL,NULL,NULL,0,NULL);
INSERT INTO "span" VALUES(1,4,100,0,100,0,1,0,1,NULL,NULL,NULL);
INSERT INTO "span" VALUES(1,4,200,0,100,1,1,0,2,NULL,NULL,NULL);
INSERT INTO "span" VALUES(1,4,300,0,300,11,NULL,NULL,NULL,NULL,1,NULL);
INSERT INTO "span" VALUES(1,4,600,0,400,11,NULL,NULL,NULL,NULL,6,NULL);
CREATE TABLE span_bin (
    run_id INTEGER NOT NULL REFERENCES run ON DELETE CASCADE,
    lane INTEGER NOT NULL,
    bin INTEGER NOT NULL,
    kind INTEGER NOT NULL REFERENCES span_kind,
    cause INTEGER NOT NULL,
    cycles INTEGER NOT NULL,
    spans INTEGER NOT NULL,
    PRIMARY KEY (run_id, lane, bin, kind, cause)) WITHOUT ROWID;
CREATE TABLE span_kind (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
INSERT INTO "span_kind" VALUES(0,'forward');
INSERT INTO "span_kind" VALUES(1,'backward');
INSERT INTO "span_kind" VALUES(2,'recompute');
INSERT INTO "span_kind" VALUES(3,'weight_update');
INSERT INTO "span_kind" VALUES(4,'exchange');
INSERT INTO "span_kind" VALUES(5,'inter_ipu_copy');
INSERT INTO "span_kind" VALUES(6,'all_reduce');
INSERT INTO "span_kind" VALUES(7,'remote_memory');
INSERT INTO "span_kind" VALUES(8,'sync');
INSERT INTO "span_kind" VALUES(9,'infeed');
INSERT INTO "span_kind" VALUES(10,'outfeed');
INSERT INTO "span_kind" VALUES(11,'idle');
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
INSERT INTO "stage" VALUES(1,0,0,0,100,100,100,200,256,2,512);
INSERT INTO "stage" VALUES(1,1,1,1,100,100,0,200,256,1,512);
CREATE TABLE step_kind (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
INSERT INTO "step_kind" VALUES(0,'Sequence');
INSERT INTO "step_kind" VALUES(1,'Repeat');
INSERT INTO "step_kind" VALUES(2,'Switch');
INSERT INTO "step_kind" VALUES(3,'Call');
INSERT INTO "step_kind" VALUES(4,'OnTileExecute');
INSERT INTO "step_kind" VALUES(5,'DoExchange');
INSERT INTO "step_kind" VALUES(6,'GlobalExchange');
INSERT INTO "step_kind" VALUES(7,'StreamCopy');
INSERT INTO "step_kind" VALUES(8,'Sync');
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
INSERT INTO "tensor_statistics" VALUES(1,1,0,15,2,0,5,0,2.5,-1.0,1.0,0.5,'[1,2,2]');
INSERT INTO "tensor_statistics" VALUES(1,1,1,15,2,0,5,5,NULL,NULL,NULL,NULL,'[]');
CREATE TABLE text (id INTEGER PRIMARY KEY, value TEXT NOT NULL UNIQUE);
INSERT INTO "text" VALUES(1,'inChanParallelSplit=4');
INSERT INTO "text" VALUES(2,'dense');
INSERT INTO "text" VALUES(3,'MatMul');
INSERT INTO "text" VALUES(4,'dense/matmul0');
INSERT INTO "text" VALUES(5,'dense/matmul1');
INSERT INTO "text" VALUES(6,'dense/matmul2');
INSERT INTO "text" VALUES(7,'dense/matmul3');
INSERT INTO "text" VALUES(8,'main');
INSERT INTO "text" VALUES(9,'dense:0');
INSERT INTO "text" VALUES(10,'input');
INSERT INTO "text" VALUES(11,'8×64');
INSERT INTO "text" VALUES(12,'loss');
INSERT INTO "text" VALUES(13,'accuracy');
INSERT INTO "text" VALUES(14,'learning_rate');
INSERT INTO "text" VALUES(15,'dense/kernel');
INSERT INTO "text" VALUES(16,'out');
INSERT INTO "text" VALUES(17,'value');
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
INSERT INTO "tile_memory" VALUES(1,0,0,0,100,200,300,400,500,600,700,800,900,1000,1100,1200,1300);
INSERT INTO "tile_memory" VALUES(1,0,1,1,101,201,301,401,501,601,701,801,901,1001,1101,1201,1301);
INSERT INTO "tile_memory" VALUES(1,0,2,2,102,202,302,402,502,602,702,802,902,1002,1102,1202,1302);
INSERT INTO "tile_memory" VALUES(1,0,3,3,103,203,303,403,503,603,703,803,903,1003,1103,1203,1303);
INSERT INTO "tile_memory" VALUES(1,1,0,0,100,200,300,400,500,600,700,800,900,1000,1100,1200,1300);
INSERT INTO "tile_memory" VALUES(1,1,1,1,101,201,301,401,501,601,701,801,901,1001,1101,1201,1301);
INSERT INTO "tile_memory" VALUES(1,1,2,2,102,202,302,402,502,602,702,802,902,1002,1102,1202,1302);
INSERT INTO "tile_memory" VALUES(1,1,3,3,103,203,303,403,503,603,703,803,903,1003,1103,1203,1303);
CREATE TABLE trained_tensor_kind (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
INSERT INTO "trained_tensor_kind" VALUES(0,'weight');
INSERT INTO "trained_tensor_kind" VALUES(1,'gradient');
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
INSERT INTO "transfer" VALUES(1,0,9,0,1,0,256,2,0);
INSERT INTO "transfer" VALUES(1,1,10,0,1,1,256,2,1);
CREATE INDEX run_by_snapshot ON run (snapshot_id);
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
DELETE FROM "sqlite_sequence";
INSERT INTO "sqlite_sequence" VALUES('run',3);
COMMIT;
PRAGMA user_version = 2;
