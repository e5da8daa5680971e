#pragma once

#include "views/document/document.h"
#include "views/document/selection.h"
#include "views/profile/profile_query.h"
#include "views/profile/profile_source.h"
#include "views/profile/time/time_filter.h"
#include "views/program/program_data.h"

#include <QWidget>
#include <memory>

class QLabel;
class QLineEdit;
class QSplitter;
class QStackedWidget;
class QTreeView;

namespace views {

class EmptyView;
class FilterChips;
class ProgramTreeModel;
class RunChooser;
class TablePanel;
class ViewIntents;

/// The compiled program of a run: its tree, its operations, and what is known about one of them.
class ProgramView final : public QWidget {
    Q_OBJECT

public:
    ProgramView(Document& document, Selection& selection, ProfileSource& source, ViewIntents& intents,
                QWidget* parent = nullptr);

    [[nodiscard]] QTreeView& tree() const { return *m_tree; }
    [[nodiscard]] TablePanel& operations() const { return *m_operations; }
    [[nodiscard]] const std::shared_ptr<const ProgramData>& program() const { return m_program; }

private:
    void buildBar();
    void buildContent();
    void reload();
    void showProgram();
    void filterByTime();
    void showOperations();
    /// −1 where the filter hides it.
    [[nodiscard]] int rowOf(std::size_t operation) const;
    void followSelection(const SelectionState& before);
    void chooseOperation(std::size_t operation, bool scrollsTree);
    void chooseStep();

    Document& m_document;
    Selection& m_selection;
    ProfileSource& m_source;
    ViewIntents& m_intents;
    RunChooser* m_runChooser = nullptr;
    QLineEdit* m_filter = nullptr;
    QStackedWidget* m_stack = nullptr;
    EmptyView* m_empty = nullptr;
    QSplitter* m_content = nullptr;
    QTreeView* m_tree = nullptr;
    ProgramTreeModel* m_treeModel = nullptr;
    TablePanel* m_operations = nullptr;
    QLabel* m_title = nullptr;
    TablePanel* m_details = nullptr;
    std::shared_ptr<const ProgramData> m_program;
    core::Diagnostics m_trouble;
    /// What runs in the selected time; nothing: everything is shown.
    std::optional<std::set<StageProgram>> m_programs;
    /// Operation of each row.
    std::vector<std::size_t> m_rows;
    FilterChips* m_chips = nullptr;
    bool m_isChoosing = false;
    ProfileQuery m_query;
    ProfileQuery m_timeQuery;
};

} // namespace views
