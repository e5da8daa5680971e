#pragma once

#include "views/profile/profile_view.h"
#include "views/program/program_data.h"

class QLabel;
class QLineEdit;
class QTreeView;

namespace views {

class ProgramTreeModel;
class TablePanel;

/// The compiled program of a run: its tree, its operations, and what is known about one of them.
class ProgramView final : public ProfileViewOf<ProgramData> {
    Q_OBJECT

public:
    ProgramView(Document& document, Selection& selection, ProfileSource& source, ViewIntents& intents,
                QWidget* parent = nullptr);

    [[nodiscard]] QTreeView& tree() const { return *m_tree; }
    [[nodiscard]] TablePanel& operations() const { return *m_operations; }
    [[nodiscard]] const std::shared_ptr<const ProgramData>& program() const { return data(); }

protected:
    [[nodiscard]] Query query() const override;
    void showData() override;
    void clearData() override;
    void followSelection(const SelectionState& before) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void buildBar();
    QWidget* buildTree();
    QWidget* buildOperations();
    void filterByTime();
    void showInTimeline();
    void fitNumbers();
    void showOperations();
    /// −1 where the filter hides it.
    [[nodiscard]] int rowOf(std::size_t operation) const;
    void chooseOperation(std::size_t operation, bool scrollsTree);
    void chooseStep();
    void followCursor(const std::optional<TimeCursor>& place);
    void pointAt(const QModelIndex& index);

    QLineEdit* m_filter = nullptr;
    QTreeView* m_tree = nullptr;
    ProgramTreeModel* m_treeModel = nullptr;
    TablePanel* m_operations = nullptr;
    QLabel* m_title = nullptr;
    TablePanel* m_details = nullptr;
    /// Operation of each row.
    std::vector<std::size_t> m_rows;
    bool m_isChoosing = false;
    ProfileQuery m_placeQuery;
};

} // namespace views
