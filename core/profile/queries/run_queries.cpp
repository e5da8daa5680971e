#include "core/profile/queries/run_queries.h"

#include "core/profile/queries/record_query.h"
#include "core/profile/schema/memory_tables.h"
#include "core/process/process_identity.h"
#include "core/profile/schema/run_tables.h"

#include <algorithm>
#include <charconv>
#include <fmt/core.h>

namespace core {

namespace {

Diagnostic runTrouble(const ProfileDatabase& database, Trouble trouble, std::string code,
                      std::string message) {
    return {Severity::Error,    trouble, std::move(code), {database.path().string(), ""},
            std::move(message), {}};
}

Diagnostic unknownRun(const ProfileDatabase& database, RunId run) {
    Diagnostic diagnostic = runTrouble(database, Trouble::Input, "run/unknown",
                                       fmt::format("there is no run {} in the database", run.value()));
    SQLite::Statement range(database.connection(), "SELECT min(id), max(id), count(*) FROM run");
    range.executeStep();
    if (range.getColumn(2).getInt() == 0)
        diagnostic.hints.emplace_back("the database holds no run");
    else
        diagnostic.hints.push_back(fmt::format("it holds {} runs from {} to {}; `runs` lists them",
                                               range.getColumn(2).getInt(), range.getColumn(0).getInt64(),
                                               range.getColumn(1).getInt64()));
    return diagnostic;
}

/// The stored state, but interrupted for a recording whose process is gone.
RunState currentState(RunState stored, const std::string& process) {
    return stored == RunState::Recording && !isAlive(process) ? RunState::Interrupted : stored;
}

/// Nothing when there is no such run.
std::optional<RunState> stateOf(const ProfileDatabase& database, RunId run) {
    SQLite::Statement statement(database.connection(), "SELECT state, process FROM run WHERE id = ?");
    statement.bind(1, sqlId(run));
    if (!statement.executeStep())
        return std::nullopt;
    RunState stored = RunState::Complete;
    std::string process;
    RowReader(statement).read(stored, process);
    return currentState(stored, process);
}

std::optional<RunProvenance> readProvenance(const ProfileDatabase& database, RunId run) {
    SQLite::Statement statement(
        database.connection(),
        fmt::format("SELECT {}, content, hash FROM run JOIN project_snapshot ON project_snapshot.id = "
                    "run.snapshot_id WHERE run.id = ?",
                    selectList(startedRunTable)));
    statement.bind(1, sqlId(run));
    if (!statement.executeStep())
        return std::nullopt;
    StartedRun started;
    RowReader row = readRecord(statement, startedRunTable, started);
    row.next(started.provenance.projectText);
    row.next(started.provenance.projectHash);
    return started.provenance;
}

Diagnostics readDiagnostics(const ProfileDatabase& database, RunId run) {
    return selectRecords(database, diagnosticTable, "run_id = ?1 ORDER BY position", run);
}

void readTotals(const ProfileDatabase& database, RunId run, RunSummary& summary) {
    SQLite::Statement statement(database.connection(), selectFrom(runTotalsTable, "id = ?"));
    statement.bind(1, sqlId(run));
    if (statement.executeStep())
        readRecord(statement, runTotalsTable, summary);
}

/// Puts a value of a list that is indexed by an enumeration; values that were not stored are 0.
template <class Value, class Enum>
void putAt(std::vector<Value>& values, Enum key, Value value) {
    const auto index = static_cast<std::size_t>(key);
    if (values.size() <= index)
        values.resize(index + 1);
    values[index] = value;
}

std::vector<Cycles> readIdle(const ProfileDatabase& database, RunId run) {
    std::vector<Cycles> idle;
    for (const IdleTotal& total : selectRecords(database, idleTotalTable, "run_id = ?1 ORDER BY cause", run))
        putAt(idle, total.cause, total.cycles);
    return idle;
}

std::vector<IpuMemorySummary> readMemory(const ProfileDatabase& database, RunId run) {
    auto memory = selectRecords(database, ipuMemoryTable, "run_id = ?1 ORDER BY position", run);
    for (const CategoryBytes& row :
         selectRecords(database, ipuMemoryCategoryTable, "run_id = ?1 ORDER BY position, category", run)) {
        if (row.position < static_cast<std::int64_t>(memory.size()))
            putAt(memory[static_cast<std::size_t>(row.position)].byCategory, row.category, row.bytes);
    }
    return memory;
}

std::vector<MetricSeries> readMetrics(const ProfileDatabase& database, RunId run) {
    SQLite::Statement names(database.connection(),
                            "SELECT series, text.value FROM metric_series JOIN text ON text.id = name_id "
                            "WHERE run_id = ? AND is_in_summary ORDER BY series");
    names.bind(1, sqlId(run));
    SQLite::Statement values(database.connection(),
                             "SELECT value FROM metric WHERE run_id = ? AND series = ? ORDER BY position");
    std::vector<MetricSeries> metrics;
    while (names.executeStep()) {
        MetricSeries& series = metrics.emplace_back();
        series.name = names.getColumn(1).getString();
        values.bind(1, sqlId(run));
        values.bind(2, names.getColumn(0).getInt64());
        while (values.executeStep())
            RowReader(values).read(series.values.emplace_back());
        values.reset();
    }
    return metrics;
}

RunSummary readSummary(const ProfileDatabase& database, RunId run) {
    RunSummary summary;
    summary.provenance = *readProvenance(database, run);
    readTotals(database, run, summary);
    summary.stages = selectRecords(database, stageTable, "run_id = ?1 ORDER BY position", run);
    summary.memory = readMemory(database, run);
    summary.idleByCause = readIdle(database, run);
    summary.metrics = readMetrics(database, run);
    summary.diagnostics = readDiagnostics(database, run);
    return summary;
}

void removeUnused(SQLite::Database& connection) {
    connection.exec("DELETE FROM project_snapshot WHERE id NOT IN (SELECT snapshot_id FROM run)");
    // Whatever refers to a text says so in its table.
    std::string used;
    SQLite::Statement columns(connection, "SELECT m.name, k.\"from\" FROM sqlite_schema AS m "
                                          "JOIN pragma_foreign_key_list(m.name) AS k ON k.\"table\" = 'text' "
                                          "WHERE m.type = 'table' ORDER BY m.name, k.id");
    while (columns.executeStep()) {
        const std::string column = columns.getColumn(1).getString();
        used += fmt::format("{}SELECT {} FROM {} WHERE {} IS NOT NULL", used.empty() ? "" : " UNION ", column,
                            columns.getColumn(0).getString(), column);
    }
    connection.exec("DELETE FROM text WHERE id NOT IN (" + used + ")");
}

} // namespace

Result<std::vector<RunRow>> listRuns(const ProfileDatabase& database) {
    return guarded(database, [&]() -> Result<std::vector<RunRow>> {
        SQLite::Statement statement(
            database.connection(),
            "SELECT run.id, project_name, hash, mode, state, schedule, target_name, profile_level, ipus, "
            "replicas, micro_batches, batch_size, seed, clock_hz, started, fits, step_cycles, "
            "samples_per_second, idle_fraction, (SELECT max(peak_bytes) FROM ipu_memory WHERE run_id = "
            "run.id), "
            "(SELECT max(limit_bytes) FROM ipu_memory WHERE run_id = run.id), process "
            "FROM run JOIN project_snapshot ON project_snapshot.id = snapshot_id ORDER BY run.id");
        std::vector<RunRow> rows;
        while (statement.executeStep()) {
            RunRow& r = rows.emplace_back();
            std::string process;
            RowReader(statement).read(r.run, r.project, r.projectHash, r.mode, r.state, r.schedule, r.target,
                                      r.profileLevel, r.ipus, r.replicas, r.microBatches, r.batchSize, r.seed,
                                      r.clockHz, r.started, r.fits, r.step, r.samplesPerSecond,
                                      r.idleFraction, r.peak, r.limit, process);
            r.state = currentState(r.state, process);
        }
        return rows;
    });
}

Result<RunId> findRun(const ProfileDatabase& database, std::string_view text) {
    return guarded(database, [&]() -> Result<RunId> {
        if (text == "last") {
            SQLite::Statement last(database.connection(), "SELECT max(id) FROM run WHERE state = ?");
            last.bind(1, codeOf(RunState::Complete));
            last.executeStep();
            if (last.getColumn(0).isNull()) {
                Diagnostic none =
                    runTrouble(database, Trouble::Input, "run/none", "the database holds no complete run");
                none.hints.emplace_back("run the project first");
                return failure(std::move(none));
            }
            return RunId(static_cast<std::size_t>(last.getColumn(0).getInt64()));
        }
        std::uint32_t number = 0;
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
        if (error != std::errc() || end != text.data() + text.size()) {
            Diagnostic notARun = runTrouble(database, Trouble::Usage, "run/not-a-run",
                                            fmt::format("\"{}\" is not a run", text));
            notARun.hints.emplace_back("a run is a number or \"last\"");
            return failure(std::move(notARun));
        }
        const RunId run(number);
        if (!stateOf(database, run))
            return failure(unknownRun(database, run));
        return run;
    });
}

Result<std::vector<RunId>> findRuns(const ProfileDatabase& database, std::span<const std::string> texts) {
    std::vector<RunId> runs;
    for (const std::string& text : texts) {
        const auto run = findRun(database, text);
        if (!run)
            return failure(run.error());
        runs.push_back(*run);
    }
    return runs;
}

Result<RunSummary> loadRun(const ProfileDatabase& database, RunId run) {
    return guarded(database, [&]() -> Result<RunSummary> {
        SQLite::Transaction snapshot(database.connection());
        const std::optional<RunState> state = stateOf(database, run);
        if (!state)
            return failure(unknownRun(database, run));
        if (*state != RunState::Complete) {
            Diagnostics reasons = readDiagnostics(database, run);
            Diagnostic incomplete =
                runTrouble(database, Trouble::Input, "run/incomplete",
                           fmt::format("run {} is {}, so it has no results", run.value(), toString(*state)));
            for (const Diagnostic& reason : reasons)
                incomplete.hints.push_back(toText(reason));
            return failure(std::move(incomplete));
        }
        return readSummary(database, run);
    });
}

Result<RunProvenance> loadProvenance(const ProfileDatabase& database, RunId run) {
    return guarded(database, [&]() -> Result<RunProvenance> {
        std::optional<RunProvenance> provenance = readProvenance(database, run);
        if (!provenance)
            return failure(unknownRun(database, run));
        return *std::move(provenance);
    });
}

Result<Diagnostics> loadDiagnostics(const ProfileDatabase& database, RunId run) {
    return guarded(database, [&]() -> Result<Diagnostics> {
        if (!stateOf(database, run))
            return failure(unknownRun(database, run));
        return readDiagnostics(database, run);
    });
}

Result<void> deleteRuns(const ProfileDatabase& database, std::span<const RunId> runs) {
    return guarded(database, [&]() -> Result<void> {
        SQLite::Database& connection = database.connection();
        SQLite::Transaction transaction(connection, SQLite::TransactionBehavior::IMMEDIATE);
        for (const RunId run : runs) {
            const std::optional<RunState> state = stateOf(database, run);
            if (!state)
                return failure(unknownRun(database, run));
            if (*state == RunState::Recording) {
                Diagnostic recording = runTrouble(database, Trouble::World, "run/recording",
                                                  fmt::format("run {} is being recorded", run.value()));
                recording.hints.emplace_back("stop it first");
                return failure(std::move(recording));
            }
            SQLite::Statement remove(connection, "DELETE FROM run WHERE id = ?");
            remove.bind(1, sqlId(run));
            remove.exec();
        }
        removeUnused(connection);
        transaction.commit();
        connection.exec("PRAGMA incremental_vacuum");
        return {};
    });
}

} // namespace core
