#pragma once

#include "simulator/planner/partition_problem.h"
#include "views/document/document.h"
#include "views/document/latest_runner.h"

#include <QWidget>
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

/// A plan with the project that it makes and the figures that the gauges will show for it.
struct SolvedPlan {
    simulator::Partition partition;
    /// Null where the plan breaks a rule as the project stands.
    views::ProjectSnapshot project;
    /// Nothing there, too; the solver's own prices are shown then.
    std::optional<core::PlanEstimate> estimate;
};

/// "Solve split", beside the canvas: how many stages, by what measure, which layers stay. The plan that is
/// looked at is previewed by the canvas, and applied as one step.
class SplitSolver final : public QWidget {
    Q_OBJECT

public:
    SplitSolver(views::Document& document, views::Selection& selection, QWidget* parent = nullptr);

    void solve();
    void stop();
    void applyPlan();
    [[nodiscard]] bool isSolving() const { return m_runner.isBusy(); }
    [[nodiscard]] const std::vector<SolvedPlan>& plans() const { return m_plans; }

protected:
    void hideEvent(QHideEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    QWidget* buildForm();
    QWidget* buildButtons();
    void forget();
    void follow();
    void followSelection();
    [[nodiscard]] simulator::PartitionRequest request() const;
    /// The plan of the chosen row; null where that is what the project has now.
    [[nodiscard]] const SolvedPlan* chosen() const;
    /// The plans are of the project as it is now, or as it was before one of them was applied.
    [[nodiscard]] bool arePlansCurrent() const;
    void show(core::Result<std::vector<SolvedPlan>> plans);
    void preview();
    void leavePreview();
    void updateButtons();
    void say(views::ChipTone tone, const QString& text);
    /// What becomes of the IPUs that somebody chose for the stages; empty where nobody did.
    [[nodiscard]] QString ipusText() const;

    views::Document& m_document;
    views::Selection& m_selection;
    QLabel* m_measure;
    QSpinBox* m_stages;
    QComboBox* m_objective;
    QCheckBox* m_locks;
    QLabel* m_locked;
    QLabel* m_ipus;
    views::NoticeBar* m_notice;
    views::TablePanel* m_table;
    QPushButton* m_solve;
    QPushButton* m_stop;
    QPushButton* m_apply;
    QPushButton* m_leave;
    std::vector<SolvedPlan> m_plans;
    /// The project that was solved, and what applying its plans made of it.
    std::vector<views::ProjectSnapshot> m_origins;
    std::shared_ptr<simulator::CompilationCache> m_cache;
    views::LatestRunner m_runner;
};

} // namespace app
