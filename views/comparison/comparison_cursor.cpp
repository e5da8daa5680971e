#include "views/comparison/comparison_scene.h"
#include "views/profile/time/time_cursor.h"

#include <algorithm>
#include <cmath>

namespace views {

namespace {

std::optional<std::size_t> selectedRun(const ComparisonScene& scene) {
    const auto& runs = scene.data->comparison.runs;
    const auto place = std::ranges::find(runs, scene.selected);
    return place == runs.end() ? std::nullopt : std::optional(static_cast<std::size_t>(place - runs.begin()));
}

} // namespace

std::optional<TimeCursor> cursorAt(const ComparisonScene& scene, const ComparisonLayout& layout,
                                   const QPointF& point) {
    const auto run = selectedRun(scene);
    if (!run || !layout.runAt(point))
        return std::nullopt;
    const QRectF lanes = layout.lanes(*run);
    if (point.x() < lanes.left() || point.x() > lanes.right())
        return std::nullopt;
    const MiniTimeline& timeline = scene.data->timelines[*run];
    const core::Cycles time = scene.axisOf(*run, lanes.left(), lanes.width()).time(point.x());
    if (time < core::Cycles() || time >= timeline.step)
        return std::nullopt;
    TimeCursor cursor;
    cursor.time = time;
    for (std::size_t i = 0; i < timeline.lanes.size(); ++i) {
        const QRectF lane = miniLane(lanes, i, timeline.lanes.size());
        if (point.y() < lane.top() || point.y() >= lane.bottom())
            continue;
        cursor.ipu = timeline.lanes[i].ipu;
        if (timeline.lanes[i].compute)
            placeInProgram(cursor, timeline.window.lanes[*timeline.lanes[i].compute], time);
    }
    return cursor;
}

std::vector<QLineF> cursorLines(const ComparisonScene& scene, const ComparisonLayout& layout) {
    const auto run = scene.cursor ? selectedRun(scene) : std::nullopt;
    if (!run)
        return {};
    const QRectF lanes = layout.lanes(*run);
    const TimeToPixel axis = scene.axisOf(*run, lanes.left(), lanes.width());
    std::vector<QLineF> lines;
    const auto add = [&](core::Cycles time, double top, double bottom) {
        const double x = std::round(axis.x(time)) + 0.5;
        if (x >= lanes.left() && x <= lanes.right())
            lines.emplace_back(x, top, x, bottom);
    };
    if (scene.cursor->time) {
        add(*scene.cursor->time, layout.ruler().bottom(), std::min(layout.height, layout.bottom()));
        return lines;
    }
    const MiniTimeline& timeline = scene.data->timelines[*run];
    for (std::size_t i = 0; i < timeline.lanes.size(); ++i) {
        if (!timeline.lanes[i].compute)
            continue;
        const QRectF lane = miniLane(lanes, i, timeline.lanes.size());
        for (const core::Cycles time :
             timesOfPlace(*scene.cursor, timeline.window.lanes[*timeline.lanes[i].compute]))
            add(time, lane.top(), lane.bottom());
    }
    return lines;
}

} // namespace views
