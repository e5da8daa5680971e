#include "core/profile/writer/sweep_store.h"

#include "core/platform/process_identity.h"
#include "core/profile/schema/database_trouble.h"
#include "core/profile/schema/sweep_tables.h"
#include "core/profile/writer/moved_database.h"
#include "core/profile/writer/row_inserter.h"

#include <SQLiteCpp/SQLiteCpp.h>
#include <fmt/format.h>

namespace core {

namespace {

std::int64_t idOf(SQLite::Database& connection, const std::string& hash) {
    SQLite::Statement find(connection, "SELECT id FROM sweep WHERE hash = ?");
    find.bind(1, hash);
    return find.executeStep() ? find.getColumn(0).getInt64() : 0;
}

} // namespace

Result<StoredSweep> openSweep(const ProfileDatabase& database, const SweepRecord& sweep) {
    return guarded(database, [&]() -> Result<StoredSweep> {
        SQLite::Database& connection = database.connection();
        SQLite::Transaction transaction(connection, SQLite::TransactionBehavior::IMMEDIATE);
        StoredSweep stored{idOf(connection, sweep.hash), true, {}};
        const std::string own = fmt::format("{}@{}", database.path().filename().string(), processTag());
        if (stored.id == 0) {
            TextTable texts(connection);
            const std::int64_t next =
                connection.execAndGet("SELECT coalesce(max(id), 0) + 1 FROM sweep").getInt64();
            SweepRecord record = sweep;
            record.recorder = own;
            RowInserter(connection, texts, sweepTable, 1).row(record, next);
            stored = {next, false, own};
        } else {
            // One that came by merging, or of an older program, is recorded here from now on.
            SQLite::Statement begin(connection,
                                    "UPDATE sweep SET recorder = ? WHERE id = ? AND recorder = ''");
            begin.bind(1, own);
            begin.bind(2, stored.id);
            begin.exec();
            SQLite::Statement find(connection, "SELECT recorder FROM sweep WHERE id = ?");
            find.bind(1, stored.id);
            find.executeStep();
            stored.recorder = find.getColumn(0).getString();
        }
        transaction.commit();
        return stored;
    });
}

Result<void> storePoints(const ProfileDatabase& database, std::int64_t sweep,
                         std::span<const SweepPointRecord> points) {
    if (points.empty())
        return {};
    return guarded(database, [&]() -> Result<void> {
        SQLite::Database& connection = database.connection();
        SQLite::Transaction transaction(connection, SQLite::TransactionBehavior::IMMEDIATE);
        TextTable texts(connection);
        RowInserter inserter(connection, texts, sweepPointTable, points.size(), SameRow::Replace);
        for (const SweepPointRecord& point : points)
            inserter.row(point, sweep);
        transaction.commit();
        return checkPlace(database);
    });
}

Result<void> storeRunOfPoint(const ProfileDatabase& database, std::int64_t sweep, std::int64_t point,
                             RunId run) {
    return guarded(database, [&]() -> Result<void> {
        SQLite::Statement update(database.connection(),
                                 "UPDATE sweep_point SET run_id = ? WHERE sweep_id = ? AND point = ?");
        update.bind(1, static_cast<std::int64_t>(run.value()));
        update.bind(2, sweep);
        update.bind(3, point);
        update.exec();
        return {};
    });
}

Result<void> forgetPoints(const ProfileDatabase& database, std::int64_t sweep) {
    return guarded(database, [&]() -> Result<void> {
        SQLite::Statement remove(database.connection(), "DELETE FROM sweep_point WHERE sweep_id = ?");
        remove.bind(1, sweep);
        remove.exec();
        return {};
    });
}

} // namespace core
