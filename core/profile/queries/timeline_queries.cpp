#include "core/profile/queries/timeline_queries.h"

#include "core/profile/queries/record_query.h"
#include "core/profile/schema/time_tables.h"
#include "core/profile/spans/first_spans.h"
#include "core/profile/spans/span_reader.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <set>
#include <tuple>
#include <utility>

namespace core {

namespace {

/// Lanes that store more spans than this show the sums of blocks where these are next to nothing in a
/// picture.
constexpr std::int64_t mostUnpackedSpans = 32768;

std::vector<LaneRecord> readLanes(const ProfileDatabase& database, RunId run) {
    return selectRecords(database, laneTable, "run_id = ?1 ORDER BY lane", run);
}

/// One lane of a timeline at the resolution of a picture.
class WindowReader {
public:
    WindowReader(SpanReader& reader, const TimelineRequest& request)
        : m_reader(reader)
        , m_request(request)
        , m_binWidth(std::max<std::int64_t>(1, (request.to - request.from).value() / request.binCount)) {}

    /// Answers how many spans the window stands for.
    std::int64_t read(LaneWindow& window) {
        std::int64_t count = 0;
        std::int64_t stored = 0;
        m_heads.clear();
        m_reader.forEachHead(window.lane.id, m_request.from, m_request.to, [&](const SpanBlock& head) {
            m_heads.push_back(head);
            stored += head.spans;
            if (isWhole(head))
                count += head.spans * head.turns;
        });
        for (const SpanBlock& head : m_heads)
            if (!isWhole(head))
                m_reader.withSpans(head, [&](const SpanBlock& block, const auto& spans) {
                    for (const PackedSpan& span : spans) {
                        const TurnRange turns = turnsInside(block, span, m_request.from, m_request.to);
                        count += std::max<std::int64_t>(0, turns.last - turns.first);
                    }
                });
        const bool showsAll = count <= m_request.binCount;
        m_binner.reset();
        if (!showsAll)
            m_binner.emplace(m_request.from, m_request.to, m_request.binCount);
        const auto add = [&](const SpanBlock& block, const std::vector<PackedSpan>& spans) {
            addBlock(block, spans, showsAll, window);
        };
        if (showsAll || stored <= mostUnpackedSpans)
            m_reader.forEachBlock(window.lane.id, m_request.from, m_request.to, add);
        else
            addSums(add);
        if (m_binner)
            window.bins = m_binner->bins();
        return count;
    }

private:
    [[nodiscard]] bool isWhole(const SpanBlock& block) const {
        return block.start >= m_request.from.value() && block.end <= m_request.to.value() &&
               block.start < m_request.to.value();
    }

    /// Of blocks that are next to nothing in the picture their sums, of others the spans.
    template <class Add>
    void addSums(Add add) {
        for (const SpanBlock& head : m_heads) {
            if (!isWhole(head) || head.end - head.start > 2 * m_binWidth)
                continue;
            for (const SpanSum& sum : m_reader.sumsOf(head))
                m_binner->addSpread(storedEnum<SpanKind>(sum.kind),
                                    sum.cause < 0 ? IdleCause::WarmUp : storedEnum<IdleCause>(sum.cause),
                                    Cycles(head.start), Cycles(head.end), Cycles(sum.cycles), sum.spans);
        }
        for (const SpanBlock& head : m_heads)
            if (!isWhole(head) || head.end - head.start > 2 * m_binWidth)
                m_reader.withSpans(head, add);
    }

    /// The spans that are to be seen alone, in time; the others into bins.
    void addBlock(const SpanBlock& block, const std::vector<PackedSpan>& spans, bool showsAll,
                  LaneWindow& window) {
        m_alone.clear();
        // More only where spans lie over one another.
        const std::int64_t mostAlone = 4 * m_request.binCount;
        auto alone = static_cast<std::int64_t>(window.spans.size());
        for (const PackedSpan& span : spans) {
            if (showsAll || (span.duration >= m_binWidth && alone < mostAlone)) {
                const TurnRange turns = turnsInside(block, span, m_request.from, m_request.to);
                m_alone.push_back({&span, turns});
                alone += std::max<std::int64_t>(0, turns.last - turns.first);
                continue;
            }
            const SpanRecord& shape = m_reader.shapeOf(span).record;
            m_binner->addTurns(shape.kind, shape.cause, Cycles(span.start), Cycles(span.duration),
                               Cycles(block.strideCycles), block.turns);
        }
        if (m_alone.empty())
            return;
        std::int64_t first = block.turns;
        std::int64_t last = 0;
        for (const auto& [span, turns] : m_alone) {
            first = std::min(first, turns.first);
            last = std::max(last, turns.last);
        }
        for (std::int64_t turn = first; turn < last; ++turn)
            for (const auto& [span, turns] : m_alone)
                if (turn >= turns.first && turn < turns.last)
                    window.spans.push_back(m_reader.record(block, *span, turn));
    }

    SpanReader& m_reader;
    const TimelineRequest& m_request;
    std::int64_t m_binWidth;
    std::optional<SpanBinner> m_binner;
    /// Of the lane that is read.
    std::vector<SpanBlock> m_heads;
    std::vector<std::pair<const PackedSpan*, TurnRange>> m_alone;
};

Result<std::vector<SpanRecord>> readSpans(const ProfileDatabase& database, RunId run,
                                          const std::set<SpanKind>& without, std::int64_t most) {
    SpanReader reader(database, run);
    const std::vector<LaneRecord> lanes = readLanes(database, run);
    const auto isWithout = [&](std::int64_t code) {
        return std::ranges::any_of(without, [&](SpanKind kind) { return codeOf(kind) == code; });
    };
    std::int64_t count = 0;
    for (const LaneRecord& lane : lanes)
        reader.forEachHead(lane.id, firstCycle, lastCycle, [&](const SpanBlock& head) {
            count += head.spans * head.turns;
            if (without.empty())
                return;
            for (const SpanSum& sum : reader.sumsOf(head))
                if (isWithout(sum.kind))
                    count -= std::min(count, sum.spans);
        });
    if (count > most)
        return failure(makeError(
            Trouble::World, "timeline/too-long",
            {database.path().string(), fmt::format("run {}", run.value())},
            fmt::format("run {} has {} spans; at most {} are read at once", run.value(), count, most),
            {"ask for a part of them with sql: SELECT … FROM v_span WHERE lane = …"}));
    std::vector<SpanRecord> all;
    all.reserve(static_cast<std::size_t>(count));
    for (const LaneRecord& lane : lanes)
        reader.forEachBlock(lane.id, [&](const SpanBlock& block, const auto& spans) {
            for (std::int64_t turn = 0; turn < block.turns; ++turn)
                for (const PackedSpan& span : spans)
                    if (!without.contains(reader.shapeOf(span).record.kind))
                        all.push_back(reader.record(block, span, turn));
        });
    return all;
}

/// The stage programs that hold a layer or operation with this part in its name.
std::set<std::pair<StageId, SpanKind>> programsWith(const ProfileDatabase& database, RunId run,
                                                    const std::string& name) {
    SQLite::Statement statement(
        database.connection(),
        "SELECT DISTINCT stage, phase FROM operation LEFT JOIN text AS n ON n.id = name_id "
        "LEFT JOIN text AS l ON l.id = layer_id WHERE operation.run_id = ?1 AND stage IS NOT NULL AND "
        "(instr(lower(n.value), ?2) OR instr(lower(l.value), ?2))");
    statement.bind(1, sqlId(run));
    statement.bind(2, name);
    std::set<std::pair<StageId, SpanKind>> programs;
    while (statement.executeStep()) {
        StageId stage;
        ProgramPhase phase = ProgramPhase::Forward;
        RowReader(statement).read(stage, phase);
        programs.emplace(stage, spanKindOf(phase));
    }
    return programs;
}

constexpr std::string_view noTimelineCode = "run/no-timeline";

} // namespace

Diagnostic withoutTimeline(RunId run) {
    return makeError(Trouble::Input, std::string(noTimelineCode), {{}, fmt::format("run {}", run.value())},
                     fmt::format("run {} was recorded without a timeline", run.value()),
                     {"run the project again with `--profile ipu` or `--profile tile`"});
}

bool isWithoutTimeline(const Diagnostics& diagnostics) {
    return !diagnostics.empty() && diagnostics.front().code == noTimelineCode;
}

Result<std::vector<LaneRecord>> loadLanes(const ProfileDatabase& database, RunId run) {
    return guardedPart(database, "lanes of the timeline",
                       [&]() -> Result<std::vector<LaneRecord>> { return readLanes(database, run); });
}

Result<std::vector<ExecutionRecord>> loadExecutions(const ProfileDatabase& database, RunId run) {
    return loadRecords(database, executionTable, "run_id = ?1 ORDER BY execution", run);
}

Result<std::vector<SpanRecord>> loadSpans(const ProfileDatabase& database, RunId run) {
    return guardedPart(database, timelineEvents, [&]() -> Result<std::vector<SpanRecord>> {
        return readSpans(database, run, {}, mostSpansOfRun);
    });
}

Result<std::vector<SpanRecord>> loadOutlineSpans(const ProfileDatabase& database, RunId run) {
    return guardedPart(database, timelineEvents, [&]() -> Result<std::vector<SpanRecord>> {
        return readSpans(database, run, {SpanKind::Exchange, SpanKind::RemoteMemory}, mostOutlineSpans);
    });
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
        keepingWhatIsLeft(database, timelineEvents, [&] {
            SpanReader reader(database, request.run);
            WindowReader windows(reader, asked);
            for (const LaneRecord& lane : readLanes(database, request.run)) {
                if (!request.kinds.empty() &&
                    std::find(request.kinds.begin(), request.kinds.end(), lane.kind) == request.kinds.end())
                    continue;
                LaneWindow& window = timeline.lanes.emplace_back();
                window.lane = lane;
                timeline.spanCount += windows.read(window);
            }
        });
        return timeline;
    });
}

Result<std::vector<SpanRecord>> microBatchSpans(const ProfileDatabase& database, RunId run,
                                                std::int64_t microBatch) {
    return findSpans(database, run, {std::nullopt, microBatch, {}, {}, {}, {}}, -1);
}

Result<IdleGaps> idleGaps(const ProfileDatabase& database, RunId run, std::int64_t limit) {
    return guardedPart(database, "idle gaps", [&]() -> Result<IdleGaps> {
        SpanReader reader(database, run);
        std::int64_t count = 0;
        FirstSpans longest(limit, IsLongerGap());
        for (const LaneId lane : reader.computeLanes())
            reader.forEachBlock(lane, [&](const SpanBlock& block, const auto& spans) {
                for (std::size_t i = 0; i < spans.size(); ++i) {
                    if (reader.shapeOf(spans[i]).record.kind != SpanKind::Idle)
                        continue;
                    count += block.turns;
                    if (spans[i].duration < longest.leastDuration())
                        continue;
                    // Later turns are as long, and later.
                    for (std::int64_t turn = 0; turn < block.turns; ++turn)
                        if (!longest.add(reader.record(block, spans[i], turn), placeOf(block, i, turn)))
                            break;
                }
            });
        return IdleGaps{std::move(longest).take(), count};
    });
}

Result<std::vector<SpanRecord>> findSpans(const ProfileDatabase& database, RunId run,
                                          const SpanFilter& filter, std::int64_t limit) {
    return guardedPart(database, timelineEvents, [&]() -> Result<std::vector<SpanRecord>> {
        SpanReader reader(database, run);
        std::set<std::pair<StageId, SpanKind>> programs;
        if (!filter.operation.empty())
            programs = programsWith(database, run, filter.operation);
        std::vector<char> isAdmitted;
        for (const ReadShape& shape : reader.shapes()) {
            const SpanRecord& span = shape.record;
            isAdmitted.push_back(
                (!filter.kind || span.kind == *filter.kind) && (!filter.microBatch || shape.hasMicroBatch) &&
                (!filter.stage || span.stage == *filter.stage) && (!filter.slot || shape.hasSlot) &&
                (!filter.cause || (span.kind == SpanKind::Idle && span.cause == *filter.cause)) &&
                (filter.operation.empty() || programs.contains({span.stage, span.kind})));
        }
        // Kinds beyond the compute lane are looked for by name only; a micro-batch means its stage programs.
        std::vector<LaneId> lanes = reader.computeLanes();
        if (filter.kind.has_value() && !programPhaseOf(*filter.kind)) {
            lanes.clear();
            for (const LaneRecord& lane : readLanes(database, run))
                lanes.push_back(lane.id);
        }
        FirstSpans found(limit, [](const SpanRecord& a, const SpanRecord& b) {
            return std::pair(a.start, a.lane) < std::pair(b.start, b.lane);
        });
        for (const LaneId lane : lanes)
            reader.forEachBlock(lane, [&](const SpanBlock& block, const auto& spans) {
                for (std::size_t i = 0; i < spans.size(); ++i) {
                    if (isAdmitted[spans[i].shape] == 0)
                        continue;
                    const TurnRange turns = turnsWith(block, spans[i], filter.microBatch, filter.slot);
                    for (std::int64_t turn = turns.first; turn < turns.last; ++turn)
                        if (!found.add(reader.record(block, spans[i], turn), placeOf(block, i, turn)))
                            break;
                }
            });
        return std::move(found).take();
    });
}

Result<std::optional<SpanRecord>> neighbourSpan(const ProfileDatabase& database, RunId run, LaneId lane,
                                                Cycles start, bool isForward) {
    return guardedPart(database, timelineEvents, [&]() -> Result<std::optional<SpanRecord>> {
        SpanReader reader(database, run);
        return isForward ? reader.firstBehind(lane, start) : reader.lastUpTo(lane, start - Cycles(1));
    });
}

Result<std::optional<SpanRecord>> spanAt(const ProfileDatabase& database, RunId run, LaneId lane,
                                         Cycles time) {
    return guardedPart(database, timelineEvents, [&]() -> Result<std::optional<SpanRecord>> {
        std::optional<SpanRecord> span = SpanReader(database, run).lastUpTo(lane, time);
        if (span && span->start + span->duration <= time)
            span.reset();
        return span;
    });
}

Result<std::vector<SlotTime>> loadSlots(const ProfileDatabase& database, RunId run) {
    return guardedPart(database, timelineEvents, [&]() -> Result<std::vector<SlotTime>> {
        SpanReader reader(database, run);
        std::vector<SlotTime> slots;
        std::map<std::int64_t, SlotTime> farSlots; // of files that number them strangely
        constexpr std::int64_t mostNear = std::int64_t{1} << 24U;
        constexpr std::size_t mostFar = std::size_t{1} << 20U;
        const auto extend = [](SlotTime& slot, Cycles start, Cycles end, bool isWork) {
            slot.start = std::min(slot.start, start);
            slot.end = std::max(slot.end, end);
            slot.hasWork = slot.hasWork || isWork;
        };
        std::vector<char> isWork;
        for (const ReadShape& shape : reader.shapes()) {
            const SpanKind kind = shape.record.kind;
            isWork.push_back(programPhaseOf(kind) && kind != SpanKind::WeightUpdate ? 1 : 0);
        }
        const auto addSpan = [&](const SpanBlock& block, const PackedSpan& span) {
            const std::int64_t last = span.slot + (block.turns - 1) * block.slotStride;
            const bool works = isWork[span.shape] != 0;
            const bool isNear = std::min(span.slot, last) >= 0 && std::max(span.slot, last) < mostNear;
            while (isNear && std::cmp_less_equal(slots.size(), std::max(span.slot, last)))
                slots.push_back({static_cast<std::int64_t>(slots.size()), lastCycle, firstCycle, false});
            Cycles start(span.start);
            std::int64_t slot = span.slot;
            for (std::int64_t turn = 0; turn < block.turns; ++turn) {
                SlotTime& time =
                    isNear ? slots[static_cast<std::size_t>(slot)]
                           : farSlots.try_emplace(slot, SlotTime{slot, lastCycle, firstCycle, false})
                                 .first->second;
                if (farSlots.size() > mostFar)
                    throw SQLite::Exception(
                        fmt::format("slots of run {} have impossible numbers", run.value()), SQLITE_CORRUPT);
                extend(time, start, start + Cycles(span.duration), works);
                start += Cycles(block.strideCycles);
                slot += block.slotStride;
            }
        };
        for (const LaneId lane : reader.computeLanes())
            reader.forEachBlock(lane, [&](const SpanBlock& block, const auto& spans) {
                for (const PackedSpan& span : spans)
                    if (reader.shapeOf(span).hasSlot)
                        addSpan(block, span);
            });
        std::erase_if(slots, [](const SlotTime& slot) { return slot.start == lastCycle; });
        for (const auto& [number, slot] : farSlots)
            slots.insert(number < 0 ? slots.begin() : slots.end(), slot);
        return slots;
    });
}

} // namespace core
