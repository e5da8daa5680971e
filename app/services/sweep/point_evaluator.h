#pragma once

#include "app/services/run/dataset_facts.h"
#include "app/services/sweep/point_projects.h"
#include "core/base/job_context.h"
#include "core/profile/records/sweep_records.h"
#include "simulator/compiler/compilation_cache.h"
#include "simulator/planner/timed_updates.h"

#include <string>
#include <vector>

namespace app {

/// Simulates points one after the other, with what earlier ones have in common: models that are read and
/// examined, and whatever `simulator::CompilationCache` keeps. Used by one thread.
class PointEvaluator {
public:
    /// `subject` and `datasets` must outlive the evaluator.
    PointEvaluator(const SweepSubject& subject, DatasetFactsCache& datasets);

    [[nodiscard]] core::SweepPointRecord evaluate(std::int64_t point, const core::JobContext& job);

private:
    /// Puts what the point's project comes to into the record. The project is one for the next point then.
    void simulate(PointProjects::PointProject& made, core::SweepPointRecord& record,
                  const core::JobContext& job);

    const SweepSubject& m_subject;
    DatasetFactsCache& m_datasets;
    std::vector<std::string> m_paths;
    PointProjects m_projects;
    simulator::CompilationCache m_cache;
    simulator::TimedUpdates m_updates;
};

} // namespace app
