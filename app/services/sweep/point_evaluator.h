#pragma once

#include "app/services/run/dataset_facts.h"
#include "core/base/job_context.h"
#include "core/interchange/sweep/sweep.h"
#include "core/plan/plan_estimate.h"
#include "core/profile/records/sweep_records.h"
#include "core/project/project.h"
#include "simulator/compiler/compilation_cache.h"

#include <filesystem>
#include <memory>
#include <optional>
#include <string>

namespace app {

/// What the points of a sweep vary: the project as its file has it, or a template.
struct SweepSubject {
    core::Sweep sweep;
    /// The project file's content; null where the points come from a template.
    core::Json document;
    /// Names the project in findings; its relative paths start at `folder`.
    std::string file;
    std::filesystem::path folder;

    /// What the sweep's conditions may name of this point beside its figures.
    [[nodiscard]] core::Json valueAt(const std::vector<core::ProjectSetting>& settings,
                                     const std::string& path) const;
    /// Whether the point meets the conditions that name no figure, so that it is one.
    [[nodiscard]] bool isPoint(const std::vector<core::ProjectSetting>& settings) const;
    /// Whether a simulated point meets every condition.
    [[nodiscard]] bool isWanted(const std::vector<core::ProjectSetting>& settings,
                                const core::SweepPointRecord& record) const;
};

/// The subject of a sweep file at `path`. Errors: those of reading it and its project; "sweep/name" for a
/// condition over a path that no point sets and the project does not have.
[[nodiscard]] core::Result<SweepSubject> loadSweep(const std::filesystem::path& path);

/// Simulates points one after the other, with what earlier ones have in common: operation plans, and the
/// training graph while the model stays. Used by one thread.
class PointEvaluator {
public:
    /// `subject` and `datasets` must outlive the evaluator.
    PointEvaluator(const SweepSubject& subject, DatasetFactsCache& datasets);

    [[nodiscard]] core::SweepPointRecord evaluate(std::int64_t point, const core::JobContext& job);
    /// The project of a point.
    [[nodiscard]] core::Result<core::Project>
    project(const std::vector<core::ProjectSetting>& settings) const;

private:
    const SweepSubject& m_subject;
    DatasetFactsCache& m_datasets;
    std::vector<std::string> m_paths;
    simulator::CompilationCache m_cache;
};

} // namespace app
