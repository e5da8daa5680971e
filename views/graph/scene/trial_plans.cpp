#include "views/graph/scene/trial_plans.h"

namespace views {

void TrialPlans::ask(const ProjectSnapshot& plan) {
    m_asked = plan;
    emit wanted(plan);
}

void TrialPlans::leave() {
    if (m_asked)
        ask(nullptr);
}

void TrialPlans::answer(const ProjectSnapshot& plan, const core::PlanEstimate& estimate) {
    if (!plan || plan != m_asked)
        return;
    m_asked = nullptr;
    emit answered(estimate);
}

} // namespace views
