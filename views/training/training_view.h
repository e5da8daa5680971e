#pragma once

#include "views/profile/profile_view.h"
#include "views/training/recorded_data.h"
#include "views/training/training_plot.h"

#include <QPointer>

class QCustomPlot;
class QHBoxLayout;
class QLabel;
class QMenu;
class QMouseEvent;
class QSlider;
class QStackedWidget;

namespace views {

class FilterChips;
class RecordedPanel;
class RunChooser;
class SegmentedControl;
class TablePanel;
class ToolTipCard;
class TrainingFeed;

/// A run's training and the profile of the program that computed it.
struct TrainedRun {
    TrainingData training;
    std::shared_ptr<const MiniTimeline> profile;
    std::shared_ptr<const RecordedTraining> recorded;
};

/// What a run learned: metrics over weight updates, throughput, epochs, callbacks, and the profile of the
/// program that computed them; instead of the metrics what it recorded beside them. Shows a run that goes on
/// while it is fed.
class TrainingView final : public ProfileViewOf<TrainedRun> {
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
    /// "Metrics", then what the run recorded; only what there is can be chosen.
    [[nodiscard]] SegmentedControl& pages() const { return *m_pages; }
    [[nodiscard]] RecordedPanel& recorded() const { return *m_recorded; }

protected:
    [[nodiscard]] Query query() const override;
    void reload() override;
    void dataChanged() override;
    [[nodiscard]] bool hasData() const override { return m_scene.data != nullptr; }
    void showData() override;
    void restyle() override { replot(); }
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    class Head;
    class Profile;

    void buildBar();
    QWidget* buildPlots();
    QWidget* buildSide();
    [[nodiscard]] QWidget* sectionTitle(const QString& text, const QString& fileName = {},
                                        const TablePanel* table = nullptr);
    [[nodiscard]] QHBoxLayout* makeLinks();
    void replot();
    void showPage(int page);
    void showRecorded();
    void showCallbacks();
    void fillOverlayMenu();
    void loadOverlays();
    void showOverlays();
    void hover(QMouseEvent* event);

    QPointer<TrainingFeed> m_feed;
    TrainingScene m_scene;
    RunChooser* m_runChooser = nullptr;
    SegmentedControl* m_pages = nullptr;
    QStackedWidget* m_stack = nullptr;
    RecordedPanel* m_recorded = nullptr;
    SegmentedControl* m_lossAxis = nullptr;
    QSlider* m_smoothing = nullptr;
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
};

} // namespace views
