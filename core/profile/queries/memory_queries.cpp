#include "core/profile/queries/memory_queries.h"

#include "core/profile/queries/record_query.h"
#include "core/profile/schema/memory_tables.h"

#include <algorithm>

namespace core {

namespace {

void readLimits(const ProfileDatabase& database, RunId run, LivenessCurve& curve) {
    SQLite::Statement statement(
        database.connection(),
        "SELECT limit_bytes, always_live_bytes FROM ipu_memory WHERE run_id = ? AND ipu = ?");
    statement.bind(1, sqlId(run));
    statement.bind(2, sqlId(curve.ipu));
    if (statement.executeStep())
        RowReader(statement).read(curve.limit, curve.alwaysLive);
}

/// Adds every range to the points it covers: births and deaths are collected by step and summed up once.
void addRanges(const std::vector<LiveRangeRecord>& ranges, LivenessCurve& curve) {
    using Change = std::array<Bytes, memoryCategoryCount>;
    if (curve.points.empty())
        return;
    std::vector<Change> changes(curve.points.size() + 1);
    const auto indexOf = [&](std::int64_t step) {
        const auto at = std::lower_bound(curve.points.begin(), curve.points.end(), step,
                                         [](const LivenessPoint& p, std::int64_t s) { return p.step < s; });
        return static_cast<std::size_t>(at - curve.points.begin());
    };
    for (const LiveRangeRecord& range : ranges) {
        const auto category = static_cast<std::size_t>(range.category);
        changes[range.alwaysLive ? 0 : indexOf(range.firstStep)][category] += range.bytes;
        changes[range.alwaysLive ? curve.points.size() : indexOf(range.lastStep + 1)][category] -=
            range.bytes;
    }
    Change live{};
    for (std::size_t i = 0; i < curve.points.size(); ++i) {
        Bytes named;
        for (std::size_t category = 0; category < memoryCategoryCount; ++category) {
            live[category] += changes[i][category];
            named += live[category];
        }
        LivenessPoint& point = curve.points[i];
        point.byCategory = live;
        point.unnamed = point.live - named;
    }
}

/// Keeps the highest point of each of `count` equal rows of steps.
void decimate(std::vector<LivenessPoint>& points, std::size_t count) {
    if (points.size() <= count || count == 0)
        return;
    std::vector<LivenessPoint> kept;
    kept.reserve(count);
    for (std::size_t i = 0; i < count; ++i) {
        const auto first = points.begin() + static_cast<std::ptrdiff_t>(points.size() * i / count);
        const auto last = points.begin() + static_cast<std::ptrdiff_t>(points.size() * (i + 1) / count);
        kept.push_back(*std::max_element(
            first, last, [](const LivenessPoint& a, const LivenessPoint& b) { return a.live < b.live; }));
    }
    points = std::move(kept);
}

} // namespace

Result<std::vector<LivenessStepRecord>> loadLivenessSteps(const ProfileDatabase& database, RunId run,
                                                          IpuId ipu) {
    return loadEachRecord(database, livenessStepTable, "run_id = ?1 AND ipu = ?2", "step", run, ipu);
}

Result<LivenessCurve> livenessCurve(const ProfileDatabase& database, RunId run, IpuId ipu,
                                    std::optional<std::int64_t> mostPoints) {
    const auto steps = loadLivenessSteps(database, run, ipu);
    if (!steps)
        return failure(steps.error());
    const auto ranges = liveRanges(database, run, ipu);
    if (!ranges)
        return failure(ranges.error());
    return guarded(database, [&]() -> Result<LivenessCurve> {
        LivenessCurve curve;
        curve.ipu = ipu;
        readLimits(database, run, curve);
        // Behind a damaged page there may be more steps than were read, but not very many.
        const auto read = static_cast<std::int64_t>(steps->size());
        constexpr std::int64_t mostLost = std::int64_t{1} << 20U;
        curve.stepCount = read == 0 ? 0 : std::clamp(steps->back().step + 1, read, read + mostLost);
        for (const LivenessStepRecord& step : *steps)
            curve.points.push_back(
                {step.step, step.stage, step.phase, step.operation, step.live + curve.alwaysLive, {}, {}});
        addRanges(*ranges, curve);
        if (mostPoints)
            decimate(curve.points, static_cast<std::size_t>(std::max<std::int64_t>(1, *mostPoints)));
        const auto highest =
            std::max_element(curve.points.begin(), curve.points.end(),
                             [](const LivenessPoint& a, const LivenessPoint& b) { return a.live < b.live; });
        if (highest != curve.points.end())
            curve.peak = static_cast<std::size_t>(highest - curve.points.begin());
        return curve;
    });
}

Result<std::vector<LiveRangeRecord>> liveRanges(const ProfileDatabase& database, RunId run, IpuId ipu) {
    return loadEachRecord(database, liveRangeTable, "run_id = ?1 AND ipu = ?2", "position", run, ipu);
}

Result<std::vector<ProgramLiveness>> programLiveness(const ProfileDatabase& database, RunId run, IpuId ipu) {
    return guardedPart(database, "memory over the steps", [&]() -> Result<std::vector<ProgramLiveness>> {
        SQLite::Statement statement(
            database.connection(),
            "SELECT liveness_step.stage, liveness_step.phase, step, p.start, p.stop, live_bytes + "
            "coalesce((SELECT "
            "always_live_bytes FROM ipu_memory AS m WHERE m.run_id = ?1 AND m.ipu = ?2), 0) FROM "
            "liveness_step "
            "JOIN (SELECT operation, phase, min(start_cycles) AS start, max(start_cycles + duration_cycles) "
            "AS "
            "stop FROM program_step WHERE run_id = ?1 AND operation IS NOT NULL GROUP BY operation, phase) "
            "AS p "
            "ON p.operation = liveness_step.operation AND p.phase = liveness_step.phase "
            "WHERE run_id = ?1 AND ipu = ?2 ORDER BY step");
        statement.bind(1, sqlId(run));
        statement.bind(2, sqlId(ipu));
        std::vector<ProgramLiveness> rows;
        while (statement.executeStep()) {
            ProgramLiveness& row = rows.emplace_back();
            RowReader(statement).read(row.stage, row.phase, row.step, row.from, row.to, row.live);
        }
        return rows;
    });
}

Result<TileMemoryRecord> loadTileMemory(const ProfileDatabase& database, RunId run, IpuId ipu) {
    const auto tiles =
        loadRecords(database, tileMemoryTable, "run_id = ?1 AND ipu = ?2 ORDER BY tile", run, ipu);
    if (!tiles)
        return failure(tiles.error());
    TileMemoryRecord record;
    record.ipu = ipu;
    if (!tiles->empty())
        record.bytes.resize(memoryCategoryCount);
    for (std::size_t category = 0; category < record.bytes.size(); ++category) {
        for (const TileBytes& tile : *tiles)
            record.bytes[category].push_back(static_cast<std::int32_t>(tile.byCategory[category]));
    }
    return record;
}

} // namespace core
