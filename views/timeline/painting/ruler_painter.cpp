#include "views/common/text/elided_text.h"
#include "views/common/theme/color_mix.h"
#include "views/profile/time/band_painter.h"
#include "views/profile/time/bin_shares.h"
#include "views/timeline/painting/timeline_painter.h"

#include <QPainterPath>
#include <algorithm>
#include <cmath>
#include <map>

namespace views {

namespace {

void paintBands(QPainter& painter, const TimelineScene& scene, const QRectF& strip, const Theme& theme) {
    if (!scene.updateSlots)
        return;
    const TimeToPixel axis = scene.axis();
    const auto [first, last] = scene.updatesInView();
    for (std::int64_t update = first; update <= last; ++update) {
        const core::Cycles offset = update * scene.frame->step;
        for (const core::BandTime& band : scene.updateSlots->bands) {
            const double left = std::max(axis.x(offset + band.from), strip.left());
            const double right = std::min(axis.x(offset + band.to), strip.right());
            if (right - left < 1)
                continue;
            paintBand(painter, QRectF(left, strip.top(), right - left - 1, strip.height()), band.band, theme);
        }
    }
}

/// Numbers in the middle of their slots, as many as fit. However many slots there are, those that end within
/// the same few pixels are passed at once.
void paintSlotNumbers(QPainter& painter, const TimelineScene& scene, const QRectF& strip,
                      const Theme& theme) {
    if (!scene.updateSlots)
        return;
    const TimeToPixel axis = scene.axis();
    const auto [first, last] = scene.updatesInView();
    const QFont font = theme.mono(10);
    painter.setPen(theme.color(Role::Text2));
    const double digit = textWidth(QStringLiteral("0"), font);
    const double narrowest = digit + 4;
    const auto& [times, latestEnds, bands] = *scene.updateSlots;
    double free = strip.left();
    for (std::int64_t update = first; update <= last; ++update) {
        const core::Cycles offset = update * scene.frame->step;
        const auto firstThatReaches = [&](double x, std::size_t from) {
            const auto found =
                std::partition_point(latestEnds.begin() + static_cast<std::ptrdiff_t>(from), latestEnds.end(),
                                     [&](core::Cycles end) { return axis.x(offset + end) < x; });
            return static_cast<std::size_t>(found - latestEnds.begin());
        };
        std::size_t next = firstThatReaches(strip.left() + narrowest, 0);
        while (next < times.size()) {
            const core::SlotTime& slot = times[next++];
            const double left = std::max(axis.x(offset + slot.start), strip.left());
            const double right = std::min(axis.x(offset + slot.end), strip.right());
            if (left >= strip.right())
                break;
            if (right - left < narrowest) {
                next = firstThatReaches(left + narrowest, next);
                continue;
            }
            if ((left + right - narrowest + 4) / 2 < free)
                continue;
            const QString text = QString::number(slot.slot);
            const double width = digit * static_cast<double>(text.size());
            const double start = (left + right - width) / 2;
            if (right - left < width + 4 || start < free)
                continue;
            paintLabel(painter, QRectF(start - 1, strip.top(), width + 2, strip.height()), text, font);
            free = start + width + theme.px(4);
        }
    }
}

void paintTimes(QPainter& painter, const TimelineScene& scene, const QRectF& strip, const Theme& theme) {
    const TimeToPixel axis = scene.axis();
    // Time counts from the start of the update that the view begins in.
    const core::Cycles offset = scene.updatesInView().first * scene.frame->step;
    const TimeToPixel relative{axis.from - offset, axis.to - offset, axis.left, axis.width};
    const QFont font = theme.mono(10);
    const double tick = theme.px(3);
    double free = strip.left();
    for (const AxisTick& mark :
         timeTicks(relative, scene.state.units.time, scene.frame->timeScale(), theme.px(96))) {
        const double x = std::round(relative.x(mark.at)) + 0.5;
        if (x < strip.left() || x > strip.right())
            continue;
        painter.setPen(QPen(theme.color(mark.isMajor ? Role::BorderStrong : Role::Border), 1));
        painter.drawLine(QPointF(x, strip.bottom()),
                         QPointF(x, mark.isMajor ? strip.top() + 2 : strip.bottom() - tick));
        const double width = textWidth(mark.label, font);
        if (!mark.isMajor || x + 4 < free || x + 4 + width > strip.right())
            continue;
        painter.setPen(theme.color(Role::Text2));
        paintLabel(painter, QRectF(x + 4, strip.top(), width + 2, strip.height()), mark.label, font,
                   Qt::AlignLeft);
        free = x + 4 + width + theme.px(6);
    }
}

/// The more of a bin is work, the fuller its colour; neighbours that are as full are one rectangle. `axis`:
/// of the update.
void paintBusyBins(QPainter& painter, const TimeToPixel& axis, const core::TimelineWindow& window,
                   const std::vector<core::SpanBin>& bins, double top, double height, const QColor& colour) {
    std::map<std::int64_t, double> busy;
    const double width = core::real((window.to - window.from).value()) / core::real(window.binCount);
    for (const BinShare& bin : binShares(bins, window.binCount, width))
        if (bin.kind != core::SpanKind::Idle)
            busy[bin.index] += bin.share;
    QRectF run;
    QColor fill;
    for (const auto& [index, share] : busy) {
        // On whole pixels: seams between neighbours would look like waves.
        const double fromX = std::round(axis.x(window.binEdge(index)));
        const double toX = std::round(axis.x(window.binEdge(index + 1)));
        if (toX <= fromX)
            continue;
        const QColor own = withAlpha(colour, std::clamp(share, 0.0, 1.0));
        if (run.right() == fromX && own.rgba() == fill.rgba()) {
            run.setRight(toX);
            continue;
        }
        painter.fillRect(run, fill);
        run = QRectF(fromX, top, toX - fromX, height);
        fill = own;
    }
    painter.fillRect(run, fill);
}

/// One thin lane per IPU in the colour of its stage: how busy it is.
void paintOverviewUpdate(QPainter& painter, const TimelineScene& scene, const TimeToPixel& axis,
                         core::Cycles offset, const QRectF& strip, const Theme& theme) {
    const core::TimelineWindow& window = *scene.overview;
    const double pitch =
        strip.height() / static_cast<double>(std::max<std::size_t>(1, scene.frame->ipus.size()));
    const double height = std::max(1.0, pitch - (pitch > 3 ? 1 : 0));
    for (const core::LaneWindow& lane : window.lanes) {
        const auto ipu = scene.frame->ipuOfLane(lane.lane.id);
        if (!ipu)
            continue;
        const double top = strip.top() + pitch * static_cast<double>(*ipu);
        const std::vector<core::StageId>& stages = scene.frame->ipus[*ipu].stages;
        const QColor colour = theme.stage(stages.empty() ? *ipu : stages.front().index());
        for (const core::SpanRecord& span : lane.spans) {
            if (span.kind == core::SpanKind::Idle)
                continue;
            const double fromX = axis.x(offset + span.start);
            const double toX = axis.x(offset + span.start + span.duration);
            painter.fillRect(QRectF(fromX, top, std::max(0.6, toX - fromX), height), colour);
        }
        paintBusyBins(painter, {axis.from - offset, axis.to - offset, axis.left, axis.width}, window,
                      lane.bins, top, height, colour);
    }
}

/// The frame around what is in view, with a grip at each side; the rest is dimmed.
void paintOverviewWindow(QPainter& painter, const TimelineScene& scene, const TimeToPixel& axis,
                         const QRectF& rect, const Theme& theme) {
    const double left = std::clamp(axis.x(scene.state.view.from), rect.left() + 1, rect.right() - 3);
    const double right = std::clamp(axis.x(scene.state.view.to), left + 3, rect.right() - 1);
    const QColor dim = withAlpha(theme.color(Role::Canvas), 0.62);
    painter.fillRect(QRectF(QPointF(rect.left(), rect.top()), QPointF(left, rect.bottom())), dim);
    painter.fillRect(QRectF(QPointF(right, rect.top()), QPointF(rect.right(), rect.bottom())), dim);
    const QRectF window(left, rect.top() + 2, right - left, rect.height() - 4);
    painter.setPen(QPen(theme.color(Role::Accent), 1.4));
    painter.setBrush(Qt::NoBrush);
    painter.drawRoundedRect(window, 4, 4);
    painter.setPen(Qt::NoPen);
    painter.setBrush(theme.color(Role::AccentFill));
    const double gripHeight = theme.px(18);
    for (const double x : {left, right}) {
        QRectF grip(0, 0, theme.px(5), gripHeight);
        grip.moveCenter(QPointF(x, rect.center().y()));
        painter.drawRoundedRect(grip, 2.5, 2.5);
    }
}

} // namespace

void paintOverviewGround(QPainter& painter, const TimelineScene& scene, const Theme& theme) {
    const QRectF rect = scene.layout.overview();
    painter.fillRect(rect, theme.color(Role::Canvas));
    painter.save();
    painter.setClipRect(rect, Qt::IntersectClip);
    const TimeToPixel axis = overviewAxis(scene);
    const OverviewRange range = overviewRange(*scene.frame, scene.state.view);
    const double nameHeight = theme.px(14);
    const QRectF strip = rect.adjusted(0, theme.px(7), 0, -nameHeight);
    const QFont font = theme.font(10);
    for (std::int64_t i = 0; i < range.count; ++i) {
        const core::Cycles offset = (range.first + i) * scene.frame->step;
        if (scene.overview)
            paintOverviewUpdate(painter, scene, axis, offset, strip, theme);
        const double x = axis.x(offset);
        const double width = axis.x(offset + scene.frame->step) - x;
        painter.setPen(theme.color(Role::Text3));
        painter.setFont(font);
        const QString name = QStringLiteral("update %1").arg(range.first + i);
        if (textWidth(name, font) + 6 < width)
            painter.drawText(QRectF(x + 4, strip.bottom() - 1, width - 6, nameHeight - 1), Qt::AlignVCenter,
                             name);
        if (i > 0) {
            painter.setPen(QPen(theme.color(Role::Border), 1));
            painter.drawLine(QPointF(std::round(x) + 0.5, rect.top()),
                             QPointF(std::round(x) + 0.5, rect.bottom()));
        }
    }
    painter.restore();
}

void paintOverviewFrame(QPainter& painter, const TimelineScene& scene, const Theme& theme) {
    const QRectF rect = scene.layout.overview();
    painter.save();
    painter.setClipRect(rect, Qt::IntersectClip);
    painter.setRenderHint(QPainter::Antialiasing);
    paintOverviewWindow(painter, scene, overviewAxis(scene), rect, theme);
    painter.restore();
    painter.setPen(QPen(theme.color(Role::Border), 1));
    painter.drawLine(QPointF(0, rect.bottom() - 0.5), QPointF(scene.layout.width, rect.bottom() - 0.5));
}

void paintRuler(QPainter& painter, const TimelineScene& scene, const Theme& theme) {
    const QRectF rect = scene.layout.ruler();
    painter.fillRect(rect, theme.color(Role::Canvas));
    painter.save();
    painter.setClipRect(rect, Qt::IntersectClip);
    painter.setRenderHint(QPainter::Antialiasing);
    const double band = theme.px(14);
    const double line = theme.px(14);
    paintBands(painter, scene, QRectF(rect.left(), rect.top() + 2, rect.width(), band), theme);
    paintSlotNumbers(painter, scene, QRectF(rect.left(), rect.top() + 2 + band, rect.width(), line), theme);
    paintTimes(
        painter, scene,
        QRectF(QPointF(rect.left(), rect.top() + 2 + band + line), QPointF(rect.right(), rect.bottom())),
        theme);
    painter.restore();
    if (scene.state.area) {
        const TimeToPixel axis = scene.axis();
        const double left = std::clamp(axis.x(scene.state.area->from), rect.left(), rect.right());
        const double right = std::clamp(axis.x(scene.state.area->to), rect.left(), rect.right());
        painter.fillRect(QRectF(left, rect.bottom() - 3, right - left, 3), theme.color(Role::Accent));
    }
    painter.setPen(QPen(theme.color(Role::BorderStrong), 1));
    painter.drawLine(QPointF(0, rect.bottom() - 0.5), QPointF(scene.layout.width, rect.bottom() - 0.5));
}

} // namespace views
