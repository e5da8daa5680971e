#include "views/profile/time/mini_timeline.h"

#include "core/profile/queries/run_queries.h"
#include "core/profile/records/span_label.h"
#include "views/common/theme/color_mix.h"
#include "views/common/widgets/chip.h"
#include "views/profile/time/bin_shares.h"
#include "views/profile/time/span_painter.h"

#include <algorithm>
#include <cmath>

namespace views {

namespace {

constexpr double laneGap = 2;

/// Work of one lane: spans, and bins as high as they are busy.
void paintWork(QPainter& painter, const QRectF& lane, const MiniTimeline& timeline,
               const core::LaneWindow& window, const TimeToPixel& axis, const Theme& theme) {
    for (const core::SpanRecord& span : window.spans) {
        const QRectF rect =
            spanRect(axis.x(span.start), axis.x(span.start + span.duration), lane.top(), lane.height());
        if (span.kind == core::SpanKind::Idle) {
            // A program that waits for remote memory is no wait like the others.
            if (span.cause == core::IdleCause::Offload && rect.width() >= 2)
                paintGap(painter, rect, span.cause, {}, theme);
            continue;
        }
        const SpanColours colours = spanColours(span, SpanColour::Phase, SpanEmphasis::Normal, theme);
        if (rect.width() < 5 || lane.height() < 8)
            painter.fillRect(rect, colours.fill);
        else
            paintSpan(painter, rect,
                      lane.height() >= theme.px(13) ? QString::fromStdString(core::spanLabel(span))
                                                    : QString(),
                      colours, SpanEmphasis::Normal, theme);
    }
    const core::TimelineWindow& all = timeline.window;
    const double width = core::real((all.to - all.from).value()) / core::real(all.binCount);
    for (const BinShare& bin : binShares(window.bins, all.binCount, width)) {
        const double from = std::round(axis.x(all.binEdge(bin.index)));
        const double to = std::round(axis.x(all.binEdge(bin.index + 1)));
        if (bin.kind == core::SpanKind::Idle || to <= from)
            continue;
        core::SpanRecord span;
        span.kind = bin.kind;
        const QColor fill = spanColours(span, SpanColour::Phase, SpanEmphasis::Normal, theme).fill;
        painter.fillRect(QRectF(from, lane.top(), to - from, lane.height()),
                         withAlpha(fill, std::clamp(bin.share, 0.0, 1.0)));
    }
}

/// Copies between IPUs as a thin line below the lane.
void paintCopies(QPainter& painter, const QRectF& lane, const core::LaneWindow& window,
                 const TimeToPixel& axis, const Theme& theme) {
    const double height = std::min(3.0, lane.height() / 5);
    for (const core::SpanRecord& span : window.spans) {
        if (span.kind != core::SpanKind::InterIpuCopy && span.kind != core::SpanKind::AllReduce)
            continue;
        const double fromX = axis.x(span.start);
        painter.fillRect(QRectF(fromX, lane.bottom() - height,
                                std::max(1.0, axis.x(span.start + span.duration) - fromX), height),
                         theme.activity(Activity::Copy));
    }
}

} // namespace

core::Result<MiniTimeline> loadMiniTimeline(const core::ProfileDatabase& database, core::RunId run,
                                            std::int64_t bins) {
    const core::Result<core::RunSummary> summary = core::loadRun(database, run);
    if (!summary)
        return core::failure(summary.error());
    MiniTimeline timeline;
    timeline.run = run;
    timeline.step = summary->step;
    timeline.clockHz = summary->provenance.clockHz;
    auto window = core::loadTimeline(database, {run,
                                                core::Cycles(),
                                                std::max(core::Cycles(1), summary->step),
                                                bins,
                                                {core::LaneKind::Compute, core::LaneKind::Exchange}});
    if (!window)
        return core::failure(window.error());
    timeline.window = *std::move(window);
    std::map<core::IpuId, MiniTimeline::Lane> byIpu;
    for (std::size_t i = 0; i < timeline.window.lanes.size(); ++i) {
        const core::LaneRecord& lane = timeline.window.lanes[i].lane;
        MiniTimeline::Lane& mini = byIpu[lane.ipu];
        mini.ipu = lane.ipu;
        (lane.kind == core::LaneKind::Compute ? mini.compute : mini.exchange) = i;
    }
    for (auto& [ipu, lane] : byIpu) {
        for (const core::StageSummary& stage : summary->stages) {
            if (stage.ipu == ipu)
                lane.stages.push_back(stage.stage);
        }
        timeline.lanes.push_back(std::move(lane));
    }
    return timeline;
}

QRectF miniLane(const QRectF& rect, std::size_t index, std::size_t count) {
    const double pitch = rect.height() / static_cast<double>(std::max<std::size_t>(1, count));
    const double gap = pitch > 6 ? laneGap : 0;
    return {rect.left(), rect.top() + pitch * static_cast<double>(index), rect.width(), pitch - gap};
}

void paintMiniTimeline(QPainter& painter, const QRectF& rect, const MiniTimeline& timeline,
                       const TimeToPixel& axis, const Theme& theme) {
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setClipRect(rect.adjusted(0, -1, 1, 1), Qt::IntersectClip);
    for (std::size_t i = 0; i < timeline.lanes.size(); ++i) {
        const QRectF lane = miniLane(rect, i, timeline.lanes.size());
        const double left = axis.x(core::Cycles());
        paintPlainGap(painter, QRectF(left, lane.top(), axis.x(timeline.step) - left, lane.height()), theme);
        if (timeline.lanes[i].compute)
            paintWork(painter, lane, timeline, timeline.window.lanes[*timeline.lanes[i].compute], axis,
                      theme);
        if (timeline.lanes[i].exchange)
            paintCopies(painter, lane, timeline.window.lanes[*timeline.lanes[i].exchange], axis, theme);
    }
    painter.restore();
}

void paintMiniChips(QPainter& painter, const QRectF& rect, const MiniTimeline& timeline, const Theme& theme) {
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    for (std::size_t i = 0; i < timeline.lanes.size(); ++i) {
        const QRectF lane = miniLane(rect, i, timeline.lanes.size());
        const double side = std::min(stageChipSide(theme), lane.height());
        if (timeline.lanes[i].stages.empty() || side < theme.px(9))
            continue;
        paintStageChip(painter, QRectF(lane.right() - side, lane.center().y() - side / 2, side, side),
                       timeline.lanes[i].stages.front().index(), theme);
    }
    painter.restore();
}

} // namespace views
