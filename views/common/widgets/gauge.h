#pragma once

#include "core/plan/plan_estimate.h"
#include "views/common/theme/theme.h"

#include <QPainter>
#include <QRectF>
#include <optional>
#include <vector>

namespace views {

/// A piece of a stacked bar, as a share of the whole bar (0 … 1).
struct GaugeSegment {
    double share = 0;
    QColor color;
    HatchPattern pattern = HatchPattern::None;
    /// Colour of the hatch; derived from `color` when invalid.
    QColor hatch;
};

/// From where to where, as shares of the bar.
struct GaugeRange {
    double low = 0;
    double high = 0;
};

/// A horizontal bar of segments on a track.
struct Gauge {
    std::vector<GaugeSegment> segments;
    /// The limit, as a share of the bar.
    std::optional<double> limit;
    /// The value before an edit: a dark tick.
    std::optional<double> previous;
    /// Where the value lies for `core::intervalCoverage` of programs once it is measured: a thin line with
    /// ends.
    std::optional<GaugeRange> range;
};

enum class GaugeLevel : std::uint8_t { Fits, Near, Over };
/// Near from 85 % of the limit on.
[[nodiscard]] GaugeLevel gaugeLevel(double value, double limit);

/// What lives on an IPU at its peak, against its limit: always live, stash and the rest; the bar ends at the
/// peak. `measured`: where the memory of an IPU lies once it is measured.
[[nodiscard]] Gauge memoryGauge(const core::IpuEstimate& ipu, const core::PredictionInterval& measured,
                                const Theme& theme);

/// Draws into `rect`; segments beyond its width are cut off, so scale the shares to make space for an
/// overflow.
void paintGauge(QPainter& painter, const QRectF& rect, const Gauge& gauge, const Theme& theme);

/// A bar from the middle of `rect` to the left (negative) or right; `value` is −1 … 1. Green is better, red
/// is worse, whichever side that is.
void paintSignedBar(QPainter& painter, const QRectF& rect, double value, bool isBetter, const Theme& theme);

/// A row of a waterfall, `from` and `to` in 0 … 1 of its width: the bar between them, and, in a row that has
/// others above and below, lines that lead to theirs.
void paintWaterfallRow(QPainter& painter, const QRectF& row, double from, double to, bool isBetter,
                       bool isLinked, const Theme& theme);

} // namespace views
