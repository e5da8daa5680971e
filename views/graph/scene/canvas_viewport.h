#pragma once

#include <QPointF>
#include <QRectF>
#include <QSizeF>
#include <algorithm>

namespace views {

/// Which part of the canvas a view shows: view = (canvas − origin) · zoom.
struct CanvasViewport {
    static constexpr double leastZoom = 0.04;
    /// At which a whole model is shown: its boxes are a density there.
    static constexpr double leastFit = 0.0002;
    static constexpr double mostZoom = 4.0;

    QPointF origin;
    double zoom = 1.0;

    [[nodiscard]] QPointF toView(const QPointF& canvas) const { return (canvas - origin) * zoom; }
    [[nodiscard]] QPointF toCanvas(const QPointF& view) const { return view / zoom + origin; }
    [[nodiscard]] QRectF toView(const QRectF& canvas) const {
        return {toView(canvas.topLeft()), canvas.size() * zoom};
    }
    [[nodiscard]] QRectF visible(const QSizeF& view) const { return {origin, view / zoom}; }

    /// Zooms so that what is under `at` (view) stays there.
    void zoomAt(const QPointF& at, double factor) {
        const QPointF fixed = toCanvas(at);
        zoom = std::clamp(zoom * factor, std::min(leastZoom, zoom), mostZoom);
        origin = fixed - at / zoom;
    }
    /// Shows `rect` whole and centred, at most at 100 %.
    void fit(const QRectF& rect, const QSizeF& view, double margin) {
        if (rect.isEmpty() || view.isEmpty())
            return;
        const double space = std::min((view.width() - 2 * margin) / rect.width(),
                                      (view.height() - 2 * margin) / rect.height());
        zoom = std::clamp(space, leastFit, 1.0);
        origin = rect.center() - QPointF(view.width(), view.height()) / (2 * zoom);
    }
    /// Shows `rect` from its top, at the zoom at which its width fits (at most 100 %, at least `least`).
    void fitWidth(const QRectF& rect, const QSizeF& view, double least) {
        if (rect.isEmpty() || view.isEmpty())
            return;
        zoom = std::clamp(view.width() / rect.width(), least, 1.0);
        origin = {rect.center().x() - view.width() / (2 * zoom), rect.top()};
        if (rect.width() * zoom > view.width())
            origin.setX(rect.left());
    }
    /// Shows `rect` from its left, at the zoom at which its height fits (at most 100 %, at least `least`).
    void fitHeight(const QRectF& rect, const QSizeF& view, double least) {
        if (rect.isEmpty() || view.isEmpty())
            return;
        zoom = std::clamp(view.height() / rect.height(), least, 1.0);
        const QSizeF seen = view / zoom;
        origin = {std::min(rect.left(), rect.center().x() - seen.width() / 2),
                  std::min(rect.top(), rect.center().y() - seen.height() / 2)};
        if (rect.width() > seen.width())
            origin.setX(rect.left());
    }
    /// Brings `rect` into view with as little movement as can be.
    void reveal(const QRectF& rect, const QSizeF& view, double margin) {
        const QRectF seen =
            visible(view).adjusted(margin / zoom, margin / zoom, -margin / zoom, -margin / zoom);
        const auto shift = [](double low, double high, double from, double to) {
            if (to - from > high - low || from < low)
                return from - low;
            return to > high ? to - high : 0.0;
        };
        origin += QPointF(shift(seen.left(), seen.right(), rect.left(), rect.right()),
                          shift(seen.top(), seen.bottom(), rect.top(), rect.bottom()));
    }
    /// Keeps some of `bounds` in view, however far the user drags.
    void keepInside(const QRectF& bounds, const QSizeF& view) {
        const QSizeF seen = view / zoom;
        const double left = bounds.left() - seen.width() * 0.8;
        const double top = bounds.top() - seen.height() * 0.8;
        origin.setX(std::clamp(origin.x(), left, std::max(left, bounds.right() - seen.width() * 0.2)));
        origin.setY(std::clamp(origin.y(), top, std::max(top, bounds.bottom() - seen.height() * 0.2)));
    }

    bool operator==(const CanvasViewport&) const = default;
};

} // namespace views
