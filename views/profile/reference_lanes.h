#pragma once

#include "views/common/text/number_text.h"
#include "views/common/widgets/tooltip_card.h"
#include "views/profile/profile_source.h"
#include "views/profile/time/reference_trace.h"
#include "views/profile/time/time_axis.h"

#include <QWidget>
#include <memory>
#include <optional>

class QScrollBar;

namespace views {

/// A trace of another program, or the answer of a question, below the lanes of a run, on the same axis: lanes
/// by depth, their slices in the colour of a run's work where their category names it. A drag moves the trace
/// in time; ← and → by a pixel, Home back to the start; Delete or ✕ takes it away. Hidden where there is
/// none.
class ReferenceLanes final : public QWidget {
    Q_OBJECT

public:
    explicit ReferenceLanes(ProfileSource& source, QWidget* parent = nullptr);

    /// `axis`: of the run that the trace is beside, in cycles of its clock.
    void setAxis(const TimeToPixel& axis, const TimeScale& scale, const Units& units);
    /// By how much the trace begins later than the run, in nanoseconds.
    [[nodiscard]] double shift() const { return m_shift; }
    void setShift(double nanoseconds);
    /// Where a slice is; nothing where its lane does not show it.
    [[nodiscard]] std::optional<QRectF> placeOf(std::size_t lane, std::size_t slice) const;
    [[nodiscard]] ToolTipContent toolTipAt(const QPointF& point) const;

    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    struct Hit {
        std::size_t lane = 0;
        std::size_t slice = 0;
    };
    void takeReference();
    void updateScrollBar();
    void paintHeader(QPainter& painter) const;
    void paintLane(QPainter& painter, std::size_t lane, double top) const;
    void paintCounter(QPainter& painter, std::size_t lane, double top) const;
    [[nodiscard]] ReferenceAxis axis() const;
    [[nodiscard]] double headerHeight() const;
    [[nodiscard]] double rowHeight() const;
    [[nodiscard]] double laneHeight(std::size_t lane) const;
    [[nodiscard]] double contentHeight() const;
    /// In the widget.
    [[nodiscard]] double laneTop(std::size_t lane) const;
    [[nodiscard]] QRectF closeButton() const;
    [[nodiscard]] std::optional<Hit> hitAt(const QPointF& point) const;
    [[nodiscard]] QString title() const;

    ProfileSource& m_source;
    std::shared_ptr<const ReferenceTrace> m_reference;
    TimeToPixel m_axis;
    TimeScale m_scale;
    Units m_units;
    double m_shift = 0;
    double m_shiftAtPress = 0;
    std::optional<QPointF> m_pressed;
    QScrollBar* m_scrollBar;
    ToolTipCard* m_toolTip;
};

} // namespace views
