#pragma once

#include "app/services/run/project_check.h"
#include "simulator/planner/search/plan_search.h"
#include "views/document/document.h"
#include "views/document/latest_runner.h"

#include <QObject>

namespace views {
class PlannerView;
struct PlannedProject;
struct PlannerQuestion;
} // namespace views

namespace app {

/// A plan of the search as the view shows it.
[[nodiscard]] views::PlannedProject plannedProject(const simulator::SearchedPlan& plan);

/// Searches what a view of plans asks for, on a thread of its own, and tells what is found as it is found.
class PlanSearcher final : public QObject {
    Q_OBJECT

public:
    PlanSearcher(views::Document& document, ProjectChecks& checks, views::PlannerView& view);

private:
    void search(const views::PlannerQuestion& question);

    views::Document& m_document;
    ProjectChecks& m_checks;
    views::PlannerView& m_view;
    /// Counts questions, so that what an earlier search still tells is not taken for the present one's.
    std::uint64_t m_asked = 0;
    views::LatestRunner m_runner;
};

} // namespace app
