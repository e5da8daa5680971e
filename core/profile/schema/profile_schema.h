#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace SQLite {
class Database;
}

namespace core {

/// `PRAGMA application_id` of a profile database: "IPUW".
inline constexpr std::int32_t profileApplicationId = 0x49505557;
/// `PRAGMA user_version` that this program writes and reads.
inline constexpr std::int32_t profileSchemaVersion = 3;

/// Leads from one version of the schema to the next.
struct SchemaMigration {
    std::int32_t from = 0;
    std::string_view sql;
};

/// One step for every version before the current one.
[[nodiscard]] std::span<const SchemaMigration> schemaMigrations();

/// Tables, enum tables with their rows, indices and views of an empty database. Throws SQLite::Exception.
void createSchema(SQLite::Database& connection);

/// Adds the rows that the enum tables lack. Throws SQLite::Exception.
void refreshEnumTables(SQLite::Database& connection);

/// Runs the steps that lead from `version` onwards, each raising `user_version` by one, inside the caller's
/// transaction. Throws SQLite::Exception.
void migrateSchema(SQLite::Database& connection, std::int32_t version,
                   std::span<const SchemaMigration> steps);

} // namespace core
