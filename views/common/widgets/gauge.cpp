#include "views/common/widgets/gauge.h"

#include "views/common/theme/color_mix.h"
#include "views/common/theme/hatch.h"

#include <QPainterPath>
#include <algorithm>
#include <cmath>

namespace views {

GaugeLevel gaugeLevel(double value, double limit) {
    if (value > limit)
        return GaugeLevel::Over;
    return value >= 0.85 * limit ? GaugeLevel::Near : GaugeLevel::Fits;
}

Gauge memoryGauge(const core::IpuEstimate& ipu, const core::PredictionInterval& measured,
                  const Theme& theme) {
    // Room beyond the limit for what does not fit.
    const double highest = std::max(1.0, measured.high) * ratio(ipu.peak, ipu.limit);
    const double space = std::max(1.0, 1.02 * highest) * 1.04;
    const auto share = [&](core::Bytes bytes) { return ratio(bytes, ipu.limit) / space; };
    // What lives then and is neither always there nor stash is the rest of the peak.
    const core::Bytes always = std::min(ipu.alwaysLive, ipu.peak);
    const core::Bytes stash = std::min(ipu.stash, ipu.peak - always);
    Gauge gauge;
    gauge.segments = {{share(always), theme.category(core::MemoryCategory::Weights), HatchPattern::None, {}},
                      {share(stash), theme.category(core::MemoryCategory::Stash), HatchPattern::None, {}},
                      {share(ipu.peak - always - stash),
                       theme.category(core::MemoryCategory::Activations),
                       HatchPattern::None,
                       {}}};
    gauge.limit = 1 / space;
    if (measured.low < measured.high)
        gauge.range = GaugeRange{share(ipu.peak) * measured.low, share(ipu.peak) * measured.high};
    return gauge;
}

namespace {

/// Seen on the bar and beyond it: dark (or light) with a hair of the other around.
void paintRange(QPainter& painter, const QRectF& rect, const GaugeRange& range, const Theme& theme) {
    const auto x = [&](double share) {
        return std::round(rect.left() + std::clamp(share, 0.0, 1.0) * rect.width());
    };
    const double low = x(range.low);
    const double high = x(range.high);
    // Ends that lie closer than they are drawn say nothing.
    if (high - low < 2)
        return;
    const double middle = std::round(rect.center().y());
    const double end = theme.px(2.5);
    const auto paintBars = [&](double wider, const QColor& color) {
        painter.fillRect(QRectF(low, middle - 0.5, high - low, 1).adjusted(-wider, -wider, wider, wider),
                         color);
        for (const double at : {low, high})
            painter.fillRect(
                QRectF(at - 0.5, middle - end, 1, 2 * end).adjusted(-wider, -wider, wider, wider), color);
    };
    paintBars(0.5, withAlpha(theme.color(Role::Panel), 0.6));
    paintBars(0, withAlpha(theme.color(Role::Text), 0.75));
}

} // namespace

void paintGauge(QPainter& painter, const QRectF& rect, const Gauge& gauge, const Theme& theme) {
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    QPainterPath track;
    track.addRoundedRect(rect, theme.px(2), theme.px(2));
    painter.fillPath(track, theme.color(Role::Hover));
    painter.setClipPath(track, Qt::IntersectClip);
    painter.setRenderHint(QPainter::Antialiasing, false);
    double x = rect.left();
    double end = rect.left();
    for (const GaugeSegment& segment : gauge.segments) {
        end += std::max(0.0, segment.share) * rect.width();
        // Ends are rounded, not widths: many small segments add up to the right place.
        const QRectF piece(QPointF(std::round(x), rect.top()),
                           QPointF(std::round(std::min(end, rect.right())), rect.bottom()));
        if (piece.width() > 0) {
            painter.fillRect(piece, segment.color);
            const QColor hatch = segment.hatch.isValid() ? segment.hatch : hatchOn(segment.color, theme);
            fillHatch(painter, piece, segment.pattern, hatch);
        }
        x = end;
    }
    painter.restore();
    if (gauge.range)
        paintRange(painter, rect, *gauge.range, theme);
    if (gauge.previous) {
        const double at = std::round(rect.left() + std::clamp(*gauge.previous, 0.0, 1.0) * rect.width());
        painter.fillRect(QRectF(at - 1, rect.top() - 3, 2, rect.height() + 6), theme.color(Role::Text));
    }
    if (gauge.limit) {
        const double at = std::round(rect.left() + std::clamp(*gauge.limit, 0.0, 1.0) * rect.width());
        painter.fillRect(QRectF(at - 0.75, rect.top() - 2.5, 1.5, rect.height() + 5),
                         theme.color(Role::Limit));
    }
}

void paintSignedBar(QPainter& painter, const QRectF& rect, double value, bool isBetter, const Theme& theme) {
    const double middle = std::round(rect.center().x());
    painter.fillRect(QRectF(middle, rect.top() - 3, 1, rect.height() + 6), theme.color(Role::BorderStrong));
    const double length = std::clamp(std::abs(value), 0.0, 1.0) * (rect.width() / 2 - 1);
    if (length <= 0)
        return;
    const QRectF bar(value < 0 ? middle - length : middle + 1, rect.top(), length, rect.height());
    painter.fillRect(bar, theme.color(isBetter ? Role::Success : Role::Error));
}

void paintWaterfallRow(QPainter& painter, const QRectF& row, double from, double to, bool isBetter,
                       bool isLinked, const Theme& theme) {
    const auto x = [&](double place) { return row.left() + std::clamp(place, 0.0, 1.0) * (row.width() - 1); };
    const QRectF bar(std::min(x(from), x(to)), row.center().y() - theme.px(4), std::abs(x(to) - x(from)),
                     theme.px(8));
    if (isLinked) {
        const QColor line = theme.color(Role::BorderStrong);
        painter.fillRect(QRectF(x(from), row.top(), 1, bar.center().y() - row.top()), line);
        painter.fillRect(QRectF(x(to), bar.center().y(), 1, row.bottom() - bar.center().y()), line);
    }
    // What differs at all is seen.
    if (from != to)
        painter.fillRect(bar.adjusted(0, 0, std::max(0.0, theme.px(1.6) - bar.width()), 0),
                         theme.color(isBetter ? Role::Success : Role::Error));
}

} // namespace views
