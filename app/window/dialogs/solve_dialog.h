#pragma once

#include "simulator/planner/partition_problem.h"
#include "views/document/document.h"
#include "views/document/latest_runner.h"

#include <QDialog>
#include <vector>

class QCheckBox;
class QComboBox;
class QLabel;
class QPushButton;
class QSpinBox;

namespace views {
class NoticeBar;
class Selection;
class TablePanel;
} // namespace views

namespace app {

/// Finds stages: how many, by what measure, which layers stay; shows the best plans and applies one.
class SolveDialog final : public QDialog {
    Q_OBJECT

public:
    SolveDialog(views::Document& document, views::Selection& selection, QWidget* parent);

    void solve();
    void applyPlan();
    [[nodiscard]] const std::vector<simulator::Partition>& plans() const { return m_plans; }

private:
    [[nodiscard]] simulator::PartitionRequest request() const;
    void show(core::Result<std::vector<simulator::Partition>> plans);

    views::Document& m_document;
    views::Selection& m_selection;
    QSpinBox* m_stages;
    QComboBox* m_objective;
    QCheckBox* m_locks;
    views::NoticeBar* m_notice;
    views::TablePanel* m_table;
    QPushButton* m_solve;
    QPushButton* m_apply;
    std::vector<simulator::Partition> m_plans;
    std::shared_ptr<simulator::CompilationCache> m_cache;
    views::LatestRunner m_runner;
};

} // namespace app
