#pragma once

#include "core/project/project.h"
#include "views/graph/model/canvas_geometry.h"
#include "views/graph/model/canvas_model.h"

#include <QWidget>
#include <memory>

namespace views {
class Theme;
} // namespace views

namespace app {

/// A project's model as the canvas draws it, laid out for a picture of some width.
struct DrawnModel {
    views::CanvasModel model;
    views::CanvasGeometry geometry;
};
/// Everything that is drawn of a model is a value, so a worker can prepare it.
[[nodiscard]] DrawnModel drawnModel(const core::Project& project);

/// The drawing, as large as the rectangle lets it be, painted by the painter of the canvas.
void paintDrawnModel(QPainter& painter, const QRectF& rect, const DrawnModel& drawn,
                     const views::Theme& theme);

/// The whole drawing, however small; what is much higher than wide goes on in further columns.
void paintThumbnail(QPainter& painter, const QRectF& rect, const DrawnModel& drawn,
                    const views::Theme& theme);

/// The drawing in a frame.
class ModelPicture final : public QWidget {
    Q_OBJECT

public:
    using QWidget::QWidget;

    void setDrawn(std::shared_ptr<const DrawnModel> drawn);

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    std::shared_ptr<const DrawnModel> m_drawn;
};

} // namespace app
