#include "core/profile/queries/run_queries.h"

#include "core/platform/process_identity.h"
#include "core/profile/queries/record_query.h"
#include "core/profile/schema/memory_tables.h"
#include "core/profile/schema/run_tables.h"

#include <algorithm>
#include <charconv>
#include <fmt/core.h>

namespace core {

namespace {

Diagnostic runTrouble(const ProfileDatabase& database, Trouble trouble, std::string code, std::string message,
                      Hints hints) {
    return makeError(trouble, std::move(code), {database.path().string(), ""}, std::move(message),
                     std::move(hints));
}

Diagnostic unknownRun(const ProfileDatabase& database, RunId run) {
    SQLite::Statement range(database.connection(), "SELECT min(id), max(id), count(*) FROM run");
    range.executeStep();
    std::string hint = "the database holds no run";
    if (const int count = range.getColumn(2).getInt(); count == 1)
        hint = fmt::format("it holds run {} alone", range.getColumn(0).getInt64());
    else if (count > 1)
        hint = fmt::format("it holds {} runs from {} to {}; `runs` lists them", count,
                           range.getColumn(0).getInt64(), range.getColumn(1).getInt64());
    return runTrouble(database, Trouble::Input, "run/unknown",
                      fmt::format("there is no run {} in the database", run.value()), {std::move(hint)});
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

/// A run that was stopped keeps the epochs that it had finished; one that had none keeps nothing.
bool hasResults(const ProfileDatabase& database, RunId run) {
    SQLite::Statement statement(database.connection(), "SELECT step_cycles > 0 FROM run WHERE id = ?");
    statement.bind(1, sqlId(run));
    return statement.executeStep() && statement.getColumn(0).getInt() != 0;
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
        if (row.position >= 0 && row.position < static_cast<std::int64_t>(memory.size()))
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

/// A row that every run has, and that somebody took away.
Diagnostic missingProject(const ProfileDatabase& database, RunId run) {
    Diagnostic diagnostic = runTrouble(
        database, Trouble::World, "database/damaged",
        fmt::format("the project that run {} was made from is missing", run.value()),
        {"restore a copy of the database, or run the project again; other runs are not concerned"});
    diagnostic.location.place = fmt::format("run {}", run.value());
    return diagnostic;
}

/// Reads one part of a run. One on a damaged page is lost, and the rest is not: what is lost is
/// said among the run's findings.
template <class Read>
void readPart(const ProfileDatabase& database, std::string_view part, Diagnostics& losses, Read&& read) {
    try {
        read();
    } catch (const SQLite::Exception& error) {
        if ((error.getErrorCode() & 0xff) != SQLITE_CORRUPT)
            throw;
        Diagnostic loss = databaseTrouble(database.path(), error);
        loss.severity = Severity::Warning;
        loss.location.place = part;
        loss.message = fmt::format("the {} of the run are on a damaged page and are lost", part);
        losses.push_back(std::move(loss));
    }
}

RunSummary readSummary(const ProfileDatabase& database, RunId run, RunProvenance provenance) {
    RunSummary summary;
    Diagnostics losses;
    summary.provenance = std::move(provenance);
    readTotals(database, run, summary);
    readPart(database, "stages", losses, [&] {
        summary.stages = selectRecords(database, stageTable, "run_id = ?1 ORDER BY position", run);
    });
    readPart(database, "memory figures", losses, [&] { summary.memory = readMemory(database, run); });
    readPart(database, "idle times", losses, [&] { summary.idleByCause = readIdle(database, run); });
    readPart(database, "metrics", losses, [&] { summary.metrics = readMetrics(database, run); });
    readPart(database, "findings", losses, [&] { summary.diagnostics = readDiagnostics(database, run); });
    summary.diagnostics.insert(summary.diagnostics.end(), losses.begin(), losses.end());
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

namespace {

/// A run whose project is missing is listed all the same; `figures` in other tables may be left out.
std::string listSql(bool hasMemory, std::string_view condition) {
    return fmt::format(
        "SELECT run.id, project_name, coalesce(hash, ''), mode, state, schedule, target_name, profile_level, "
        "ipus, replicas, micro_batches, batch_size, seed, clock_hz, started, fits, step_cycles, "
        "samples_per_second, idle_fraction, {}, {}, process, origin "
        "FROM run LEFT JOIN project_snapshot ON project_snapshot.id = snapshot_id {} ORDER BY run.id",
        hasMemory ? "(SELECT max(peak_bytes) FROM ipu_memory WHERE run_id = run.id)" : "NULL",
        hasMemory ? "(SELECT max(limit_bytes) FROM ipu_memory WHERE run_id = run.id)" : "NULL", condition);
}

void listInto(std::vector<RunRow>& rows, SQLite::Statement& statement) {
    while (statement.executeStep()) {
        RunRow r;
        std::string process;
        RowReader(statement).read(r.run, r.project, r.projectHash, r.mode, r.state, r.schedule, r.target,
                                  r.profileLevel, r.ipus, r.replicas, r.microBatches, r.batchSize, r.seed,
                                  r.clockHz, r.started, r.fits, r.step, r.samplesPerSecond, r.idleFraction,
                                  r.peak, r.limit, process, r.mergedFrom);
        r.state = currentState(r.state, process);
        rows.push_back(std::move(r));
    }
}

/// Run by run, without what is on damaged pages. Throws when there is nothing left.
std::vector<RunRow> listWhatIsLeft(const ProfileDatabase& database, const SQLite::Exception& damage) {
    std::vector<std::int64_t> ids;
    try {
        SQLite::Statement all(database.connection(), "SELECT id FROM run ORDER BY id");
        while (all.executeStep())
            ids.push_back(all.getColumn(0).getInt64());
    } catch (const SQLite::Exception&) {
        // What was read up to the damaged page.
    }
    std::vector<RunRow> rows;
    for (const std::int64_t id : ids) {
        for (const bool hasMemory : {true, false}) {
            try {
                SQLite::Statement one(database.connection(), listSql(hasMemory, "WHERE run.id = ?"));
                one.bind(1, id);
                listInto(rows, one);
                break;
            } catch (const SQLite::Exception&) {
                // Without its memory then, or not at all; `damageOf` says what is lost.
            }
        }
    }
    if (rows.empty())
        throw damage;
    return rows;
}

} // namespace

Result<std::vector<RunRow>> listRuns(const ProfileDatabase& database) {
    return guarded(database, [&]() -> Result<std::vector<RunRow>> {
        std::vector<RunRow> rows;
        try {
            SQLite::Statement statement(database.connection(), listSql(true, ""));
            listInto(rows, statement);
        } catch (const SQLite::Exception& error) {
            if ((error.getErrorCode() & 0xff) != SQLITE_CORRUPT)
                throw;
            rows = listWhatIsLeft(database, error);
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
            if (last.getColumn(0).isNull())
                return failure(runTrouble(database, Trouble::Input, "run/none",
                                          "the database holds no complete run", {"run the project first"}));
            return RunId(static_cast<std::size_t>(last.getColumn(0).getInt64()));
        }
        std::uint32_t number = 0;
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
        if (error != std::errc() || end != text.data() + text.size())
            return failure(runTrouble(database, Trouble::Usage, "run/not-a-run",
                                      fmt::format("\"{}\" is not a run", text),
                                      {"a run is a number or \"last\""}));
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
        if (*state != RunState::Complete && !(*state == RunState::Cancelled && hasResults(database, run))) {
            std::vector<std::string> reasons;
            for (const Diagnostic& reason : readDiagnostics(database, run))
                reasons.push_back(reason.message);
            if (reasons.empty())
                reasons.emplace_back("choose a complete run: `runs` lists them");
            return failure(
                runTrouble(database, Trouble::Input, "run/incomplete",
                           fmt::format("run {} is {}, so it has no results", run.value(), toString(*state)),
                           std::move(reasons)));
        }
        std::optional<RunProvenance> provenance = readProvenance(database, run);
        if (!provenance)
            return failure(missingProject(database, run));
        return readSummary(database, run, *std::move(provenance));
    });
}

Result<RunProvenance> loadProvenance(const ProfileDatabase& database, RunId run) {
    return guarded(database, [&]() -> Result<RunProvenance> {
        std::optional<RunProvenance> provenance = readProvenance(database, run);
        if (!provenance && stateOf(database, run))
            return failure(missingProject(database, run));
        if (!provenance)
            return failure(unknownRun(database, run));
        return *std::move(provenance);
    });
}

Result<std::string> mergedFrom(const ProfileDatabase& database, RunId run) {
    return guarded(database, [&]() -> Result<std::string> {
        SQLite::Statement origin(database.connection(), "SELECT origin FROM run WHERE id = ?");
        origin.bind(1, sqlId(run));
        if (!origin.executeStep())
            return failure(unknownRun(database, run));
        return origin.getColumn(0).getString();
    });
}

Json provenanceJson(const RunProvenance& provenance) {
    StartedRun run;
    run.provenance = provenance;
    Json json = Json::object();
    forEachColumn(startedRunTable, [&](const auto& column) {
        if constexpr (isOfProvenance<std::remove_cvref_t<decltype(column.field)>>) {
            const auto& value = std::invoke(column.field, run);
            using Value = std::remove_cvref_t<decltype(value)>;
            if constexpr (std::is_enum_v<Value>)
                json[std::string(column.name)] = toString(value);
            else if constexpr (requires { value.value(); })
                json[std::string(column.name)] = value.value();
            else
                json[std::string(column.name)] = value;
        }
    });
    return json;
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
            if (*state == RunState::Recording)
                return failure(runTrouble(database, Trouble::World, "run/recording",
                                          fmt::format("run {} is being recorded", run.value()),
                                          {"stop it first"}));
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
