#pragma once

#include "views/graph/canvas/cut_overlay.h"
#include "views/graph/scene/canvas_scene.h"

#include <QRect>
#include <QSize>
#include <cstddef>
#include <optional>
#include <vector>

namespace views {

/// Where the canvas looks different from what was drawn last: most edits change a part of one column. It
/// knows every box, line, label, chip and grip by a number made of all that is drawn of it.
class CanvasDamage {
public:
    /// Where the scene looks different now. Within the surface; all of it where another part is in view, or
    /// what was drawn is not known.
    [[nodiscard]] QRect look(const CanvasScene& scene, int hoveredCut);
    /// The scene is on the surface as it was when one looked last.
    void noteDrawn() { m_drawn = m_seen; }

private:
    struct Item {
        std::size_t look = 0;
        /// Of the surface, with all that reaches beyond a box or a line.
        QRectF area;
    };
    struct Drawing {
        CanvasViewport viewport;
        QSize size;
        bool isPlanPreview = false;
        /// Where the dashes of a line are depends on how much of it is drawn.
        bool hasDashes = false;
        /// Of what lies below everything.
        std::size_t ground = 0;
        /// By `look`.
        std::vector<Item> items;
    };
    /// Nothing where everything moves, or so much is in view that a part is hardly less.
    static std::optional<Drawing> drawingOf(const CanvasScene& scene, int hoveredCut);

    std::optional<Drawing> m_drawn;
    std::optional<Drawing> m_seen;
};

} // namespace views
