#include "core/profile/schema/profile_schema.h"

#include "core/profile/schema/enum_codes.h"
#include "core/profile/schema/profile_tables.h"
#include "core/profile/schema/span_block_rows.h"

#include <SQLiteCpp/SQLiteCpp.h>
#include <algorithm>
#include <array>
#include <fmt/core.h>
#include <set>
#include <sqlite3.h>

namespace core {

namespace {

/// The last version whose step is a text of its own.
constexpr std::int32_t lastVersionByText = 3;
/// The last version that kept a row for each span.
constexpr std::int32_t lastVersionOfSpanRows = 6;

std::string createText(const TableText& table, std::int32_t version) {
    std::string columns;
    for (const ColumnText& column : table.columns) {
        if (column.since <= version)
            columns += fmt::format("{}\n    {} {}", columns.empty() ? "" : ",", column.name, column.type);
    }
    return table.key.empty() ? fmt::format("CREATE TABLE {} ({});\n", table.name, columns)
                             : fmt::format("CREATE TABLE {} ({},\n    PRIMARY KEY ({})) WITHOUT ROWID;\n",
                                           table.name, columns, table.key);
}

/// What the tables and columns of a version ask for.
std::string stepTo(std::int32_t version) {
    std::string sql;
    for (const TableText& table : recordTables()) {
        if (table.since == version)
            sql += createText(table, version);
        if (table.since >= version)
            continue;
        for (const ColumnText& column : table.columns) {
            if (column.since == version)
                sql +=
                    fmt::format("ALTER TABLE {} ADD COLUMN {} {};\n", table.name, column.name, column.type);
        }
    }
    return sql;
}

template <class Enum>
std::string_view enumColumns() {
    return std::is_same_v<Enum, MemoryCategory>
               ? "id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, is_always_live INTEGER NOT NULL"
               : "id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE";
}

/// Adds to an enum table what it lacks; published rows stay as they are.
template <class Enum>
void insertNames(SQLite::Database& connection) {
    constexpr bool isCategory = std::is_same_v<Enum, MemoryCategory>;
    SQLite::Statement insert(connection,
                             fmt::format("INSERT OR IGNORE INTO {} ({}) VALUES ({})", StoredEnum<Enum>::table,
                                         isCategory ? "id, name, is_always_live" : "id, name",
                                         isCategory ? "?, ?, ?" : "?, ?"));
    for (const EnumCode<Enum>& row : StoredEnum<Enum>::rows) {
        insert.bind(1, row.code);
        insert.bind(2, std::string(toString(row.value)));
        if constexpr (isCategory)
            insert.bind(3, isAlwaysLive(row.value) ? 1 : 0);
        insert.exec();
        insert.reset();
    }
}

/// Calls `visit` with a value of each enumeration that has an enum table.
template <class Visit>
void forEachEnumTable(Visit visit) {
    forEachStoredEnum([&]<class Enum>(Enum value) {
        if constexpr (!StoredEnum<Enum>::table.empty())
            visit(value);
    });
}

void refreshEnumTables(SQLite::Database& connection) {
    forEachEnumTable([&]<class Enum>(Enum) {
        connection.exec(
            fmt::format("CREATE TABLE IF NOT EXISTS {} ({})", StoredEnum<Enum>::table, enumColumns<Enum>()));
        insertNames<Enum>(connection);
    });
}

bool hasEveryEnumRow(SQLite::Database& connection) {
    bool hasAll = true;
    forEachEnumTable([&]<class Enum>(Enum) {
        using Stored = StoredEnum<Enum>;
        hasAll =
            hasAll && connection.execAndGet(fmt::format("SELECT count(*) FROM {}", Stored::table)).getInt() >=
                          static_cast<int>(Stored::rows.size());
    });
    return hasAll;
}

/// The numbers from 0 on, with which views count: SQLite has no function for that.
void refreshNumbers(SQLite::Database& connection) {
    connection.exec(
        fmt::format("CREATE TABLE IF NOT EXISTS number (number INTEGER PRIMARY KEY);"
                    "WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i + 1 < {}) "
                    "INSERT OR IGNORE INTO number SELECT i FROM n;"
                    "DELETE FROM number WHERE number NOT BETWEEN 0 AND {} - 1",
                    mostInBlock, mostInBlock));
}

bool hasEveryNumber(SQLite::Database& connection) {
    SQLite::Statement numbers(connection, "SELECT count(*), min(number), max(number) FROM number");
    return numbers.executeStep() && numbers.getColumn(0).getInt64() == mostInBlock &&
           numbers.getColumn(1).getInt64() == 0 && numbers.getColumn(2).getInt64() == mostInBlock - 1;
}

/// An index holds nothing of its own: files of any version have it once they are opened.
struct IndexText {
    std::string_view name;
    std::string_view table;
    std::string_view columns;
};
constexpr std::array indexTexts{
    IndexText{"run_by_snapshot", "run", "snapshot_id"},
    // Blocks without their spans lie side by side in it, so that sums of millions of spans are read at once.
    IndexText{spanHeadIndex, "span_block",
              "run_id, lane, start_cycles, block, end_cycles, spans, turns, stride_cycles, "
              "micro_batch_stride, slot_stride, micro_batch, slot, sums"}};

std::string createText(const IndexText& index) {
    return fmt::format("CREATE INDEX {} ON {} ({})", index.name, index.table, index.columns);
}

bool hasText(SQLite::Database& connection, std::string_view type, std::string_view name,
             const std::string& text) {
    SQLite::Statement find(connection, "SELECT sql FROM sqlite_schema WHERE type = ? AND name = ?");
    find.bind(1, std::string(type));
    find.bind(2, std::string(name));
    return find.executeStep() && find.getColumn(0).getString() == text;
}

/// A table that is not there, whoever reads it says.
bool hasTable(SQLite::Database& connection, std::string_view name) {
    SQLite::Statement find(connection, "SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?");
    find.bind(1, std::string(name));
    return find.executeStep();
}

bool hasEveryIndex(SQLite::Database& connection) {
    return std::ranges::all_of(indexTexts, [&](const IndexText& index) {
        return hasText(connection, "index", index.name, createText(index));
    });
}

void refreshIndices(SQLite::Database& connection) {
    for (const IndexText& index : indexTexts) {
        if (hasText(connection, "index", index.name, createText(index)) || !hasTable(connection, index.table))
            continue;
        connection.exec(fmt::format("DROP INDEX IF EXISTS {}", index.name));
        connection.exec(createText(index));
    }
}

std::string createText(const ViewText& view) {
    return fmt::format("CREATE VIEW {} AS{}", view.name, view.select);
}

bool hasEveryView(SQLite::Database& connection) {
    return std::ranges::all_of(profileViews(), [&](const ViewText& view) {
        return hasText(connection, "view", view.name, createText(view));
    });
}

/// Views hold no data: those of this program replace those of the program that wrote the file. A table of
/// such a name is nobody's of ours, and hides the view.
void refreshViews(SQLite::Database& connection) {
    const std::vector<ViewText> views = profileViews();
    for (const ViewText& view : views) {
        SQLite::Statement type(connection, "SELECT type FROM sqlite_schema WHERE name = ? COLLATE NOCASE");
        type.bind(1, std::string(view.name));
        const bool isTable = type.executeStep() && type.getColumn(0).getString() == "table";
        type.reset();
        if (isTable)
            throw SQLite::Exception(fmt::format("a table has the name of the view {}", view.name),
                                    SQLITE_CORRUPT);
        connection.exec(fmt::format("DROP VIEW IF EXISTS {}", view.name));
    }
    for (const ViewText& view : views)
        connection.exec(createText(view));
}

std::int32_t versionOf(SQLite::Database& connection) {
    return connection.execAndGet("PRAGMA user_version").getInt();
}

} // namespace

std::int32_t profileSchemaVersion() {
    static const std::int32_t version = [] {
        std::int32_t latest = lastVersionByText;
        for (const TableText& table : recordTables()) {
            for (const ColumnText& column : table.columns)
                latest = std::max(latest, column.since);
        }
        return latest;
    }();
    return version;
}

std::vector<SchemaMigration> schemaMigrations() {
    std::vector<SchemaMigration> steps{{1, std::string(addedByVersion2Sql), nullptr},
                                       {2, std::string(addedByVersion3Sql), nullptr}};
    for (std::int32_t version = lastVersionByText + 1; version <= profileSchemaVersion(); ++version)
        steps.push_back({version - 1, stepTo(version),
                         version - 1 == lastVersionOfSpanRows ? &packStoredSpans : nullptr});
    return steps;
}

void createSchema(SQLite::Database& connection) {
    connection.exec(std::string(supportTablesSql));
    refreshEnumTables(connection);
    refreshNumbers(connection);
    for (const TableText& table : recordTables())
        connection.exec(createText(table, profileSchemaVersion()));
    refreshIndices(connection);
    refreshViews(connection);
    connection.exec("PRAGMA application_id = " + std::to_string(profileApplicationId));
    connection.exec("PRAGMA user_version = " + std::to_string(profileSchemaVersion()));
}

void migrateSchema(SQLite::Database& connection, std::int32_t version,
                   std::span<const SchemaMigration> steps) {
    for (const SchemaMigration& step : steps) {
        if (step.from < version)
            continue;
        connection.exec(step.sql);
        if (step.convert != nullptr)
            step.convert(connection);
        connection.exec("PRAGMA user_version = " + std::to_string(step.from + 1));
    }
}

bool isUpToDate(SQLite::Database& connection) {
    return versionOf(connection) == profileSchemaVersion() && hasEveryEnumRow(connection) &&
           hasEveryNumber(connection) && hasEveryIndex(connection) && hasEveryView(connection);
}

namespace {

/// Every column that this program reads, as TABLE.COLUMN.
std::vector<std::string> readColumns() {
    std::vector<std::string> columns{
        "number.number",           "text.id", "text.value", "project_snapshot.id", "project_snapshot.hash",
        "project_snapshot.content"};
    for (const TableText& table : recordTables()) {
        for (const ColumnText& column : table.columns)
            columns.push_back(fmt::format("{}.{}", table.name, column.name));
    }
    forEachEnumTable([&]<class Enum>(Enum) {
        columns.push_back(fmt::format("{}.id", StoredEnum<Enum>::table));
        columns.push_back(fmt::format("{}.name", StoredEnum<Enum>::table));
    });
    return columns;
}

std::string tableOf(const std::string& column) {
    return column.substr(0, column.find('.'));
}

} // namespace

std::optional<std::string> disguisedTable(SQLite::Database& connection) {
    std::set<std::string> names;
    for (const std::string& column : readColumns())
        names.insert(tableOf(column));
    SQLite::Statement others(connection, "SELECT lower(name) FROM sqlite_schema WHERE type = 'view' "
                                         "OR (type = 'table' AND rootpage = 0) ORDER BY name");
    while (others.executeStep()) {
        std::string name = others.getColumn(0).getString();
        if (names.contains(name))
            return name;
    }
    return std::nullopt;
}

std::optional<std::string> missingPart(SQLite::Database& connection) {
    std::set<std::string> present;
    SQLite::Statement columns(connection, "SELECT m.name, c.name FROM sqlite_schema AS m "
                                          "JOIN pragma_table_xinfo(m.name) AS c WHERE m.type = 'table'");
    while (columns.executeStep()) {
        const std::string table = columns.getColumn(0).getString();
        present.insert(table);
        present.insert(table + "." + columns.getColumn(1).getString());
    }
    for (const std::string& column : readColumns()) {
        std::string table = tableOf(column);
        if (!present.contains(table))
            return table;
        if (!present.contains(column))
            return column;
    }
    return std::nullopt;
}

void useOwnViews(SQLite::Database& connection) {
    for (const ViewText& view : profileViews())
        connection.exec(fmt::format("CREATE TEMP VIEW {} AS{}", view.name, view.select));
}

void bringUpToDate(SQLite::Database& connection) {
    const std::int32_t version = versionOf(connection);
    if (version > profileSchemaVersion())
        return;
    migrateSchema(connection, version, schemaMigrations());
    refreshEnumTables(connection);
    refreshNumbers(connection);
    refreshIndices(connection);
    refreshViews(connection);
}

} // namespace core
