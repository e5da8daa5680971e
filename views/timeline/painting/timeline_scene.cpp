#include "views/timeline/painting/timeline_scene.h"

#include <algorithm>
#include <utility>

namespace views {

std::pair<std::int64_t, std::int64_t> TimelineScene::updatesInView() const {
    return updatesIn(*frame, state.view);
}

LaneShares laneShares(const core::TimelineWindow& window) {
    const double width = core::real((window.to - window.from).value()) / core::real(window.binCount);
    LaneShares shares;
    for (const core::LaneWindow& lane : window.lanes)
        shares.push_back(binShares(lane.bins, window.binCount, width));
    return shares;
}

double TimelineScene::rowTop(const TimelineRow& row) const {
    return row.isPinned ? layout.lanesTop() + row.top : layout.lanes().top() + row.top - scroll;
}

std::optional<QRectF> TimelineScene::computeLane(std::size_t ipu, core::StageId stage) const {
    for (const std::vector<TimelineRow>* rows : {&layout.pinnedRows, &layout.rows}) {
        for (const TimelineRow& row : *rows) {
            if (row.replica != 0 || row.ipu != ipu || (row.stage && stage.isValid() && *row.stage != stage))
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

std::pair<std::int64_t, std::int64_t> updatesIn(const TimelineFrame& frame, const TimelineViewport& view) {
    const std::int64_t step = std::max<std::int64_t>(1, frame.step.value());
    const std::int64_t last = std::max<std::int64_t>(0, view.to.value() - 1) / step;
    return {std::min(view.from.value() / step, frame.updates - 1), std::min(last, frame.updates - 1)};
}

core::TimelineRequest windowRequest(const TimelineFrame& frame, const TimelineViewport& view, double width,
                                    double margin) {
    const auto [first, last] = updatesIn(frame, view);
    core::TimelineRequest request;
    request.run = frame.run;
    request.to = frame.step;
    const core::Cycles length = view.length();
    const double perPixel = static_cast<double>(length.value()) / std::max(1.0, width);
    if (first == last) {
        const core::Cycles extra(static_cast<std::int64_t>(margin * static_cast<double>(length.value())));
        const core::Cycles offset = first * frame.step;
        request.from = std::max(core::Cycles(), view.from - offset - extra);
        request.to = std::min(frame.step, view.to - offset + extra);
    }
    const double bins = static_cast<double>((request.to - request.from).value()) / std::max(1e-9, perPixel);
    request.binCount = std::clamp<std::int64_t>(static_cast<std::int64_t>(bins), 64, 20000);
    return request;
}

core::Result<StagePrograms> loadStagePrograms(const core::ProfileDatabase& database,
                                              const TimelineFrame& frame) {
    auto stored = core::loadStagePrograms(database, frame.run);
    if (!stored)
        return core::failure(stored.error());
    StagePrograms programs;
    for (auto& [program, shares] : *stored)
        programs[{program.first, core::spanKindOf(program.second)}] = std::move(shares);
    return programs;
}

core::Result<CriticalSpans> loadCriticalSpans(const core::ProfileDatabase& database, core::RunId run) {
    auto path = core::loadCriticalPath(database, run);
    if (!path)
        return core::failure(path.error());
    CriticalSpans critical{*std::move(path), {}, {}};
    critical.slacks.reserve(critical.path.slacks.size());
    for (const core::SpanSlack& slack : std::exchange(critical.path.slacks, std::vector<core::SpanSlack>()))
        critical.slacks.push_back({slack.span.lane, slack.span.start, slack.slack});
    std::ranges::stable_sort(critical.slacks, {}, &CriticalSpans::Slack::place);
    for (const core::CriticalLink& link : critical.path.links)
        critical.links.insert({link.span.lane, link.span.start});
    return critical;
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
