#pragma once

#include "core/profile/analysis/run_search.h"
#include "views/profile/profile_view.h"
#include "views/timeline/lane_finder.h"
#include "views/timeline/timeline_canvas.h"
#include "views/timeline/timeline_loader.h"

class QLineEdit;
class QToolButton;

namespace views {

class FilterChips;
class LegendBar;
class ReferenceLanes;
class SegmentedControl;
class TimelineCanvas;
class TimelineDrawer;

/// The timeline of a run: canvas, tables of the area, the gaps, the layers and the events, details of what is
/// selected.
class TimelineView final : public ProfileView {
    Q_OBJECT

public:
    /// `faster`: null where nobody simulates.
    TimelineView(Document& document, Selection& selection, ProfileSource& source, ViewIntents& intents,
                 FasterPartsSource faster = {}, QWidget* parent = nullptr);
    ~TimelineView() override;

    [[nodiscard]] TimelineCanvas& canvas() const { return *m_canvas; }
    /// Where it shares a window with another view: the tables are there when they are asked for.
    void foldTables();
    /// Looks for something in the run that is shown, as if it was typed into Find.
    void find(const QString& text);
    /// Selects what was found in the run that is shown.
    void showHit(const core::SearchHit& hit);

protected:
    /// The loader follows the database by itself.
    void reload() override {}
    [[nodiscard]] bool hasData() const override;
    void showData() override;
    [[nodiscard]] bool isReading() const override;
    [[nodiscard]] const core::Diagnostics& trouble() const override;
    void setUnits(const Units& units) override;
    void followSelection(const SelectionState& before) override;
    void showEvent(QShowEvent* event) override;

private:
    void buildBar();
    void addLaneMenu();
    void connectCanvas();
    void showSpan(const SpanKey& key);
    void holdCursor();
    void placeReference();
    void highlightLayers(const SelectionState& selected);
    void updateChips();
    void chooseLayer(const QString& layer);
    void clearLayers();
    void showLanes();
    [[nodiscard]] QStringList laneNames() const;
    void filterLanes(const LaneFilter& filter);
    void chooseHit(const core::SearchHit& hit);
    void showWantedHit();
    void loadNotes();
    [[nodiscard]] std::optional<Picture> picture() const;

    TimelineLoader* m_loader;
    SegmentedControl* m_colours = nullptr;
    SegmentedControl* m_flows = nullptr;
    FilterChips* m_chips = nullptr;
    LegendBar* m_legend = nullptr;
    QToolButton* m_critical = nullptr;
    QToolButton* m_laneButton = nullptr;
    /// Where the tables are folded.
    QToolButton* m_tablesButton = nullptr;
    ProfileQuery m_spanQuery;
    ProfileQuery m_noteQuery;
    /// The run whose notes are shown.
    std::optional<core::RunId> m_notesOf;
    /// What is shown once the lanes are there.
    struct WantedHit {
        core::RunId run;
        core::SearchHit hit;
    };
    std::optional<WantedHit> m_wantedHit;
    LaneFilter m_laneFilter;
    QLineEdit* m_search = nullptr;
    TimelineCanvas* m_canvas = nullptr;
    ReferenceLanes* m_reference = nullptr;
    TimelineDrawer* m_drawer = nullptr;
};

} // namespace views
