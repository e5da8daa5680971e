#pragma once

#include "views/plan/schedule/schedule_strips.h"

#include <QWidget>

namespace views {

class ToolTipCard;

/// The strips one can point at: hover says what a piece of work is, a click or Up and Down choose a schedule,
/// a double click or Enter asks to look at its slots.
class StripsCanvas final : public QWidget {
    Q_OBJECT

public:
    explicit StripsCanvas(QWidget* parent = nullptr);

    void setScene(StripsScene scene);
    [[nodiscard]] const StripsScene& scene() const { return m_scene; }
    void choose(std::optional<std::size_t> outcome);
    /// Of an outcome, in the coordinates of the widget.
    [[nodiscard]] QRectF placeOf(std::size_t outcome) const;

    [[nodiscard]] QSize minimumSizeHint() const override { return {320, 120}; }

signals:
    void chosen(std::size_t outcome);
    void activated(std::size_t outcome);

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    [[nodiscard]] std::optional<std::size_t> outcomeAt(const QPointF& point) const;
    void grow();
    void tell();

    StripsScene m_scene;
    ToolTipCard* m_toolTip;
};

} // namespace views
