#include "views/timeline/painting/timeline_frame.h"

#include "core/profile/exports/trace_content.h"
#include "core/profile/queries/run_queries.h"

#include <algorithm>

namespace views {

namespace {

/// An entry per IPU that has lanes, in order.
std::vector<TimelineIpu> ipusOf(const std::vector<core::LaneRecord>& lanes) {
    std::map<core::IpuId, TimelineIpu> byIpu;
    for (const core::LaneRecord& lane : lanes) {
        TimelineIpu& ipu = byIpu[lane.ipu];
        ipu.ipu = lane.ipu;
        ipu.lanes[static_cast<std::size_t>(lane.kind)] = lane.id;
    }
    std::vector<TimelineIpu> ipus;
    for (auto& [id, ipu] : byIpu)
        ipus.push_back(std::move(ipu));
    return ipus;
}

core::Result<void> addLiveness(const core::ProfileDatabase& database, core::RunId run, TimelineIpu& ipu) {
    const auto rows = core::programLiveness(database, run, ipu.ipu);
    if (!rows)
        return core::failure(rows.error());
    for (const core::ProgramLiveness& row : *rows)
        ipu.liveness[{row.stage, row.phase}].push_back(row);
    for (auto& [program, points] : ipu.liveness)
        std::stable_sort(points.begin(), points.end(),
                         [](const auto& a, const auto& b) { return a.from < b.from; });
    for (const core::ProgramLiveness& row : *rows) {
        if (!ipu.least || row.live < ipu.least->live)
            ipu.least = row;
    }
    ipu.leastInFlight = core::leastInFlight(*rows);
    return {};
}

/// The first (or last) work on a micro-batch of a lane: only what waits before (or comes after) it is passed.
core::Result<std::optional<core::SpanRecord>> outermostWork(const core::ProfileDatabase& database,
                                                            core::RunId run, core::LaneId lane,
                                                            core::Cycles from, bool isForward) {
    for (;;) {
        auto span = core::neighbourSpan(database, run, lane, from, isForward);
        if (!span || !*span)
            return span;
        if ((*span)->kind != core::SpanKind::WeightUpdate && core::programPhaseOf((*span)->kind))
            return span;
        from = (*span)->start;
    }
}

core::Result<void> addFlight(const core::ProfileDatabase& database, core::RunId run, core::Cycles step,
                             TimelineIpu& ipu) {
    const auto lane = ipu.lane(core::LaneKind::Compute);
    if (!lane || !ipu.leastInFlight)
        return {};
    const auto first = outermostWork(database, run, *lane, core::Cycles(-1), true);
    if (!first)
        return core::failure(first.error());
    const auto last = outermostWork(database, run, *lane, step, false);
    if (!last)
        return core::failure(last.error());
    if (*first && *last)
        ipu.inFlight = {(*first)->start, (*last)->start + (*last)->duration};
    return {};
}

void addSummary(const core::RunSummary& summary, TimelineFrame& frame) {
    for (TimelineIpu& ipu : frame.ipus) {
        for (const core::StageSummary& stage : summary.stages) {
            if (stage.ipu == ipu.ipu)
                ipu.stages.push_back(stage.stage);
        }
        for (const core::IpuMemorySummary& memory : summary.memory) {
            if (memory.ipu != ipu.ipu)
                continue;
            ipu.limit = memory.limit;
            ipu.peak = memory.peak;
            ipu.alwaysLive = memory.alwaysLive;
        }
    }
}

void addUtilisation(const std::vector<core::LaneStatistics>& statistics, TimelineFrame& frame) {
    for (const core::LaneStatistics& lane : statistics) {
        if (const auto ipu = frame.ipuOfLane(lane.lane))
            frame.ipus[*ipu].busyShare = ratio(lane.busy(), frame.step);
    }
}

} // namespace

std::optional<core::Bytes> TimelineIpu::liveInside(core::StageId stage, core::ProgramPhase phase,
                                                   core::Cycles inside) const {
    const auto program = liveness.find({stage, phase});
    if (program == liveness.end() || program->second.empty())
        return std::nullopt;
    // The first place begins with its program.
    const auto next = std::ranges::upper_bound(program->second, inside, {}, &core::ProgramLiveness::from);
    return next == program->second.begin() ? next->live : std::prev(next)->live;
}

std::optional<std::size_t> TimelineFrame::ipuOfLane(core::LaneId lane) const {
    for (std::size_t i = 0; i < ipus.size(); ++i) {
        if (std::find(ipus[i].lanes.begin(), ipus[i].lanes.end(), lane) != ipus[i].lanes.end())
            return i;
    }
    return std::nullopt;
}

std::optional<core::LaneKind> TimelineFrame::kindOfLane(core::LaneId lane) const {
    for (const TimelineIpu& ipu : ipus) {
        for (std::size_t kind = 0; kind < core::laneKindCount; ++kind) {
            if (ipu.lanes[kind] == lane)
                return static_cast<core::LaneKind>(kind);
        }
    }
    return std::nullopt;
}

std::optional<std::size_t> TimelineFrame::ipuOfStage(core::StageId stage) const {
    for (std::size_t i = 0; i < ipus.size(); ++i) {
        if (std::find(ipus[i].stages.begin(), ipus[i].stages.end(), stage) != ipus[i].stages.end())
            return i;
    }
    return std::nullopt;
}

core::Result<TimelineFrame> loadTimelineFrame(const core::ProfileDatabase& database, core::RunId run) {
    core::Result<core::RunSummary> summary = core::loadRun(database, run);
    if (!summary)
        return core::failure(summary.error());
    const auto lanes = core::loadLanes(database, run);
    if (!lanes)
        return core::failure(lanes.error());
    const auto executions = core::loadExecutions(database, run);
    if (!executions)
        return core::failure(executions.error());
    const auto statistics = core::areaStatistics(database, run, core::Cycles(), summary->step);
    if (!statistics)
        return core::failure(statistics.error());

    TimelineFrame frame;
    frame.run = run;
    frame.provenance = std::move(summary->provenance);
    frame.provenance.projectText.clear();
    frame.step = summary->step;
    frame.executions = std::max<std::int64_t>(1, summary->executions);
    if (!executions->empty())
        frame.updates = std::max<std::int64_t>(1, executions->front().updates);
    frame.ipus = ipusOf(*lanes);
    addSummary(*summary, frame);
    addUtilisation(*statistics, frame);
    for (TimelineIpu& ipu : frame.ipus) {
        if (core::Result<void> added = addLiveness(database, run, ipu); !added)
            return core::failure(added.error());
        if (core::Result<void> added = addFlight(database, run, frame.step, ipu); !added)
            return core::failure(added.error());
    }
    return frame;
}

core::Result<TimelineSlots> loadTimelineSlots(const core::ProfileDatabase& database, core::RunId run) {
    auto times = core::loadSlots(database, run);
    if (!times)
        return core::failure(times.error());
    auto bands = core::loadBands(database, run, *times);
    if (!bands)
        return core::failure(bands.error());
    TimelineSlots answer{*std::move(times), {}, *std::move(bands)};
    std::ranges::stable_sort(answer.times, {}, &core::SlotTime::start);
    core::Cycles latest;
    for (const core::SlotTime& slot : answer.times)
        answer.latestEnds.push_back(latest = std::max(latest, slot.end));
    return answer;
}

} // namespace views
