#pragma once

#include "views/common/widgets/picture_export.h"
#include "views/comparison/comparison_scene.h"
#include "views/document/document.h"
#include "views/document/selection.h"
#include "views/profile/profile_query.h"
#include "views/profile/profile_source.h"

#include <QWidget>
#include <array>

class QCheckBox;
class QCustomPlot;
class QLabel;
class QMenu;
class QSplitter;
class QStackedWidget;
class QToolButton;

namespace views {

class ComparisonCanvas;
class EmptyView;
class RunChips;
class SegmentedControl;
class TablePanel;
class TableTabs;
class ViewBar;
class ViewIntents;

/// Runs against a baseline: timelines on one axis, signed metrics, what differs in model, stages and options,
/// and throughput against memory of all runs.
class ComparisonView final : public QWidget {
    Q_OBJECT

public:
    ComparisonView(Document& document, Selection& selection, ProfileSource& source, ViewIntents& intents,
                   QWidget* parent = nullptr);

    /// Compares these runs; without any, the chosen run (or the newest) with the two before it.
    void compare(std::vector<core::RunId> runs, std::optional<core::RunId> baseline);
    /// The compared runs, the baseline first.
    [[nodiscard]] std::vector<core::RunId> runs() const;
    [[nodiscard]] const ComparisonScene& scene() const;

private:
    enum Table { Metrics, Stages, Layers, Memory };
    struct Loaded;

    ViewBar* buildBar();
    QWidget* buildTables();
    QWidget* buildDifferences();
    QWidget* buildPareto();
    void followSelection(const SelectionState& before);
    void reload();
    void take(core::Result<Loaded> answer);
    void showData();
    void showTables();
    void showDifferences();
    void replot();
    void addRun(core::RunId run);
    void removeRun(core::RunId run);
    void fillAddMenu();
    void showRunMenu(core::RunId run, const QPoint& at);
    void clickPareto(QMouseEvent* event);
    void setMicroBatch(std::optional<std::int64_t> microBatch);

    Document& m_document;
    Selection& m_selection;
    ProfileSource& m_source;
    ViewIntents& m_intents;
    std::vector<core::RunId> m_wanted;
    std::optional<core::RunId> m_baseline;
    std::shared_ptr<const ComparisonData> m_data;
    std::vector<core::RunRow> m_rows;
    core::Diagnostics m_trouble;
    ComparisonState m_state;
    RunChips* m_chips = nullptr;
    QToolButton* m_add = nullptr;
    QMenu* m_addMenu = nullptr;
    SegmentedControl* m_align = nullptr;
    SegmentedControl* m_scale = nullptr;
    QStackedWidget* m_stack = nullptr;
    EmptyView* m_empty = nullptr;
    QSplitter* m_content = nullptr;
    ComparisonCanvas* m_canvas = nullptr;
    TableTabs* m_tabs = nullptr;
    std::array<TablePanel*, 4> m_tables{};
    QCheckBox* m_onlyDifferent = nullptr;
    TablePanel* m_differences = nullptr;
    QLabel* m_reading = nullptr;
    QLabel* m_differenceCount = nullptr;
    QLabel* m_runCount = nullptr;
    QCustomPlot* m_pareto = nullptr;
    ProfileQuery m_query;
};

} // namespace views
