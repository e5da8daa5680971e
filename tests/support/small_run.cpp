#include "tests/support/small_run.h"

#include "core/profile/records/callback_record.h"
#if !defined(PROFILE_VERSION) || PROFILE_VERSION >= 4
#include "core/profile/records/output_records.h"
#endif
#include "core/profile/records/program_records.h"
#include "core/profile/records/time_records.h"

#include <array>
#include <limits>

// Old programs compile this file to write the stored files, so the callbacks and training records are
// apart.

namespace tests {

using namespace core;

namespace {

constexpr double notANumber = std::numeric_limits<double>::quiet_NaN();

RunProvenance provenance() {
    RunProvenance p;
    p.projectName = "small";
    p.projectText = R"({"name": "small"})";
    p.projectHash = "00c0ffee";
    p.programVersion = "0.1";
    p.costModelVersion = "1";
    // The largest half of the seeds is negative in SQL.
    p.seed = 18446744073709551615U;
    p.targetName = "Mk2";
    p.tiles = 4;
    p.memoryPerTile = Bytes(638976);
    p.clockHz = 1.85e9;
    p.ipus = 4;
    p.ipusPerReplica = 2;
    p.replicas = 2;
    p.microBatches = 3;
    p.batchSize = 8;
    p.schedule = "Grouped";
    p.profileLevel = "full";
    p.started = "2026-11-21T10:00:00Z";
    return p;
}

void recordProgram(ProfileSink& sink) {
    std::vector<OperationRecord> operations;
    std::vector<ProgramStepRecord> steps;
    std::size_t id = 0;
    for (const ProgramPhase phase : {ProgramPhase::Forward, ProgramPhase::Backward, ProgramPhase::Recompute,
                                     ProgramPhase::WeightUpdate}) {
        OperationRecord& operation = operations.emplace_back();
        operation.id = OperationId(id);
        operation.name = "dense/matmul" + std::to_string(id);
        operation.kind = "MatMul";
        operation.layer = phase == ProgramPhase::WeightUpdate ? "" : "dense";
        operation.stage = StageId(id % 2);
        operation.phase = phase;
        operation.compute = Cycles(60);
        operation.exchange = Cycles(30);
        operation.sync = Cycles(10);
        operation.flops = Flops(1 << 20);
        operation.tilesUsed = 4;
        operation.exchangeBytes = Bytes(512);
        operation.temporaryPerTile = Bytes(64);
        operation.outputBytes = Bytes(256);
        operation.plan = phase == ProgramPhase::Forward ? "inChanParallelSplit=4" : "";
        ++id;
    }
    ProgramStepRecord root;
    root.id = ProgramStepId(0);
    root.label = "main";
    steps.push_back(root);
    for (const StepKind kind :
         {StepKind::Repeat, StepKind::Switch, StepKind::Call, StepKind::OnTileExecute, StepKind::DoExchange,
          StepKind::GlobalExchange, StepKind::StreamCopy, StepKind::Sync}) {
        ProgramStepRecord step;
        step.id = ProgramStepId(steps.size());
        step.parent = ProgramStepId(steps.size() - 1);
        step.kind = kind;
        step.count = kind == StepKind::Repeat ? 3 : 1;
        if (kind == StepKind::OnTileExecute) {
            step.stage = StageId(0);
            step.phase = ProgramPhase::Forward;
            step.operation = OperationId(0);
            step.start = Cycles(30);
            step.duration = Cycles(60);
        }
        step.bytes = Bytes(kind == StepKind::StreamCopy ? 4096 : 0);
        steps.push_back(step);
    }
    const std::array lanes{
        LaneRecord{LaneId(0), LaneKind::Compute, IpuId(0)},
        LaneRecord{LaneId(1), LaneKind::Exchange, IpuId(0)}, LaneRecord{LaneId(2), LaneKind::Sync, IpuId(0)},
        LaneRecord{LaneId(3), LaneKind::Host, IpuId()}, LaneRecord{LaneId(4), LaneKind::Compute, IpuId(1)}};
    TransferRecord transfer;
    transfer.tensor = "dense:0";
    transfer.from = StageId(0);
    transfer.to = StageId(1);
    transfer.bytes = Bytes(256);
    transfer.hops = 2;
    TransferRecord passed = transfer;
    passed.tensor = "input";
    passed.phase = ProgramPhase::Backward;
    passed.passThrough = true;
    sink.operations(operations);
    sink.lanes(lanes);
    sink.programSteps(steps);
    sink.transfers(std::array{transfer, passed});
}

SpanRecord makeSpan(std::size_t lane, SpanKind kind, std::int64_t start, std::int64_t duration) {
    SpanRecord span;
    span.lane = LaneId(lane);
    span.kind = kind;
    span.start = Cycles(start);
    span.duration = Cycles(duration);
    return span;
}

SpanRecord makeWork(std::size_t lane, SpanKind kind, std::int64_t start, std::int64_t slot,
                    std::int64_t microBatch) {
    SpanRecord span = makeSpan(lane, kind, start, 100);
    span.stage = StageId(lane / 4);
    span.slot = slot;
    span.microBatch = microBatch;
    return span;
}

SpanRecord makeGap(std::size_t lane, std::int64_t start, std::int64_t duration, IdleCause cause) {
    SpanRecord span = makeSpan(lane, SpanKind::Idle, start, duration);
    span.cause = cause;
    if (cause == IdleCause::Imbalance)
        span.blame = StageId(1);
    return span;
}

/// One update of 1000 cycles; every kind of span and every cause of idleness.
void recordTime(ProfileSink& sink) {
    std::vector<SpanRecord> spans{
        makeWork(0, SpanKind::Forward, 0, 0, 0),
        makeWork(0, SpanKind::Forward, 100, 1, 1),
        makeGap(0, 200, 50, IdleCause::Imbalance),
        makeWork(0, SpanKind::Recompute, 250, 2, 0),
        makeWork(0, SpanKind::Backward, 350, 3, 0),
        makeGap(0, 450, 150, IdleCause::Transfer),
        makeGap(0, 600, 100, IdleCause::AllReduce),
        makeGap(0, 700, 100, IdleCause::Host),
        makeSpan(0, SpanKind::WeightUpdate, 800, 200),
        makeSpan(1, SpanKind::Exchange, 10, 5),
        makeSpan(1, SpanKind::InterIpuCopy, 100, 20),
        makeSpan(1, SpanKind::RemoteMemory, 120, 20),
        makeSpan(1, SpanKind::AllReduce, 600, 100),
        // Three of no duration that start together.
        makeSpan(2, SpanKind::Sync, 100, 0),
        makeSpan(2, SpanKind::Sync, 100, 0),
        makeSpan(2, SpanKind::Sync, 100, 0),
        makeSpan(3, SpanKind::Infeed, 0, 40),
        makeSpan(3, SpanKind::Outfeed, 900, 40),
        makeGap(4, 0, 100, IdleCause::WarmUp),
        makeWork(4, SpanKind::Forward, 100, 1, 0),
        makeWork(4, SpanKind::Backward, 200, 2, 0),
        makeGap(4, 300, 300, IdleCause::Drain),
        makeGap(4, 600, 400, IdleCause::Serial),
    };
    spans[8].stage = StageId(0);
    spans[10].bytes = Bytes(256);
    spans[16].bytes = Bytes(4096);
    sink.spans(spans);
    std::vector<ExecutionRecord> executions;
    for (std::int64_t i = 0; i < 4; ++i)
        executions.push_back({i, i / 2, Cycles(2100 * i), Cycles(2100), Cycles(60), Cycles(40), 2});
    sink.executions(executions);
}

void recordMemory(ProfileSink& sink) {
    std::vector<LivenessStepRecord> steps;
    std::vector<LiveRangeRecord> ranges;
    for (std::size_t ipu = 0; ipu < 2; ++ipu) {
        for (std::int64_t step = 0; step < 4; ++step)
            steps.push_back({IpuId(ipu), step, StageId(ipu), static_cast<ProgramPhase>(step),
                             OperationId(static_cast<std::size_t>(step)), Bytes(100 * (step + 1))});
        for (std::size_t category = 0; category < 14; ++category) {
            LiveRangeRecord range;
            range.ipu = IpuId(ipu);
            range.category = static_cast<MemoryCategory>(category);
            range.alwaysLive = isAlwaysLive(range.category);
            range.name = range.alwaysLive ? "" : "dense:0";
            range.bytes = Bytes(static_cast<std::int64_t>(10 + category));
            range.address = Bytes(static_cast<std::int64_t>(100 * category));
            range.firstStep = range.alwaysLive ? 0 : 1;
            range.lastStep = range.alwaysLive ? 3 : 2;
            range.layer = range.alwaysLive ? "" : "dense";
            range.stage = StageId(ipu);
            range.shape = range.alwaysLive ? "" : "8×64";
            ranges.push_back(range);
        }
    }
    sink.livenessSteps(steps);
    sink.liveRanges(std::move(ranges));
    for (std::size_t ipu = 0; ipu < 2; ++ipu) {
        TileMemoryRecord tiles;
        tiles.ipu = IpuId(ipu);
        for (std::int32_t category = 0; category < 14; ++category) {
            std::vector<std::int32_t>& row = tiles.bytes.emplace_back();
            for (std::int32_t tile = 0; tile < 4; ++tile)
                row.push_back(100 * category + tile);
        }
        sink.tileMemory(tiles);
    }
}

RunSummary summary() {
    RunSummary s;
    s.provenance = provenance();
    s.fits = false;
    s.effectiveBatch = 48;
    s.executions = 4;
    s.step = Cycles(1000);
    s.samplesPerSecond = 1234.5;
    s.idleFraction = 0.45;
    s.hostStallFraction = 0.05;
    for (std::size_t ipu = 0; ipu < 2; ++ipu) {
        s.stages.push_back({StageId(ipu), IpuId(ipu), Cycles(100), Cycles(100), Cycles(ipu == 0 ? 100 : 0),
                            Cycles(200), Bytes(256), static_cast<std::int64_t>(2 - ipu), Bytes(512)});
        IpuMemorySummary memory{IpuId(ipu), Bytes(2555904), Bytes(1300), Bytes(900), Bytes(400),
                                3,          Bytes(400),     {}};
        for (std::int64_t category = 0; category < 14; ++category)
            memory.byCategory.emplace_back(10 * (category + 1));
        s.memory.push_back(memory);
    }
    // The causes that every stored version knows, by their codes.
    s.idleByCause.resize(idleCauseCount);
    constexpr std::array published{IdleCause::WarmUp,   IdleCause::Drain, IdleCause::Imbalance,
                                   IdleCause::Transfer, IdleCause::Host,  IdleCause::AllReduce,
                                   IdleCause::Serial};
    for (std::size_t code = 0; code < published.size(); ++code)
        s.idleByCause[static_cast<std::size_t>(published[code])] =
            Cycles(100 + static_cast<std::int64_t>(code));
    s.metrics = {{"loss", {2.5, 1.25}}, {"accuracy", {0.25, 0.5}}};
    s.diagnostics = {{Severity::Warning,
                      Trouble::Negative,
                      "memory/over-limit",
                      {"small.ipuproj", "/model"},
                      "does not fit",
                      {"use more IPUs", "use smaller batches"}}};
    return s;
}

} // namespace

void recordTrainingDetails(ProfileSink& sink);
void recordCallbacks(ProfileSink& sink);
void recordOutputs(ProfileSink& sink);

#if !defined(PROFILE_VERSION) || PROFILE_VERSION >= 2
void recordTrainingDetails(ProfileSink& sink) {
    TrainingRecords records;
    records.tensors = {
        {"dense/kernel", "dense", TrainedTensorKind::Weight, 1, 0, 5, 0, 2.5, -1, 1, 0.5, {1, 2, 2}},
        {"dense/kernel",
         "dense",
         TrainedTensorKind::Gradient,
         1,
         0,
         5,
         5,
         notANumber,
         notANumber,
         notANumber,
         notANumber,
         {}}};
    records.confusion = {{"out", 0, 0, 0, 5}, {"out", 0, 0, 1, 2}};
    records.predictions = {{"out", 0, 7, 1, 0, 0.75}, {"value", 0, 7, 1.5, 1.25, notANumber}};
    records.images = {{7, 2, 2, 1, {0, 64, 128, 255}}};
    sink.trainingRecords(records);
}
#else
void recordTrainingDetails(ProfileSink&) {}
#endif

#if !defined(PROFILE_VERSION) || PROFILE_VERSION >= 3
void recordCallbacks(ProfileSink& sink) {
    sink.callbacks(std::array{CallbackRecord{"on_train_batch_begin", 0, 0, Cycles(10), Cycles(5)},
                              CallbackRecord{"on_train_batch_end", 2, 1, Cycles(2150), Cycles(2000)}});
}
#else
void recordCallbacks(ProfileSink&) {}
#endif

#if !defined(PROFILE_VERSION) || PROFILE_VERSION >= 4
void recordOutputs(ProfileSink& sink) {
    sink.modelOutputs({{{"out", {3, 2}, "float32", 2}},
                       {{"out", 0, 0, 0.25}, {"out", 0, 1, 0.75}, {"out", 1, 0, -1.5}, {"out", 1, 1, 2}}});
}
#else
void recordOutputs(ProfileSink&) {}
#endif

RunSummary recordSmallRun(ProfileSink& sink) {
    const RunSummary run = summary();
    sink.begin(run.provenance);
    recordProgram(sink);
    recordTime(sink);
    recordMemory(sink);
    sink.metrics(std::array{MetricRecord{"loss", 1, 0, 2.5}, MetricRecord{"loss", 2, 0, 1.25},
                            MetricRecord{"learning_rate", 1, 0, 0.1},
                            MetricRecord{"learning_rate", 2, 0, notANumber}});
    recordCallbacks(sink);
    recordTrainingDetails(sink);
    recordOutputs(sink);
    sink.finish(run);
    return run;
}

} // namespace tests
