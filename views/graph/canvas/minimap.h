#pragma once

#include <QWidget>

namespace views {

class CanvasView;

/// The whole canvas in a corner of it, with the part in view; a drag moves that part.
class Minimap final : public QWidget {
    Q_OBJECT

public:
    explicit Minimap(CanvasView& canvas);

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;

private:
    [[nodiscard]] double scale() const;
    [[nodiscard]] QPointF offset() const;
    void centreOn(const QPointF& at);

    CanvasView& m_canvas;
};

} // namespace views
