#include "core/profile/queries/timeline_queries.h"
#include "core/profile/schema/database_trouble.h"
#include "core/profile/schema/row_reader.h"

#include <algorithm>
#include <map>

namespace core {

namespace {

void addPiece(const ProfileDatabase& database, RunId run, const UpdatePiece& piece,
              std::map<LaneId, LaneStatistics>& lanes) {
    SQLite::Statement statement(
        database.connection(),
        "SELECT span.lane, span.kind, cause, "
        "sum(min(start_cycles + duration_cycles, ?3) - max(start_cycles, ?2)) FROM span "
        "WHERE run_id = ?1 AND start_cycles < ?3 AND start_cycles + duration_cycles > ?2 "
        "AND lane IN (SELECT lane FROM lane WHERE lane.run_id = ?1 AND lane.kind = ?4) "
        "GROUP BY span.lane, span.kind, cause");
    statement.bind(1, static_cast<std::int64_t>(run.value()));
    statement.bind(2, piece.from.value());
    statement.bind(3, piece.to.value());
    statement.bind(4, codeOf(LaneKind::Compute));
    while (statement.executeStep()) {
        LaneId lane;
        SpanKind kind = SpanKind::Forward;
        std::optional<IdleCause> cause;
        Cycles cycles;
        RowReader(statement).read(lane, kind, cause, cycles);
        LaneStatistics& statistics = lanes.at(lane);
        statistics.byKind[static_cast<std::size_t>(kind)] += piece.times * cycles;
        statistics.unrecorded -= piece.times * cycles;
        if (cause)
            statistics.idleByCause[static_cast<std::size_t>(*cause)] += piece.times * cycles;
    }
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
    return guarded(database, [&]() -> Result<std::vector<LaneStatistics>> {
        std::map<LaneId, LaneStatistics> byLane;
        for (const LaneRecord& lane : *lanes) {
            if (lane.kind == LaneKind::Compute)
                byLane[lane.id] = {lane.id, lane.ipu, {}, {}, std::max(to - from, Cycles())};
        }
        SQLite::Statement step(database.connection(),
                               "SELECT coalesce(step_cycles, 0) FROM run WHERE id = ?");
        step.bind(1, static_cast<std::int64_t>(run.value()));
        if (to > from && step.executeStep()) {
            for (const UpdatePiece& piece : updatePieces(from, to, Cycles(step.getColumn(0).getInt64())))
                addPiece(database, run, piece, byLane);
        }
        std::vector<LaneStatistics> statistics;
        for (const auto& [lane, values] : byLane)
            statistics.push_back(values);
        return statistics;
    });
}

} // namespace core
