#pragma once

#include "core/profile/queries/timeline_queries.h"
#include "views/common/theme/theme.h"
#include "views/profile/time/time_axis.h"

#include <QPainter>
#include <QRectF>
#include <map>
#include <vector>

namespace views {

/// One update of a run in small: the compute lanes and what crosses between IPUs.
struct MiniTimeline {
    core::RunId run;
    core::Cycles step;
    double clockHz = 0;
    core::TimelineWindow window;
    struct Lane {
        core::IpuId ipu;
        std::vector<core::StageId> stages;
        /// Indices into `window.lanes`; nothing where the run has no such lane.
        std::optional<std::size_t> compute;
        std::optional<std::size_t> exchange;
    };
    std::vector<Lane> lanes;
};

[[nodiscard]] core::Result<MiniTimeline> loadMiniTimeline(const core::ProfileDatabase& database,
                                                          core::RunId run, std::int64_t bins);

/// The rectangle of lane `index` of `count`.
[[nodiscard]] QRectF miniLane(const QRectF& rect, std::size_t index, std::size_t count);

/// The lanes below each other, idle time hatched, spans labelled where they fit; `axis` places the time.
void paintMiniTimeline(QPainter& painter, const QRectF& rect, const MiniTimeline& timeline,
                       const TimeToPixel& axis, const Theme& theme);
/// The stage chips of the lanes.
void paintMiniChips(QPainter& painter, const QRectF& rect, const MiniTimeline& timeline, const Theme& theme);

} // namespace views
