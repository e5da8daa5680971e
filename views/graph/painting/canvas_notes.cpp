#include "views/graph/painting/canvas_notes.h"

#include "views/common/text/elided_text.h"
#include "views/common/text/number_text.h"
#include "views/common/theme/color_mix.h"

#include <QCoreApplication>
#include <QFontMetricsF>
#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>

namespace views {

namespace {

struct NoteColor {
    Role role;
    const char* name;
};
constexpr std::array<NoteColor, std::size_t(6)> palette{
    {{Role::Text3, QT_TRANSLATE_NOOP("views::CanvasNotes", "Grey")},
     {Role::Accent, QT_TRANSLATE_NOOP("views::CanvasNotes", "Blue")},
     {Role::WarningFill, QT_TRANSLATE_NOOP("views::CanvasNotes", "Amber")},
     {Role::Success, QT_TRANSLATE_NOOP("views::CanvasNotes", "Green")},
     {Role::Error, QT_TRANSLATE_NOOP("views::CanvasNotes", "Red")},
     {Role::Text, QT_TRANSLATE_NOOP("views::CanvasNotes", "Ink")}}};

QFont noteFont(const Theme& theme) {
    return theme.font(10, QFont::DemiBold);
}

const NoteColor& colorRow(std::int64_t colour) {
    return palette[std::size_t(std::clamp<std::int64_t>(colour, 0, std::int64_t(palette.size()) - 1))];
}

/// Room beside a piece in its column, at its left or right.
double roomBeside(const QRectF& piece, const CanvasGeometry& geometry, bool isLeft) {
    constexpr double free = 1e6;
    for (const ColumnShape& column : geometry.columns)
        if (piece.center().x() >= column.left && piece.center().x() < column.right())
            return isLeft ? piece.left() - column.left : column.right() - piece.right();
    return free;
}

/// The text stands beside the frame, where no lines run: at the left, else at the right; above only where the
/// column is too narrow for both.
QRectF tabOf(const NoteShape& note, const CanvasGeometry& geometry, const Theme& theme) {
    constexpr int mostLines = 6;
    const QRectF& piece = note.pieces.front();
    const double margin = theme.px(6);
    const double gap = theme.px(3);
    const QFontMetricsF metrics(noteFont(theme));
    for (const bool isLeft : {true, false}) {
        const double room = std::min(roomBeside(piece, geometry, isLeft) - 3 * gap, theme.px(180));
        if (room < theme.px(80))
            continue;
        const QRectF text =
            metrics.boundingRect(QRectF(0, 0, room - 2 * margin, 1e4), Qt::TextWordWrap, note.text);
        const double height = std::min(text.height(), mostLines * metrics.lineSpacing()) + theme.px(6);
        const double width = std::min(room, std::ceil(text.width()) + 2 * margin + 1);
        return {isLeft ? piece.left() - gap - width : piece.right() + gap, piece.top(), width, height};
    }
    const double height = theme.px(17);
    const double wanted = textWidth(note.text.section(u'\n', 0, 0), noteFont(theme)) + 2 * margin;
    return {piece.left(), piece.top() - height, std::min(piece.width(), wanted), height};
}

double areaOf(const NoteShape& note) {
    double area = 0;
    for (const QRectF& piece : note.pieces)
        area += piece.width() * piece.height();
    return area;
}

} // namespace

std::vector<NoteShape> noteShapes(const std::vector<core::CanvasNote>& notes, const CanvasModel& model,
                                  const CanvasGeometry& geometry, const Theme& theme) {
    std::vector<NoteShape> shapes;
    if (notes.empty())
        return shapes;
    std::map<std::string, std::vector<int>> nodesOf;
    for (std::size_t i = 0; i < model.nodes.size(); ++i)
        nodesOf[model.nodes[i].key.path].push_back(int(i));
    const double padding = theme.px(9);
    for (const core::CanvasNote& note : notes) {
        NoteShape shape;
        shape.text = toQString(note.text);
        shape.colour = note.colour;
        std::map<double, QRectF> pieces; // by the left of the column
        for (const std::string& layer : note.layers) {
            for (const int node : nodesOf[layer]) {
                const int box = geometry.boxOf[std::size_t(node)];
                if (box < 0)
                    continue;
                const QRectF rect =
                    geometry.boxes[std::size_t(box)].rect.adjusted(-padding, -padding, padding, padding);
                double left = 0;
                for (const ColumnShape& column : geometry.columns)
                    if (rect.center().x() >= column.left)
                        left = column.left;
                QRectF& piece = pieces[left];
                piece = piece.isNull() ? rect : piece.united(rect);
                shape.nodes.push_back(node);
            }
        }
        if (pieces.empty())
            continue;
        std::ranges::sort(shape.nodes);
        for (const auto& entry : pieces)
            shape.pieces.push_back(entry.second);
        shape.header = tabOf(shape, geometry, theme);
        shapes.push_back(std::move(shape));
    }
    std::ranges::stable_sort(shapes, [](const auto& a, const auto& b) { return areaOf(a) > areaOf(b); });
    return shapes;
}

int noteAt(const std::vector<NoteShape>& notes, const QPointF& point) {
    for (std::size_t i = notes.size(); i-- > 0;)
        if (notes[i].header.contains(point))
            return int(i);
    return -1;
}

QColor noteColor(const Theme& theme, std::int64_t colour) {
    return theme.color(colorRow(colour).role);
}

QString noteColorName(std::int64_t colour) {
    return QCoreApplication::translate("views::CanvasNotes", colorRow(colour).name);
}

void paintNotes(QPainter& painter, const std::vector<NoteShape>& notes, const QRectF& visible, double zoom,
                const Theme& theme) {
    constexpr double textsFrom = 0.5;
    const double radius = theme.px(8);
    for (const NoteShape& note : notes) {
        const QColor color = noteColor(theme, note.colour);
        for (const QRectF& piece : note.pieces) {
            if (!piece.adjusted(-2, -2, 2, 2).intersects(visible))
                continue;
            painter.setPen(QPen(mix(theme.color(Role::Canvas), color, 0.7), theme.frameWidth() / zoom));
            painter.setBrush(withAlpha(color, theme.isDark() ? 0.14 : 0.09));
            painter.drawRoundedRect(piece, radius, radius);
        }
        if (zoom < textsFrom || !note.header.intersects(visible))
            continue;
        painter.setPen(Qt::NoPen);
        painter.setBrush(mix(theme.color(Role::Panel), color, 0.25));
        painter.drawRoundedRect(note.header, theme.px(4), theme.px(4));
        painter.setPen(theme.color(Role::Text));
        painter.setFont(noteFont(theme));
        const QRectF inside = note.header.adjusted(theme.px(6), theme.px(3), -theme.px(6), -theme.px(3));
        if (note.header.height() > theme.px(17))
            painter.drawText(inside, Qt::AlignLeft | Qt::AlignTop | Qt::TextWordWrap, note.text);
        else
            painter.drawText(inside.adjusted(0, -theme.px(3), 0, theme.px(3)),
                             Qt::AlignLeft | Qt::AlignVCenter,
                             elidedEnd(note.text.section(u'\n', 0, 0), noteFont(theme), inside.width() + 1));
    }
}

} // namespace views
