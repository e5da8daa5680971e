#include "views/profile/time/time_filter.h"

#include "core/profile/queries/timeline_queries.h"

#include <QObject>
#include <optional>

namespace views {

namespace {

/// The parts of the range inside one update.
std::vector<TimeRange> folded(core::Cycles step, const TimeRange& range) {
    const core::Cycles none;
    if (step <= none || range.to - range.from >= step)
        return {{none, step}};
    const core::Cycles from(range.from.value() % step.value());
    const core::Cycles to = from + (range.to - range.from);
    if (to <= step)
        return {{from, to}};
    return {{from, step}, {none, to - step}};
}

} // namespace

bool holds(const std::set<StageProgram>& programs, core::StageId stage, core::ProgramPhase phase) {
    return programs.contains({stage, phase}) || programs.contains({core::StageId(), phase});
}

core::Result<std::set<StageProgram>> programsWithin(const core::ProfileDatabase& database, core::RunId run,
                                                    core::Cycles step, const TimeRange& range) {
    std::set<StageProgram> programs;
    for (const TimeRange& part : folded(step, range)) {
        if (part.to <= part.from)
            continue;
        core::TimelineRequest request;
        request.run = run;
        request.from = part.from;
        request.to = part.to;
        // So many bins that every span answers for itself.
        request.binCount = std::int64_t{1} << 20;
        request.kinds = {core::LaneKind::Compute};
        const auto window = core::loadTimeline(database, request);
        if (!window)
            return core::failure(window.error());
        for (const core::LaneWindow& lane : window->lanes) {
            for (const core::SpanRecord& span : lane.spans) {
                const auto phase = core::programPhaseOf(span.kind);
                if (phase && span.start < part.to && span.start + span.duration > part.from)
                    programs.emplace(span.stage, *phase);
            }
            for (const core::SpanBin& bin : lane.bins) {
                if (const auto phase = core::programPhaseOf(bin.kind))
                    programs.emplace(core::StageId(), *phase);
            }
        }
    }
    return programs;
}

QString timeChipText(const TimeRange& range, const Units& units, const TimeScale& scale) {
    return QObject::tr("time %1").arg(timeText(range.to - range.from, units.time, scale).joined());
}

} // namespace views
