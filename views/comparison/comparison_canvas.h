#pragma once

#include "views/comparison/comparison_scene.h"

#include <QWidget>

namespace views {

/// The timelines of the compared runs: zoom and pan as in the timeline, a click chooses a run. `.` and `,`
/// walk through the differences, Up and Down to those of another run.
class ComparisonCanvas final : public QWidget {
    Q_OBJECT

public:
    explicit ComparisonCanvas(QWidget* parent = nullptr);

    void setData(std::shared_ptr<const ComparisonData> comparison);
    void setState(const ComparisonState& state);
    [[nodiscard]] const ComparisonScene& scene() const { return m_scene; }
    void setView(const TimelineViewport& view);
    /// A piece of the step, in the run whose differences were last looked at.
    void chooseDifference(std::size_t piece);
    /// Of the baseline.
    [[nodiscard]] TimeToPixel axis() const;
    /// `selected`: the run in whose time it is.
    void setCursorPlace(const std::optional<TimeCursor>& place, core::RunId selected);

    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

signals:
    /// What is in view, or how wide it is, has changed.
    void axisChanged();
    void runChosen(core::RunId run);
    void microBatchChosen(std::int64_t microBatch);
    /// The mouse was dragged over the lanes.
    void rangeChosen(const views::TimeRange& range);
    /// The mouse is there; nothing: it has left.
    void pointed(const std::optional<views::TimeCursor>& place);
    void menuRequested(core::RunId run, const QPoint& globalPosition);

protected:
    bool event(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;

private:
    [[nodiscard]] ComparisonLayout layoutNow() const;
    void zoom(double factor, double x);
    void pan(double pixels);
    /// The work under a point of a run's lanes.
    [[nodiscard]] std::optional<core::SpanRecord> spanAt(const QPointF& point, std::size_t run) const;
    [[nodiscard]] QString describe(const QPointF& point) const;
    [[nodiscard]] std::optional<ComparisonScene::Difference> differenceUnder(const QPointF& point) const;
    void showDifference(const std::optional<ComparisonScene::Difference>& difference);
    /// To the next or previous piece of the step, or to the differences of another run.
    void walk(int pieces, int runs);
    void choose(const ComparisonScene::Difference& difference);
    void describeDifferences();
    [[nodiscard]] core::Cycles timeAt(double x) const;

    ComparisonScene m_scene;
    /// Chosen by a click or by keys; stays when the mouse goes.
    std::optional<ComparisonScene::Difference> m_chosen;
    std::optional<QPointF> m_dragged;
    /// Where a range may begin.
    std::optional<QPointF> m_pressed;
    QPointF m_mouse;
};

} // namespace views
