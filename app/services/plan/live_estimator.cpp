#include "app/services/plan/live_estimator.h"

#include "core/model/graph/infer_shapes.h"
#include "simulator/planner/estimate.h"

namespace app {

namespace {

/// Project and whatever else its checks need, off the document's thread.
struct Subject {
    views::ProjectSnapshot project;
    std::string file;
    std::filesystem::path folder;
};

/// Shapes of a project that breaks a rule elsewhere; null where the shapes themselves are wrong.
std::shared_ptr<const core::TypedGraph> shapesOf(const core::Project& project) {
    core::InferenceOptions options;
    options.batchSize = project.training.batchSize;
    options.opaqueLayers = project.opaqueLayers;
    options.precision = core::precisionFromName(project.training.precision).value_or(core::PrecisionPolicy{});
    auto graph = core::inferShapes(project.model, options);
    return graph ? std::make_shared<const core::TypedGraph>(std::move(*graph)) : nullptr;
}

views::ProjectAnalysis analysisOf(const Subject& subject, ProjectChecks& checks) {
    const auto check = checks.check(subject.project, subject.file, subject.folder);
    const core::ValidationOutcome& outcome = check->outcome;
    views::ProjectAnalysis analysis;
    analysis.diagnostics = outcome.findings;
    analysis.graph = outcome.project ? std::make_shared<const core::TypedGraph>(outcome.project->graph())
                                     : shapesOf(*subject.project);
    return analysis;
}

core::PlanEstimate estimateOf(const Subject& subject, ProjectChecks& checks,
                              simulator::CompilationCache& cache, const core::JobContext& job) {
    const auto check = checks.check(subject.project, subject.file, subject.folder);
    const core::ValidationOutcome& outcome = check->outcome;
    if (outcome.project)
        return simulator::estimate(*outcome.project, cache, job, subject.folder);
    core::PlanEstimate refused;
    for (const core::Diagnostic& finding : outcome.findings) {
        if (finding.severity == core::Severity::Error) {
            refused.refusal = finding.message;
            break;
        }
    }
    return refused;
}

} // namespace

LiveEstimator::LiveEstimator(views::Document& document, ProjectChecks& checks, QObject* parent)
    : QObject(parent)
    , m_document(document)
    , m_checks(checks)
    , m_cache(std::make_shared<simulator::CompilationCache>()) {
    connect(&document, &views::Document::projectChanged, this, [this] {
        requestAnalysis();
        requestEstimate();
    });
    connect(&document, &views::Document::previewChanged, this, &LiveEstimator::requestEstimate);
    connect(&document, &views::Document::opened, this, [this] {
        if (!m_document.isOpen()) {
            m_analyses.cancel();
            m_estimates.cancel();
        }
    });
    for (views::LatestRunner* runner : {&m_analyses, &m_estimates})
        connect(runner, &views::LatestRunner::busyChanged, this, [this] { emit busyChanged(isBusy()); });
}

void LiveEstimator::requestAnalysis() {
    if (!m_document.isOpen())
        return;
    m_analyses.request([subject =
                            Subject{m_document.snapshot(), m_document.path().string(), m_document.folder()},
                        &document = m_document,
                        &checks = m_checks](const core::JobContext&) -> views::LatestRunner::Deliver {
        auto analysis = std::make_shared<views::ProjectAnalysis>(analysisOf(subject, checks));
        return
            [&document, of = subject.project, analysis] { document.setAnalysis(of, std::move(*analysis)); };
    });
}

void LiveEstimator::requestEstimate() {
    if (!m_document.isOpen())
        return;
    m_estimates.request([subject =
                             Subject{m_document.estimated(), m_document.path().string(), m_document.folder()},
                         &document = m_document, &checks = m_checks,
                         cache = m_cache](const core::JobContext& job) -> views::LatestRunner::Deliver {
        auto estimate = std::make_shared<core::PlanEstimate>(estimateOf(subject, checks, *cache, job));
        return
            [&document, of = subject.project, estimate] { document.setEstimate(of, std::move(*estimate)); };
    });
}

} // namespace app
