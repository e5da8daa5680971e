#pragma once

#include "views/flame/flame_layout.h"

#include <QWidget>

namespace views {

class ToolTipCard;

/// The boxes one can point at: hover says what a box is, a click chooses it, a double click or Enter gives it
/// the whole width, Backspace goes back to what it is part of, Home shows all. By keys: Up and Down go to
/// what holds the chosen box and into it, Left and Right to its neighbours.
class FlameCanvas final : public QWidget {
    Q_OBJECT

public:
    explicit FlameCanvas(QWidget* parent = nullptr);

    [[nodiscard]] const FlameScene& scene() const { return m_scene; }
    void setScene(FlameScene scene);
    [[nodiscard]] std::vector<FlameBox> boxes() const;
    /// Gives a box the whole width.
    void focusOn(const FlamePath& path);

    [[nodiscard]] QSize minimumSizeHint() const override { return {320, 120}; }

signals:
    /// A box was clicked, or gone to by keys; nothing: none any more.
    void chosen(const std::optional<views::FlamePath>& path);
    void focused(const views::FlamePath& path);
    /// The mouse is on a box; nothing: on none any more.
    void pointed(const std::optional<views::FlamePath>& path);

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    bool event(QEvent* event) override;

private:
    void grow();
    void choose(const std::optional<FlamePath>& path);
    void goAside(int by);
    void goInside();
    [[nodiscard]] bool goBack();

    FlameScene m_scene;
    ToolTipCard* m_toolTip;
};

} // namespace views
