#include "app/services/plan/live_estimator.h"

#include "core/config/proposed_loss.h"
#include "core/model/graph/infer_shapes.h"
#include "core/project/sound_part.h"
#include "core/project/validate.h"
#include "simulator/planner/estimate.h"

namespace app {

namespace {

/// Project and whatever else its checks need, off the document's thread.
struct Subject {
    views::ProjectSnapshot project;
    std::string file;
    std::filesystem::path folder;
};

/// Shapes of a project that breaks a rule, as far as they are known.
std::shared_ptr<const core::TypedGraph> shapesOf(const core::Project& project) {
    core::InferenceOptions options;
    options.batchSize = project.training.batchSize;
    options.opaqueLayers = project.opaqueLayers;
    options.precision = core::precisionFromName(project.training.precision).value_or(core::PrecisionPolicy{});
    core::InferredModel inferred = core::inferKnownShapes(project.model, options);
    if (inferred.graph.invocations.empty())
        return nullptr;
    return std::make_shared<const core::TypedGraph>(std::move(inferred.graph));
}

/// A finding about a file that the project names is shown at the project, with the file in words.
core::Diagnostic atProject(core::Diagnostic finding, const Subject& subject) {
    const std::string file = finding.location.file;
    if (file.empty() || file == subject.file || finding.location.place.starts_with('/') ||
        !finding.code.starts_with("file/"))
        return finding;
    if (finding.message.find(file) == std::string::npos)
        finding.message = file + ": " + finding.message;
    finding.location = {subject.file, "/training/dataset"};
    return finding;
}

views::ProjectAnalysis analysisOf(const Subject& subject, ProjectChecks& checks) {
    const auto check = checks.check(subject.project, subject.file, subject.folder);
    const core::ValidationOutcome& outcome = check->outcome;
    views::ProjectAnalysis analysis;
    for (const core::Diagnostic& finding : outcome.findings)
        analysis.diagnostics.push_back(atProject(finding, subject));
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
    if (auto estimate = estimateWithoutData(*subject.project, cache, job, subject.folder))
        return std::move(*estimate);
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

core::Project forPricing(core::Project project) {
    project.training.dataset.reset();
    project.training.validationDataset.reset();
    if (project.training.losses.empty())
        project.training.losses = core::proposedLosses(project.model);
    return project;
}

std::optional<core::PlanEstimate> estimateWithoutData(const core::Project& project,
                                                      simulator::CompilationCache& cache,
                                                      const core::JobContext& job,
                                                      const std::filesystem::path& folder) {
    const core::Project priced = forPricing(project);
    if (const auto sound = core::validate(priced, core::RunMode::Train))
        return simulator::estimate(*sound, cache, job, folder);
    const auto part = core::soundPart(priced);
    if (!part)
        return std::nullopt;
    const auto sound = core::validate(part->project, core::RunMode::Train);
    if (!sound)
        return std::nullopt;
    core::PlanEstimate estimate = simulator::estimate(*sound, cache, job, folder);
    estimate.uncounted = part->leftOut;
    return estimate;
}

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
