#pragma once

#include "core/profile/analysis/run_search.h"
#include "views/document/document.h"
#include "views/document/view_intents.h"
#include "views/profile/profile_query.h"
#include "views/timeline/timeline_canvas.h"

#include <QSplitter>
#include <QTimer>

class QLabel;

namespace views {

class DetailsPanel;
class TablePanel;
class TableTabs;
class TimelineLoader;

/// Below the canvas: tables of the area, the gaps, the layers and the found events, and the details of what
/// is selected.
class TimelineDrawer final : public QSplitter {
    Q_OBJECT

public:
    TimelineDrawer(Document& document, TimelineLoader& loader, TimelineCanvas& canvas, QWidget* parent);

    /// What was ticked and found is of another run.
    void forgetRun();
    /// Everything anew: another run, or other units.
    void showRun();
    /// What is read span by span, once the lanes are there.
    void showLanes();
    void updateArea();
    /// Once the view stands still: tables that change with every frame cannot be read, and take longer than
    /// the lanes.
    void followView();
    void updateDetails();
    /// When the critical path, or what its parts would give, has come or gone.
    void updateCriticalPath();
    /// The table of the critical path on top.
    void showCriticalPath();
    /// `isShown`: the page of what is found comes to the top.
    void search(const QString& text, bool isShown = true);
    /// The next (or previous) found event.
    void goToHit(int direction);
    void showHit(const core::SearchHit& hit);

signals:
    /// Something that was looked for is shown.
    void hitChosen(const core::SearchHit& hit);
    void layerChosen(const QString& layer);
    void workspaceRequested(views::WorkspaceId workspace);
    void tableRequested(const QString& name, const QString& csv);

private:
    QWidget* buildTables();
    QWidget* buildCriticalPage();
    QWidget* buildDetails();
    /// What is known of the step with a part faster.
    [[nodiscard]] QString fasterReading() const;
    void connectTables();
    void updateGaps();
    /// What the page on top is about: the area, what is in view, or the whole step.
    void updateTitle();
    void askLayers();
    void sayTrouble(const core::Diagnostics& diagnostics);
    void choose(const core::SpanRecord& span);
    void chooseHit(int row);
    void updateNotes();
    void tick(std::size_t ipu, bool isTicked);
    /// The piece of time that the tables are about: the area, else what is in view.
    [[nodiscard]] TimelineArea tableArea() const;

    Document& m_document;
    TimelineLoader& m_loader;
    TimelineCanvas& m_canvas;
    TableTabs* m_tabs = nullptr;
    TablePanel* m_areaTable = nullptr;
    QLabel* m_reading = nullptr;
    QLabel* m_areaTitle = nullptr;
    TablePanel* m_gapTable = nullptr;
    TablePanel* m_layerTable = nullptr;
    TablePanel* m_eventTable = nullptr;
    TablePanel* m_criticalTable = nullptr;
    TablePanel* m_noteTable = nullptr;
    QLabel* m_fasterReading = nullptr;
    std::shared_ptr<const CriticalSpans> m_critical;
    std::shared_ptr<const core::FasterParts> m_faster;
    DetailsPanel* m_details = nullptr;
    /// Lanes that do not count while there is no area.
    std::set<std::size_t> m_tickedOut;
    std::vector<core::SpanRecord> m_gaps;
    /// The area whose gaps these are; nothing: of the whole update.
    std::optional<TimelineArea> m_gapArea;
    std::optional<TimelineArea> m_criticalArea;
    /// The lanes that a filter left out of them.
    std::set<std::size_t> m_gapHidden;
    std::vector<core::SearchHit> m_hits;
    int m_hit = -1;
    bool m_waitsForLanes = false;
    QTimer m_viewPause;
    ProfileQuery m_areaQuery;
    ProfileQuery m_layerQuery;
    ProfileQuery m_gapQuery;
    ProfileQuery m_searchQuery;
};

} // namespace views
