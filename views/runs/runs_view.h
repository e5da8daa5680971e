#pragma once

#include "core/profile/queries/run_queries.h"
#include "views/document/document.h"
#include "views/document/selection.h"
#include "views/profile/profile_query.h"
#include "views/profile/profile_source.h"
#include "views/profile/tables/table_content.h"

#include <QWidget>

class QPushButton;
class QStackedWidget;

namespace views {

class EmptyView;
class NoticeBar;
class TablePanel;
class ViewIntents;

/// The stored runs as a table, newest first.
[[nodiscard]] TableContent runsTable(const std::vector<core::RunRow>& runs, const Units& units);

/// The list of stored runs: what each gave; open one, compare some, delete what is not needed.
class RunsView final : public QWidget {
    Q_OBJECT

public:
    RunsView(Document& document, Selection& selection, ProfileSource& source, ViewIntents& intents,
             QWidget* parent = nullptr);

    [[nodiscard]] TablePanel& table() { return *m_table; }
    /// Newest first, as shown.
    [[nodiscard]] const std::vector<core::RunRow>& runs() const { return m_runs; }

private:
    void reload();
    void showRuns(core::Result<std::vector<core::RunRow>> runs);
    void openMenu(const QPoint& at);
    [[nodiscard]] std::vector<core::RunId> selectedRuns() const;

    Document& m_document;
    Selection& m_selection;
    ProfileSource& m_source;
    ViewIntents& m_intents;
    ProfileQuery m_query;
    std::vector<core::RunRow> m_runs;
    QStackedWidget* m_stack;
    EmptyView* m_empty;
    NoticeBar* m_trouble;
    TablePanel* m_table;
};

} // namespace views
