#include "app/services/advice_finder.h"

#include "app/services/dataset_facts.h"
#include "app/services/plan_choices.h"
#include "app/services/stage_plan.h"
#include "core/project/project_edit.h"
#include "core/project/validate.h"
#include "simulator/planner/estimate.h"

#include <algorithm>
#include <fmt/format.h>

namespace app {

namespace {

constexpr double leastGain = 0.005;
constexpr std::size_t mostAdvice = 8;
constexpr int restMilliseconds = 700;

struct Candidate {
    std::string text;
    core::Result<core::Project> project;
};

core::Bytes peakOf(const core::PlanEstimate& estimate) {
    core::Bytes peak;
    for (const core::IpuEstimate& ipu : estimate.ipus)
        peak = std::max(peak, ipu.peak);
    return peak;
}

void addMicroBatches(const core::Project& project, std::vector<Candidate>& candidates) {
    const std::int64_t present = microBatchesOf(project);
    for (const std::int64_t factor : {2, 4}) {
        // More micro-batches fill the pipeline better; the effective batch grows with them, which is said.
        candidates.push_back({fmt::format("Use {} micro-batches instead of {} (effective batch × {})",
                                          present * factor, present, factor),
                              withMicroBatchChoice(project, present * factor)});
    }
}

void addSchedules(const core::Project& project, std::vector<Candidate>& candidates) {
    for (const core::ScheduleKind kind :
         {core::ScheduleKind::Grouped, core::ScheduleKind::Interleaved, core::ScheduleKind::Sequential}) {
        if (kind != project.pipeline.schedule)
            candidates.push_back({fmt::format("Use the schedule {}", core::toString(kind)),
                                  core::withSchedule(project, kind)});
    }
}

void addOptions(const core::Project& project, std::vector<Candidate>& candidates) {
    const bool isOn = core::optionIsOn(project.ipuConfig, "allow_recompute");
    candidates.push_back(
        {isOn ? "Do not recompute activations" : "Recompute activations instead of keeping them",
         core::withIpuOption(project, "allow_recompute", !isOn)});
    if (project.pipeline.offloadWeightUpdateVariables != std::optional(false)) {
        core::PipelineOptions options = project.pipeline;
        options.offloadWeightUpdateVariables = false;
        candidates.push_back(
            {"Keep the optimizer state on the IPUs", core::withPipelineOptions(project, options)});
    }
    if (project.pipeline.offloadWeightUpdateVariables != std::optional(true)) {
        core::PipelineOptions options = project.pipeline;
        options.offloadWeightUpdateVariables = true;
        candidates.push_back(
            {"Keep the optimizer state in streaming memory", core::withPipelineOptions(project, options)});
    }
}

void addSplits(const core::Project& project, const std::string& file, const std::filesystem::path& folder,
               simulator::CompilationCache& cache, const core::JobContext& job,
               std::vector<Candidate>& candidates) {
    simulator::PartitionRequest request;
    request.stages = project.assignment.stageCount();
    constexpr std::array objectives{std::pair{simulator::PartitionObjective::Time, "time"},
                                    std::pair{simulator::PartitionObjective::Memory, "memory"}};
    for (const auto& [objective, name] : objectives) {
        request.objective = objective;
        const auto plans = planStages(project, file, folder, request, cache, job);
        if (plans && !plans->empty())
            candidates.push_back({fmt::format("Cut into {} stages of even {}", request.stages, name),
                                  withPlan(project, plans->front())});
    }
}

} // namespace

std::vector<Advice> findAdvice(const core::Project& project, const core::PlanEstimate& present,
                               const std::string& file, const std::filesystem::path& folder,
                               simulator::CompilationCache& cache, const core::JobContext& job) {
    std::vector<Candidate> candidates;
    if (project.assignment.isPipelined()) {
        addSplits(project, file, folder, cache, job, candidates);
        addSchedules(project, candidates);
    }
    addMicroBatches(project, candidates);
    addOptions(project, candidates);
    std::vector<Advice> advice;
    for (Candidate& candidate : candidates) {
        if (job.isCancelled())
            return {};
        if (!candidate.project || *candidate.project == project)
            continue;
        const auto facts = datasetFacts(*candidate.project, core::RunMode::Train, folder);
        const auto validated =
            core::validate(*candidate.project, core::RunMode::Train, facts ? *facts : std::nullopt, file);
        if (!validated)
            continue;
        const core::PlanEstimate estimate = simulator::estimate(*validated, cache, job, folder);
        if (!estimate.refusal.empty() || !estimate.fits)
            continue;
        const double gain =
            present.samplesPerSecond > 0 ? estimate.samplesPerSecond / present.samplesPerSecond - 1 : 0;
        if (present.fits && gain < leastGain)
            continue;
        advice.push_back({std::move(candidate.text), std::move(*candidate.project), gain, peakOf(estimate),
                          !present.fits});
    }
    std::stable_sort(advice.begin(), advice.end(),
                     [](const Advice& a, const Advice& b) { return a.gain > b.gain; });
    if (advice.size() > mostAdvice)
        advice.resize(mostAdvice);
    return advice;
}

AdviceFinder::AdviceFinder(views::Document& document, QObject* parent)
    : QObject(parent)
    , m_document(document)
    , m_cache(std::make_shared<simulator::CompilationCache>()) {
    m_timer.setSingleShot(true);
    m_timer.setInterval(restMilliseconds);
    connect(&m_timer, &QTimer::timeout, this, &AdviceFinder::look);
    connect(&document, &views::Document::estimateChanged, this, [this] { m_timer.start(); });
    connect(&document, &views::Document::projectChanged, this, [this] {
        m_runner.cancel();
        m_timer.start();
    });
    connect(&document, &views::Document::opened, this, [this] {
        m_askedOf.reset();
        m_runner.cancel();
    });
}

void AdviceFinder::look() {
    const views::ProjectSnapshot snapshot = m_document.snapshot();
    if (!snapshot || snapshot == m_askedOf || !m_document.isEstimateCurrent() || m_document.preview())
        return;
    if (!m_document.estimate()->refusal.empty())
        return;
    m_askedOf = snapshot;
    m_runner.request([this, snapshot, present = *m_document.estimate(), file = m_document.path().string(),
                      folder = m_document.folder(),
                      cache = m_cache](const core::JobContext& job) -> views::LatestRunner::Deliver {
        auto advice =
            std::make_shared<std::vector<Advice>>(findAdvice(*snapshot, present, file, folder, *cache, job));
        return [this, snapshot, advice] { emit found(snapshot, *advice); };
    });
}

} // namespace app
