#include "core/profile/schema/profile_schema.h"

#include "core/profile/schema/enum_codes.h"
#include "core/profile/schema/profile_tables.h"

#include <SQLiteCpp/SQLiteCpp.h>
#include <array>
#include <fmt/core.h>

namespace core {

namespace {

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

} // namespace

std::span<const SchemaMigration> schemaMigrations() {
    static const std::array steps{SchemaMigration{1, trainingRecordsSql}, SchemaMigration{2, callbacksSql}};
    return steps;
}

void createSchema(SQLite::Database& connection) {
    for (const std::string_view sql :
         {enumTablesSql, runTablesSql, programTablesSql, timeTablesSql, memoryTablesSql, trainingTablesSql,
          trainingRecordsSql, callbacksSql, runViewsSql, timeViewsSql, memoryViewsSql, programViewsSql})
        connection.exec(std::string(sql));
    refreshEnumTables(connection);
    connection.exec("PRAGMA application_id = " + std::to_string(profileApplicationId));
    connection.exec("PRAGMA user_version = " + std::to_string(profileSchemaVersion));
}

void refreshEnumTables(SQLite::Database& connection) {
    forEachStoredEnum([&]<class Enum>(Enum) {
        if constexpr (!StoredEnum<Enum>::table.empty())
            insertNames<Enum>(connection);
    });
}

void migrateSchema(SQLite::Database& connection, std::int32_t version,
                   std::span<const SchemaMigration> steps) {
    for (const SchemaMigration& step : steps) {
        if (step.from < version)
            continue;
        connection.exec(std::string(step.sql));
        connection.exec("PRAGMA user_version = " + std::to_string(step.from + 1));
    }
}

} // namespace core
