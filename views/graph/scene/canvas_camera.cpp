#include "views/graph/scene/canvas_camera.h"

#include <QWheelEvent>
#include <QWidget>
#include <cmath>

namespace views {

namespace {

/// The zoom at which one can still read what is in the boxes.
constexpr double leastReadable = 0.55;

} // namespace

CanvasCamera::CanvasCamera(const QWidget& surface)
    : m_surface(surface) {}

QRectF CanvasCamera::visible() const {
    return m_viewport.visible(m_surface.size());
}

void CanvasCamera::setViewport(const CanvasViewport& viewport) {
    CanvasViewport next = viewport;
    next.keepInside(m_bounds, m_surface.size());
    if (next == m_viewport)
        return;
    m_viewport = next;
    emit moved();
}

void CanvasCamera::fitAll() {
    CanvasViewport next = m_viewport;
    next.fit(m_bounds, m_surface.size(), 16);
    setViewport(next);
    m_fitted = m_viewport;
    m_fit = Fit::All;
}

void CanvasCamera::fit(const QRectF& area) {
    if (area.isEmpty())
        return fitAll();
    CanvasViewport next = m_viewport;
    const QPointF offset = area.center() - visible().center();
    const bool isCentred = std::abs(offset.x()) < 2 && std::abs(offset.y()) < 2;
    if (isCentred)
        next.fit(area, m_surface.size(), 80);
    else
        next.origin += offset;
    setViewport(next);
}

void CanvasCamera::moveBy(const QPointF& canvas) {
    CanvasViewport next = m_viewport;
    next.origin += canvas;
    setViewport(next);
}

void CanvasCamera::fitWidth() {
    m_viewport.fitWidth(m_bounds, m_surface.size(), leastReadable);
    m_fitted = m_viewport;
    m_fit = Fit::Width;
}

void CanvasCamera::fitHeight() {
    m_viewport.fitHeight(m_bounds, m_surface.size(), leastReadable);
    m_fitted = m_viewport;
    m_fit = Fit::Height;
}

bool CanvasCamera::isFitted() const {
    return m_fitted && *m_fitted == m_viewport;
}

void CanvasCamera::refit() {
    switch (m_fit) {
    case Fit::All:
        return fitAll();
    case Fit::Width:
        return fitWidth();
    case Fit::Height:
        return fitHeight();
    }
}

void CanvasCamera::zoomBy(double factor) {
    CanvasViewport next = m_viewport;
    next.zoomAt(QPointF(m_surface.width() / 2.0, m_surface.height() / 2.0), factor);
    setViewport(next);
}

void CanvasCamera::reveal(const QRectF& area) {
    CanvasViewport next = m_viewport;
    next.reveal(area, m_surface.size(), 40);
    setViewport(next);
}

void CanvasCamera::wheel(const QWheelEvent& event) {
    const QPointF pixels = event.pixelDelta();
    const QPointF angle = event.angleDelta();
    CanvasViewport next = m_viewport;
    if (event.modifiers().testFlag(Qt::ShiftModifier)) {
        next.origin -= QPointF(angle.y() + angle.x(), 0) / next.zoom * 0.6;
    } else if (!pixels.isNull() && !event.modifiers().testFlag(Qt::ControlModifier)) {
        next.origin -= pixels / next.zoom; // a touch pad moves; pinching or Ctrl zooms
    } else {
        next.zoomAt(event.position(), std::pow(1.0016, angle.y()));
    }
    setViewport(next);
}

bool CanvasCamera::isAtHome() const {
    return std::abs(m_viewport.zoom - 1.0) < 1e-6 && m_viewport.origin.x() <= 1;
}

void CanvasCamera::keepLeft() {
    m_viewport.origin.setX(std::min(0.0, m_viewport.origin.x()));
}

} // namespace views
