#include "views/graph/canvas/empty_canvas.h"

#include "views/common/theme/widget_theme.h"
#include "views/graph/canvas/canvas_view.h"

#include <QEvent>
#include <algorithm>

namespace views {

EmptyCanvas::EmptyCanvas(CanvasView& canvas)
    : EmptyView(&canvas)
    , m_canvas(canvas) {
    setContent(
        QStringLiteral("layers"), tr("No layers yet"),
        tr("Begin with an input: press Tab, double-click, or drag a layer from the palette. Each further "
           "layer is fed by the selected one; the last one is the output. F5 trains."),
        tr("Add an input"));
    canvas.installEventFilter(this);
    connect(&canvas.scene(), &CanvasScene::drawingChanged, this, &EmptyCanvas::follow);
    follow();
}

bool EmptyCanvas::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::Resize)
        follow();
    return EmptyView::eventFilter(watched, event);
}

void EmptyCanvas::follow() {
    const bool isEmpty = m_canvas.scene().document().isOpen() && m_canvas.model().nodes.empty();
    setVisible(isEmpty);
    if (!isEmpty)
        return;
    const Theme& theme = themeOf(this);
    const int width = std::min(theme.ipx(420), m_canvas.width());
    const int height = std::min(std::max(sizeHint().height(), theme.ipx(200)), m_canvas.height());
    setGeometry((m_canvas.width() - width) / 2, (m_canvas.height() - height) / 2, width, height);
}

} // namespace views
