#pragma once

#include "views/common/widgets/picture_export.h"
#include "views/document/document.h"
#include "views/document/selection.h"
#include "views/profile/profile_query.h"
#include "views/profile/profile_source.h"
#include "views/training/training_plot.h"

#include <QPointer>
#include <QWidget>

class QCustomPlot;
class QLabel;
class QMenu;
class QMouseEvent;
class QSlider;
class QSplitter;
class QStackedWidget;

namespace views {

class EmptyView;
class FilterChips;
class RunChooser;
class SegmentedControl;
class TablePanel;
class ToolTipCard;
class TrainingFeed;
class ViewIntents;

/// What a run learned: metrics over weight updates, throughput, epochs, callbacks, and the profile of the
/// program that computed them. Shows a run that goes on while it is fed.
class TrainingView final : public QWidget {
    Q_OBJECT

public:
    TrainingView(Document& document, Selection& selection, ProfileSource& source, ViewIntents& intents,
                 QWidget* parent = nullptr);
    ~TrainingView() override;

    /// Shows a run on its way instead of a stored one, until null. The feed may go before the view.
    void watch(TrainingFeed* feed);

    [[nodiscard]] const TrainingScene& scene() const { return m_scene; }
    /// Lays other runs over the one that is shown, at most `mostOverlays`; runs without a loss are left out.
    void overlay(std::vector<core::RunId> runs);
    [[nodiscard]] const std::vector<core::RunId>& overlays() const { return m_overlays; }

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    class Head;
    class Profile;
    struct Stored;

    void buildBar();
    QWidget* buildPlots();
    QWidget* buildSide();
    void reload();
    void showTraining();
    void replot();
    void showCallbacks();
    void fillOverlayMenu();
    void loadOverlays();
    void showOverlays();
    void hover(QMouseEvent* event);

    Document& m_document;
    Selection& m_selection;
    ProfileSource& m_source;
    ViewIntents& m_intents;
    QPointer<TrainingFeed> m_feed;
    TrainingScene m_scene;
    core::Diagnostics m_trouble;
    RunChooser* m_runChooser = nullptr;
    SegmentedControl* m_lossAxis = nullptr;
    QSlider* m_smoothing = nullptr;
    QStackedWidget* m_stack = nullptr;
    EmptyView* m_empty = nullptr;
    QSplitter* m_content = nullptr;
    Head* m_head = nullptr;
    QWidget* m_cancel = nullptr;
    QCustomPlot* m_plot = nullptr;
    ToolTipCard* m_toolTip = nullptr;
    FilterChips* m_chips = nullptr;
    QMenu* m_overlayMenu = nullptr;
    std::vector<core::RunId> m_overlays;
    ProfileQuery m_overlayQuery;
    Profile* m_profile = nullptr;
    QLabel* m_figures = nullptr;
    TablePanel* m_epochs = nullptr;
    TablePanel* m_callbacks = nullptr;
    QLabel* m_timingNote = nullptr;
    ProfileQuery m_query;
};

} // namespace views
