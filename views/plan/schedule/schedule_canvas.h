#pragma once

#include "core/plan/plan_estimate.h"
#include "views/common/text/number_text.h"
#include "views/plan/schedule/schedule_painter.h"

#include <QAbstractScrollArea>
#include <memory>
#include <optional>

namespace views {

class ToolTipCard;

/// The chart on the screen, by the painter that also makes its pictures: all slots, scrolled below their
/// numbers and beside the names of the IPUs. Arrows move over the work, `.` and `,` along an IPU, `[` and `]`
/// along a micro-batch. Dragging work along its IPU, or Alt with Left and Right, asks for it in another slot.
class ScheduleCanvas final : public QAbstractScrollArea {
    Q_OBJECT

public:
    explicit ScheduleCanvas(QWidget* parent = nullptr);

    /// Null: nothing to draw. What is selected stays where the new chart still has it.
    void setChart(std::shared_ptr<const ScheduleChart> chart);
    [[nodiscard]] const std::shared_ptr<const ScheduleChart>& chart() const { return m_chart; }
    /// How long work takes, for its details.
    void setEstimate(std::optional<core::PlanEstimate> estimate) { m_estimate = std::move(estimate); }
    void setUnits(const Units& units) { m_units = units; }
    void setMicroBatch(std::optional<std::int64_t> microBatch);
    void select(std::optional<ScheduleCellId> cell, bool isRevealed);
    [[nodiscard]] const ScheduleState& state() const { return m_state; }
    /// What is drawn, as a file shows it: all of it, whatever is scrolled.
    [[nodiscard]] Picture picture() const;
    /// Of the work on the screen; empty where it is not laid out.
    [[nodiscard]] QRectF placeOf(const ScheduleCellId& cell) const;

    /// Height beyond which it stays empty.
    [[nodiscard]] int tallest() const { return int(m_layout.tallest); }

    [[nodiscard]] QSize sizeHint() const override { return {900, 300}; }
    [[nodiscard]] QSize minimumSizeHint() const override { return {240, 90}; }

signals:
    /// The user chose a piece of work, or none.
    void selected(const std::optional<views::ScheduleCellId>& cell);
    void microBatchChosen(std::optional<std::int64_t> microBatch);
    /// The user took work to another slot of its IPU, up to one past the last.
    void moveWanted(const views::ScheduleCellId& cell, std::size_t slot);

protected:
    bool viewportEvent(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void scrollContentsBy(int dx, int dy) override;

private:
    void layOutAgain();
    /// A point of the viewport in the chart.
    [[nodiscard]] std::optional<SchedulePlace> placeUnder(const QPointF& point) const;
    void hover(const QPointF& point);
    void press(const QPointF& point, Qt::KeyboardModifiers modifiers);
    void choose(const ScheduleCellId& cell);
    void paintTarget(QPainter& painter) const;
    void drag(const QPointF& point);
    void drop(const QPointF& point);
    /// The slot whose column is at a place of the viewport; one past the last behind it.
    [[nodiscard]] std::optional<std::size_t> slotAt(double x) const;
    [[nodiscard]] std::optional<ScheduleCellId> moved(int key) const;
    [[nodiscard]] std::optional<ScheduleCellId> besides(int rows) const;
    [[nodiscard]] std::optional<ScheduleCellId> alongRow(int by) const;
    [[nodiscard]] std::optional<ScheduleCellId> alongFlow(int by) const;
    void announce();

    std::shared_ptr<const ScheduleChart> m_chart;
    std::optional<core::PlanEstimate> m_estimate;
    Units m_units;
    ScheduleState m_state;
    ScheduleLayout m_layout;
    ToolTipCard* m_toolTip;
    /// Work under a pressed button, where it was pressed, and the slot it is dragged to.
    std::optional<ScheduleCellId> m_pressed;
    QPointF m_pressedAt;
    std::optional<std::size_t> m_target;
};

} // namespace views
