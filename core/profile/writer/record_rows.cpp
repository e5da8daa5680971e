#include "core/profile/writer/record_rows.h"

#include "core/base/json.h"
#include "core/profile/records/span_bins.h"
#include "core/profile/writer/row_inserter.h"

#include <algorithm>
#include <numeric>

namespace core {

namespace {

/// Micro-batch and slot: −1 stands for none.
std::optional<std::int64_t> optionalIndex(std::int64_t value) {
    return value < 0 ? std::nullopt : std::optional(value);
}

/// Rows of a table clustered by its key go in fastest in the order of the key.
template <class Record, class Key>
std::vector<const Record*> sortedBy(const std::vector<Record>& records, Key key) {
    std::vector<const Record*> sorted;
    sorted.reserve(records.size());
    for (const Record& record : records)
        sorted.push_back(&record);
    std::stable_sort(sorted.begin(), sorted.end(),
                     [&](const Record* a, const Record* b) { return key(*a) < key(*b); });
    return sorted;
}

void insertOperations(SQLite::Database& connection, TextTable& texts, std::int64_t run,
                      const std::vector<OperationRecord>& records) {
    RowInserter rows(connection, "operation", 16, records.size());
    for (const OperationRecord* r : sortedBy(records, [](const OperationRecord& o) { return o.id; }))
        rows.row(run, r->id, texts.id(r->name), texts.id(r->kind), texts.optionalId(r->layer), r->stage,
                 r->phase, r->compute, r->exchange, r->sync, r->flops, r->tilesUsed, r->exchangeBytes,
                 r->temporaryPerTile, r->outputBytes, texts.optionalId(r->plan));
}

void insertProgramSteps(SQLite::Database& connection, TextTable& texts, std::int64_t run,
                        const std::vector<ProgramStepRecord>& records) {
    RowInserter rows(connection, "program_step", 12, records.size());
    for (const ProgramStepRecord* r : sortedBy(records, [](const ProgramStepRecord& s) { return s.id; }))
        rows.row(run, r->id, r->parent, r->kind, texts.optionalId(r->label), r->count, r->stage, r->phase,
                 r->operation, r->start, r->duration, r->bytes);
}

void insertTransfers(SQLite::Database& connection, TextTable& texts, std::int64_t run,
                     const std::vector<TransferRecord>& records) {
    RowInserter rows(connection, "transfer", 9, records.size());
    std::int64_t position = 0;
    for (const TransferRecord& r : records)
        rows.row(run, position++, texts.optionalId(r.tensor), r.from, r.to, r.phase, r.bytes, r.hops,
                 r.passThrough);
}

void insertLanes(SQLite::Database& connection, std::int64_t run, const std::vector<LaneRecord>& records) {
    RowInserter rows(connection, "lane", 4, records.size());
    for (const LaneRecord* r : sortedBy(records, [](const LaneRecord& l) { return l.id; }))
        rows.row(run, r->id, r->kind, r->ipu);
}

void insertSpans(SQLite::Database& connection, std::int64_t run, const std::vector<SpanRecord>& records) {
    const auto sorted =
        sortedBy(records, [](const SpanRecord& s) { return std::pair(s.lane, s.start.value()); });
    RowInserter rows(connection, "span", 12, records.size());
    const SpanRecord* last = nullptr;
    std::int64_t sequence = 0;
    for (const SpanRecord* r : sorted) {
        sequence = last != nullptr && last->lane == r->lane && last->start == r->start ? sequence + 1 : 0;
        const bool isIdle = r->kind == SpanKind::Idle;
        rows.row(run, r->lane, r->start, sequence, r->duration, r->kind, r->stage,
                 optionalIndex(r->microBatch), optionalIndex(r->slot),
                 r->bytes.value() == 0 ? std::nullopt : std::optional(r->bytes.value()),
                 isIdle ? std::optional(r->cause) : std::nullopt, r->blame);
        last = r;
    }
}

void insertSpanBins(SQLite::Database& connection, std::int64_t run, const std::vector<SpanRecord>& spans,
                    Cycles step) {
    const std::vector<StoredSpanBin> bins = storedSpanBins(spans, step);
    RowInserter rows(connection, "span_bin", 7, bins.size());
    for (const StoredSpanBin& b : bins)
        rows.row(run, b.lane, b.bin.index, b.bin.kind, b.bin.cause, b.bin.cycles, b.bin.spans);
}

void insertExecutions(SQLite::Database& connection, std::int64_t run,
                      const std::vector<ExecutionRecord>& records) {
    RowInserter rows(connection, "execution", 8, records.size());
    for (const ExecutionRecord* r : sortedBy(records, [](const ExecutionRecord& e) { return e.index; }))
        rows.row(run, r->index, r->epoch, r->start, r->duration, r->hostBefore, r->hostAfter, r->updates);
}

void insertLiveness(SQLite::Database& connection, TextTable& texts, std::int64_t run,
                    const MemoryProfile& records) {
    const auto steps = sortedBy(records.livenessSteps(),
                                [](const LivenessStepRecord& s) { return std::pair(s.ipu, s.step); });
    RowInserter stepRows(connection, "liveness_step", 7, steps.size());
    for (const LivenessStepRecord* r : steps)
        stepRows.row(run, r->ipu, r->step, r->stage, r->phase, r->operation, r->live);

    RowInserter rangeRows(connection, "live_range", 13, records.liveRanges().size());
    std::int64_t position = 0;
    for (const LiveRangeRecord* r :
         sortedBy(records.liveRanges(), [](const LiveRangeRecord& range) { return range.ipu; }))
        rangeRows.row(run, r->ipu, position++, texts.optionalId(r->name), r->category, r->alwaysLive,
                      r->bytes, r->address, r->firstStep, r->lastStep, texts.optionalId(r->layer), r->stage,
                      texts.optionalId(r->shape));
}

void insertTiles(SQLite::Database& connection, std::int64_t run, const TileMemoryRecord& record) {
    static_assert(memoryCategoryCount == 14, "the columns of tile_memory");
    std::size_t tiles = 0;
    for (const std::vector<std::int32_t>& category : record.bytes)
        tiles = std::max(tiles, category.size());
    RowInserter rows(connection, "tile_memory", 17, tiles);
    for (std::size_t tile = 0; tile < tiles; ++tile) {
        const auto at = [&](std::size_t category) -> std::int64_t {
            return category < record.bytes.size() && tile < record.bytes[category].size()
                       ? record.bytes[category][tile]
                       : 0;
        };
        rows.row(run, record.ipu, static_cast<std::int64_t>(tile), at(0), at(1), at(2), at(3), at(4), at(5),
                 at(6), at(7), at(8), at(9), at(10), at(11), at(12), at(13));
    }
}

/// The series of the summary first, in their order, then what was recorded beside them. A record lends its
/// update and epoch to the value of the same place.
void insertMetrics(SQLite::Database& connection, TextTable& texts, std::int64_t run,
                   const MemoryProfile& records) {
    std::vector<std::string> extraNames;
    std::unordered_map<std::string, std::vector<const MetricRecord*>> recorded;
    for (const MetricRecord& record : records.metrics()) {
        std::vector<const MetricRecord*>& series = recorded[record.name];
        if (series.empty())
            extraNames.push_back(record.name);
        series.push_back(&record);
    }
    const auto inSummary = [&](const std::string& name) {
        return std::any_of(records.summary().metrics.begin(), records.summary().metrics.end(),
                           [&](const MetricSeries& s) { return s.name == name; });
    };
    std::erase_if(extraNames, inSummary);

    std::int64_t series = 0;
    const auto insertSeries = [&](const std::string& name, bool isInSummary, std::size_t count,
                                  const auto& valueAt) {
        RowInserter(connection, "metric_series", 4, 1).row(run, series, texts.id(name), isInSummary);
        RowInserter rows(connection, "metric", 6, count);
        const std::vector<const MetricRecord*>& sources = recorded[name];
        for (std::size_t i = 0; i < count; ++i) {
            const MetricRecord* source = i < sources.size() ? sources[i] : nullptr;
            rows.row(run, series, static_cast<std::int64_t>(i),
                     source != nullptr ? std::optional(source->update) : std::nullopt,
                     source != nullptr ? std::optional(source->epoch) : std::nullopt, valueAt(i));
        }
        ++series;
    };
    for (const MetricSeries& s : records.summary().metrics)
        insertSeries(s.name, true, s.values.size(), [&](std::size_t i) { return s.values[i]; });
    for (const std::string& name : extraNames)
        insertSeries(name, false, recorded[name].size(),
                     [&](std::size_t i) { return recorded[name][i]->value; });
}

void insertCallbacks(SQLite::Database& connection, TextTable& texts, std::int64_t run,
                     const std::vector<CallbackRecord>& records) {
    RowInserter rows(connection, "callback", 7, records.size());
    std::int64_t position = 0;
    for (const CallbackRecord& r : records)
        rows.row(run, position++, texts.id(r.name), r.step, r.replica, r.at, r.due);
}

void insertTrainingRecords(SQLite::Database& connection, TextTable& texts, std::int64_t run,
                           const TrainingRecords& records) {
    RowInserter statistics(connection, "tensor_statistics", 13, records.tensors.size());
    for (const TensorStatisticsRecord& r : records.tensors)
        statistics.row(run, r.update, r.kind, texts.id(r.tensor), texts.optionalId(r.layer), r.epoch,
                       r.elements, r.notFinite, r.norm, r.minimum, r.maximum, r.mean,
                       toText(Json(r.histogram), -1));
    RowInserter confusion(connection, "confusion", 6, records.confusion.size());
    for (const ConfusionRecord& r : records.confusion)
        confusion.row(run, texts.id(r.output), r.epoch, r.truth, r.predicted, r.count);
    RowInserter predictions(connection, "sample_prediction", 7, records.predictions.size());
    for (const SamplePredictionRecord& r : records.predictions)
        predictions.row(run, texts.id(r.output), r.epoch, r.sample, r.truth, r.predicted, r.probability);
    RowInserter images(connection, "sample_image", 6, records.images.size());
    for (const SampleImageRecord& r : records.images)
        images.row(run, r.sample, r.rows, r.columns, r.channels, r.pixels);
}

void insertMemorySummaries(SQLite::Database& connection, std::int64_t run,
                           const std::vector<IpuMemorySummary>& memory) {
    RowInserter rows(connection, "ipu_memory", 9, memory.size());
    std::int64_t position = 0;
    for (const IpuMemorySummary& m : memory)
        rows.row(run, position++, m.ipu, m.limit, m.peak, m.alwaysLive, m.notAlwaysLivePeak, m.worstTile,
                 m.worstTileBytes);
    position = 0;
    for (const IpuMemorySummary& m : memory) {
        RowInserter categories(connection, "ipu_memory_category", 4, m.byCategory.size());
        for (std::size_t category = 0; category < m.byCategory.size(); ++category)
            categories.row(run, position, static_cast<MemoryCategory>(category), m.byCategory[category]);
        ++position;
    }
}

void insertSummary(SQLite::Database& connection, std::int64_t run, const RunSummary& summary) {
    SQLite::Statement update(
        connection, "UPDATE run SET fits = ?, effective_batch = ?, executions = ?, step_cycles = ?, "
                    "samples_per_second = ?, idle_fraction = ?, host_stall_fraction = ? WHERE id = ?");
    update.bind(1, summary.fits ? 1 : 0);
    update.bind(2, summary.effectiveBatch);
    update.bind(3, summary.executions);
    update.bind(4, summary.step.value());
    update.bind(5, summary.samplesPerSecond);
    update.bind(6, summary.idleFraction);
    update.bind(7, summary.hostStallFraction);
    update.bind(8, run);
    update.exec();

    RowInserter stages(connection, "stage", 11, summary.stages.size());
    std::int64_t position = 0;
    for (const StageSummary& s : summary.stages)
        stages.row(run, position++, s.stage, s.ipu, s.forward, s.backward, s.recompute, s.update, s.transfer,
                   s.fifoDepth, s.stash);
    insertMemorySummaries(connection, run, summary.memory);
    RowInserter idle(connection, "idle_total", 3, summary.idleByCause.size());
    for (std::size_t cause = 0; cause < summary.idleByCause.size(); ++cause)
        idle.row(run, static_cast<IdleCause>(cause), summary.idleByCause[cause]);
    insertDiagnostics(connection, run, summary.diagnostics);
}

std::int64_t snapshotId(SQLite::Database& connection, const RunProvenance& provenance) {
    SQLite::Statement insert(connection,
                             "INSERT OR IGNORE INTO project_snapshot (hash, content) VALUES (?, ?)");
    insert.bind(1, provenance.projectHash);
    insert.bind(2, provenance.projectText);
    insert.exec();
    SQLite::Statement find(connection, "SELECT id FROM project_snapshot WHERE hash = ? AND content = ?");
    find.bind(1, provenance.projectHash);
    find.bind(2, provenance.projectText);
    find.executeStep();
    return find.getColumn(0).getInt64();
}

} // namespace

std::int64_t insertRun(SQLite::Database& connection, const RunProvenance& p, const std::string& process) {
    const std::int64_t snapshot = snapshotId(connection, p);
    const std::optional<std::int64_t> unknown;
    RowInserter rows(connection, "run", 28, 1);
    // The seed is unsigned: SQL shows the largest half as negative numbers, reading turns them back.
    rows.row(unknown, RunState::Recording, process, p.projectName, snapshot, p.programVersion,
             p.costModelVersion, p.mode, static_cast<std::int64_t>(p.seed), p.targetName, p.tiles,
             p.memoryPerTile, p.clockHz, p.ipus, p.ipusPerReplica, p.replicas, p.microBatches, p.batchSize,
             p.schedule, p.profileLevel, p.started, unknown, unknown, unknown, unknown, unknown, unknown,
             unknown);
    return connection.getLastInsertRowid();
}

void insertRecords(SQLite::Database& connection, std::int64_t run, const MemoryProfile& records) {
    TextTable texts(connection);
    insertSummary(connection, run, records.summary());
    insertOperations(connection, texts, run, records.operations());
    insertProgramSteps(connection, texts, run, records.programSteps());
    insertTransfers(connection, texts, run, records.transfers());
    insertLanes(connection, run, records.lanes());
    insertSpans(connection, run, records.spans());
    insertSpanBins(connection, run, records.spans(), records.summary().step);
    insertExecutions(connection, run, records.executions());
    insertLiveness(connection, texts, run, records);
    for (const TileMemoryRecord& record : records.tileMemory())
        insertTiles(connection, run, record);
    insertMetrics(connection, texts, run, records);
    insertCallbacks(connection, texts, run, records.callbacks());
    insertTrainingRecords(connection, texts, run, records.trainingRecords());
}

void insertDiagnostics(SQLite::Database& connection, std::int64_t run, const Diagnostics& diagnostics) {
    RowInserter rows(connection, "diagnostic", 9, diagnostics.size());
    std::int64_t position = 0;
    for (const Diagnostic& d : diagnostics)
        rows.row(run, position++, d.severity, d.trouble, d.code, d.location.file, d.location.place, d.message,
                 toText(Json(d.hints), -1));
}

} // namespace core
