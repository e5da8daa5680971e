#include "app/services/sweep/point_evaluator.h"

#include "app/services/run/system_findings.h"
#include "core/project/validate.h"
#include "simulator/planner/estimate.h"

#include <algorithm>
#include <fmt/format.h>

namespace app {

namespace {

/// Machines and data that are remembered.
constexpr std::size_t mostStoredOptions = 4096;

std::string findingText(const core::Diagnostics& findings) {
    for (const core::Diagnostic& finding : findings) {
        if (finding.severity == core::Severity::Error)
            return fmt::format("{}: {}", finding.code, finding.message);
    }
    return {};
}

void setState(core::SweepPointRecord& record, core::SweepPointState state,
              const core::Diagnostics& findings) {
    record.state = state;
    record.finding = findingText(findings);
}

void takeFigures(const core::ValidatedProject& project, const core::PlanEstimate& plan,
                 core::SweepPointRecord& record) {
    record.state = plan.fits ? core::SweepPointState::Fits : core::SweepPointState::DoesNotFit;
    record.ipus = project.ipusPerReplica() * project.replicas();
    record.replicas = project.replicas();
    record.effectiveBatch = project.effectiveBatch();
    record.step = plan.step;
    record.samplesPerSecond = plan.samplesPerSecond;
    record.idleFraction = plan.idleFraction;
    core::Bytes peak;
    core::Bytes limit;
    for (const core::IpuEstimate& ipu : plan.ipus) {
        if (ipu.peak >= peak) {
            peak = ipu.peak;
            limit = ipu.limit;
        }
    }
    record.peak = peak;
    record.limit = limit;
    record.intervals = plan.intervals;
}

} // namespace

PointEvaluator::PointEvaluator(const SweepSubject& subject, DatasetFactsCache& datasets)
    : m_subject(subject)
    , m_datasets(datasets)
    , m_projects(subject)
    , m_systems(m_projects.placesOf({"system", "ipu_config"}), mostStoredOptions)
    , m_facts(m_projects.placesOf({"training"}), mostStoredOptions) {}

core::SweepPointRecord PointEvaluator::evaluate(std::int64_t point, const core::JobContext& job) {
    const std::span<const std::uint64_t> numbers = m_projects.numbersOf(point);
    core::SweepPointRecord record;
    record.point = point;
    record.values = m_projects.axes().valuesOf(numbers.first(m_projects.axes().paths().size()));
    auto made = m_projects.project(point, numbers);
    if (!made) {
        setState(record, core::SweepPointState::Failed, made.error());
        return record;
    }
    simulate(*made, numbers, record, job);
    if (made->examiner != nullptr)
        m_projects.giveBack(*made->examiner, std::move(made->project));
    return record;
}

const core::Diagnostics& PointEvaluator::systemFindingsOf(const core::Project& project,
                                                          std::span<const std::uint64_t> numbers) {
    if (const core::Diagnostics* known = m_systems.find(numbers))
        return *known;
    return m_systems.remember(systemFindings(project, m_subject.file, m_subject.folder));
}

const core::Result<std::optional<core::DatasetFacts>>&
PointEvaluator::factsOf(const core::Project& project, std::span<const std::uint64_t> numbers) {
    if (const auto* known = m_facts.find(numbers))
        return *known;
    return m_facts.remember(m_datasets.facts(project, core::RunMode::Train, m_subject.folder));
}

void PointEvaluator::simulate(PointProjects::PointProject& made, std::span<const std::uint64_t> numbers,
                              core::SweepPointRecord& record, const core::JobContext& job) {
    core::Project& project = made.project;
    if (const core::Diagnostics& system = systemFindingsOf(project, numbers); core::hasErrors(system))
        return setState(record, core::SweepPointState::Refused, system);
    const auto& facts = factsOf(project, numbers);
    if (!facts)
        return setState(record, core::SweepPointState::Failed, facts.error());
    // A project that breaks a rule is not moved from.
    auto outcome = made.examiner != nullptr
                       ? core::validateAll(std::move(project), core::RunMode::Train, *facts, m_subject.file,
                                           *made.examiner)
                       : core::validateAll(project, core::RunMode::Train, *facts, m_subject.file);
    if (!outcome.project)
        return setState(record, core::SweepPointState::Refused, outcome.findings);
    const core::PlanEstimate plan =
        simulator::estimateTotals(*outcome.project, m_cache, m_updates, job, m_subject.folder);
    if (plan.refusal.empty()) {
        takeFigures(*outcome.project, plan, record);
    } else {
        record.state = core::SweepPointState::Refused;
        record.finding = plan.refusal;
    }
    project = std::move(*outcome.project).intoProject();
}

} // namespace app
