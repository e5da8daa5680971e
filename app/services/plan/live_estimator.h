#pragma once

#include "app/services/run/project_check.h"
#include "simulator/compiler/compilation_cache.h"
#include "views/document/document.h"
#include "views/document/latest_runner.h"

#include <QObject>
#include <memory>

namespace app {

/// What a plan costs depends on shapes alone: neither on whether the data can be read, nor on a loss that is
/// still to be chosen.
[[nodiscard]] core::Project forPricing(core::Project project);

/// What a project would cost with whatever data; of a part of it where a layer is broken. Nothing where
/// nothing can be simulated.
[[nodiscard]] std::optional<core::PlanEstimate> estimateWithoutData(const core::Project& project,
                                                                    simulator::CompilationCache& cache,
                                                                    const core::JobContext& job,
                                                                    const std::filesystem::path& folder);

/// Keeps a document's analysis and estimate up to date: after every edit, and for what is under the mouse, it
/// checks it, infers shapes and prices the plan on workers of its own and hands the results in. Findings and
/// figures of one edit come from one check. Only the latest snapshot matters. The figures are those that a
/// run would give.
class LiveEstimator final : public QObject {
    Q_OBJECT

public:
    LiveEstimator(views::Document& document, ProjectChecks& checks, QObject* parent = nullptr);

    [[nodiscard]] bool isBusy() const { return m_analyses.isBusy() || m_estimates.isBusy(); }

signals:
    void busyChanged(bool isBusy);

private:
    void requestAnalysis();
    void requestEstimate();

    views::Document& m_document;
    ProjectChecks& m_checks;
    /// Used by one job at a time: jobs of one runner never overlap.
    std::shared_ptr<simulator::CompilationCache> m_cache;
    views::LatestRunner m_analyses;
    views::LatestRunner m_estimates;
};

} // namespace app
