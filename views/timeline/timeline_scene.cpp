#include "views/timeline/timeline_scene.h"

#include <algorithm>

namespace views {

std::pair<std::int64_t, std::int64_t> TimelineScene::updatesInView() const {
    const std::int64_t step = std::max<std::int64_t>(1, frame->step.value());
    const std::int64_t last = std::max<std::int64_t>(0, state.view.to.value() - 1) / step;
    return {state.view.from.value() / step, std::min(last, frame->updates - 1)};
}

double TimelineScene::rowTop(const TimelineRow& row) const {
    return row.isPinned ? layout.lanesTop() + row.top : layout.lanes().top() + row.top - scroll;
}

std::optional<QRectF> TimelineScene::computeLane(std::size_t ipu) const {
    for (const std::vector<TimelineRow>* rows : {&layout.pinnedRows, &layout.rows}) {
        for (const TimelineRow& row : *rows) {
            if (row.replica != 0 || row.ipu != ipu)
                continue;
            const QRectF lanes = layout.lanes();
            if (row.kind == RowKind::CollapsedIpu)
                return QRectF(lanes.left(), rowTop(row) + 2, lanes.width(), row.height - 4);
            if (row.kind == RowKind::Ipu) {
                const TimelineLayout::LaneBox box = layout.laneBox(core::LaneKind::Compute);
                return QRectF(lanes.left(), rowTop(row) + box.top, lanes.width(), box.height);
            }
        }
    }
    return std::nullopt;
}

OverviewRange overviewRange(const TimelineFrame& frame, const TimelineViewport& view) {
    const std::int64_t step = std::max<std::int64_t>(1, frame.step.value());
    const std::int64_t middle = (view.from.value() + view.length().value() / 2) / step;
    const std::int64_t first = middle / mostOverviewUpdates * mostOverviewUpdates;
    return {first, std::clamp<std::int64_t>(frame.updates - first, 1, mostOverviewUpdates)};
}

TimeToPixel overviewAxis(const TimelineScene& scene) {
    const OverviewRange range = overviewRange(*scene.frame, scene.state.view);
    const QRectF rect = scene.layout.overview();
    const double margin = scene.layout.px(TimelineSizes{}.margin);
    return {range.first * scene.frame->step, (range.first + range.count) * scene.frame->step,
            rect.left() + margin, std::max(1.0, rect.width() - 2 * margin)};
}

} // namespace views
