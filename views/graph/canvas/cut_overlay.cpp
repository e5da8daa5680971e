#include "views/graph/canvas/cut_overlay.h"

#include "views/common/text/elided_text.h"
#include "views/common/text/number_text.h"
#include "views/common/theme/control_painters.h"
#include "views/graph/model/cut_points.h"
#include "views/graph/scene/canvas_handles.h"

#include <QPainter>
#include <QWidget>
#include <algorithm>
#include <optional>
#include <utility>

namespace views {

namespace {

/// What flows over a cut (one shape, or the number of tensors), and how many bytes with each micro-batch.
/// Empty where it is not known.
std::pair<QString, QString> cutTexts(const CanvasScene& scene, std::size_t cut) {
    const auto tensors = cutTensors(scene.model(), cut);
    if (tensors.empty())
        return {};
    const auto& [node, output] = tensors.front();
    const std::vector<QString>& shapes = scene.node(node).outputShapes;
    QString what = tensors.size() > 1 ? CanvasScene::tr("%1 tensors").arg(tensors.size()) : QString();
    if (what.isEmpty() && std::size_t(output) < shapes.size())
        what = shapes[std::size_t(output)];
    const Document& document = scene.document();
    const auto& estimate = document.previewEstimate() ? document.previewEstimate() : document.estimate();
    QString bytes;
    // Figures of a plan of other stages are of other cuts.
    if (estimate && estimate->stages.size() == scene.model().stageCount && cut < estimate->stages.size())
        bytes = bytesText(estimate->stages[cut].cut, document.units().bytes).joined() + u' ' + QChar(0x21C4);
    return {what, bytes};
}

/// What of the canvas a chip covers.
QRectF coveredBy(const CanvasScene& scene, const QRectF& chip) {
    const CanvasViewport& viewport = scene.viewport();
    return {viewport.toCanvas(chip.topLeft()), chip.size() / viewport.zoom};
}

/// The boxes, with the space that is kept around them, that something as wide as this may meet as it moves up
/// and down.
std::vector<QRectF> boxesAround(const CanvasScene& scene, const QRectF& moving) {
    std::vector<QRectF> boxes;
    // Of an open group its title counts.
    constexpr double titleHeight = 26;
    for (const BoxShape& box : scene.geometry().boxes) {
        QRectF around = box.rect.adjusted(-4, -4, 4, 4);
        if (box.isFrame())
            around.setHeight(titleHeight);
        if (around.left() < moving.right() && moving.left() < around.right())
            boxes.push_back(around);
    }
    return boxes;
}

std::optional<CutChip> cutChip(const CanvasScene& scene, std::size_t cut, bool isHovered,
                               const Theme& theme) {
    const std::vector<ColumnShape>& columns = scene.geometry().columns;
    const double x = scene.viewport().toView(QPointF(columns[cut + 1].left, 0)).x();
    // Chips of narrow columns would lie over one another and over boxes: the one below the pointer is enough.
    const double space = 0.6 * std::min(columns[cut].width, columns[cut + 1].width) * scene.viewport().zoom;
    const double margins = theme.px(16);
    if ((!isHovered && space < margins) || x + columns[cut + 1].width < 0 ||
        x - columns[cut].width > scene.surface().width())
        return std::nullopt;
    const auto [what, bytes] = cutTexts(scene, cut);
    if (what.isEmpty() && bytes.isEmpty())
        return std::nullopt;
    const QFont font = theme.mono(10);
    const double width = std::max(textWidth(what, font), textWidth(bytes, font)) + margins;
    const double rowHeight = theme.px(13);
    const double rows = (what.isEmpty() ? 0 : 1) + (bytes.isEmpty() ? 0 : 1);
    if (!isHovered && width > space)
        return std::nullopt;
    QRectF chip(x - width / 2, scene.surface().height() - theme.px(14) - rows * rowHeight - theme.px(8),
                width, rows * rowHeight + theme.px(8));
    // At the foot of its line, further up where a box is in the way.
    if (!isHovered) {
        const std::vector<QRectF> boxes = boxesAround(scene, coveredBy(scene, chip));
        const auto coversBox = [&] {
            return std::ranges::any_of(
                boxes, [&](const QRectF& box) { return box.intersects(coveredBy(scene, chip)); });
        };
        while (coversBox()) {
            chip.translate(0, -theme.px(12));
            if (chip.top() < theme.px(4))
                return std::nullopt;
        }
    }
    return CutChip{chip, what, bytes, isHovered};
}

void paintCutChip(QPainter& painter, const CutChip& chip, const Theme& theme) {
    const QFont font = theme.mono(10);
    const double rowHeight = theme.px(13);
    paintCard(painter, chip.rect, theme.px(6), theme.color(Role::Raised),
              theme.color(chip.isHovered ? Role::Accent : Role::BorderStrong), theme.frameWidth());
    QRectF line(chip.rect.left(), chip.rect.top() + theme.px(4), chip.rect.width(), rowHeight);
    for (const QString& text : {chip.what, chip.bytes}) {
        if (text.isEmpty())
            continue;
        painter.setPen(theme.color(text == chip.what ? Role::Text : Role::Text2));
        paintLabel(painter, line, text, font, Qt::AlignCenter);
        line.translate(0, rowHeight);
    }
}

/// What flows over a cut of the free layout, beside its grip.
void paintFreeChip(QPainter& painter, const CanvasScene& scene, std::size_t cut, const QRectF& grip,
                   const Theme& theme) {
    const auto [what, bytes] = cutTexts(scene, cut);
    const QString text =
        what + (what.isEmpty() || bytes.isEmpty() ? QString() : QStringLiteral(" · ")) + bytes;
    if (text.isEmpty())
        return;
    const QFont font = theme.mono(10);
    const QSizeF size(textWidth(text, font) + theme.px(16), theme.px(21));
    QRectF chip(QPointF(grip.left() - theme.px(6) - size.width(), grip.center().y() - size.height() / 2),
                size);
    chip.moveLeft(std::max(theme.px(4), chip.left()));
    paintCard(painter, chip, theme.px(6), theme.color(Role::Raised), theme.color(Role::Accent),
              theme.frameWidth());
    painter.setFont(font);
    painter.setPen(theme.color(Role::Text));
    painter.drawText(chip, Qt::AlignCenter, text);
}

void paintGrip(QPainter& painter, const QRectF& grip, bool isHovered, const Theme& theme) {
    const bool isFlat = grip.width() > grip.height();
    paintCard(painter, grip, std::min(grip.width(), grip.height()) / 2,
              theme.color(isHovered ? Role::AccentFill : Role::Raised),
              theme.color(isHovered ? Role::AccentFill : Role::BorderStrong), theme.frameWidth());
    painter.setPen(QPen(theme.color(isHovered ? Role::OnAccent : Role::Text3), 1.2));
    const QPointF half = isFlat ? QPointF(0, 2) : QPointF(2, 0);
    const QPointF step = isFlat ? QPointF(5, 0) : QPointF(0, 5);
    for (const int line : {-1, 0, 1})
        painter.drawLine(grip.center() + step * line - half, grip.center() + step * line + half);
}

void paintFreeCuts(QPainter& painter, const CanvasScene& scene, int hoveredCut, const Theme& theme) {
    const std::vector<QRectF> grips = gripRects(scene);
    for (std::size_t cut = 0; cut < grips.size(); ++cut) {
        const QRectF& grip = grips[cut];
        if (grip.isNull())
            continue;
        const bool isHovered = hoveredCut == int(cut);
        // From the grip to its box, in the colour of the stage behind.
        QPen pen(theme.stage(cut + 1), 2);
        pen.setDashPattern({2, 1.5});
        painter.setPen(pen);
        if (grip.width() > grip.height())
            painter.drawLine(QPointF(grip.right(), grip.center().y()),
                             QPointF(grip.right() + theme.px(14), grip.center().y()));
        else
            painter.drawLine(QPointF(grip.center().x(), grip.bottom()),
                             QPointF(grip.center().x(), grip.bottom() + theme.px(14)));
        paintGrip(painter, grip, isHovered, theme);
        if (isHovered)
            paintFreeChip(painter, scene, cut, grip, theme);
    }
}

} // namespace

std::vector<CutChip> cutChips(const CanvasScene& scene, int hoveredCut, const Theme& theme) {
    std::vector<CutChip> chips;
    for (std::size_t cut = 0; cut + 1 < scene.geometry().columns.size(); ++cut) {
        if (std::optional<CutChip> chip = cutChip(scene, cut, hoveredCut == int(cut), theme))
            chips.push_back(std::move(*chip));
    }
    return chips;
}

void paintCutOverlay(QPainter& painter, const CanvasScene& scene, int hoveredCut, const Theme& theme) {
    const std::size_t columns = scene.geometry().columns.size();
    if (columns == 0)
        return paintFreeCuts(painter, scene, hoveredCut, theme);
    for (const CutChip& chip : cutChips(scene, hoveredCut, theme))
        paintCutChip(painter, chip, theme);
    const std::vector<QRectF> grips = gripRects(scene);
    for (std::size_t cut = 0; cut < grips.size(); ++cut)
        paintGrip(painter, grips[cut], hoveredCut == int(cut), theme);
}

} // namespace views
