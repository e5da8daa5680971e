#include "views/common/text/elided_text.h"
#include "views/common/theme/color_mix.h"
#include "views/timeline/painting/timeline_painter.h"

#include <QPainterPath>
#include <algorithm>
#include <cmath>

namespace views {

namespace {

/// From the end of a span to the start of the next of its micro-batch: out to the right, in from the left.
QPainterPath flowCurve(const QRectF& from, const QRectF& to) {
    const QPointF start(from.right(), from.center().y());
    const QPointF end(to.left(), to.center().y());
    QPainterPath path(start);
    if (std::abs(start.y() - end.y()) < 1) {
        // On one lane: a bow above the spans between.
        const double lift = std::min(18.0, 6 + (end.x() - start.x()) / 4);
        path.cubicTo(start + QPointF(lift / 2, -lift), end + QPointF(-lift / 2, -lift), end);
        return path;
    }
    const double reach = std::clamp((end.x() - start.x()) / 2, 14.0, 90.0);
    path.cubicTo(start + QPointF(reach, 0), end - QPointF(reach, 0), end);
    return path;
}

void paintArrow(QPainter& painter, const QPointF& tip, const QColor& colour) {
    QPainterPath head(tip);
    head.lineTo(tip + QPointF(-7, -3.8));
    head.lineTo(tip + QPointF(-7, 3.8));
    head.closeSubpath();
    painter.fillPath(head, colour);
}

void paintFlow(QPainter& painter, const TimelineScene& scene, const std::vector<core::SpanRecord>& spans,
               double width, const Theme& theme) {
    const auto [first, last] = scene.updatesInView();
    const QRectF area = scene.layout.lanes().united(scene.layout.pinnedLanes());
    for (std::int64_t update = first; update <= last; ++update) {
        std::optional<QRectF> before;
        for (const core::SpanRecord& span : spans) {
            const std::optional<QRectF> place = placeOf(scene, {span, update});
            if (place && before && place->right() >= area.left() && before->left() <= area.right()) {
                const QPainterPath curve = flowCurve(*before, *place);
                painter.setBrush(Qt::NoBrush);
                painter.strokePath(curve, QPen(theme.color(Role::Canvas), width + 2.7));
                painter.strokePath(curve, QPen(theme.color(Role::Accent), width));
                paintArrow(painter, QPointF(place->left() + 1, place->center().y()),
                           theme.color(Role::Accent));
            }
            before = place;
        }
    }
}

void paintFlows(QPainter& painter, const TimelineScene& scene, const Theme& theme) {
    if (!scene.flows || scene.state.flows == FlowMode::Off)
        return;
    const double width = scene.state.flows == FlowMode::All ? 1.0 : 1.8;
    for (const std::vector<core::SpanRecord>& spans : *scene.flows) {
        // Recompute is no stop on the way.
        std::vector<core::SpanRecord> stops;
        std::copy_if(spans.begin(), spans.end(), std::back_inserter(stops), [](const core::SpanRecord& s) {
            return s.kind == core::SpanKind::Forward || s.kind == core::SpanKind::Backward;
        });
        paintFlow(painter, scene, stops, width, theme);
    }
}

void paintBadge(QPainter& painter, const QPointF& middle, const QString& text, const Theme& theme) {
    const QFont font = theme.mono(11, QFont::Medium);
    QRectF badge(0, 0, textWidth(text, font) + theme.px(18), theme.px(18));
    badge.moveCenter(middle);
    painter.setPen(Qt::NoPen);
    painter.setBrush(theme.color(Role::AccentFill));
    painter.drawRoundedRect(badge, 4, 4);
    painter.setFont(font);
    painter.setPen(theme.color(Role::OnAccent));
    painter.drawText(badge, Qt::AlignCenter, text);
}

/// Top of the first and bottom of the last row that the area covers.
std::optional<std::pair<double, double>> areaSpan(const TimelineScene& scene, const TimelineArea& area) {
    double top = 1e9;
    double bottom = -1e9;
    for (const std::vector<TimelineRow>* rows : {&scene.layout.pinnedRows, &scene.layout.rows}) {
        for (const TimelineRow& row : *rows) {
            const bool isIpu = row.kind == RowKind::Ipu || row.kind == RowKind::CollapsedIpu;
            if (!isIpu || row.replica != 0 || !area.ipus.contains(row.ipu))
                continue;
            top = std::min(top, scene.rowTop(row));
            bottom = std::max(bottom, scene.rowTop(row) + row.height);
        }
    }
    if (bottom <= top)
        return std::nullopt;
    return std::pair(top, bottom);
}

void paintArea(QPainter& painter, const TimelineScene& scene, const TimelineArea& area, const Theme& theme) {
    const auto span = areaSpan(scene, area);
    if (!span)
        return;
    const TimeToPixel axis = scene.axis();
    const QRectF rect(QPointF(axis.x(area.from), span->first), QPointF(axis.x(area.to), span->second));
    const QColor accent = theme.color(Role::Accent);
    painter.fillRect(rect, withAlpha(accent, 0.08));
    painter.setPen(QPen(accent, 1.2));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(rect.adjusted(0.5, 0.5, -0.5, -0.5));
    painter.setPen(Qt::NoPen);
    painter.setBrush(theme.color(Role::AccentFill));
    for (const double x : {rect.left(), rect.right()}) {
        QRectF grip(0, 0, theme.px(6), theme.px(26));
        grip.moveCenter(QPointF(x, rect.center().y()));
        painter.drawRoundedRect(grip, 3, 3);
    }
    const NumberText length = timeText(area.to - area.from, scene.state.units.time, scene.frame->timeScale());
    const QRectF lanes = scene.layout.lanes();
    const double y = std::min(rect.bottom(), lanes.bottom() - theme.px(10));
    const double middle =
        std::clamp(rect.center().x(), lanes.left() + theme.px(60), lanes.right() - theme.px(60));
    paintBadge(painter, QPointF(middle, y), QStringLiteral("Δ ") + length.joined(), theme);
}

/// The text of a note at the foot of its line; left out where the next mark leaves no room.
void paintNote(QPainter& painter, const TimelineMarker& marker, const QPointF& foot, double room,
               const Theme& theme) {
    const double widest = theme.px(260);
    const double narrowest = theme.px(40);
    const QFont font = theme.font(11);
    const QString text = toQString(marker.text);
    const double padding = theme.px(6);
    const double width = std::min({room - theme.px(6), widest, textWidth(text, font) + 2 * padding});
    if (text.isEmpty() || width < std::min(narrowest, textWidth(text, font) + 2 * padding))
        return;
    const QRectF rect(foot.x() + theme.px(3), foot.y() - theme.px(24), width, theme.px(19));
    painter.setPen(QPen(theme.color(Role::Info), theme.frameWidth()));
    painter.setBrush(theme.color(Role::InfoSoft));
    painter.drawRoundedRect(rect, theme.px(4), theme.px(4));
    painter.setPen(theme.color(Role::Text));
    painter.setFont(font);
    painter.drawText(rect.adjusted(padding, 0, 0, 0), Qt::AlignLeft | Qt::AlignVCenter,
                     elidedEnd(text, font, width - 2 * padding));
}

void paintMarkers(QPainter& painter, const TimelineScene& scene, const Theme& theme) {
    std::vector<TimelineMarker> markers = scene.state.markers;
    std::sort(markers.begin(), markers.end(), [](const auto& a, const auto& b) { return a.at < b.at; });
    const TimeToPixel axis = scene.axis();
    const QRectF ruler = scene.layout.ruler();
    for (std::size_t i = 0; i < markers.size(); ++i) {
        const double x = std::round(axis.x(markers[i].at)) + 0.5;
        const QColor colour = theme.color(markers[i].isKept ? Role::Info : Role::AccentText);
        QPen pen(colour, 1.2);
        if (!markers[i].isKept)
            pen.setDashPattern({3, 3});
        painter.setPen(pen);
        painter.drawLine(QPointF(x, ruler.bottom() - theme.px(8)), QPointF(x, scene.layout.height));
        QPainterPath flag(QPointF(x, ruler.bottom() - theme.px(16)));
        flag.lineTo(x + theme.px(9), ruler.bottom() - theme.px(12));
        flag.lineTo(x, ruler.bottom() - theme.px(8));
        flag.closeSubpath();
        painter.fillPath(flag, colour);
        const double next = i + 1 < markers.size() ? axis.x(markers[i + 1].at) : scene.layout.width;
        paintNote(painter, markers[i], QPointF(x, scene.layout.height), next - x, theme);
        if (i == 0)
            continue;
        // The distance to the marker before, between the two.
        const double before = axis.x(markers[i - 1].at);
        const QString text = QStringLiteral("Δ ") + timeText(markers[i].at - markers[i - 1].at,
                                                             scene.state.units.time, scene.frame->timeScale())
                                                        .joined();
        if (textWidth(text, theme.mono(11, QFont::Medium)) + theme.px(24) < x - before)
            // In the ruler: below it are the names of spans.
            paintBadge(painter, QPointF((x + before) / 2, ruler.bottom() - theme.px(9)), text, theme);
    }
}

} // namespace

void paintOverlays(QPainter& painter, const TimelineScene& scene, const Theme& theme) {
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    const QRectF lanes = scene.layout.lanes().united(scene.layout.pinnedLanes());
    painter.setClipRect(lanes, Qt::IntersectClip);
    if (scene.state.area)
        paintArea(painter, scene, *scene.state.area, theme);
    paintCriticalPath(painter, scene, theme);
    paintFlows(painter, scene, theme);
    if (scene.state.selected) {
        if (const auto place = placeOf(scene, *scene.state.selected))
            paintSpanRing(painter, *place, theme);
    }
    painter.restore();
    if (scene.state.markers.empty())
        return;
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setClipRect(QRectF(QPointF(lanes.left(), scene.layout.ruler().top()), lanes.bottomRight()),
                        Qt::IntersectClip);
    paintMarkers(painter, scene, theme);
    painter.restore();
}

void paintTimeline(QPainter& painter, const TimelineScene& scene, const Theme& theme) {
    paintLanes(painter, scene, QRectF(0, 0, scene.layout.width, scene.layout.height), theme);
    paintOverviewGround(painter, scene, theme);
    paintAroundLanes(painter, scene, theme);
}

void paintAroundLanes(QPainter& painter, const TimelineScene& scene, const Theme& theme) {
    paintOverviewFrame(painter, scene, theme);
    paintRuler(painter, scene, theme);
    paintLaneHeaders(painter, scene, theme);
    paintOverlays(painter, scene, theme);
}

} // namespace views
