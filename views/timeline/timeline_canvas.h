#pragma once

#include "core/profile/notes/note_records.h"
#include "views/common/widgets/tooltip_card.h"
#include "views/document/selection.h"
#include "views/timeline/painting/lane_bands.h"
#include "views/timeline/painting/timeline_scene.h"
#include "views/timeline/timeline_loader.h"

#include <QImage>
#include <QWidget>
#include <optional>

class QScrollBar;

namespace views {

/// The painted part of the timeline: overview, ruler, lane headers, lanes. Mouse and keys as in ux.md.
class TimelineCanvas final : public QWidget {
    Q_OBJECT

public:
    explicit TimelineCanvas(TimelineLoader& loader, QWidget* parent = nullptr);

    [[nodiscard]] const TimelineState& state() const { return m_state; }
    [[nodiscard]] const TimelineScene& scene() const { return m_scene; }

    void setUnits(const Units& units);
    void setColour(SpanColour colour);
    void setFlowMode(FlowMode mode);
    void setIsolated(std::set<Activity> activities);
    void setLaneGrouping(LaneGrouping grouping);
    /// Counters below the lanes of every IPU, besides live bytes.
    void setRates(std::set<core::Counter> counters);
    /// Stage programs that hold selected layers, and the layers' names.
    void setHighlighted(std::set<std::pair<core::StageId, core::SpanKind>> programs,
                        std::set<std::string> layers);
    void setMicroBatch(std::optional<std::int64_t> microBatch);
    void setArea(std::optional<TimelineArea> area);
    void setView(const TimelineViewport& view);
    void setCriticalPath(bool isShown);
    /// The place that the mouse points at in another view.
    void setCursorPlace(const std::optional<TimeCursor>& place);
    /// Selects a span and brings it into view; `mayZoom`: nearer where it is too small to be seen.
    /// `piece`: the part of it that was meant.
    void select(const std::optional<PlacedSpan>& span, bool isRevealed, bool mayZoom = true,
                const std::optional<SelectedPiece>& piece = {});
    void fitAll();
    /// Centres what is selected; fits it when it is centred already.
    void focusSelection();
    void scrollToIpu(std::size_t ipu);
    /// IPUs without a row; indices of the frame.
    void setHidden(std::set<std::size_t> ipus);
    void showTime(core::Cycles at);
    /// Selects a span and zooms to a part of it, in the time of its update.
    void showPiece(const PlacedSpan& span, core::Cycles from, core::Cycles to,
                   const std::optional<SelectedPiece>& piece = {});

    /// The marks that are kept, in time.
    [[nodiscard]] std::vector<core::NoteRecord> notes() const;
    /// In place of the kept marks there are.
    void setNotes(const std::vector<core::NoteRecord>& notes);
    /// Opens a field for the text of the mark at (or very near) this time, which is made where there is none.
    void writeNote(core::Cycles place);

    [[nodiscard]] QSize sizeHint() const override { return {900, 480}; }
    [[nodiscard]] QSize minimumSizeHint() const override { return {420, 200}; }

signals:
    void selected(const std::optional<views::PlacedSpan>& span);
    void areaChanged();
    void viewChanged();
    /// The lanes are wider or narrower; the view is the same.
    void resized();
    void microBatchChanged();
    void criticalPathChanged(bool isShown);
    void ipuChosen(std::size_t ipu);
    /// A piece inside a stage program was clicked.
    void layerChosen(const QString& layer);
    /// The selected layers were let go by key.
    void layersLeft();
    void markersChanged();
    /// A person changed what is kept.
    void notesEdited();
    void drawerToggled();
    void lanesRequested();
    void hitRequested(int direction);
    /// What the mouse is on; nothing once it has left.
    void pointed(const std::optional<views::TimeCursor>& place);

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    bool event(QEvent* event) override;

private:
    enum class Drag : std::uint8_t {
        None,
        Pending, ///< pressed, not yet moved
        Area,
        AreaLeft,
        AreaRight,
        Pan,
        Overview,
        OverviewLeft,
        OverviewRight,
    };

    void takeFrame();
    void takeData();
    /// What the loader has of the run that is shown.
    void copyLoaded();
    void showWhatFits();
    void layOutAgain();
    /// What is painted below the overlays must be painted anew.
    void invalidate();
    /// The scene as it is into the picture.
    void refreshPicture();
    void requestData();
    void requestFlows();
    void updateScrollBar();

    [[nodiscard]] bool isReady() const { return m_scene.frame != nullptr; }
    [[nodiscard]] std::optional<PlacedSpan> spanUnder(const QPointF& point) const;
    [[nodiscard]] TimelineHit hit(const QPointF& point) const;
    [[nodiscard]] core::Cycles timeAt(double x) const;
    [[nodiscard]] std::optional<Drag> areaEdgeAt(const QPointF& point) const;
    [[nodiscard]] std::set<std::size_t> ipusBetween(double y1, double y2) const;
    [[nodiscard]] ToolTipContent liveTip(std::size_t index, core::Cycles time) const;
    [[nodiscard]] ToolTipContent counterTip(const QPointF& point) const;
    [[nodiscard]] ToolTipContent toolTipAt(const QPointF& point) const;
    /// What runs inside a stage program, under a point of its span.
    [[nodiscard]] std::optional<DepthHit> depthUnder(const PlacedSpan& placed, const QPointF& point) const;
    [[nodiscard]] bool showsDepth() const;
    /// Cards beside the mouse, and those that were pinned, are about what was at their place.
    void dismissCards();
    /// The time of what is selected.
    [[nodiscard]] std::optional<TimeRange> selectedTime() const;
    void beginDrag(const QPointF& point, Qt::KeyboardModifiers modifiers);
    void dragTo(const QPointF& point);
    void dragArea(const QPointF& point);
    void dragOverview(const QPointF& point);
    void click(const QPointF& point, Qt::KeyboardModifiers modifiers);
    void clickHeader(const TimelineHit& hit, Qt::KeyboardModifiers modifiers);
    void hover(const QPointF& point);
    bool navigate(QKeyEvent* event);
    bool act(QKeyEvent* event);
    void zoom(double factor, double x);
    void pan(double share);
    void selectNeighbour(bool isForward);
    /// To the next (previous) work on the micro-batch; on its branch, to the next of the same lane, which
    /// takes what this one stashed.
    void followFlow(bool isForward, bool isOnBranch);
    void mark(bool isKept);
    void deleteMarker();
    void changeMarkers(bool areNotes);
    [[nodiscard]] core::Cycles markPlace() const;
    [[nodiscard]] std::optional<core::Cycles> markerNear(core::Cycles at) const;
    void leaveOneLevel();
    void announce();

    TimelineLoader& m_loader;
    QScrollBar* m_scrollBar;
    ToolTipCard* m_toolTip;
    TimelineState m_state;
    TimelineScene m_scene;
    /// What lies below the mouse's line, so that hovering costs a copy. While the scene changes from frame to
    /// frame nobody hovers, and frames are painted without it.
    QImage m_picture;
    bool m_isPictureStale = true;
    TimelineRaster m_raster;
    /// The scene has changed since it was painted.
    bool m_isStale = true;
    /// The focus came by keyboard, so it is shown.
    bool m_showsFocus = false;
    Drag m_drag = Drag::None;
    QPointF m_pressed;
    QPointF m_mouse{-1, -1};
    std::optional<TimeCursor> m_cursor;
    TimelineViewport m_viewAtPress;
    double m_scrollAtPress = 0;
    std::optional<TimelineArea> m_areaAtPress;
    ProfileQuery m_neighbourQuery;
};

} // namespace views
