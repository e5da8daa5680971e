#pragma once

#include "views/liveness/liveness_data.h"
#include "views/profile/profile_view.h"

#include <array>
#include <optional>

class QLabel;
class QToolButton;

namespace views {

class IpuChooser;
class LegendBar;
class LivenessChart;
class RemedyList;
class SegmentedControl;
class TablePanel;
class TableTabs;

/// The memory of an IPU over its program: curve, lifetimes, frozen columns with their tables.
class LivenessView final : public ProfileViewOf<LivenessData> {
    Q_OBJECT

public:
    LivenessView(Document& document, Selection& selection, ProfileSource& source, ViewIntents& intents,
                 QWidget* parent = nullptr);

    [[nodiscard]] LivenessChart& chart() const { return *m_chart; }
    /// Where it shares a window with another view: the tables are there when they are asked for.
    void foldTables();

protected:
    [[nodiscard]] Query query() const override;
    void dataChanged() override;
    void showData() override;
    void clearData() override;
    void setUnits(const Units& units) override;
    void restyle() override { showHeadroom(); }
    void followSelection(const SelectionState& before) override;

private:
    void buildBar();
    QWidget* buildTables();
    QWidget* buildReason();
    void showHeadroom();
    void showTables();
    void showGaps();
    void showSelected(std::optional<std::size_t> range);
    void filterByTime();
    void chooseRow(int row);
    void followCursor(const std::optional<TimeCursor>& place);
    void showHeldPlace();
    void showWantedStep();
    void tellStep();
    void showWantedTensor();

    IpuChooser* m_ipuChooser = nullptr;
    SegmentedControl* m_axis = nullptr;
    QToolButton* m_alwaysLive = nullptr;
    QToolButton* m_gaps = nullptr;
    LegendBar* m_legend = nullptr;
    QLabel* m_headroom = nullptr;
    LivenessChart* m_chart = nullptr;
    TableTabs* m_tabs = nullptr;
    std::array<TablePanel*, 5> m_tables{};
    ProfileQuery m_timeQuery;
    /// The place that memory was asked for, until it is shown.
    std::optional<TimeCursor> m_held;
    /// A block that was asked for elsewhere, until it is shown.
    std::optional<std::string> m_wantedTensor;
};

} // namespace views
