#pragma once

#include "core/profile/queries/run_queries.h"
#include "views/profile/profile_view.h"
#include "views/profile/tables/table_content.h"

namespace views {

class NoticeBar;
class TablePanel;

/// The stored runs as a table, newest first.
[[nodiscard]] TableContent runsTable(const std::vector<core::RunRow>& runs, const Units& units);

/// The list of stored runs: what each gave; open one, compare some, delete what is not needed.
class RunsView final : public ProfileViewOf<std::vector<core::RunRow>> {
    Q_OBJECT

public:
    RunsView(Document& document, Selection& selection, ProfileSource& source, ViewIntents& intents,
             QWidget* parent = nullptr);

    [[nodiscard]] TablePanel& table() { return *m_table; }
    /// Newest first, as shown.
    [[nodiscard]] const std::vector<core::RunRow>& runs() const { return m_runs; }

protected:
    [[nodiscard]] Query query() const override;
    void dataChanged() override;
    [[nodiscard]] bool hasData() const override { return !m_runs.empty(); }
    void showData() override;
    void clearData() override { showData(); }
    /// All runs are shown, whichever is chosen.
    void followSelection(const SelectionState&) override {}
    void explainNoData(EmptyView& view) const override;

private:
    void openMenu(const QPoint& at);
    [[nodiscard]] std::vector<core::RunId> selectedRuns() const;

    std::vector<core::RunRow> m_runs;
    NoticeBar* m_notice;
    TablePanel* m_table;
};

} // namespace views
