#include "app/services/plan/trial_estimator.h"

#include "app/services/plan/live_estimator.h"

namespace app {

TrialEstimator::TrialEstimator(views::Document& document, views::TrialPlans& trials, QObject* parent)
    : QObject(parent)
    , m_document(document)
    , m_trials(trials)
    , m_cache(std::make_shared<simulator::CompilationCache>()) {
    connect(&trials, &views::TrialPlans::wanted, this, [this](const views::ProjectSnapshot& plan) {
        if (!plan)
            return m_runner.cancel();
        m_runner.request([plan, folder = m_document.folder(), cache = m_cache,
                          this](const core::JobContext& job) -> views::LatestRunner::Deliver {
            auto estimate = std::make_shared<core::PlanEstimate>(
                estimateWithoutData(*plan, *cache, job, folder).value_or(core::PlanEstimate{}));
            return [this, plan, estimate] { m_trials.answer(plan, *estimate); };
        });
    });
}

} // namespace app
