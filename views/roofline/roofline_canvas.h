#pragma once

#include "views/roofline/roofline_plane.h"

#include <QWidget>

namespace views {

class ToolTipCard;

/// The plane one can point at: hover says what a point is, a click chooses it, a drag frames points, the
/// wheel zooms at the mouse, Shift+drag or the middle button moves; by keys: left and right go from point to
/// point, W, S, + and − zoom, A and D move, F zooms to the frame, Home shows all, Escape takes back.
class RooflineCanvas final : public QWidget {
    Q_OBJECT

public:
    explicit RooflineCanvas(QWidget* parent = nullptr);

    [[nodiscard]] const RooflineScene& scene() const { return m_scene; }
    void setScene(RooflineScene scene);
    void setUnits(const Units& units) { m_units = units; }
    [[nodiscard]] RooflinePlane plane() const;

    [[nodiscard]] QSize minimumSizeHint() const override { return {320, 200}; }

signals:
    /// A point was clicked, or gone to by keys; nothing: none any more.
    void chosen(std::optional<std::size_t> point);
    /// The mouse is on a point; nothing: on none any more.
    void pointed(std::optional<std::size_t> point);
    void framed(const std::optional<views::RooflineFrame>& frame);

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void leaveEvent(QEvent* event) override;
    bool event(QEvent* event) override;

private:
    void hover(const QPointF& at);
    void show(const std::optional<RooflineWindow>& window);
    void goAlong(int by);
    void zoom(double factor);
    void setFrame(const std::optional<RooflineFrame>& frame);
    /// False where there was nothing to take back.
    bool takeBack();

    RooflineScene m_scene;
    Units m_units;
    ToolTipCard* m_toolTip;
    std::optional<QPointF> m_press;
    QPointF m_last;
    bool m_isMoving = false;
    bool m_isFraming = false;
};

} // namespace views
