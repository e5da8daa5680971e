#include "views/timeline/painting/timeline_painter.h"

#include <QPainterPath>
#include <algorithm>
#include <cmath>

namespace views {

namespace {

/// Width of the line, and radius of a ring, in px of a theme of scale 1.
constexpr double pathWidth = 2.6;
constexpr double ringRadius = 3.2;
/// Changes of lane that are closer than this are told by the line alone.
constexpr double ringDistance = 14;

class CriticalPathPainter {
public:
    CriticalPathPainter(QPainter& painter, const TimelineScene& scene, const Theme& theme)
        : m_painter(painter)
        , m_scene(scene)
        , m_theme(theme)
        , m_axis(scene.axis())
        , m_area(scene.layout.lanes().united(scene.layout.pinnedLanes())) {}

    void paint() {
        const auto [first, last] = m_scene.updatesInView();
        for (std::int64_t update = first; update <= last; ++update)
            addUpdate(update);
        m_painter.setBrush(Qt::NoBrush);
        m_painter.setRenderHint(QPainter::Antialiasing, m_path.elementCount() < 4000);
        m_painter.strokePath(m_path, QPen(m_theme.color(Role::Error), m_theme.px(pathWidth), Qt::SolidLine,
                                          Qt::FlatCap, Qt::RoundJoin));
        m_painter.setRenderHint(QPainter::Antialiasing);
        m_painter.setPen(QPen(m_theme.color(Role::Error), m_theme.px(1.4)));
        m_painter.setBrush(m_theme.color(Role::Canvas));
        for (const QPointF& ring : m_rings)
            m_painter.drawEllipse(ring, m_theme.px(ringRadius), m_theme.px(ringRadius));
    }

private:
    void addUpdate(std::int64_t update) {
        const core::Cycles offset = update * m_scene.frame->step;
        const std::vector<core::CriticalLink>& links = m_scene.critical->path.links;
        const core::Cycles from = m_scene.state.view.from - offset;
        auto link = std::ranges::upper_bound(links, from, {}, &core::CriticalLink::end);
        m_hasPoint = false;
        for (; link != links.end() && offset + link->span.start <= m_scene.state.view.to; ++link)
            addLink(*link, update);
    }

    /// Where the line of a lane runs: below its spans; nothing where the lane is not shown.
    [[nodiscard]] std::optional<double> lineOf(const core::SpanRecord& span, std::int64_t update) const {
        const std::optional<QRectF> place = placeOf(m_scene, {span, update});
        return place ? std::optional(place->bottom() - m_theme.px(pathWidth) / 2) : std::nullopt;
    }

    void addLink(const core::CriticalLink& link, std::int64_t update) {
        const core::Cycles offset = update * m_scene.frame->step;
        const std::optional<double> y = lineOf(link.span, update);
        if (!y)
            return;
        const double fromX = std::max(m_axis.x(offset + link.span.start), m_area.left());
        const double toX = std::min(m_axis.x(offset + link.end()), m_area.right());
        // Within a pixel only the way on is drawn.
        if (m_hasPoint && toX - m_last.x() < 0.5 && std::abs(m_last.y() - *y) > 0.5)
            return;
        const QPointF start(fromX, *y);
        if (!m_hasPoint) {
            m_path.moveTo(start);
        } else {
            m_path.lineTo(QPointF(fromX, m_last.y()));
            m_path.lineTo(start);
            if (std::abs(m_last.y() - *y) > 1 && fromX - m_lastRing >= ringDistance) {
                m_rings.push_back(start);
                m_lastRing = fromX;
            }
        }
        m_last = QPointF(toX, *y);
        m_path.lineTo(m_last);
        m_hasPoint = true;
    }

    QPainter& m_painter;
    const TimelineScene& m_scene;
    const Theme& m_theme;
    TimeToPixel m_axis;
    QRectF m_area;
    QPainterPath m_path;
    std::vector<QPointF> m_rings;
    QPointF m_last;
    double m_lastRing = -1e9;
    bool m_hasPoint = false;
};

} // namespace

void paintCriticalPath(QPainter& painter, const TimelineScene& scene, const Theme& theme) {
    if (!scene.critical || !scene.state.showsCriticalPath)
        return;
    painter.save();
    painter.setClipRect(scene.layout.lanes().united(scene.layout.pinnedLanes()), Qt::IntersectClip);
    CriticalPathPainter(painter, scene, theme).paint();
    painter.restore();
}

} // namespace views
