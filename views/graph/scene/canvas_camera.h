#pragma once

#include "views/graph/scene/canvas_viewport.h"

#include <QObject>
#include <optional>

class QWheelEvent;
class QWidget;

namespace views {

/// Which part of the drawing the canvas shows: moving, zooming, bringing something into view. Some of the
/// drawing always stays in view.
class CanvasCamera final : public QObject {
    Q_OBJECT

public:
    /// `surface`: the widget whose size is the size of the view.
    explicit CanvasCamera(const QWidget& surface);

    [[nodiscard]] const CanvasViewport& viewport() const { return m_viewport; }
    /// The part of the drawing in view.
    [[nodiscard]] QRectF visible() const;
    /// The extent of a new drawing; the viewport stays until it is set next.
    void setBounds(const QRectF& bounds) { m_bounds = bounds; }
    void setViewport(const CanvasViewport& viewport);

    void fitAll();
    /// The first time centres `area`, the second time fits it; everything where it is empty.
    void fit(const QRectF& area);
    /// From the top of the drawing, as wide as the view.
    void fitWidth();
    /// From the left of the drawing, as high as the view.
    void fitHeight();
    void moveBy(const QPointF& canvas);
    /// Around the middle of the view.
    void zoomBy(double factor);
    void resetZoom() { zoomBy(1.0 / m_viewport.zoom); }
    /// With as little movement as can be.
    void reveal(const QRectF& area);
    /// The wheel zooms under the pointer, with Shift it moves sideways; a touch pad moves.
    void wheel(const QWheelEvent& event);
    /// Whether the whole width is shown at 100 %.
    [[nodiscard]] bool isAtHome() const;
    /// After the width has changed while `isAtHome`.
    void keepLeft();
    /// Nothing was moved or zoomed since it was fitted.
    [[nodiscard]] bool isFitted() const;
    /// The same fit again, for another size of the view.
    void refit();

signals:
    void moved();

private:
    const QWidget& m_surface;
    QRectF m_bounds;
    CanvasViewport m_viewport;
    enum class Fit : std::uint8_t { All, Width, Height };

    /// What the last fit gave, and of what it was.
    std::optional<CanvasViewport> m_fitted;
    Fit m_fit = Fit::All;
};

} // namespace views
