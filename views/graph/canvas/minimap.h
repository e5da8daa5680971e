#pragma once

#include <QWidget>
#include <optional>

namespace views {

class CanvasView;

/// The whole canvas in a corner of it, with the part in view; a drag moves that part.
class Minimap final : public QWidget {
    Q_OBJECT

public:
    explicit Minimap(CanvasView& canvas);

    /// Puts it into a corner of the canvas where it covers no box. It hides where it is not wanted, where the
    /// whole drawing is in view, and where there are boxes in every corner.
    void place(bool isWanted);

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;

private:
    [[nodiscard]] double scale() const;
    [[nodiscard]] QPointF offset() const;
    void centreOn(const QPointF& at);
    [[nodiscard]] std::optional<QPoint> freeCorner() const;

    CanvasView& m_canvas;
};

} // namespace views
