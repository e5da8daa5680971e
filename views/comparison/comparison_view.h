#pragma once

#include "views/comparison/comparison_scene.h"
#include "views/profile/pareto/pareto_plot.h"
#include "views/profile/profile_view.h"

#include <array>

class QCheckBox;
class QCustomPlot;
class QLabel;
class QMenu;
class QToolButton;

namespace views {

class ComparisonCanvas;
class ParetoZoom;
class ReferenceLanes;
class RunChips;
class SegmentedControl;
class TablePanel;
class TableTabs;

/// What a comparison is made of: every complete run, and those that are compared.
struct ComparedRuns {
    std::vector<core::RunRow> rows;
    std::shared_ptr<const ComparisonData> comparison;
};

/// Runs against a baseline: timelines on one axis, signed metrics, what differs in model, stages and options,
/// and throughput against memory of all runs.
class ComparisonView final : public ProfileViewOf<ComparedRuns> {
    Q_OBJECT

public:
    ComparisonView(Document& document, Selection& selection, ProfileSource& source, ViewIntents& intents,
                   QWidget* parent = nullptr);

    /// Compares these runs; without any, the chosen run (or the newest) with the two before it.
    void compare(std::vector<core::RunId> runs, std::optional<core::RunId> baseline);
    /// The compared runs, the baseline first.
    [[nodiscard]] std::vector<core::RunId> runs() const;
    [[nodiscard]] const ComparisonScene& scene() const;

protected:
    [[nodiscard]] Query query() const override;
    void dataChanged() override;
    [[nodiscard]] bool hasData() const override { return m_data != nullptr; }
    void showData() override;
    void clearData() override;
    /// Without a run there is nothing to wait for: any complete run would be compared.
    [[nodiscard]] bool isReading() const override { return false; }
    void setUnits(const Units& units) override;
    void restyle() override;
    void followSelection(const SelectionState& before) override;

private:
    enum Table { Metrics, Step, Slots, Stages, Layers, Memory, Trace };

    void buildBar();
    QWidget* buildTables();
    QWidget* buildDifferences();
    QWidget* buildPareto();
    /// A metric by its label, on the page of figures.
    void explain(const QString& label);
    void showTables();
    void showDifferences();
    /// The trace of another program beside the baseline.
    void compareTrace();
    void placeReference();
    [[nodiscard]] ParetoScene shownPareto() const;
    void replot();
    void addRun(core::RunId run);
    void removeRun(core::RunId run);
    void fillAddMenu();
    void showRunMenu(core::RunId run, const QPoint& at);
    void clickPareto(QMouseEvent* event);
    void align();
    /// What runs in the range that is selected, in every run.
    void askForRange();

    std::vector<core::RunId> m_wanted;
    std::optional<core::RunId> m_baseline;
    std::shared_ptr<const ComparisonData> m_data;
    std::vector<core::RunRow> m_rows;
    ComparisonState m_state;
    RunChips* m_chips = nullptr;
    QToolButton* m_add = nullptr;
    QMenu* m_addMenu = nullptr;
    SegmentedControl* m_align = nullptr;
    SegmentedControl* m_scale = nullptr;
    ComparisonCanvas* m_canvas = nullptr;
    ReferenceLanes* m_reference = nullptr;
    ProfileQuery m_traceQuery;
    ProfileQuery m_rangeQuery;
    /// Of the range; nothing without one, or while it is on its way.
    std::optional<std::vector<core::ComparedStepPart>> m_rangeParts;
    TableTabs* m_tabs = nullptr;
    std::array<TablePanel*, 7> m_tables{};
    QCheckBox* m_onlyDifferent = nullptr;
    QCheckBox* m_largestFirst = nullptr;
    TablePanel* m_differences = nullptr;
    QLabel* m_reading = nullptr;
    QLabel* m_differenceCount = nullptr;
    QLabel* m_runCount = nullptr;
    QCustomPlot* m_pareto = nullptr;
    ParetoZoom* m_zoom = nullptr;
};

} // namespace views
