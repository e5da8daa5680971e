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

/// A plan with the figures that the gauges will show for it.
struct SolvedPlan {
    simulator::Partition partition;
    /// Nothing where the plan breaks a rule as the project stands; the solver's own prices are shown then.
    std::optional<core::PlanEstimate> estimate;
};

/// Finds stages: how many, by what measure, which layers stay; shows the best plans and applies one.
class SolveDialog final : public QDialog {
    Q_OBJECT

public:
    SolveDialog(views::Document& document, views::Selection& selection, QWidget* parent);

    void solve();
    void applyPlan();
    [[nodiscard]] const std::vector<SolvedPlan>& plans() const { return m_plans; }

private:
    [[nodiscard]] simulator::PartitionRequest request() const;
    /// Whether the chosen row is a plan, and not what the project has now.
    [[nodiscard]] bool isPlan() const;
    void show(core::Result<std::vector<SolvedPlan>> plans);
    /// What becomes of the IPUs that somebody chose for the stages; empty where nobody did.
    [[nodiscard]] QString ipusText() const;

    views::Document& m_document;
    views::Selection& m_selection;
    QLabel* m_proof;
    QSpinBox* m_stages;
    QComboBox* m_objective;
    QCheckBox* m_locks;
    QLabel* m_ipus;
    views::NoticeBar* m_notice;
    views::TablePanel* m_table;
    QPushButton* m_solve;
    QPushButton* m_apply;
    std::vector<SolvedPlan> m_plans;
    std::shared_ptr<simulator::CompilationCache> m_cache;
    views::LatestRunner m_runner;
};

} // namespace app
