#pragma once

#include "views/common/widgets/tooltip_card.h"
#include "views/liveness/liveness_painter.h"

#include <QWidget>
#include <memory>

class QCustomPlot;

namespace views {

/// The curve above, the lifetimes below, one x axis for both. Click freezes a column, Shift+click adds one;
/// keys and mouse zoom and pan as in the timeline.
class LivenessChart final : public QWidget {
    Q_OBJECT

public:
    explicit LivenessChart(QWidget* parent = nullptr);
    ~LivenessChart() override;

    /// Null: nothing to show. The columns start at the peak.
    void setData(std::shared_ptr<const LivenessData> memory);
    [[nodiscard]] const LivenessScene& scene() const { return m_scene; }
    [[nodiscard]] const LivenessState& state() const { return m_scene.state; }

    /// A child of the chart, shown in the title of the lifetimes.
    void setLegend(QWidget* legend) { m_legend = legend; }
    void setUnits(const Units& units);
    void setAxis(LivenessAxis axis);
    void setAlwaysLive(bool isShown);
    void setGaps(bool areShown);
    void setIsolated(std::set<core::MemoryCategory> categories);
    void setLayers(std::set<std::string> layers);
    /// Only these programs run in the time that is selected elsewhere; the others are veiled. Nothing: all.
    void setPrograms(std::optional<std::set<std::pair<core::StageId, core::ProgramPhase>>> programs);
    /// Whether only some of the programs are shown.
    [[nodiscard]] bool isRestricted() const { return m_programs.has_value(); }
    void setColumns(std::vector<std::int64_t> columns);
    void select(std::optional<std::size_t> range);
    /// The place that the mouse points at in another view.
    void setCursorPlace(const std::optional<TimeCursor>& place);

    [[nodiscard]] LivenessLayout chartLayout() const;
    [[nodiscard]] QSize minimumSizeHint() const override { return {320, 260}; }

signals:
    void columnsChanged();
    void selected(std::optional<std::size_t> range);
    /// What the mouse is on; nothing once it has left.
    void pointed(const std::optional<views::TimeCursor>& place);

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void leaveEvent(QEvent* event) override;

private:
    class Overlay;

    [[nodiscard]] bool isReady() const { return m_scene.data != nullptr; }
    void refill();
    void refresh();
    void click(const QPointF& point, Qt::KeyboardModifiers modifiers);
    void zoom(double factor, double x);
    void pan(double share);
    void setRange(double from, double to);
    void announce();
    [[nodiscard]] ToolTipContent toolTipAt(const QPointF& point) const;

    LivenessScene m_scene;
    std::optional<std::set<std::pair<core::StageId, core::ProgramPhase>>> m_programs;
    QCustomPlot* m_plot;
    LivenessBands m_bands;
    Overlay* m_overlay;
    ToolTipCard* m_toolTip;
    QWidget* m_legend = nullptr;
    QPointF m_pressed;
    std::pair<double, double> m_rangeAtPress;
    bool m_isPanning = false;
    bool m_isPressed = false;
};

} // namespace views
