#pragma once

#include "views/common/theme/theme.h"
#include "views/graph/model/canvas_geometry.h"
#include "views/graph/model/canvas_model.h"
#include "views/graph/painting/canvas_state.h"

#include <optional>
#include <vector>

namespace views {

/// Texts of the boxes, elided once for their width.
class CanvasTexts {
public:
    struct BoxText {
        QString name;
        /// The name over both lines, in the place of the detail, where one is too short for it.
        QString nameAbove;
        QString nameBelow;
        QString detail;
        std::vector<QString> rows;
        /// Beside the detail instead of the name, which has no room for both.
        bool isFigureBelow = false;
    };

    /// Of the boxes in a part of the drawing that have none yet; of all boxes where no part is given.
    void prepare(const CanvasModel& model, const CanvasGeometry& geometry, const CanvasState& state,
                 const Theme& theme, const QRectF& part = {});
    void clear() { m_boxes.clear(); }
    [[nodiscard]] const BoxText& box(std::size_t index) const { return *m_boxes[index]; }

private:
    static BoxText textOf(const CanvasModel& model, const BoxShape& box, const QString& figure,
                          const QString& facts, const Theme& theme);

    std::vector<std::optional<BoxText>> m_boxes;
};

} // namespace views
