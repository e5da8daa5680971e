#pragma once

#include "views/comparison/comparison_scene.h"

#include <QWidget>

namespace views {

/// The timelines of the compared runs: zoom and pan as in the timeline, a click chooses a run.
class ComparisonCanvas final : public QWidget {
    Q_OBJECT

public:
    explicit ComparisonCanvas(QWidget* parent = nullptr);

    void setData(std::shared_ptr<const ComparisonData> comparison);
    void setState(const ComparisonState& state);
    [[nodiscard]] const ComparisonScene& scene() const { return m_scene; }
    void setView(const TimelineViewport& view);
    /// Of the baseline.
    [[nodiscard]] TimeToPixel axis() const;

    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

signals:
    /// What is in view, or how wide it is, has changed.
    void axisChanged();
    void runChosen(core::RunId run);
    void microBatchChosen(std::int64_t microBatch);
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
    void contextMenuEvent(QContextMenuEvent* event) override;

private:
    [[nodiscard]] ComparisonLayout layoutNow() const;
    void zoom(double factor, double x);
    void pan(double pixels);
    /// The work under a point of a run's lanes.
    [[nodiscard]] std::optional<core::SpanRecord> spanAt(const QPointF& point, std::size_t run) const;
    [[nodiscard]] QString describe(const QPointF& point) const;

    ComparisonScene m_scene;
    std::optional<QPointF> m_dragged;
    QPointF m_mouse;
};

} // namespace views
