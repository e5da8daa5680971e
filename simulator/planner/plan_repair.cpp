#include "simulator/planner/plan_repair.h"

#include "core/config/ipu_config/ipu_config_values.h"
#include "core/plan/assignment_entries.h"
#include "core/plan/recomputation.h"
#include "core/plan/schedule/schedule_catalogue.h"
#include "core/plan/schedule/schedule_rules.h"
#include "core/project/project_edit.h"
#include "core/project/run_figures.h"
#include "simulator/planner/plan_choices.h"
#include "simulator/planner/stage_plan.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <tuple>

namespace simulator {

namespace {

/// Every number of stages is twice the one before, up to this.
constexpr std::size_t mostStages = 64;
/// The least that convolutions and products are asked to work with.
constexpr double smallProportion = 0.15;

enum class RepairPart : std::uint8_t {
    OffloadActivations,
    OffloadState,
    Proportion,
    MicroBatch,
    Recompute,
    Split
};
constexpr std::size_t partCount = 6;

/// Which changes are made, and on how many stages.
struct Combination {
    std::array<bool, partCount> has{};
    std::size_t stages = 1;

    [[nodiscard]] bool operator[](RepairPart part) const { return has[static_cast<std::size_t>(part)]; }
    bool operator==(const Combination&) const = default;
};

class PlanRepair {
public:
    PlanRepair(const AdviceRequest& request, CompilationCache& cache, const core::JobContext& job)
        : m_request(request)
        , m_cache(cache)
        , m_job(job)
        , m_stages(std::max<std::size_t>(
              1, request.project.assignment.isPipelined() ? request.project.assignment.stageCount() : 1))
        , m_layers(core::countOf(core::assignmentEntries(request.project.model))) {}

    std::vector<Advice> find() {
        // The first size that fits, and the next one: more IPUs may cost less time.
        int sizes = 0;
        for (std::size_t stages = m_stages; stages <= std::min(mostStages, m_layers) && sizes < 2;
             stages *= 2) {
            if (m_job.isCancelled())
                return {};
            Combination everything{{true, true, true, true, true, true}, stages};
            if (!simulate(everything))
                continue;
            ++sizes;
            reduce(everything,
                   {RepairPart::OffloadActivations, RepairPart::OffloadState, RepairPart::Proportion,
                    RepairPart::MicroBatch, RepairPart::Recompute, RepairPart::Split});
            if (sizes == 1)
                reduce(everything,
                       {RepairPart::Split, RepairPart::Recompute, RepairPart::MicroBatch,
                        RepairPart::Proportion, RepairPart::OffloadActivations, RepairPart::OffloadState});
        }
        std::ranges::stable_sort(m_found, [](const Advice& a, const Advice& b) {
            return std::tuple(a.ipus, -a.samplesPerSecond) < std::tuple(b.ipus, -b.samplesPerSecond);
        });
        return std::move(m_found);
    }

private:
    /// Leaves out what is not needed, in this order.
    void reduce(Combination combination, const std::array<RepairPart, partCount>& order) {
        auto best = simulate(combination);
        for (const RepairPart part : order) {
            Combination without = combination;
            without.has[static_cast<std::size_t>(part)] = false;
            if (part == RepairPart::Split && combination.stages != m_stages)
                continue;
            if (auto fits = simulate(without)) {
                combination = without;
                best = std::move(fits);
            }
        }
        if (best && std::ranges::none_of(m_found,
                                         [&](const Advice& found) { return found.project == best->project; }))
            m_found.push_back(std::move(*best));
    }

    std::optional<Advice> simulate(const Combination& combination) {
        if (m_job.isCancelled())
            return std::nullopt;
        std::vector<std::string> words;
        auto project = changed(combination, words);
        if (!project || words.empty())
            return std::nullopt;
        std::string text = fmt::format("{}", fmt::join(words, ", "));
        text.front() = static_cast<char>(text.front() >= 'a' && text.front() <= 'z' ? text.front() - 'a' + 'A'
                                                                                    : text.front());
        return simulatedAdvice(std::move(text), std::move(*project), m_request, m_cache, m_job);
    }

    [[nodiscard]] core::Result<core::Project> changed(const Combination& combination,
                                                      std::vector<std::string>& words) {
        core::Result<core::Project> project = m_request.project;
        if (combination[RepairPart::MicroBatch] && project->training.batchSize > 1) {
            project = withMicroBatchSize(*project, 1);
            if (project)
                words.push_back(
                    fmt::format("micro-batches of 1 sample, {} an update", microBatchesOf(*project)));
        }
        if (project && combination[RepairPart::Proportion]) {
            project = withMemoryProportion(*project, smallProportion);
            words.push_back(fmt::format("availableMemoryProportion {}", smallProportion));
        }
        const bool isPipeline = combination.stages > 1;
        if (project && isPipeline && combination[RepairPart::Recompute] &&
            (!core::optionIsOn(project->ipuConfig, "allow_recompute") ||
             project->pipeline.recomputedStages)) {
            project->pipeline.recomputedStages.reset();
            project = core::withIpuOption(*project, "allow_recompute", true);
            words.emplace_back("recompute activations");
        }
        if (project && isPipeline && project->system.remoteMemory)
            offload(combination, *project, words);
        if (project && isPipeline && combination[RepairPart::Split])
            project = split(std::move(*project), combination.stages, words);
        return project;
    }

    static void offload(const Combination& combination, core::Project& project,
                        std::vector<std::string>& words) {
        if (combination[RepairPart::OffloadState] &&
            project.pipeline.offloadWeightUpdateVariables != std::optional(true)) {
            project.pipeline.offloadWeightUpdateVariables = true;
            words.emplace_back("keep the optimizer state in streaming memory");
        }
        if (combination[RepairPart::OffloadActivations] &&
            (project.pipeline.offloadActivations != std::optional(true) ||
             project.pipeline.offloadedStages)) {
            project.pipeline.offloadedStages.reset();
            project.pipeline.offloadActivations = true;
            words.emplace_back("keep activations in streaming memory");
        }
    }

    [[nodiscard]] core::Result<core::Project> split(core::Project project, std::size_t stages,
                                                    std::vector<std::string>& words) {
        PartitionRequest request{.stages = stages, .objective = PartitionObjective::Memory};
        request.locks = core::lockedStages(project);
        if (stages != m_stages)
            project.deviceMapping = {};
        const auto plans = planStages(project, m_request.file, m_request.folder, request, m_cache, m_job);
        if (!plans)
            return core::failure(plans.error());
        project = withPlan(project, plans->front());
        words.insert(words.begin(), stages == m_stages
                                        ? fmt::format("split into {} stages of equal memory", stages)
                                        : fmt::format("use {} stages of equal memory on {} IPUs", stages,
                                                      project.system.ipus));
        chooseSchedule(project, words);
        return project;
    }

    /// One of the programming system that takes so many stages and micro-batches, where the present one does
    /// not.
    static void chooseSchedule(core::Project& project, std::vector<std::string>& words) {
        const auto shape = core::pipelineShape(project, core::runFigures(project, core::RunMode::Train, {}));
        const auto accepts = [&](const core::ScheduleDefinition& schedule) {
            return !core::brokenScheduleRule(schedule, shape);
        };
        if (const auto* present = core::findSchedule(project.pipeline.schedule); present && accepts(*present))
            return;
        for (const core::ScheduleDefinition& schedule : core::scheduleCatalogue()) {
            if (schedule.isWhatIf || !accepts(schedule))
                continue;
            project.pipeline.schedule = schedule.name;
            if (!core::resolveRecomputation(project.pipeline.schedule, project.pipeline.recomputationMode))
                project.pipeline.recomputationMode = core::RecomputationMode::Auto;
            words.push_back(fmt::format("the schedule {}", schedule.name));
            return;
        }
    }

    const AdviceRequest& m_request;
    CompilationCache& m_cache;
    const core::JobContext& m_job;
    std::size_t m_stages;
    std::size_t m_layers;
    std::vector<Advice> m_found;
};

} // namespace

std::vector<Advice> findRepairs(const AdviceRequest& request, CompilationCache& cache,
                                const core::JobContext& job) {
    if (request.present.fits || !request.present.refusal.empty())
        return {};
    return PlanRepair(request, cache, job).find();
}

} // namespace simulator
