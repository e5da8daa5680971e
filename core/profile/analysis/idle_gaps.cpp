#include "core/profile/analysis/idle_gaps.h"

#include "core/profile/schema/database_trouble.h"
#include "core/profile/schema/table.h"
#include "core/profile/schema/time_tables.h"

#include <algorithm>
#include <tuple>

namespace core {

Result<IdleGaps> idleGapsWithin(const ProfileDatabase& database, RunId run,
                                std::span<const UpdatePiece> pieces, const std::vector<LaneId>& lanes,
                                std::int64_t limit) {
    return guarded(database, [&]() -> Result<IdleGaps> {
        IdleGaps gaps;
        for (const UpdatePiece& piece : pieces) {
            SQLite::Statement statement(
                database.connection(),
                selectFrom(spanTable, "run_id = ?1 AND cause IS NOT NULL AND start_cycles < ?3 AND "
                                      "start_cycles + duration_cycles > ?2 ORDER BY lane, start_cycles"));
            statement.bind(1, sqlId(run));
            statement.bind(2, piece.from.value());
            statement.bind(3, piece.to.value());
            const auto found = readRecords(statement, spanTable);
            for (const SpanRecord& gap : found)
                if (lanes.empty() || std::ranges::find(lanes, gap.lane) != lanes.end())
                    gaps.longest.push_back(gap);
        }
        const auto place = [](const SpanRecord& gap) { return std::tuple(gap.lane, gap.start); };
        // The end of one update and the start of the next may hold the same gap, and a whole one between all.
        std::ranges::sort(gaps.longest, {}, place);
        const auto twice = std::ranges::unique(gaps.longest, {}, place);
        gaps.longest.erase(twice.begin(), twice.end());
        gaps.count = static_cast<std::int64_t>(gaps.longest.size());
        std::ranges::sort(gaps.longest, [](const SpanRecord& a, const SpanRecord& b) {
            return std::tuple(-a.duration.value(), a.start, a.lane) <
                   std::tuple(-b.duration.value(), b.start, b.lane);
        });
        if (limit >= 0 && gaps.count > limit)
            gaps.longest.resize(static_cast<std::size_t>(limit));
        return gaps;
    });
}

} // namespace core
