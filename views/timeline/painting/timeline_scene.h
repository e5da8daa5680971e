#pragma once

#include "core/profile/analysis/path/critical_path.h"
#include "core/profile/queries/program_queries.h"
#include "core/profile/queries/timeline_queries.h"
#include "views/profile/time/bin_shares.h"
#include "views/timeline/painting/program_depth.h"
#include "views/timeline/painting/timeline_frame.h"
#include "views/timeline/painting/timeline_layout.h"
#include "views/timeline/painting/timeline_state.h"

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <vector>

namespace views {

/// Layers of the stage programs, in the order in which they run.
using StagePrograms = std::map<std::pair<core::StageId, core::SpanKind>, core::StageProgramShares>;

/// The critical path of a run, and where its spans are.
struct CriticalSpans {
    struct Slack {
        core::LaneId lane;
        core::Cycles start;
        core::Cycles slack;

        [[nodiscard]] std::pair<core::LaneId, core::Cycles> place() const { return {lane, start}; }
    };

    /// Without its slacks: a long run has many.
    core::CriticalPath path;
    /// In the order of their places.
    std::vector<Slack> slacks;
    std::set<std::pair<core::LaneId, core::Cycles>> links;

    [[nodiscard]] bool holds(const core::SpanRecord& span) const {
        return links.contains({span.lane, span.start});
    }
    [[nodiscard]] std::optional<core::Cycles> slackOf(const core::SpanRecord& span) const {
        const std::pair place(span.lane, span.start);
        const auto found = std::ranges::lower_bound(slacks, place, {}, &Slack::place);
        return found == slacks.end() || found->place() != place ? std::nullopt : std::optional(found->slack);
    }
};
[[nodiscard]] core::Result<CriticalSpans> loadCriticalSpans(const core::ProfileDatabase& database,
                                                            core::RunId run);

/// The shares of the bins of each lane of a window, in the order of its lanes.
using LaneShares = std::vector<std::vector<BinShare>>;
[[nodiscard]] LaneShares laneShares(const core::TimelineWindow& window);

/// Everything a picture of a timeline is painted from. The loaded parts are shared and never change; each may
/// be missing while it is on its way.
struct TimelineScene {
    std::shared_ptr<const TimelineFrame> frame;
    std::shared_ptr<const TimelineSlots> updateSlots;
    /// What is in view, in time of one update: a part of it when the view lies inside one update, else all.
    std::shared_ptr<const core::TimelineWindow> window;
    /// Of `window`.
    std::shared_ptr<const LaneShares> shares;
    /// Compute lanes of a whole update at the resolution of the overview.
    std::shared_ptr<const core::TimelineWindow> overview;
    /// Compute spans of the micro-batches whose way is shown, each in time of one update.
    std::shared_ptr<const std::vector<std::vector<core::SpanRecord>>> flows;
    std::shared_ptr<const StagePrograms> programs;
    /// Once it was asked for.
    std::shared_ptr<const CriticalSpans> critical;
    /// Once stage programs are wide enough to show what runs inside them.
    std::shared_ptr<const ProgramDepths> depths;
    /// Known as soon as the depths are.
    std::shared_ptr<const OperationsByName> operations;
    /// Once some are shown.
    std::shared_ptr<const core::CounterWindow> counters;
    /// With them: what the full height of their rows is, whatever is in view.
    std::shared_ptr<const core::CounterRates> counterTops;
    TimelineState state;
    TimelineLayout layout;
    double scroll = 0;

    [[nodiscard]] TimeToPixel axis() const { return layout.axis(state.view.from, state.view.to); }
    /// The updates that are in view: first and last.
    [[nodiscard]] std::pair<std::int64_t, std::int64_t> updatesInView() const;
    /// Top of a row in the picture.
    [[nodiscard]] double rowTop(const TimelineRow& row) const;
    /// The compute lane of an IPU, for flows and rings; that of the stage where stages have rows of their
    /// own. Nothing when it is not shown.
    [[nodiscard]] std::optional<QRectF> computeLane(std::size_t ipu, core::StageId stage = {}) const;
};

/// First and last update that a view touches.
[[nodiscard]] std::pair<std::int64_t, std::int64_t> updatesIn(const TimelineFrame& frame,
                                                              const TimelineViewport& view);
/// What to ask for to draw `view` at `width` px, in time of one update: the view and `margin` of its length
/// at both sides when that lies inside one update, else a whole update.
[[nodiscard]] core::TimelineRequest windowRequest(const TimelineFrame& frame, const TimelineViewport& view,
                                                  double width, double margin = 0);
/// All stage programs of a run with their layers.
[[nodiscard]] core::Result<StagePrograms> loadStagePrograms(const core::ProfileDatabase& database,
                                                            const TimelineFrame& frame);

/// The updates that the overview shows when `view` is in view: at most this many, in fixed groups.
inline constexpr std::int64_t mostOverviewUpdates = 8;
struct OverviewRange {
    std::int64_t first = 0;
    std::int64_t count = 1;
};
[[nodiscard]] OverviewRange overviewRange(const TimelineFrame& frame, const TimelineViewport& view);
/// The axis of the overview strip.
[[nodiscard]] TimeToPixel overviewAxis(const TimelineScene& scene);

} // namespace views
