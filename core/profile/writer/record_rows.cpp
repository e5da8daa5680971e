#include "core/profile/writer/record_rows.h"

#include "core/profile/schema/memory_tables.h"
#include "core/profile/schema/program_tables.h"
#include "core/profile/schema/run_tables.h"
#include "core/profile/schema/span_block_rows.h"
#include "core/profile/schema/time_tables.h"
#include "core/profile/schema/training_tables.h"
#include "core/profile/writer/row_inserter.h"
#include "core/profile/writer/span_spool.h"

#include <algorithm>
#include <fmt/format.h>
#include <sqlite3.h>

namespace core {

namespace {

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

/// Writes the rows of one run.
class RunRows {
public:
    RunRows(SQLite::Database& connection, std::int64_t run)
        : m_connection(connection)
        , m_texts(connection)
        , m_run(run) {}

    void insertProgram(const MemoryProfile& records) {
        insert(operationTable, sortedBy(records.operations(), [](const OperationRecord& o) { return o.id; }));
        insert(programStepTable,
               sortedBy(records.programSteps(), [](const ProgramStepRecord& s) { return s.id; }));
        insertNumbered(transferTable, records.transfers());
    }

    void insertTime(const MemoryProfile& records, SpanSpool& spans) {
        insert(laneTable, sortedBy(records.lanes(), [](const LaneRecord& l) { return l.id; }));
        insertSpans(spans);
        insert(executionTable,
               sortedBy(records.executions(), [](const ExecutionRecord& e) { return e.index; }));
    }

    void insertMemory(const MemoryProfile& records) {
        insert(livenessStepTable, sortedBy(records.livenessSteps(), [](const LivenessStepRecord& s) {
                   return std::pair(s.ipu, s.step);
               }));
        RowInserter ranges(m_connection, m_texts, liveRangeTable, records.liveRanges().size());
        std::int64_t position = 0;
        for (const LiveRangeRecord* r :
             sortedBy(records.liveRanges(), [](const LiveRangeRecord& range) { return range.ipu; }))
            ranges.row(*r, m_run, position++);
        for (const TileMemoryRecord& record : records.tileMemory())
            insertTiles(record);
    }

    /// The series of the summary first, in their order, then what was recorded beside them. A record lends
    /// its update and epoch to the value of the same place.
    void insertMetrics(const MemoryProfile& records) {
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

        StoredSeries series;
        for (const MetricSeries& s : records.summary().metrics) {
            series.name = s.name;
            series.isInSummary = true;
            insertSeries(series, s.values.size(), recorded[s.name],
                         [&](std::size_t i) { return s.values[i]; });
            ++series.series;
        }
        for (const std::string& name : extraNames) {
            series.name = name;
            series.isInSummary = false;
            const auto& sources = recorded[name];
            insertSeries(series, sources.size(), sources, [&](std::size_t i) { return sources[i]->value; });
            ++series.series;
        }
    }

    void insertTraining(const MemoryProfile& records) {
        insertNumbered(callbackTable, records.callbacks());
        const TrainingRecords& training = records.trainingRecords();
        insert(tensorStatisticsTable, pointersTo(training.tensors));
        insert(confusionTable, pointersTo(training.confusion));
        insert(samplePredictionTable, pointersTo(training.predictions));
        insert(sampleImageTable, pointersTo(training.images));
        insertNumbered(modelOutputTable, records.modelOutputs().outputs);
        insert(outputValueTable, pointersTo(records.modelOutputs().values));
    }

    void insertSummary(const RunSummary& summary) {
        updateTotals(summary);
        insertNumbered(stageTable, summary.stages);
        insertNumbered(ipuMemoryTable, summary.memory);
        std::vector<CategoryBytes> categories;
        std::int64_t position = 0;
        for (const IpuMemorySummary& m : summary.memory) {
            for (std::size_t category = 0; category < m.byCategory.size(); ++category)
                categories.push_back(
                    {position, static_cast<MemoryCategory>(category), m.byCategory[category]});
            ++position;
        }
        insert(ipuMemoryCategoryTable, pointersTo(categories));
        std::vector<IdleTotal> idle;
        for (std::size_t cause = 0; cause < summary.idleByCause.size(); ++cause)
            idle.push_back({static_cast<IdleCause>(cause), summary.idleByCause[cause]});
        insert(idleTotalTable, pointersTo(idle));
        insertNumbered(diagnosticTable, summary.diagnostics);
    }

    void insertDiagnostics(const Diagnostics& diagnostics) { insertNumbered(diagnosticTable, diagnostics); }

private:
    template <class Record>
    static std::vector<const Record*> pointersTo(const std::vector<Record>& records) {
        std::vector<const Record*> pointers;
        for (const Record& record : records)
            pointers.push_back(&record);
        return pointers;
    }

    template <class Table>
    void insert(const Table& table, const std::vector<const typename Table::RecordType*>& records) {
        RowInserter rows(m_connection, m_texts, table, records.size());
        for (const auto* record : records)
            rows.row(*record, m_run);
    }

    /// Records whose place in their list is part of the key.
    template <class Table>
    void insertNumbered(const Table& table, const std::vector<typename Table::RecordType>& records) {
        RowInserter rows(m_connection, m_texts, table, records.size());
        std::int64_t position = 0;
        for (const auto& record : records)
            rows.row(record, m_run, position++);
    }

    void insertSpans(SpanSpool& spans) {
        spans.finish();
        SpanBlockRows rows(m_connection, m_run);
        rows.insert(spans.shapes());
        if (!spans.forEachBlock([&](const SpanBlock& block) { rows.insert(block); }))
            throw SQLite::Exception("the temporary file of the timeline cannot be read", SQLITE_IOERR);
    }

    void insertTiles(const TileMemoryRecord& record) {
        std::size_t tiles = 0;
        for (const std::vector<std::int32_t>& category : record.bytes)
            tiles = std::max(tiles, category.size());
        RowInserter rows(m_connection, m_texts, tileMemoryTable, tiles);
        for (std::size_t tile = 0; tile < tiles; ++tile) {
            TileBytes row{record.ipu, static_cast<std::int64_t>(tile), {}};
            for (std::size_t category = 0; category < memoryCategoryCount; ++category) {
                if (category < record.bytes.size() && tile < record.bytes[category].size())
                    row.byCategory[category] = record.bytes[category][tile];
            }
            rows.row(row, m_run);
        }
    }

    template <class ValueAt>
    void insertSeries(const StoredSeries& series, std::size_t count,
                      const std::vector<const MetricRecord*>& sources, const ValueAt& valueAt) {
        insert(metricSeriesTable, {&series});
        RowInserter rows(m_connection, m_texts, metricTable, count);
        for (std::size_t i = 0; i < count; ++i) {
            StoredMetric metric{series.series, static_cast<std::int64_t>(i), {}, {}, valueAt(i)};
            if (i < sources.size()) {
                metric.update = sources[i]->update;
                metric.epoch = sources[i]->epoch;
            }
            rows.row(metric, m_run);
        }
    }

    void updateTotals(const RunSummary& summary) {
        std::string columns;
        for (const std::string_view name : columnNames(runTotalsTable))
            columns += fmt::format("{}{} = ?", columns.empty() ? "" : ", ", name);
        SQLite::Statement update(m_connection, fmt::format("UPDATE run SET {} WHERE id = ?", columns));
        ValueBinder binder(m_texts);
        binder.restart(update);
        binder.bindRow(runTotalsTable, summary, std::array<std::int64_t, 0>{});
        binder.bind(m_run);
        update.exec();
    }

    SQLite::Database& m_connection;
    TextTable m_texts;
    std::int64_t m_run;
};

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

std::int64_t insertRun(SQLite::Database& connection, const RunProvenance& provenance,
                       const std::string& process) {
    TextTable texts(connection);
    RowInserter rows(connection, texts, startedRunTable, 1);
    rows.row({RunState::Recording, process, snapshotId(connection, provenance), provenance, {}});
    return connection.getLastInsertRowid();
}

void insertRecords(SQLite::Database& connection, std::int64_t run, const MemoryProfile& records,
                   SpanSpool& spans) {
    RunRows rows(connection, run);
    rows.insertSummary(records.summary());
    rows.insertProgram(records);
    rows.insertTime(records, spans);
    rows.insertMemory(records);
    rows.insertMetrics(records);
    rows.insertTraining(records);
}

void insertDiagnostics(SQLite::Database& connection, std::int64_t run, const Diagnostics& diagnostics) {
    RunRows(connection, run).insertDiagnostics(diagnostics);
}

} // namespace core
