#include "core/profile/queries/sweep_queries.h"

#include "core/profile/queries/record_query.h"
#include "core/profile/schema/sweep_tables.h"

#include <algorithm>
#include <functional>
#include <map>
#include <numeric>
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
    return guarded(database, [&]() -> Result<std::vector<SweepPointRecord>> {
        SQLite::Statement count(database.connection(), "SELECT count(*) FROM sweep_point WHERE sweep_id = ?");
        count.bind(1, sweep);
        std::vector<SweepPointRecord> points;
        // A million of them is not moved about while it grows; what a damaged file says is not believed.
        constexpr std::int64_t mostReserved = 4'000'000;
        if (count.executeStep())
            points.reserve(static_cast<std::size_t>(
                std::clamp<std::int64_t>(count.getColumn(0).getInt64(), 0, mostReserved)));
        SQLite::Statement statement(database.connection(),
                                    selectFrom(sweepPointTable, "sweep_id = ?1 ORDER BY point"));
        statement.bind(1, sweep);
        while (statement.executeStep())
            readRecord(statement, sweepPointTable, points.emplace_back());
        return points;
    });
}

Result<void> forEachPoint(const ProfileDatabase& database, std::int64_t sweep,
                          const std::function<Result<void>(const SweepPointRecord&)>& visit) {
    return guarded(database, [&]() -> Result<void> {
        SQLite::Statement statement(database.connection(),
                                    selectFrom(sweepPointTable, "sweep_id = ?1 ORDER BY point"));
        statement.bind(1, sweep);
        while (statement.executeStep()) {
            SweepPointRecord point;
            readRecord(statement, sweepPointTable, point);
            if (auto visited = visit(point); !visited)
                return visited;
        }
        return {};
    });
}

Result<std::vector<SweepPointRecord>> loadPoints(const ProfileDatabase& database, std::int64_t sweep,
                                                 std::span<const std::int64_t> points) {
    return guarded(database, [&]() -> Result<std::vector<SweepPointRecord>> {
        SQLite::Statement statement(database.connection(),
                                    selectFrom(sweepPointTable, "sweep_id = ?1 AND point = ?2"));
        std::vector<SweepPointRecord> records;
        for (const std::int64_t point : points) {
            statement.bind(1, sweep);
            statement.bind(2, point);
            if (statement.executeStep())
                readRecord(statement, sweepPointTable, records.emplace_back());
            statement.reset();
        }
        return records;
    });
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

std::string_view mergedFrom(std::string_view origin, std::string_view recorder) {
    return !recorder.empty() && origin.starts_with(recorder) ? std::string_view() : origin;
}

Result<std::string> recorderOf(const ProfileDatabase& database, std::int64_t sweep) {
    return guarded(database, [&]() -> Result<std::string> {
        SQLite::Statement find(database.connection(), "SELECT recorder FROM sweep WHERE id = ?");
        find.bind(1, sweep);
        return find.executeStep() ? find.getColumn(0).getString() : std::string();
    });
}

Result<std::vector<PointsOfOrigin>> pointsByOrigin(const ProfileDatabase& database, std::int64_t sweep) {
    const auto recorder = recorderOf(database, sweep);
    if (!recorder)
        return failure(recorder.error());
    return guarded(database, [&]() -> Result<std::vector<PointsOfOrigin>> {
        SQLite::Statement statement(database.connection(),
                                    "SELECT coalesce(text.value, '') AS origin, points FROM (SELECT "
                                    "origin_id, count(*) AS points FROM "
                                    "sweep_point WHERE sweep_id = ? GROUP BY origin_id) LEFT JOIN text ON "
                                    "text.id = origin_id ORDER BY "
                                    "origin");
        statement.bind(1, sweep);
        std::vector<PointsOfOrigin> origins;
        while (statement.executeStep())
            origins.push_back({std::string(mergedFrom(statement.getColumn(0).getString(), *recorder)),
                               statement.getColumn(1).getInt64()});
        return origins;
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

std::optional<FrontCandidate> frontCandidate(const SweepPointRecord& point) {
    if (point.state != SweepPointState::Fits || !point.samplesPerSecond)
        return std::nullopt;
    return FrontCandidate{point.point, *point.samplesPerSecond, point.peak.value_or(Bytes(0)),
                          point.ipus.value_or(1)};
}

namespace {

/// Of each text of a finding: its first point, and how many have it.
struct CountedText {
    std::int64_t first = 0;
    std::int64_t points = 0;
};

/// Texts of the same code are one finding.
std::vector<SweepFinding> findingsOf(const ProfileDatabase& database,
                                     const std::map<std::int64_t, CountedText>& texts) {
    std::vector<std::pair<std::int64_t, CountedText>> order(texts.begin(), texts.end());
    std::ranges::sort(order, {}, [](const auto& entry) { return entry.second.first; });
    SQLite::Statement statement(database.connection(), "SELECT value FROM text WHERE id = ?");
    std::vector<SweepFinding> findings;
    for (const auto& [id, counted] : order) {
        statement.reset();
        statement.bind(1, id);
        if (!statement.executeStep())
            continue;
        const std::string text = statement.getColumn(0).getString();
        const std::size_t colon = text.find(": ");
        const std::string code = text.substr(0, colon);
        auto finding = std::ranges::find(findings, code, &SweepFinding::code);
        if (finding == findings.end())
            finding = findings.insert(findings.end(),
                                      {code, 0, colon == std::string::npos ? code : text.substr(colon + 2)});
        finding->points += counted.points;
    }
    std::ranges::stable_sort(findings, std::greater{}, &SweepFinding::points);
    return findings;
}

} // namespace

Result<SweepResults> loadSweepResults(const ProfileDatabase& database, std::int64_t sweep) {
    return guarded(database, [&]() -> Result<SweepResults> {
        // Without texts, which take most of the time, and without a sorting of points, which takes as long.
        SQLite::Statement statement(
            database.connection(),
            "SELECT point, state, finding_id, samples_per_second, coalesce(peak_bytes, 0), coalesce(ipus, 1) "
            "FROM sweep_point WHERE sweep_id = ? ORDER BY point");
        statement.bind(1, sweep);
        SweepResults results;
        std::map<std::int64_t, CountedText> texts;
        while (statement.executeStep()) {
            const std::int64_t point = statement.getColumn(0).getInt64();
            const std::int64_t state = statement.getColumn(1).getInt64();
            if (state >= 0 && state < static_cast<std::int64_t>(results.counts.size()))
                ++results.counts[static_cast<std::size_t>(state)];
            if (const SQLite::Column text = statement.getColumn(2); !text.isNull())
                ++texts.try_emplace(text.getInt64(), CountedText{point, 0}).first->second.points;
            const SQLite::Column rate = statement.getColumn(3);
            if (state == static_cast<std::int64_t>(SweepPointState::Fits) && !rate.isNull())
                results.candidates.push_back({point, rate.getDouble(),
                                              Bytes(statement.getColumn(4).getInt64()),
                                              statement.getColumn(5).getInt64()});
        }
        results.findings = findingsOf(database, texts);
        return results;
    });
}

std::vector<std::size_t> paretoFront(const std::vector<FrontCandidate>& candidates,
                                     const std::function<bool(const FrontCandidate&)>& isWanted) {
    std::vector<std::size_t> order(candidates.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    const auto key = [&](std::size_t i) {
        const FrontCandidate& candidate = candidates[i];
        return std::tuple(-candidate.samplesPerSecond, candidate.peak, candidate.ipus, candidate.point);
    };
    std::ranges::sort(order, [&](std::size_t a, std::size_t b) { return key(a) < key(b); });
    // Of the points so far, all at least as fast: by IPUs the least peak with at most so many.
    std::map<std::int64_t, Bytes> leastPeak;
    std::vector<std::size_t> front;
    for (const std::size_t i : order) {
        const std::int64_t ipus = candidates[i].ipus;
        const Bytes peak = candidates[i].peak;
        const auto after = leastPeak.upper_bound(ipus);
        if (after != leastPeak.begin() && std::prev(after)->second <= peak)
            continue;
        if (isWanted && !isWanted(candidates[i]))
            continue;
        front.push_back(i);
        auto behind = leastPeak.lower_bound(ipus);
        while (behind != leastPeak.end() && behind->second >= peak)
            behind = leastPeak.erase(behind);
        leastPeak.emplace(ipus, peak);
    }
    return front;
}

std::vector<std::size_t> paretoFront(const std::vector<SweepPointRecord>& points,
                                     const std::function<bool(const SweepPointRecord&)>& isWanted) {
    std::vector<FrontCandidate> candidates;
    for (std::size_t i = 0; i < points.size(); ++i) {
        auto candidate = frontCandidate(points[i]);
        if (!candidate)
            continue;
        // Points are in order, and so are their places.
        candidate->point = static_cast<std::int64_t>(i);
        candidates.push_back(*candidate);
    }
    std::function<bool(const FrontCandidate&)> isWantedAt;
    if (isWanted)
        isWantedAt = [&](const FrontCandidate& candidate) {
            return isWanted(points[static_cast<std::size_t>(candidate.point)]);
        };
    std::vector<std::size_t> front = paretoFront(candidates, isWantedAt);
    for (std::size_t& i : front)
        i = static_cast<std::size_t>(candidates[i].point);
    return front;
}

Result<void> forEachFittingPoint(const ProfileDatabase& database, std::int64_t sweep,
                                 const std::function<bool(const SweepPointRecord&)>& visit) {
    return guarded(database, [&]() -> Result<void> {
        SQLite::Statement statement(
            database.connection(),
            selectFrom(sweepPointTable,
                       "sweep_id = ?1 AND state = ?2 ORDER BY samples_per_second DESC, point"));
        statement.bind(1, sweep);
        statement.bind(2, static_cast<int>(SweepPointState::Fits));
        while (statement.executeStep()) {
            SweepPointRecord point;
            readRecord(statement, sweepPointTable, point);
            if (!visit(point))
                break;
        }
        return {};
    });
}

} // namespace core
