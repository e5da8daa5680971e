#include "app/window/start/model_picture.h"

#include "views/common/theme/control_painters.h"
#include "views/common/theme/widget_theme.h"
#include "views/graph/layout/stage_layout.h"
#include "views/graph/model/canvas_model_builder.h"
#include "views/graph/painting/canvas_painter.h"

#include <QPainter>
#include <algorithm>
#include <utility>
#include <vector>

namespace app {

DrawnModel drawnModel(const core::Project& project) {
    DrawnModel drawn;
    drawn.model = views::makeCanvasModel(project, {});
    views::BlockOptions options;
    options.collapsed = views::collapsedGroups(project, drawn.model);
    drawn.geometry = drawn.model.stageCount > 0 ? views::layOutStages(drawn.model, options, 0)
                                                : views::layOutFreely(drawn.model, options);
    return drawn;
}

namespace {

/// Paints what of the drawing lies in `part` at a zoom, with its top left corner at `at`.
void paintPart(QPainter& painter, const QPointF& at, const QRectF& part, double zoom, const DrawnModel& drawn,
               const views::Theme& theme) {
    views::CanvasState state;
    const std::size_t count = drawn.model.nodes.size();
    state.selected.assign(count, false);
    state.findings.assign(count, std::nullopt);
    state.leaving.assign(count, false);
    state.boxTexts.assign(drawn.geometry.boxes.size(), {});
    views::CanvasTexts texts;
    texts.prepare(drawn.model, drawn.geometry, state, theme);
    painter.save();
    painter.setClipRect(QRectF(at, part.size() * zoom), Qt::IntersectClip);
    painter.translate(at);
    painter.scale(zoom, zoom);
    painter.translate(-part.topLeft());
    views::CanvasPainter(drawn.model, drawn.geometry, state, texts, theme).paint(painter, part, zoom);
    painter.restore();
}

/// Where columns of about the same height end, from the top: between boxes, where one is near.
std::vector<double> columnEnds(const views::CanvasGeometry& geometry, int columns) {
    const QRectF& bounds = geometry.bounds;
    std::vector<std::pair<double, double>> boxes; // top and bottom
    for (const views::BoxShape& box : geometry.boxes) {
        if (!box.isFrame())
            boxes.emplace_back(box.rect.top(), box.rect.bottom());
    }
    const double height = bounds.height() / columns;
    std::vector<double> ends;
    for (int column = 1; column < columns; ++column) {
        const double even = bounds.top() + column * height;
        double end = even;
        for (const auto& [top, bottom] : boxes) {
            if (top < even && bottom > even && bottom - even < height / 3)
                end = std::max(end, bottom + 2);
        }
        ends.push_back(end);
    }
    ends.push_back(bounds.bottom());
    return ends;
}

} // namespace

void paintDrawnModel(QPainter& painter, const QRectF& rect, const DrawnModel& drawn,
                     const views::Theme& theme) {
    const QRectF& bounds = drawn.geometry.bounds;
    if (bounds.isEmpty() || rect.isEmpty())
        return;
    // A long chain is shown by its beginning: boxes that are a pixel high show nothing.
    constexpr double least = 0.22;
    const double whole = std::min(rect.width() / bounds.width(), rect.height() / bounds.height());
    const double zoom = std::clamp(whole, std::min(least, rect.width() / bounds.width()), 1.0);
    const QPointF at(rect.left() + std::max(0.0, (rect.width() - bounds.width() * zoom) / 2),
                     rect.top() + std::max(0.0, (rect.height() - bounds.height() * zoom) / 2));
    painter.save();
    painter.setClipRect(rect);
    paintPart(painter, at, {bounds.topLeft(), rect.size() / zoom}, zoom, drawn, theme);
    painter.restore();
}

void paintThumbnail(QPainter& painter, const QRectF& rect, const DrawnModel& drawn,
                    const views::Theme& theme) {
    const QRectF& bounds = drawn.geometry.bounds;
    if (bounds.isEmpty() || rect.isEmpty())
        return;
    // As many columns as make it largest, read like those of a newspaper; whole, where that is not much
    // smaller.
    constexpr int mostColumns = 12;
    constexpr double gap = 8;
    constexpr double muchLarger = 1.5;
    const double whole = std::min(rect.width() / bounds.width(), rect.height() / bounds.height());
    int columns = 1;
    double zoom = 0;
    for (int count = 1; count <= mostColumns; ++count) {
        const double across = (rect.width() - gap * (count - 1)) / (bounds.width() * count);
        const double fits = std::min(across, rect.height() * count / bounds.height());
        if (fits > zoom * 1.02) {
            zoom = fits;
            columns = count;
        }
    }
    if (zoom < whole * muchLarger) {
        zoom = whole;
        columns = 1;
    }
    const std::vector<double> ends = columnEnds(drawn.geometry, columns);
    double start = bounds.top();
    double highest = 0;
    for (const double end : ends) {
        highest = std::max(highest, end - start);
        start = end;
    }
    zoom = std::min({zoom, 1.0, rect.height() / highest});
    const double width = bounds.width() * zoom;
    const double left = rect.center().x() - (width * columns + gap * (columns - 1)) / 2;
    const double top = rect.center().y() - highest * zoom / 2;
    start = bounds.top();
    for (std::size_t column = 0; column < ends.size(); ++column) {
        paintPart(painter, {left + double(column) * (width + gap), top},
                  {bounds.left(), start, bounds.width(), ends[column] - start}, zoom, drawn, theme);
        start = ends[column];
    }
}

void ModelPicture::setDrawn(std::shared_ptr<const DrawnModel> drawn) {
    m_drawn = std::move(drawn);
    update();
}

void ModelPicture::paintEvent(QPaintEvent*) {
    const views::Theme& theme = views::themeOf(this);
    QPainter painter(this);
    const QRectF frame = QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5);
    views::paintCard(painter, frame, theme.px(8), theme.color(views::Role::Canvas),
                     theme.color(views::Role::Border), theme.frameWidth());
    if (m_drawn)
        paintDrawnModel(painter, frame.adjusted(8, 8, -8, -8), *m_drawn, theme);
}

} // namespace app
