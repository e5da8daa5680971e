#pragma once

#include "views/roofline/roofline_data.h"

#include <QPointF>
#include <QRectF>
#include <memory>
#include <optional>
#include <set>

namespace views {

/// Powers of ten that an axis goes from and to.
struct LogRange {
    double low = 0;
    double high = 1;

    bool operator==(const LogRange&) const = default;
};

/// What is shown of the plane: FLOP per byte to the right, FLOP/s upwards.
struct RooflineWindow {
    LogRange intensity;
    LogRange rate;

    bool operator==(const RooflineWindow&) const = default;
};
/// Every point and the roofs, with room around them.
[[nodiscard]] RooflineWindow windowOf(const core::Roofline& roofline, RooflineGrouping grouping);

/// From figures to pixels and back. Pure arithmetic.
struct RooflinePlane {
    RooflineWindow window;
    QRectF area;
    /// Where what exchanges nothing stands; empty where there is none.
    QRectF strip;

    [[nodiscard]] double x(double intensity) const;
    [[nodiscard]] double y(double rate) const;
    [[nodiscard]] QPointF place(const core::RooflinePoint& point, double clockHz) const;
    [[nodiscard]] double intensityAt(double x) const;
    [[nodiscard]] double rateAt(double y) const;
    /// `factor` < 1: nearer; what is at the pixel stays there.
    [[nodiscard]] RooflineWindow zoomed(double factor, const QPointF& at) const;
    [[nodiscard]] RooflineWindow moved(const QPointF& byPixels) const;
};

/// A rectangle of the plane that a person framed.
struct RooflineFrame {
    RooflineWindow window;
    /// Reaches into the strip at the right.
    bool holdsStrip = false;
    /// Begins in the strip.
    bool isStripOnly = false;
};

/// Everything that is drawn.
struct RooflineScene {
    std::shared_ptr<const core::Roofline> data;
    RooflineGrouping grouping = RooflineGrouping::Operation;
    /// The time of the point that takes the most.
    core::Cycles longest;
    /// Nothing: all of it.
    std::optional<RooflineWindow> shown;
    /// Points that stand out, and the one among them that was chosen; none: all look the same.
    std::set<std::size_t> lit;
    std::optional<std::size_t> chosen;
    std::optional<std::size_t> hovered;
    /// What runs at the place that is pointed at in some view.
    std::set<std::size_t> pointed = {};
    std::optional<RooflineFrame> frame;
    QString title;

    [[nodiscard]] const std::vector<core::RooflinePoint>& points() const { return pointsOf(*data, grouping); }
    /// Whether a point has a place in the plane or in the strip.
    [[nodiscard]] static bool isDrawn(const core::RooflinePoint& point) { return point.flops.value() > 0; }
    [[nodiscard]] bool hasStrip() const;
    /// Points by the time they take, the largest first: so they are drawn.
    [[nodiscard]] std::vector<std::size_t> drawOrder() const;
    /// Radius of a point in px of a theme of scale 1.
    [[nodiscard]] double radius(const core::RooflinePoint& point) const;
};

/// The points of a grouping, all of them shown.
[[nodiscard]] RooflineScene rooflineScene(std::shared_ptr<const core::Roofline> data,
                                          RooflineGrouping grouping);

/// Where the parts are in a rectangle; `scale` is that of the theme.
[[nodiscard]] RooflinePlane planeOf(const RooflineScene& scene, const QRectF& rect, double scale);
/// The topmost point within reach of a pixel.
[[nodiscard]] std::optional<std::size_t> pointAt(const RooflineScene& scene, const RooflinePlane& plane,
                                                 const QPointF& at, double scale);
/// What a rectangle of pixels frames, and the points in a frame.
[[nodiscard]] RooflineFrame frameOf(const RooflinePlane& plane, const QRectF& pixels);
[[nodiscard]] QRectF pixelsOf(const RooflinePlane& plane, const RooflineFrame& frame);
[[nodiscard]] bool holds(const RooflineFrame& frame, const core::RooflinePoint& point, double clockHz);

} // namespace views
