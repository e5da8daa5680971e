#pragma once

#include "core/project/project.h"
#include "views/common/theme/theme.h"
#include "views/graph/model/canvas_geometry.h"
#include "views/graph/model/canvas_model.h"

#include <QPainter>
#include <QRectF>
#include <QString>
#include <vector>

namespace views {

/// The frame of a note, in canvas coordinates.
struct NoteShape {
    /// Around the layers, one piece for each column that holds some of them.
    std::vector<QRectF> pieces;
    /// The text, beside the first piece.
    QRectF header;
    QString text;
    std::int64_t colour = 0;
    /// The calls inside, ascending.
    std::vector<int> nodes;
};

/// Frames of the notes whose layers are drawn, the largest first: smaller ones lie on them.
[[nodiscard]] std::vector<NoteShape> noteShapes(const std::vector<core::CanvasNote>& notes,
                                                const CanvasModel& model, const CanvasGeometry& geometry,
                                                const Theme& theme);
/// Topmost note whose tab is at a point; −1 for none.
[[nodiscard]] int noteAt(const std::vector<NoteShape>& notes, const QPointF& point);

/// Colour of a note from the palette, and its name.
[[nodiscard]] QColor noteColor(const Theme& theme, std::int64_t colour);
[[nodiscard]] QString noteColorName(std::int64_t colour);

/// Draws them below the boxes; texts are left out below half size.
void paintNotes(QPainter& painter, const std::vector<NoteShape>& notes, const QRectF& visible, double zoom,
                const Theme& theme);

} // namespace views
