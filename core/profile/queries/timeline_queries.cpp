#include "core/profile/queries/timeline_queries.h"

#include "core/profile/queries/record_query.h"
#include "core/profile/schema/time_tables.h"

#include <algorithm>
#include <fmt/format.h>

namespace core {

namespace {

std::string selectSpans(std::string_view condition) {
    return selectFrom(spanTable, fmt::format("run_id = ?1 AND {}", condition));
}

/// Condition for spans of compute lanes.
std::string onComputeLanes() {
    return fmt::format("lane IN (SELECT lane FROM lane WHERE lane.run_id = ?1 AND lane.kind = {})",
                       codeOf(LaneKind::Compute));
}

/// The kinds of spans in which the programs of stages work in a slot, as a list of SQL.
std::string kindsInSlots() {
    std::vector<std::int64_t> codes;
    for (const EnumCode<SpanKind>& row : StoredEnum<SpanKind>::rows) {
        if (programPhaseOf(row.value) && row.value != SpanKind::WeightUpdate)
            codes.push_back(row.code);
    }
    return fmt::format("({})", fmt::join(codes, ", "));
}

std::vector<LaneRecord> readLanes(const ProfileDatabase& database, RunId run) {
    return selectRecords(database, laneTable, "run_id = ?1 ORDER BY lane", run);
}

Cycles stepOf(const ProfileDatabase& database, RunId run) {
    SQLite::Statement statement(database.connection(), "SELECT step_cycles FROM run WHERE id = ?");
    statement.bind(1, sqlId(run));
    return Cycles(statement.executeStep() ? statement.getColumn(0).getInt64() : 0);
}

/// Stored bins, when the lane has some and the window is coarse enough for them.
bool readStoredBins(const ProfileDatabase& database, const TimelineRequest& request, Cycles step,
                    LaneWindow& window, std::int64_t& spanCount) {
    if (step.value() <= 0)
        return false;
    const double storedWidth = static_cast<double>(step.value()) / static_cast<double>(storedBinCount);
    const double askedWidth =
        static_cast<double>((request.to - request.from).value()) / static_cast<double>(request.binCount);
    if (askedWidth < storedWidth)
        return false;
    const SpanBinner stored(Cycles(), step, storedBinCount);
    SpanBinner binner(request.from, request.to, request.binCount);
    SQLite::Statement statement(
        database.connection(),
        selectFrom(spanBinTable, "run_id = ? AND lane = ? AND bin BETWEEN ? AND ? ORDER BY bin"));
    statement.bind(1, sqlId(request.run));
    statement.bind(2, sqlId(window.lane.id));
    statement.bind(3, stored.binOf(request.from));
    statement.bind(4, stored.binOf(request.to - Cycles(1)));
    bool isStored = false;
    while (statement.executeStep()) {
        isStored = true;
        SpanBin bin;
        readRecord(statement, spanBinTable, bin);
        // Where in its bin the work happened is not known: it is put around the middle.
        const Cycles middle((stored.edge(bin.index) + stored.edge(bin.index + 1)).value() / 2);
        binner.add(bin.kind, bin.cause, middle - Cycles(bin.cycles.value() / 2), bin.cycles, bin.spans);
        spanCount += bin.spans;
    }
    window.bins = binner.bins();
    return isStored;
}

/// One pass over the lane: spans are kept until they are more than the bins; from then on the short ones are
/// summed.
void readWindow(SQLite::Statement& statement, const TimelineRequest& request, LaneWindow& window,
                std::int64_t& spanCount) {
    SpanBinner binner(request.from, request.to, request.binCount);
    const Cycles binWidth(std::max<std::int64_t>(1, (request.to - request.from).value() / request.binCount));
    bool isBinned = false;
    const auto fold = [&](const SpanRecord& span) {
        binner.add(span.kind, span.cause, span.start, span.duration);
    };
    SpanRecord span;
    while (statement.executeStep()) {
        readRecord(statement, spanTable, span);
        ++spanCount;
        if (isBinned && span.duration < binWidth) {
            fold(span);
            continue;
        }
        window.spans.push_back(span);
        if (isBinned || static_cast<std::int64_t>(window.spans.size()) <= request.binCount)
            continue;
        isBinned = true;
        std::erase_if(window.spans, [&](const SpanRecord& kept) {
            if (kept.duration >= binWidth)
                return false;
            fold(kept);
            return true;
        });
    }
    window.bins = binner.bins();
}

} // namespace

Result<std::vector<LaneRecord>> loadLanes(const ProfileDatabase& database, RunId run) {
    return guarded(database, [&]() -> Result<std::vector<LaneRecord>> { return readLanes(database, run); });
}

Result<std::vector<ExecutionRecord>> loadExecutions(const ProfileDatabase& database, RunId run) {
    return loadRecords(database, executionTable, "run_id = ?1 ORDER BY execution", run);
}

Result<std::vector<SpanRecord>> loadSpans(const ProfileDatabase& database, RunId run) {
    return loadRecords(database, spanTable, "run_id = ?1 ORDER BY lane, start_cycles, sequence", run);
}

Result<std::vector<SpanRecord>> loadOutlineSpans(const ProfileDatabase& database, RunId run) {
    return loadRecords(
        database, spanTable,
        fmt::format("run_id = ?1 AND kind NOT IN ({}, {}) ORDER BY lane, start_cycles, sequence",
                    codeOf(SpanKind::Exchange), codeOf(SpanKind::RemoteMemory)),
        run);
}

Result<TimelineWindow> loadTimeline(const ProfileDatabase& database, const TimelineRequest& request) {
    return guarded(database, [&]() -> Result<TimelineWindow> {
        TimelineWindow timeline{request.from,
                                std::max(request.to, request.from + Cycles(1)),
                                std::max<std::int64_t>(1, request.binCount),
                                {},
                                0};
        const TimelineRequest asked{request.run, timeline.from, timeline.to, timeline.binCount,
                                    request.kinds};
        SQLite::Transaction snapshot(database.connection());
        const Cycles step = stepOf(database, request.run);
        // The span that reaches into the window from the left is the last one to start before it.
        SQLite::Statement statement(
            database.connection(),
            selectSpans(
                "lane = ?2 AND start_cycles < ?4 AND start_cycles >= coalesce((SELECT "
                "max(start_cycles) FROM span WHERE run_id = ?1 AND lane = ?2 AND start_cycles <= ?3), "
                "?3) AND (start_cycles + duration_cycles > ?3 OR start_cycles >= ?3) "
                "ORDER BY start_cycles, sequence"));
        for (const LaneRecord& lane : readLanes(database, request.run)) {
            if (!request.kinds.empty() &&
                std::find(request.kinds.begin(), request.kinds.end(), lane.kind) == request.kinds.end())
                continue;
            LaneWindow& window = timeline.lanes.emplace_back();
            window.lane = lane;
            if (readStoredBins(database, asked, step, window, timeline.spanCount))
                continue;
            statement.bind(1, sqlId(request.run));
            statement.bind(2, sqlId(lane.id));
            statement.bind(3, timeline.from.value());
            statement.bind(4, timeline.to.value());
            readWindow(statement, asked, window, timeline.spanCount);
            statement.reset();
        }
        return timeline;
    });
}

Result<std::vector<SpanRecord>> microBatchSpans(const ProfileDatabase& database, RunId run,
                                                std::int64_t microBatch) {
    return findSpans(database, run, {std::nullopt, microBatch, {}, {}, {}, {}},
                     std::numeric_limits<std::int64_t>::max());
}

Result<IdleGaps> idleGaps(const ProfileDatabase& database, RunId run, std::int64_t limit) {
    return guarded(database, [&]() -> Result<IdleGaps> {
        SQLite::Statement statement(
            database.connection(),
            selectSpans("cause IS NOT NULL ORDER BY duration_cycles DESC, start_cycles, lane LIMIT ?2"));
        statement.bind(1, sqlId(run));
        statement.bind(2, limit);
        IdleGaps gaps{readRecords(statement, spanTable), 0};
        SQLite::Statement count(database.connection(),
                                "SELECT count(*) FROM span WHERE run_id = ? AND cause IS NOT NULL");
        count.bind(1, sqlId(run));
        if (count.executeStep())
            gaps.count = count.getColumn(0).getInt64();
        return gaps;
    });
}

Result<std::vector<SpanRecord>> findSpans(const ProfileDatabase& database, RunId run,
                                          const SpanFilter& filter, std::int64_t limit) {
    return guarded(database, [&]() -> Result<std::vector<SpanRecord>> {
        // Kinds beyond the compute lane are looked for by name only; a micro-batch means its stage programs.
        const bool everyLane = filter.kind.has_value() && !programPhaseOf(*filter.kind);
        SQLite::Statement statement(
            database.connection(),
            selectSpans(
                (everyLane ? std::string() : onComputeLanes() + " AND ") +
                "(?2 IS NULL OR span.kind = ?2) AND (?3 IS NULL OR micro_batch = ?3) AND "
                "(?4 IS NULL OR stage = ?4) AND (?5 IS NULL OR slot = ?5) AND (?6 IS NULL OR cause = ?6) AND "
                "(?7 IS NULL OR (stage, span.kind) IN (SELECT stage, span_kind.id FROM operation "
                "JOIN program_phase ON program_phase.id = operation.phase "
                "JOIN span_kind ON span_kind.name = program_phase.name "
                "LEFT JOIN text AS n ON n.id = name_id LEFT JOIN text AS l ON l.id = layer_id WHERE "
                "operation.run_id = ?1 AND "
                "(instr(lower(n.value), ?7) OR instr(lower(l.value), ?7)))) "
                "ORDER BY start_cycles, lane LIMIT ?8"));
        const auto bindOptional = [&](int index, const std::optional<std::int64_t>& value) {
            if (value)
                statement.bind(index, *value);
            else
                statement.bind(index);
        };
        const auto number = [](const auto& value) {
            return value ? std::optional(codeOf(*value)) : std::nullopt;
        };
        statement.bind(1, sqlId(run));
        bindOptional(2, number(filter.kind));
        bindOptional(3, filter.microBatch);
        bindOptional(4, filter.stage ? std::optional(sqlId(*filter.stage)) : std::nullopt);
        bindOptional(5, filter.slot);
        bindOptional(6, number(filter.cause));
        if (filter.operation.empty())
            statement.bind(7);
        else
            statement.bind(7, filter.operation);
        statement.bind(8, limit);
        return readRecords(statement, spanTable);
    });
}

Result<std::optional<SpanRecord>> neighbourSpan(const ProfileDatabase& database, RunId run, LaneId lane,
                                                Cycles start, bool isForward) {
    return guarded(database, [&]() -> Result<std::optional<SpanRecord>> {
        SQLite::Statement statement(
            database.connection(),
            selectSpans(isForward ? "lane = ?2 AND start_cycles > ?3 ORDER BY start_cycles LIMIT 1"
                                  : "lane = ?2 AND start_cycles < ?3 ORDER BY start_cycles DESC LIMIT 1"));
        statement.bind(1, sqlId(run));
        statement.bind(2, sqlId(lane));
        statement.bind(3, start.value());
        std::vector<SpanRecord> spans = readRecords(statement, spanTable);
        return spans.empty() ? std::nullopt : std::optional(spans.front());
    });
}

Result<std::optional<SpanRecord>> spanAt(const ProfileDatabase& database, RunId run, LaneId lane,
                                         Cycles time) {
    return guarded(database, [&]() -> Result<std::optional<SpanRecord>> {
        SQLite::Statement statement(
            database.connection(),
            selectSpans(
                "lane = ?2 AND start_cycles <= ?3 ORDER BY start_cycles DESC, sequence DESC LIMIT 1"));
        statement.bind(1, sqlId(run));
        statement.bind(2, sqlId(lane));
        statement.bind(3, time.value());
        std::vector<SpanRecord> spans = readRecords(statement, spanTable);
        if (spans.empty() || spans.front().start + spans.front().duration <= time)
            return std::nullopt;
        return spans.front();
    });
}

Result<std::vector<SlotTime>> loadSlots(const ProfileDatabase& database, RunId run) {
    return guarded(database, [&]() -> Result<std::vector<SlotTime>> {
        SQLite::Statement statement(
            database.connection(),
            fmt::format(
                "SELECT slot, min(start_cycles), max(start_cycles + duration_cycles), max(kind IN {}) "
                "FROM span WHERE run_id = ?1 AND slot IS NOT NULL AND {} GROUP BY slot ORDER BY slot",
                kindsInSlots(), onComputeLanes()));
        statement.bind(1, sqlId(run));
        std::vector<SlotTime> slots;
        while (statement.executeStep()) {
            SlotTime& slot = slots.emplace_back();
            RowReader(statement).read(slot.slot, slot.start, slot.end, slot.hasWork);
        }
        return slots;
    });
}

} // namespace core
