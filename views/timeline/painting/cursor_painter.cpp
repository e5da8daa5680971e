#include "views/common/theme/color_mix.h"
#include "views/profile/time/time_cursor.h"
#include "views/timeline/painting/timeline_painter.h"

#include <algorithm>
#include <cmath>

namespace views {

namespace {

/// Far from a whole update there are more of them in view than lines could tell apart.
constexpr std::int64_t mostUpdates = 64;

const core::LaneWindow* computeWindow(const TimelineScene& scene, core::IpuId ipu) {
    if (!scene.window)
        return nullptr;
    for (const core::LaneWindow& window : scene.window->lanes)
        if (window.lane.kind == core::LaneKind::Compute && window.lane.ipu == ipu)
            return &window;
    return nullptr;
}

} // namespace

TimeCursor cursorAt(const TimelineScene& scene, std::optional<std::size_t> ipu, core::Cycles time) {
    const std::int64_t step = std::max<std::int64_t>(1, scene.frame->step.value());
    const std::int64_t update = std::min(time.value() / step, scene.frame->updates - 1);
    TimeCursor cursor;
    cursor.time = time - update * scene.frame->step;
    if (!ipu)
        return cursor;
    cursor.ipu = scene.frame->ipus[*ipu].ipu;
    if (const core::LaneWindow* window = computeWindow(scene, cursor.ipu))
        placeInProgram(cursor, *window, *cursor.time);
    return cursor;
}

std::vector<QLineF> cursorLines(const TimelineScene& scene, const TimeCursor& cursor) {
    std::vector<QLineF> lines;
    const TimeToPixel axis = scene.axis();
    const QRectF area = scene.layout.lanes();
    const auto [first, last] = scene.updatesInView();
    const auto add = [&](double x, double top, double bottom) {
        const double place = std::round(x) + 0.5;
        if (place >= area.left() && place <= area.right() && bottom > area.top())
            lines.emplace_back(place, std::max(top, area.top()), place, bottom);
    };
    for (std::int64_t update = first; update <= std::min(last, first + mostUpdates); ++update) {
        const core::Cycles offset = update * scene.frame->step;
        if (cursor.time) {
            add(axis.x(offset + *cursor.time), area.top(), scene.layout.height);
            continue;
        }
        for (std::size_t ipu = 0; ipu < scene.frame->ipus.size(); ++ipu) {
            const core::LaneWindow* window = computeWindow(scene, scene.frame->ipus[ipu].ipu);
            const std::optional<QRectF> lane = scene.computeLane(ipu);
            if (window == nullptr || !lane)
                continue;
            for (const core::Cycles time : timesOfPlace(cursor, *window))
                add(axis.x(offset + time), lane->top(), lane->bottom());
        }
    }
    return lines;
}

void paintCursor(QPainter& painter, const TimelineScene& scene, const TimeCursor& cursor,
                 const Theme& theme) {
    painter.setPen(QPen(withAlpha(theme.color(Role::Accent), 0.8), 1));
    for (const QLineF& line : cursorLines(scene, cursor))
        painter.drawLine(line);
}

} // namespace views
