#pragma once

#include "views/common/picture_export.h"
#include "views/document/document.h"
#include "views/document/selection.h"
#include "views/profile/profile_query.h"
#include "views/profile/profile_source.h"
#include "views/training/training_plot.h"

#include <QPointer>
#include <QWidget>

class QCustomPlot;
class QLabel;
class QSlider;
class QSplitter;
class QStackedWidget;

namespace views {

class EmptyView;
class RunChooser;
class SegmentedControl;
class TablePanel;
class TrainingFeed;

/// What a run learned: metrics over weight updates, throughput, epochs, callbacks, and the profile of the
/// program that computed them. Shows a run that goes on while it is fed.
class TrainingView final : public QWidget {
    Q_OBJECT

public:
    TrainingView(Document& document, Selection& selection, ProfileSource& source, QWidget* parent = nullptr);
    ~TrainingView() override;

    /// Shows a run on its way instead of a stored one, until null. The feed may go before the view.
    void watch(TrainingFeed* feed);

    [[nodiscard]] const TrainingScene& scene() const { return m_scene; }

signals:
    void runRequested();
    void cancelRequested();
    void workspaceRequested(const QString& name);
    void pictureRequested(const views::Picture& picture);
    void tableRequested(const QString& name, const QString& csv);

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

    Document& m_document;
    Selection& m_selection;
    ProfileSource& m_source;
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
    Profile* m_profile = nullptr;
    QLabel* m_figures = nullptr;
    TablePanel* m_epochs = nullptr;
    TablePanel* m_callbacks = nullptr;
    SegmentedControl* m_timing = nullptr;
    QLabel* m_timingNote = nullptr;
    ProfileQuery m_query;
};

} // namespace views
