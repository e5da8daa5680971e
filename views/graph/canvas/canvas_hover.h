#pragma once

#include "views/common/widgets/tooltip_card.h"
#include "views/graph/scene/canvas_scene.h"

namespace views {

/// What is below the pointer while no button is pressed: it is marked, the pointer takes its form, and a card
/// says what it is.
class CanvasHover final {
public:
    /// `surface`: the widget whose pointer changes and on which the card is shown.
    CanvasHover(CanvasScene& scene, QWidget& surface);

    /// `isPanning`: Space is held, so that a drag would move the canvas.
    void moveTo(const QPointF& view, bool isPanning);
    void leave();
    /// Other figures or findings: a card that is shown says them.
    void refresh();
    /// The drawing is another one: neither the card nor pinned ones are about it.
    void drop();
    /// Cut whose grip is below the pointer; −1 for none.
    [[nodiscard]] int grip() const { return m_grip; }
    [[nodiscard]] ToolTipCard& card() { return *m_card; }

private:
    [[nodiscard]] ToolTipContent cardAt(const QPointF& view) const;
    [[nodiscard]] ToolTipContent groupCard(int box) const;
    [[nodiscard]] ToolTipContent nodeCard(int node) const;

    CanvasScene& m_scene;
    QWidget& m_surface;
    ToolTipCard* m_card;
    int m_grip = -1;
    QPointF m_at;
};

} // namespace views
