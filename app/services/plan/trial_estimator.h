#pragma once

#include "simulator/compiler/compilation_cache.h"
#include "views/document/latest_runner.h"
#include "views/graph/scene/trial_plans.h"

#include <memory>

namespace app {

/// Simulates plans that somebody hesitates between, beside the estimate of the plan that is shown.
class TrialEstimator final : public QObject {
    Q_OBJECT

public:
    TrialEstimator(views::Document& document, views::TrialPlans& trials, QObject* parent);

private:
    views::Document& m_document;
    views::TrialPlans& m_trials;
    /// Used by one job at a time.
    std::shared_ptr<simulator::CompilationCache> m_cache;
    views::LatestRunner m_runner;
};

} // namespace app
