#pragma once

#include "views/common/widgets/picture_export.h"
#include "views/document/document.h"
#include "views/document/selection.h"
#include "views/liveness/liveness_data.h"
#include "views/profile/profile_query.h"
#include "views/profile/profile_source.h"

#include <QWidget>
#include <memory>
#include <optional>

class QLabel;
class QSplitter;
class QStackedWidget;
class QToolButton;

namespace views {

class EmptyView;
class FilterChips;
class IpuChooser;
class LegendBar;
class LivenessChart;
class RunChooser;
class SegmentedControl;
class TablePanel;
class TableTabs;
class ViewBar;
class ViewIntents;

/// The memory of an IPU over its program: curve, lifetimes, frozen columns with their tables.
class LivenessView final : public QWidget {
    Q_OBJECT

public:
    LivenessView(Document& document, Selection& selection, ProfileSource& source, ViewIntents& intents,
                 QWidget* parent = nullptr);

    [[nodiscard]] LivenessChart& chart() const { return *m_chart; }

private:
    ViewBar* buildBar();
    QWidget* buildTables();
    void followSelection(const SelectionState& before);
    void reload();
    void showData();
    void showTables();
    void filterByTime();
    void chooseRow(int row);

    Document& m_document;
    Selection& m_selection;
    ProfileSource& m_source;
    ViewIntents& m_intents;
    RunChooser* m_runChooser = nullptr;
    IpuChooser* m_ipuChooser = nullptr;
    SegmentedControl* m_axis = nullptr;
    QToolButton* m_alwaysLive = nullptr;
    QToolButton* m_gaps = nullptr;
    LegendBar* m_legend = nullptr;
    QLabel* m_headroom = nullptr;
    QStackedWidget* m_stack = nullptr;
    EmptyView* m_empty = nullptr;
    QSplitter* m_content = nullptr;
    LivenessChart* m_chart = nullptr;
    TableTabs* m_tabs = nullptr;
    std::array<TablePanel*, 5> m_tables{};
    std::shared_ptr<const LivenessData> m_data;
    core::Diagnostics m_trouble;
    FilterChips* m_chips = nullptr;
    ProfileQuery m_query;
    ProfileQuery m_timeQuery;
};

} // namespace views
