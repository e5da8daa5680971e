#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace SQLite {
class Database;
}

namespace core {

/// `PRAGMA application_id` of a profile database: "IPUW".
inline constexpr std::int32_t profileApplicationId = 0x49505557;
/// `PRAGMA user_version` that this program writes and reads: the latest that a table or column says.
[[nodiscard]] std::int32_t profileSchemaVersion();

/// An index of `span_block` that has all columns of a block but its spans.
inline constexpr std::string_view spanHeadIndex = "span_block_head";

/// Leads from one version of the schema to the next.
struct SchemaMigration {
    std::int32_t from = 0;
    std::string sql;
    /// What no SQL can say, after it.
    void (*convert)(SQLite::Database& connection) = nullptr;
};

/// One step for every version before the current one. Versions 2 and 3 came as texts; from then on a step
/// adds the columns and tables that say its version.
[[nodiscard]] std::vector<SchemaMigration> schemaMigrations();

/// Tables, enum tables with their rows, indices and views of an empty database. Throws SQLite::Exception.
void createSchema(SQLite::Database& connection);

/// Runs the steps that lead from `version` onwards, each raising `user_version` by one, inside the caller's
/// transaction. Throws SQLite::Exception.
void migrateSchema(SQLite::Database& connection, std::int32_t version,
                   std::span<const SchemaMigration> steps);

/// Whether the file is of this version, its tables of names and numbers hold every row and its indices and
/// views are those of this program. Throws SQLite::Exception.
[[nodiscard]] bool isUpToDate(SQLite::Database& connection);
/// The first of this program's tables in whose place the file has a view or a virtual table, which could
/// compute anything, without end; nothing as a rule. Throws SQLite::Exception.
[[nodiscard]] std::optional<std::string> disguisedTable(SQLite::Database& connection);
/// The first table or column ("span.start_cycles") that this program reads and the file lacks; nothing when
/// all are there. Throws SQLite::Exception.
[[nodiscard]] std::optional<std::string> missingPart(SQLite::Database& connection);
/// This program's views as temporary ones of the connection, which hide those of a file that is not to be
/// changed. Throws SQLite::Exception.
void useOwnViews(SQLite::Database& connection);
/// Makes it so (`isUpToDate`), inside the caller's transaction; a file of a later version is left alone.
/// Throws SQLite::Exception.
void bringUpToDate(SQLite::Database& connection);

} // namespace core
