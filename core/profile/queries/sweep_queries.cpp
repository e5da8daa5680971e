#include "core/profile/queries/sweep_queries.h"

#include "core/profile/queries/record_query.h"
#include "core/profile/schema/sweep_tables.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace core {

Result<std::vector<SweepRow>> listSweeps(const ProfileDatabase& database) {
    return guarded(database, [&]() -> Result<std::vector<SweepRow>> {
        SQLite::Statement ids(database.connection(),
                              "SELECT id, (SELECT count(*) FROM sweep_point WHERE sweep_id = id) FROM sweep "
                              "ORDER BY id DESC");
        std::vector<SweepRow> rows;
        while (ids.executeStep()) {
            const std::int64_t id = ids.getColumn(0).getInt64();
            for (SweepRecord& record : selectRecords(database, sweepTable, "id = ?1", id))
                rows.push_back({id, std::move(record), ids.getColumn(1).getInt64()});
        }
        return rows;
    });
}

Result<std::vector<SweepPointRecord>> loadPoints(const ProfileDatabase& database, std::int64_t sweep) {
    return loadRecords(database, sweepPointTable, "sweep_id = ?1 ORDER BY point", sweep);
}

Result<std::vector<std::int64_t>> donePoints(const ProfileDatabase& database, std::int64_t sweep) {
    return guarded(database, [&]() -> Result<std::vector<std::int64_t>> {
        SQLite::Statement statement(database.connection(),
                                    "SELECT point FROM sweep_point WHERE sweep_id = ? ORDER BY point");
        statement.bind(1, sweep);
        std::vector<std::int64_t> points;
        while (statement.executeStep())
            points.push_back(statement.getColumn(0).getInt64());
        return points;
    });
}

Result<std::optional<std::int64_t>> findSweep(const ProfileDatabase& database, const std::string& hash) {
    return guarded(database, [&]() -> Result<std::optional<std::int64_t>> {
        SQLite::Statement statement(database.connection(), "SELECT id FROM sweep WHERE hash = ?");
        statement.bind(1, hash);
        if (!statement.executeStep())
            return std::optional<std::int64_t>();
        return std::optional(statement.getColumn(0).getInt64());
    });
}

std::vector<std::size_t> paretoFront(const std::vector<SweepPointRecord>& points,
                                     const std::function<bool(const SweepPointRecord&)>& isWanted) {
    const auto key = [&](std::size_t i) {
        const SweepPointRecord& point = points[i];
        return std::tuple(-point.samplesPerSecond.value_or(0), point.peak.value_or(Bytes(0)),
                          point.ipus.value_or(1), point.point);
    };
    std::vector<std::size_t> order;
    for (std::size_t i = 0; i < points.size(); ++i) {
        if (points[i].state == SweepPointState::Fits && points[i].samplesPerSecond &&
            (!isWanted || isWanted(points[i])))
            order.push_back(i);
    }
    std::ranges::sort(order, [&](std::size_t a, std::size_t b) { return key(a) < key(b); });
    // Of the points so far, all at least as fast: by IPUs the least peak with at most so many.
    std::map<std::int64_t, Bytes> leastPeak;
    std::vector<std::size_t> front;
    for (const std::size_t i : order) {
        const std::int64_t ipus = points[i].ipus.value_or(1);
        const Bytes peak = points[i].peak.value_or(Bytes(0));
        const auto after = leastPeak.upper_bound(ipus);
        if (after != leastPeak.begin() && std::prev(after)->second <= peak)
            continue;
        front.push_back(i);
        auto behind = leastPeak.lower_bound(ipus);
        while (behind != leastPeak.end() && behind->second >= peak)
            behind = leastPeak.erase(behind);
        leastPeak.emplace(ipus, peak);
    }
    return front;
}

} // namespace core
