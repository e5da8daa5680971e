#include "core/profile/writer/merge_databases.h"

#include "core/platform/process_identity.h"
#include "core/profile/schema/database_trouble.h"
#include "core/profile/schema/enum_codes.h"
#include "core/profile/schema/profile_tables.h"

#include <SQLiteCpp/SQLiteCpp.h>
#include <algorithm>
#include <fmt/format.h>
#include <initializer_list>
#include <vector>

namespace core {

namespace {

/// Who recorded a run, and its number there; what a merged run took with it.
constexpr std::string_view originOf = "CASE origin WHEN '' THEN process || '/' || id ELSE origin END";

/// The source under the name `theirs` while it lives.
class Attachment {
public:
    Attachment(SQLite::Database& connection, const std::filesystem::path& source)
        : m_connection(connection) {
        SQLite::Statement attach(connection, "ATTACH DATABASE ? AS theirs");
        attach.bind(1, source.string());
        attach.exec();
    }
    Attachment(const Attachment&) = delete;
    Attachment& operator=(const Attachment&) = delete;
    ~Attachment() {
        try {
            m_connection.exec("DETACH DATABASE theirs");
        } catch (const SQLite::Exception&) { // a destructor says nothing; the connection is closed soon
        }
    }

private:
    SQLite::Database& m_connection;
};

std::int64_t countOf(SQLite::Database& connection, const std::string& sql) {
    return connection.execAndGet(sql).getInt64();
}

/// How a column is copied from the row `t` of the source.
std::string copied(const ColumnText& column) {
    if (column.name == "run_id" || column.type.find("REFERENCES run ") != std::string_view::npos)
        return fmt::format("(SELECT ours FROM temp.merged_run WHERE theirs = t.{})", column.name);
    if (column.type.find("REFERENCES text") != std::string_view::npos)
        return fmt::format("(SELECT o.id FROM theirs.text AS s JOIN main.text AS o ON o.value = s.value "
                           "WHERE s.id = t.{})",
                           column.name);
    return fmt::format("t.{}", column.name);
}

/// The columns of a table, and how they are copied, as lists; `except` is left to the caller.
struct CopyLists {
    std::string names;
    std::string values;
};
CopyLists copyLists(const TableText& table, std::initializer_list<std::string_view> except = {}) {
    CopyLists lists;
    for (const ColumnText& column : table.columns) {
        if (std::ranges::find(except, column.name) != except.end())
            continue;
        lists.names += (lists.names.empty() ? "" : ", ") + std::string(column.name);
        lists.values += (lists.values.empty() ? "" : ", ") + copied(column);
    }
    return lists;
}

bool isOfARun(const TableText& table) {
    return table.columns.front().name == "run_id";
}

const TableText& tableNamed(std::string_view name) {
    for (const TableText& table : recordTables()) {
        if (table.name == name)
            return table;
    }
    throw SQLite::Exception("a table is missing from the schema");
}

/// One merge inside the caller's transaction, the source attached.
class Merge {
public:
    /// `name`: that of the source's file.
    Merge(SQLite::Database& connection, std::string name)
        : m_connection(connection)
        , m_name(std::move(name)) {}

    [[nodiscard]] MergedDatabase run() {
        copyTexts();
        copyRuns();
        for (const TableText& table : recordTables()) {
            if (isOfARun(table))
                copyRowsOfRuns(table);
        }
        copySweeps();
        m_connection.exec("DROP TABLE temp.merged_run; DROP TABLE temp.added_run");
        return m_merged;
    }

private:
    void copyTexts() {
        m_connection.exec("INSERT OR IGNORE INTO main.text (value) SELECT value FROM theirs.text;"
                          "INSERT OR IGNORE INTO main.project_snapshot (hash, content) "
                          "SELECT hash, content FROM theirs.project_snapshot");
    }

    void copyRuns() {
        m_connection.exec("CREATE TEMP TABLE merged_run (theirs INTEGER PRIMARY KEY, ours INTEGER NOT NULL);"
                          "CREATE TEMP TABLE added_run (theirs INTEGER PRIMARY KEY)");
        m_connection.exec(fmt::format("INSERT INTO temp.merged_run SELECT t.id, o.id FROM "
                                      "(SELECT id, {0} AS origin FROM theirs.run) AS t JOIN "
                                      "(SELECT id, {0} AS origin FROM main.run) AS o ON o.origin = t.origin",
                                      originOf));
        m_merged.runsKnown = countOf(m_connection, "SELECT count(*) FROM temp.merged_run");
        SQLite::Statement runs(m_connection, "SELECT id, state, process FROM theirs.run WHERE id NOT IN "
                                             "(SELECT theirs FROM temp.merged_run) ORDER BY started, id");
        while (runs.executeStep()) {
            const bool isRecording = runs.getColumn(1).getInt64() == codeOf(RunState::Recording);
            if (isRecording && isAlive(runs.getColumn(2).getString()))
                ++m_merged.runsRecording;
            else
                copyRun(runs.getColumn(0).getInt64(), isRecording);
        }
    }

    void copyRun(std::int64_t run, bool isInterrupted) {
        const TableText& table = tableNamed("run");
        std::string names;
        std::string values;
        for (const ColumnText& column : table.columns) {
            if (column.name == "id")
                continue;
            names += (names.empty() ? "" : ", ") + std::string(column.name);
            values += values.empty() ? "" : ", ";
            if (column.name == "origin")
                values += originOf;
            else if (column.name == "snapshot_id")
                values += "(SELECT o.id FROM theirs.project_snapshot AS s JOIN main.project_snapshot AS o "
                          "ON o.hash = s.hash AND o.content = s.content WHERE s.id = t.snapshot_id)";
            else if (column.name == "state" && isInterrupted)
                values += std::to_string(codeOf(RunState::Interrupted));
            else
                values += fmt::format("t.{}", column.name);
        }
        m_connection.exec(fmt::format(
            "INSERT INTO main.run ({}) SELECT {} FROM theirs.run AS t WHERE id = {}", names, values, run));
        const std::int64_t ours = m_connection.getLastInsertRowid();
        m_connection.exec(fmt::format("INSERT INTO temp.merged_run VALUES ({}, {});"
                                      "INSERT INTO temp.added_run VALUES ({})",
                                      run, ours, run));
        ++m_merged.runsAdded;
    }

    void copyRowsOfRuns(const TableText& table) {
        const CopyLists lists = copyLists(table);
        m_connection.exec(fmt::format("INSERT INTO main.{0} ({1}) SELECT {2} FROM theirs.{0} AS t "
                                      "WHERE t.run_id IN (SELECT theirs FROM temp.added_run)",
                                      table.name, lists.names, lists.values));
    }

    void copySweeps() {
        SQLite::Statement sweeps(m_connection, "SELECT id, hash FROM theirs.sweep ORDER BY started, hash");
        while (sweeps.executeStep())
            copySweep(sweeps.getColumn(0).getInt64(), sweeps.getColumn(1).getString());
    }

    void copySweep(std::int64_t sweep, const std::string& hash) {
        // Who recorded it there says nothing of the target.
        const CopyLists columns = copyLists(tableNamed("sweep"), {"id", "recorder"});
        m_connection.exec(
            fmt::format("INSERT OR IGNORE INTO main.sweep ({}) SELECT {} FROM theirs.sweep AS t "
                        "WHERE t.id = {}",
                        columns.names, columns.values, sweep));
        SQLite::Statement find(m_connection, "SELECT id FROM main.sweep WHERE hash = ?");
        find.bind(1, hash);
        find.executeStep();
        const std::int64_t ours = find.getColumn(0).getInt64();
        const std::string count =
            fmt::format("SELECT count(*) FROM main.sweep_point WHERE sweep_id = {}", ours);
        const std::int64_t before = countOf(m_connection, count);
        copyPoints(sweep, ours);
        const std::int64_t added = countOf(m_connection, count) - before;
        m_merged.pointsAdded += added;
        m_merged.pointsKnown +=
            countOf(m_connection,
                    fmt::format("SELECT count(*) FROM theirs.sweep_point WHERE sweep_id = {}", sweep)) -
            added;
        m_connection.exec(fmt::format(
            "UPDATE main.sweep_point SET run_id = (SELECT m.ours FROM theirs.sweep_point AS t JOIN "
            "temp.merged_run AS m ON m.theirs = t.run_id WHERE t.sweep_id = {0} AND t.point = "
            "main.sweep_point.point) WHERE sweep_id = {1} AND run_id IS NULL AND point IN "
            "(SELECT point FROM theirs.sweep_point WHERE sweep_id = {0} AND run_id IS NOT NULL)",
            sweep, ours));
    }

    /// Of a point that both have, the one whose database comes first stands: the same in any order.
    void copyPoints(std::int64_t theirs, std::int64_t ours) {
        const TableText& table = tableNamed("sweep_point");
        const CopyLists columns = copyLists(table, {"sweep_id", "origin_id"});
        // An older program did not say where it stores.
        const std::string source = fmt::format(
            "coalesce({}, {})", copied(*std::ranges::find(table.columns, "origin_id", &ColumnText::name)),
            textOfSource(theirs));
        std::string changes = "run_id = coalesce(excluded.run_id, run_id)";
        for (const ColumnText& column : table.columns)
            if (column.name != "sweep_id" && column.name != "point" && column.name != "run_id")
                changes += fmt::format(", {0} = excluded.{0}", column.name);
        constexpr std::string_view origin = "coalesce((SELECT value FROM main.text WHERE id = {}), '')";
        m_connection.exec(fmt::format("INSERT INTO main.sweep_point (sweep_id, origin_id, {}) SELECT {}, {}, "
                                      "{} FROM theirs.sweep_point "
                                      "AS t WHERE t.sweep_id = {} ORDER BY point ON CONFLICT (sweep_id, "
                                      "point) DO UPDATE SET {} WHERE {} "
                                      "< {}",
                                      columns.names, ours, source, columns.values, theirs, changes,
                                      fmt::format(origin, "excluded.origin_id"),
                                      fmt::format(origin, "sweep_point.origin_id")));
    }

    /// The text by which the source is known, in the target: who recorded the sweep there, else its file.
    std::int64_t textOfSource(std::int64_t sweep) {
        SQLite::Statement find(m_connection, "SELECT recorder FROM theirs.sweep WHERE id = ?");
        find.bind(1, sweep);
        find.executeStep();
        const std::string recorder = find.getColumn(0).getString();
        const std::string& text = recorder.empty() ? m_name : recorder;
        SQLite::Statement add(m_connection, "INSERT OR IGNORE INTO main.text (value) VALUES (?)");
        add.bind(1, text);
        add.exec();
        SQLite::Statement number(m_connection, "SELECT id FROM main.text WHERE value = ?");
        number.bind(1, text);
        number.executeStep();
        return number.getColumn(0).getInt64();
    }

    SQLite::Database& m_connection;
    std::string m_name;
    MergedDatabase m_merged;
};

} // namespace

Result<MergedDatabase> mergeDatabase(const ProfileDatabase& target, const std::filesystem::path& source) {
    // Brings an older file up to date, and says what is wrong with it.
    if (const auto readable = ProfileDatabase::open(source, {DatabaseAccess::ReadOnly}); !readable)
        return failure(readable.error());
    try {
        SQLite::Database& connection = target.connection();
        const Attachment attachment(connection, source);
        if (const std::string verdict = connection.execAndGet("PRAGMA theirs.quick_check(1)").getString();
            verdict != "ok")
            return failure(makeError(Trouble::World, "database/damaged", {source.string(), ""},
                                     "the profile database is damaged: " + verdict,
                                     {"record its runs again, or take a copy of it; the others are merged"}));
        SQLite::Transaction transaction(connection, SQLite::TransactionBehavior::IMMEDIATE);
        const MergedDatabase merged = Merge(connection, source.filename().string()).run();
        transaction.commit();
        return merged;
    } catch (const SQLite::Exception& error) {
        return failure(databaseTrouble(source, error));
    }
}

} // namespace core
