#include "core/profile/queries/timeline_queries.h"
#include "core/profile/records/span_bins.h"
#include "core/profile/schema/database_trouble.h"
#include "core/profile/schema/row_reader.h"
#include "core/profile/spans/span_reader.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace core {

namespace {

/// Cycles of a lane inside [from, to) by shape: of whole blocks from their sums, of others from their spans.
void addPiece(SpanReader& reader, const UpdatePiece& piece, LaneStatistics& statistics) {
    const auto add = [&](SpanKind kind, std::optional<IdleCause> cause, std::int64_t cycles) {
        statistics.byKind[static_cast<std::size_t>(kind)] += piece.times * Cycles(cycles);
        statistics.unrecorded -= piece.times * Cycles(cycles);
        if (cause)
            statistics.idleByCause[static_cast<std::size_t>(*cause)] += piece.times * Cycles(cycles);
    };
    const std::int64_t from = piece.from.value();
    const std::int64_t to = piece.to.value();
    std::vector<SpanBlock> cut;
    reader.forEachHead(statistics.lane, piece.from, piece.to, [&](const SpanBlock& head) {
        if (head.start < from || head.end > to) {
            cut.push_back(head);
            return;
        }
        for (const SpanSum& sum : reader.sumsOf(head))
            add(storedEnum<SpanKind>(sum.kind),
                sum.cause < 0 ? std::nullopt : std::optional(storedEnum<IdleCause>(sum.cause)), sum.cycles);
    });
    for (const SpanBlock& head : cut)
        reader.withSpans(head, [&](const SpanBlock& block, const std::vector<PackedSpan>& spans) {
            for (const PackedSpan& span : spans) {
                const auto before = [&](std::int64_t time) {
                    return cyclesBefore(time, span.start, span.duration, block.strideCycles, block.turns);
                };
                const SpanRecord& shape = reader.shapeOf(span).record;
                add(shape.kind, shape.kind == SpanKind::Idle ? std::optional(shape.cause) : std::nullopt,
                    before(to) - before(from));
            }
        });
}

} // namespace

std::vector<UpdatePiece> updatePieces(Cycles from, Cycles to, Cycles step) {
    const std::int64_t length = std::max<std::int64_t>(1, step.value());
    const std::int64_t firstUpdate = from.value() / length;
    const std::int64_t lastUpdate = (to.value() - 1) / length;
    const Cycles first(from.value() - firstUpdate * length);
    const Cycles last(to.value() - lastUpdate * length);
    if (firstUpdate == lastUpdate)
        return {{first, last, 1}};
    std::vector<UpdatePiece> pieces{{first, step, 1}, {Cycles(), last, 1}};
    if (lastUpdate - firstUpdate > 1)
        pieces.push_back({Cycles(), step, lastUpdate - firstUpdate - 1});
    return pieces;
}

Cycles LaneStatistics::busy() const {
    Cycles busy;
    for (std::size_t kind = 0; kind < spanKindCount; ++kind) {
        if (programPhaseOf(static_cast<SpanKind>(kind)))
            busy += byKind[kind];
    }
    return busy;
}

Result<std::vector<LaneStatistics>> areaStatistics(const ProfileDatabase& database, RunId run, Cycles from,
                                                   Cycles to) {
    const Result<std::vector<LaneRecord>> lanes = loadLanes(database, run);
    if (!lanes)
        return failure(lanes.error());
    return guardedPart(database, timelineEvents, [&]() -> Result<std::vector<LaneStatistics>> {
        std::map<LaneId, LaneStatistics> byLane;
        for (const LaneRecord& lane : *lanes) {
            if (lane.kind == LaneKind::Compute)
                byLane[lane.id] = {lane.id, lane.ipu, {}, {}, std::max(to - from, Cycles())};
        }
        SQLite::Statement step(database.connection(),
                               "SELECT coalesce(step_cycles, 0) FROM run WHERE id = ?");
        step.bind(1, static_cast<std::int64_t>(run.value()));
        if (to > from && step.executeStep()) {
            SpanReader reader(database, run);
            for (const UpdatePiece& piece : updatePieces(from, to, Cycles(step.getColumn(0).getInt64())))
                for (auto& [lane, statistics] : byLane)
                    addPiece(reader, piece, statistics);
        }
        std::vector<LaneStatistics> statistics;
        for (const auto& [lane, values] : byLane)
            statistics.push_back(values);
        return statistics;
    });
}

Result<std::vector<AreaWork>> areaWork(const ProfileDatabase& database, RunId run, Cycles from, Cycles to) {
    return guardedPart(database, timelineEvents, [&]() -> Result<std::vector<AreaWork>> {
        SpanReader reader(database, run);
        std::vector<AreaWork> works;
        std::map<std::tuple<StageId, SpanKind, Cycles>, std::size_t> whole;
        for (const LaneId lane : reader.computeLanes())
            reader.forEachBlock(
                lane, from, to, [&](const SpanBlock& block, const std::vector<PackedSpan>& spans) {
                    for (const PackedSpan& span : spans) {
                        if (!programPhaseOf(reader.shapeOf(span).record.kind))
                            continue;
                        TurnRange turns = turnsInside(block, span, from, to);
                        const auto isCut = [&](const SpanRecord& one) {
                            return one.start < from || one.start + one.duration > to;
                        };
                        for (; turns.first < turns.last; ++turns.first) {
                            const SpanRecord first = reader.record(block, span, turns.first);
                            if (!isCut(first))
                                break;
                            works.push_back({first, 1});
                        }
                        for (; turns.first < turns.last; --turns.last) {
                            const SpanRecord last = reader.record(block, span, turns.last - 1);
                            if (!isCut(last))
                                break;
                            works.push_back({last, 1});
                        }
                        if (turns.first >= turns.last)
                            continue;
                        const SpanRecord one = reader.record(block, span, turns.first);
                        const auto [place, isNew] =
                            whole.try_emplace({one.stage, one.kind, one.duration}, works.size());
                        if (isNew)
                            works.push_back({one, 0});
                        works[place->second].times += turns.last - turns.first;
                    }
                });
        return works;
    });
}

} // namespace core
