#include "views/graph/gestures/canvas_gesture.h"

#include "views/common/theme/color_mix.h"
#include "views/graph/scene/canvas_scene.h"

#include <QPainter>
#include <QWidget>
#include <cmath>

namespace views {

namespace {

class DragGesture final : public CanvasGesture {
public:
    DragGesture(CanvasScene& scene, const QPointF& from, std::vector<int> clicked, bool selectsOnClick)
        : m_scene(scene)
        , m_from(from)
        , m_at(from)
        , m_clicked(std::move(clicked))
        , m_selectsOnClick(selectsOnClick) {}

    void move(const QPointF& at) override {
        m_at = at;
        const QPointF offset = at - m_from;
        if (!m_isDragging && std::hypot(offset.x(), offset.y()) < 5)
            return;
        m_isDragging = true;
    }

    void finish(const QPointF& at) override {
        move(at);
        if (!m_isDragging) {
            if (m_selectsOnClick)
                m_scene.select(m_clicked);
            return;
        }
        if (m_scene.layoutKind() == CanvasLayoutKind::Stages)
            dropOnStage();
        else
            dropAtPlace();
    }

    void paint(QPainter& painter, const Theme& theme) const override {
        if (!m_isDragging)
            return;
        if (const int column = targetColumn(); column >= 0) {
            const ColumnShape& shape = m_scene.geometry().columns[std::size_t(column)];
            const QRectF lane(m_scene.viewport().toView(QPointF(shape.left, 0)).x(), 0,
                              shape.width * m_scene.viewport().zoom, m_scene.surface().height());
            painter.fillRect(lane, withAlpha(theme.color(Role::Accent), 0.07));
        }
        QPen pen(theme.color(Role::Accent), 1.3);
        pen.setDashPattern({3, 2.5});
        painter.setPen(pen);
        painter.setBrush(withAlpha(theme.color(Role::AccentSoft), 0.7));
        for (const QRectF& rect : draggedRects())
            painter.drawRoundedRect(rect.translated(m_at - m_from), theme.px(6), theme.px(6));
    }

    [[nodiscard]] std::optional<Qt::CursorShape> cursor() const override {
        return m_isDragging ? std::optional(Qt::ClosedHandCursor) : std::nullopt;
    }

private:
    /// Column under the mouse when the selection is not all in it already; −1 otherwise.
    [[nodiscard]] int targetColumn() const {
        const QPointF canvas = m_scene.viewport().toCanvas(m_at);
        const std::vector<ColumnShape>& columns = m_scene.geometry().columns;
        for (std::size_t i = 0; i < columns.size() && columns.size() > 1; ++i) {
            if (canvas.x() < columns[i].left || canvas.x() >= columns[i].right())
                continue;
            for (const int node : m_scene.selectedNodes()) {
                if (m_scene.model().nodes[std::size_t(node)].stage != columns[i].stage)
                    return int(i);
            }
        }
        return -1;
    }

    [[nodiscard]] std::vector<QRectF> draggedRects() const {
        std::set<int> boxes;
        for (const int node : m_scene.selectedNodes())
            boxes.insert(m_scene.geometry().boxOf[std::size_t(node)]);
        std::vector<QRectF> rects;
        for (const int box : boxes) {
            rects.push_back(m_scene.viewport().toView(m_scene.geometry().boxes[std::size_t(box)].rect));
            if (rects.size() >= 40)
                break;
        }
        return rects;
    }

    void dropOnStage() {
        const int column = targetColumn();
        if (column >= 0)
            m_scene.commands().assignToStage(m_scene.selection().state().invocations,
                                             m_scene.geometry().columns[std::size_t(column)].stage);
    }

    void dropAtPlace() {
        m_scene.commands().moveBoxes(m_scene.movedPlaces((m_at - m_from) / m_scene.viewport().zoom));
    }

    CanvasScene& m_scene;
    QPointF m_from;
    QPointF m_at;
    std::vector<int> m_clicked;
    bool m_selectsOnClick;
    bool m_isDragging = false;
};

} // namespace

std::unique_ptr<CanvasGesture> dragGesture(CanvasScene& scene, const QPointF& from, std::vector<int> clicked,
                                           bool selectsOnClick) {
    return std::make_unique<DragGesture>(scene, from, std::move(clicked), selectsOnClick);
}

} // namespace views
