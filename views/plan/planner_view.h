#pragma once

#include "core/base/diagnostic.h"
#include "views/plan/planner_plans.h"

#include <QWidget>
#include <vector>

class QCheckBox;
class QCustomPlot;
class QLabel;
class QMouseEvent;
class QProgressBar;
class QPushButton;
class QSpinBox;

namespace views {

class Selection;
class TablePanel;

/// "Plan for me": what is given, the front of simulated plans while a search goes on, the stages of the plan
/// that is looked at, which the canvas previews, and a button that applies it as one step. Someone else
/// searches.
class PlannerView final : public QWidget {
    Q_OBJECT

public:
    PlannerView(Document& document, QWidget* parent = nullptr);

    [[nodiscard]] PlannerQuestion question() const;
    [[nodiscard]] bool isSearching() const { return m_isSearching; }
    /// All that were found, in the order in which they were.
    [[nodiscard]] const std::vector<PlannedProject>& plans() const { return m_plans; }
    [[nodiscard]] const std::vector<std::size_t>& front() const { return m_front; }
    /// The plan that is looked at.
    [[nodiscard]] std::optional<std::size_t> chosen() const { return m_chosen; }

    // What the search tells.
    void addPlans(std::vector<PlannedProject> plans);
    void setProgress(double fraction, const QString& activity);
    void finish(const PlannerOutcome& outcome);
    void fail(const core::Diagnostics& why);

    void search();
    void stop();
    void apply();

signals:
    void searchWanted(const views::PlannerQuestion& question);
    void stopWanted();

protected:
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;
    void changeEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    QWidget* buildQuestion();
    QWidget* buildButtons();
    void connectDocument();
    void forget();
    void follow();
    void showLocks();
    void choose(std::optional<std::size_t> plan);
    void leavePreview();
    void showPlans();
    void showStages();
    void setSearching(bool isSearching);
    void updateButtons();
    void replot();
    [[nodiscard]] std::optional<core::Bytes> memoryOfIpu() const;
    /// The plans are of the project as it is now, or as it was before one of them was applied.
    [[nodiscard]] bool arePlansCurrent() const;

    Document& m_document;
    std::vector<PlannedProject> m_plans;
    std::vector<std::size_t> m_front;
    std::optional<std::size_t> m_chosen;
    /// The project that was searched, and what applying its plans made of it; what the state says of each.
    struct Origin {
        ProjectSnapshot project;
        QString state;
    };
    [[nodiscard]] std::vector<Origin>::const_iterator originNow() const;
    std::vector<Origin> m_origins;
    std::optional<core::Bytes> m_limit;
    bool m_isSearching = false;
    QSpinBox* m_ipus;
    QSpinBox* m_batch;
    QSpinBox* m_memory;
    std::array<QCheckBox*, planPartCount> m_parts{};
    QLabel* m_locks;
    QPushButton* m_search;
    QPushButton* m_stop;
    QProgressBar* m_progress;
    QLabel* m_state;
    QCustomPlot* m_plot;
    TablePanel* m_table;
    TablePanel* m_stages;
    QPushButton* m_apply;
    QPushButton* m_leave;
};

} // namespace views
