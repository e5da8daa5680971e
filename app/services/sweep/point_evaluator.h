#pragma once

#include "app/services/run/dataset_facts.h"
#include "app/services/sweep/point_projects.h"
#include "core/base/job_context.h"
#include "core/profile/records/sweep_records.h"
#include "simulator/compiler/compilation_cache.h"
#include "simulator/planner/timed_updates.h"

#include <cstdint>
#include <optional>
#include <span>

namespace app {

/// Simulates points one after the other, with what earlier ones have in common: models that are read and
/// examined, and whatever `simulator::CompilationCache` keeps. Used by one thread.
class PointEvaluator {
public:
    /// `subject` and `datasets` must outlive the evaluator.
    PointEvaluator(const SweepSubject& subject, DatasetFactsCache& datasets);

    [[nodiscard]] core::SweepPointRecord evaluate(std::int64_t point, const core::JobContext& job);
    /// Which stage programs the simulated point had that was evaluated last: points with the same number
    /// shared them, and only the first of those took long.
    [[nodiscard]] std::uint64_t latestPrograms() const { return m_updates.latestPrograms(); }

private:
    /// Puts what the point's project comes to into the record. The project is one for the next point then.
    void simulate(PointProjects::PointProject& made, std::span<const std::uint64_t> numbers,
                  core::SweepPointRecord& record, const core::JobContext& job);
    [[nodiscard]] const core::Diagnostics& systemFindingsOf(const core::Project& project,
                                                            std::span<const std::uint64_t> numbers);
    [[nodiscard]] const core::Result<std::optional<core::DatasetFacts>>&
    factsOf(const core::Project& project, std::span<const std::uint64_t> numbers);

    const SweepSubject& m_subject;
    DatasetFactsCache& m_datasets;
    PointProjects m_projects;
    /// What the machine by itself, and the data, of points come to.
    PathMemo<core::Diagnostics> m_systems;
    PathMemo<core::Result<std::optional<core::DatasetFacts>>> m_facts;
    simulator::CompilationCache m_cache;
    simulator::TimedUpdates m_updates;
};

} // namespace app
