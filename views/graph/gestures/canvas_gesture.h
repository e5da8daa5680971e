#pragma once

#include <QPointF>
#include <Qt>
#include <memory>
#include <optional>
#include <vector>

class QPainter;

namespace views {

class CanvasScene;
class Theme;

/// What the mouse does between press and release. Points are in view coordinates. A gesture that is cancelled
/// (Escape, loss of the window) leaves everything as it was.
class CanvasGesture {
public:
    virtual ~CanvasGesture() = default;
    virtual void move(const QPointF& at) = 0;
    /// The keys that are held with the next move or release.
    virtual void hold(Qt::KeyboardModifiers) {}
    /// The mouse is released: do it.
    virtual void finish(const QPointF& at) = 0;
    virtual void cancel() {}
    /// Over everything else, in view coordinates.
    virtual void paint(QPainter&, const Theme&) const {}
    /// The pointer while it lasts; nothing: as it was before.
    [[nodiscard]] virtual std::optional<Qt::CursorShape> cursor() const { return std::nullopt; }
};

/// Moves the part of the canvas that is in view.
[[nodiscard]] std::unique_ptr<CanvasGesture> panGesture(CanvasScene& scene, const QPointF& from);

/// Selects what a rectangle touches; `adds` keeps what was selected.
[[nodiscard]] std::unique_ptr<CanvasGesture> rubberBandGesture(CanvasScene& scene, const QPointF& from,
                                                               bool adds);

/// Drags the boundary between two stages: previews, estimates, and on release one step of the history. It
/// goes from block to block, with Alt from layer to layer.
[[nodiscard]] std::unique_ptr<CanvasGesture> cutGesture(CanvasScene& scene, const QPointF& from,
                                                        std::size_t cut);

/// Drags the selection: to another column (its stage) in the stage layout, to another place in the free one.
/// Nothing happens before the mouse has moved a few pixels; a click then selects `clicked` alone.
[[nodiscard]] std::unique_ptr<CanvasGesture> dragGesture(CanvasScene& scene, const QPointF& from,
                                                         std::vector<int> clicked, bool selectsOnClick);

/// Draws a line from an out port to an in port; on empty canvas it asks for a layer to add.
[[nodiscard]] std::unique_ptr<CanvasGesture> connectGesture(CanvasScene& scene, int box, int port);

/// Draws a stroke; lines that it crosses are cut off.
[[nodiscard]] std::unique_ptr<CanvasGesture> knifeGesture(CanvasScene& scene, const QPointF& from);

} // namespace views
