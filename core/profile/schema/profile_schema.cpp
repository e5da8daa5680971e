#include "core/profile/schema/profile_schema.h"

#include "core/profile/records/records.h"
#include "core/profile/schema/profile_tables.h"
#include "core/profile/schema/run_state.h"

#include <SQLiteCpp/SQLiteCpp.h>
#include <array>

namespace core {

namespace {

/// Fills an enum table: number and name of every value.
template <class Enum>
void insertNames(SQLite::Database& connection, std::string_view table, std::size_t count) {
    SQLite::Statement insert(connection, "INSERT INTO " + std::string(table) + " (id, name) VALUES (?, ?)");
    for (std::size_t i = 0; i < count; ++i) {
        insert.bind(1, static_cast<std::int64_t>(i));
        insert.bind(2, std::string(toString(static_cast<Enum>(i))));
        insert.exec();
        insert.reset();
    }
}

void insertMemoryCategories(SQLite::Database& connection) {
    SQLite::Statement insert(connection,
                             "INSERT INTO memory_category (id, name, is_always_live) VALUES (?, ?, ?)");
    for (std::size_t i = 0; i < memoryCategoryCount; ++i) {
        const auto category = static_cast<MemoryCategory>(i);
        insert.bind(1, static_cast<std::int64_t>(i));
        insert.bind(2, std::string(toString(category)));
        insert.bind(3, isAlwaysLive(category) ? 1 : 0);
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
    insertNames<RunState>(connection, "run_state", runStateCount);
    insertNames<RunMode>(connection, "run_mode", runModeCount);
    insertNames<LaneKind>(connection, "lane_kind", laneKindCount);
    insertNames<SpanKind>(connection, "span_kind", spanKindCount);
    insertNames<IdleCause>(connection, "idle_cause", idleCauseCount);
    insertNames<ProgramPhase>(connection, "program_phase", programPhaseCount);
    insertNames<StepKind>(connection, "step_kind", stepKindCount);
    insertNames<Severity>(connection, "severity", 3);
    insertMemoryCategories(connection);
    connection.exec("PRAGMA application_id = " + std::to_string(profileApplicationId));
    connection.exec("PRAGMA user_version = " + std::to_string(profileSchemaVersion));
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
