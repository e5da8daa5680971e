#include "app/verbs/machine/plan_search_argument.h"

#include "app/reports/report_table.h"
#include "app/reports/run_report.h"
#include "app/services/plan/deadline.h"
#include "app/services/run/moved_project.h"
#include "app/services/run/project_check.h"
#include "app/services/run/project_wants.h"
#include "app/verbs/base/option_value.h"
#include "app/verbs/machine/stage_locks.h"
#include "core/platform/work_scope.h"
#include "core/project/project_edit.h"
#include "simulator/planner/search/plan_search.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>

namespace app {

namespace {

using simulator::PlanSearchOutcome;
using simulator::SearchedPlan;

/// The words of `--keep`.
struct KeptPart {
    std::string_view name;
    bool simulator::PlanFreedom::*isFree;
};
constexpr std::array keptParts{KeptPart{"split", &simulator::PlanFreedom::split},
                               KeptPart{"replicas", &simulator::PlanFreedom::replicas},
                               KeptPart{"schedule", &simulator::PlanFreedom::schedule},
                               KeptPart{"micro-batch", &simulator::PlanFreedom::microBatch},
                               KeptPart{"recompute", &simulator::PlanFreedom::recompute},
                               KeptPart{"offload", &simulator::PlanFreedom::offload},
                               KeptPart{"memory-proportion", &simulator::PlanFreedom::memoryProportion}};

constexpr std::string_view searchObjective = "highest throughput that fits";
/// What is searched, and so what a proof speaks of.
constexpr std::string_view searchSpace =
    "stages that follow one another on an IPU each (no folded mapping, which has several on one), schedules "
    "Grouped, Interleaved and Sequential";

ReportTable frontTable(const PlanSearchOutcome& outcome, std::size_t shown) {
    constexpr auto right = TextTable::Align::Right;
    std::vector<ReportTable::Column> columns{{"plan", right},
                                             {"samples_per_second", right, "samples/s"},
                                             {"step_cycles", right, "step cycles"},
                                             {"peak_bytes", right, "peak bytes"},
                                             {"ipus", right, "IPUs"},
                                             {"replicas", right},
                                             {"stages", right},
                                             {"schedule"},
                                             {"batch_size", right, "micro-batch"},
                                             {"accumulation", right},
                                             {"recompute"},
                                             {"offload"},
                                             {"memory_proportion", right, "proportion"},
                                             {"stage_ends", TextTable::Align::Left, "stages end before"}};
    std::ranges::move(intervalColumns(), std::back_inserter(columns));
    columns.push_back(ReportTable::jsonColumn("proven"));
    ReportTable table(std::move(columns));
    for (std::size_t i = 0; i < std::min(shown, outcome.front.size()); ++i) {
        const SearchedPlan& plan = outcome.front[i];
        const simulator::PlanChoice& choice = plan.choice;
        std::string ends;
        for (const std::size_t end : plan.ends)
            ends += fmt::format("{}{}", ends.empty() ? "" : " ", end);
        const auto proportion = choice.memoryProportion;
        std::vector<ReportTable::Cell> cells{
            i + 1,
            {finite(plan.samplesPerSecond), fmt::format("{:.1f}", plan.samplesPerSecond)},
            plan.step.value(),
            plan.peak.value(),
            plan.ipus,
            choice.replicas,
            choice.stages,
            {choice.stages > 1 ? core::Json(choice.schedule) : core::Json(),
             choice.stages > 1 ? choice.schedule : "-"},
            choice.batchSize,
            choice.accumulation,
            {choice.recompute, choice.recompute ? "yes" : "no"},
            std::string(simulator::toString(choice.offload)),
            {proportion ? core::Json(*proportion) : core::Json(),
             proportion ? fmt::format("{}", *proportion) : "as it is"},
            {core::Json(plan.ends), ends}};
        std::ranges::move(
            intervalCells(core::predictedRanges(plan.intervals, plan.samplesPerSecond, plan.step, plan.peak)),
            std::back_inserter(cells));
        cells.emplace_back(outcome.isProven && i == 0);
        table.add(std::move(cells));
    }
    return table;
}

/// What is not said of the front by a proof, and by a gap.
std::string frontText(const PlanSearchOutcome& outcome) {
    if (outcome.isFrontWhole && !outcome.front.empty())
        return "The front is whole: every other plan of the space is no better than one of these.\n";
    return outcome.front.size() < 2 ? ""
                                    : "That is said of the fastest plan alone: the others are the best that "
                                      "were simulated, and another split of the same choice may be faster "
                                      "with as little memory.\n";
}

/// `project`: as it is searched.
std::string proofText(const PlanSearchOutcome& outcome, const core::Project& project) {
    if (outcome.front.empty() && outcome.isProven)
        return "No plan fits: proven.\n";
    const bool isHalf = project.training.precision == "float16";
    if (outcome.front.empty())
        return fmt::format(
            "No plan was found that fits, and none is excluded ({} choices, {} plans "
            "simulated{}). {} may find one.\n",
            outcome.choices, outcome.simulated, outcome.isCut ? ", stopped before its end" : "",
            isHalf ? "More time or more IPUs" : "More time, more IPUs or training.precision=float16");
    if (outcome.isProven)
        return fmt::format("Proven: no plan of the space that fits has a higher throughput ({} choices, {} "
                           "plans simulated).\n",
                           outcome.choices, outcome.simulated);
    const std::string gap =
        std::isfinite(outcome.gap)
            ? fmt::format("at most {:.2f} % more throughput is possible", 100 * outcome.gap)
            : std::string("how much more throughput is possible is not known");
    return fmt::format("Not proven: {} ({} choices, {} plans simulated{}).\n", gap, outcome.choices,
                       outcome.simulated, outcome.isCut ? ", stopped before its end" : "");
}

Report reportOf(const PlanSearchOutcome& outcome, const core::Project& project, std::int64_t ipus,
                std::size_t shown) {
    Report report;
    report.json = reportJson("plan");
    report.json["objective"] = searchObjective;
    report.json["space"] = searchSpace;
    report.json["ipus"] = ipus;
    report.json["effective_batch"] = outcome.effectiveBatch;
    report.json["proven_optimal"] = outcome.isProven;
    report.json["gap"] = finite(outcome.gap);
    report.json["bound_samples_per_second"] = finite(outcome.bound);
    report.json["stopped_early"] = outcome.isCut;
    report.json["choices"] = outcome.choices;
    report.json["simulated"] = outcome.simulated;
    report.json["front_is_whole"] = outcome.isFrontWhole;
    const ReportTable table = frontTable(outcome, shown);
    table.writeTo(report, "front");
    report.json["assignment"] = core::Json::array();
    if (!outcome.front.empty())
        for (const core::StageId stage : outcome.front.front().project.assignment.stages)
            report.json["assignment"].push_back(stage.index());
    report.text = fmt::format("Objective: {}, effective batch {}, up to {} IPUs.\nSpace: {}.\n\n",
                              searchObjective, outcome.effectiveBatch, ipus, searchSpace);
    report.text += outcome.front.empty() ? "" : table.text() + "\n";
    report.text += proofText(outcome, project) + frontText(outcome);
    report.isNegative = outcome.front.empty();
    return report;
}

} // namespace

void PlanSearchArgument::addOptions(CLI::App& command) {
    command.add_flag(
        "--search", m_isGiven,
        "Search split, replicas, schedule, micro-batch, accumulation, recomputation, offloading and "
        "memory proportion together for the highest throughput that fits: stages that follow one another on "
        "an IPU each, Grouped, Interleaved and Sequential, micro-batches up to 4096 samples, memory "
        "proportions 0.15, 0.3 and the project's own");
    addWholeNumber(command, "--ipus", m_ipus, 1, 1024, "With --search: IPUs of all replicas, at most")
        ->type_name("N");
    addWholeNumber(command, "--batch", m_batch, 1, 1 << 30,
                   "With --search: samples per weight update, kept exactly; default: the project's")
        ->type_name("EFFECTIVE");
    addNumber(command, "--time-limit", m_seconds, NumberRange::AboveZero, 1e6,
              "With --search: stop after so many seconds and say how much more is possible")
        ->type_name("S");
    addWholeNumber(command, "--memory-limit", m_memory, 1, std::int64_t(1) << 50,
                   "With --search: bytes of the fullest IPU, at most; default: the target's")
        ->type_name("BYTES");
    addWholeNumber(command, "--simulations", m_simulations, 1, 1'000'000,
                   "With --search: plans to simulate, at most; default: 400")
        ->type_name("N");
    addWholeNumber(command, "--pick", m_pick, 1, 1000,
                   "With --search and -o FILE: write this plan of the front; 1, the default, is the best")
        ->type_name("K");
    command
        .add_option_function<std::vector<std::string>>(
            "--keep",
            [this](const std::vector<std::string>& parts) {
                std::vector<std::string_view> names;
                for (const KeptPart& part : keptParts)
                    names.push_back(part.name);
                for (const std::string& part : parts)
                    m_freedom.*keptParts[readChoice("--keep", part, names)].isFree = false;
            },
            "With --search: leave this as it is: split, replicas, schedule, micro-batch, recompute, offload "
            "or memory-proportion")
        ->type_name("PART")
        ->expected(1)
        ->take_all();
}

std::optional<core::Diagnostic> PlanSearchArgument::misplaced() const {
    const std::pair<const char*, bool> options[]{{"--ipus", m_ipus.has_value()},
                                                 {"--batch", m_batch.has_value()},
                                                 {"--time-limit", m_seconds.has_value()},
                                                 {"--memory-limit", m_memory.has_value()},
                                                 {"--simulations", m_simulations.has_value()},
                                                 {"--pick", m_pick.has_value()},
                                                 {"--keep", m_freedom != simulator::PlanFreedom{}}};
    for (const auto& [name, isThere] : options)
        if (isThere)
            return usageError("usage/arguments", name, "goes with --search only",
                              "add --search, or cut into a number of stages with --stages N alone");
    return std::nullopt;
}

core::Result<Report> PlanSearchArgument::run(ProjectArgument& argument, const std::vector<std::string>& locks,
                                             std::optional<std::int64_t> alternatives,
                                             const VerbContext& context) const {
    if (!m_ipus)
        return core::failure(usageError("usage/arguments", "--search", "needs the number of IPUs",
                                        "write for example --ipus 16 --search"));
    if (m_pick && context.output.file.empty())
        return core::failure(usageError("usage/pick", "--pick", "there is no file for the project",
                                        "name one with -o FILE, or write it to stdout with -o -"));
    auto file = argument.load();
    if (!file)
        return core::failure(std::move(file.error()));
    const std::string name = argument.path().string();
    auto locked = readLocks(locks, file->project,
                            core::flattened(core::assignmentEntries(file->project.model)), std::nullopt);
    if (!locked)
        return core::failure(std::move(locked.error()));
    DatasetFactsCache datasets;
    const auto facts = datasets.facts(file->project, core::RunMode::Train, argument.folder());
    if (!facts)
        return core::failure(facts.error());
    const Deadline deadline(context.job, m_seconds.value_or(1e9));
    simulator::PlanSearchRequest request{.project = file->project,
                                         .facts = *facts,
                                         .file = name,
                                         .folder = argument.folder(),
                                         .ipus = *m_ipus,
                                         .effectiveBatch = m_batch,
                                         .memoryLimit = m_memory,
                                         .freedom = m_freedom,
                                         .locks = *std::move(locked)};
    if (m_simulations)
        request.simulations = static_cast<std::size_t>(*m_simulations);
    simulator::CompilationCache cache;
    // The best so far is worth waiting for.
    const core::WritingScope searching;
    const auto outcome = simulator::searchPlans(request, cache, deadline.job());
    if (!outcome)
        return core::failure(argument.withSettingPlaces(outcome.error()));
    const auto shown =
        alternatives ? static_cast<std::size_t>(*alternatives) + 1 : std::numeric_limits<std::size_t>::max();
    Report report = reportOf(*outcome, file->project, *m_ipus, shown);
    report.diagnostics = std::move(file->warnings);
    if (const auto note = dataOutside(file->project, argument.folder(), name))
        report.diagnostics.push_back(*note);
    if (context.job.isCancelled())
        report.diagnostics.push_back(
            core::makeError(core::Trouble::Interrupted, "interrupted", {name, ""},
                            fmt::format("stopped on request; {} plans were simulated", outcome->simulated),
                            {"the answer is the best so far; --time-limit S stops in time and writes it"}));
    const auto picked = static_cast<std::size_t>(m_pick.value_or(1));
    if (context.output.file.empty() || (outcome->front.empty() && context.job.isCancelled()))
        return report;
    if (outcome->front.empty())
        return core::failure(core::makeError(
            core::Trouble::Negative, "plan/nothing-fits", {name, ""},
            !outcome->isProven ? "no plan was found that fits, so none is written" : "no plan fits",
            {"give it more IPUs, more time, a larger --memory-limit or another --batch"}));
    if (picked > outcome->front.size())
        return core::failure(usageError("usage/pick", "--pick", fmt::format("there is no plan {}", picked),
                                        fmt::format("they are numbered 1 to {}", outcome->front.size())));
    report.content = core::writeProject(
        projectForOutput(outcome->front[picked - 1].project, argument.folder(), context.output.file));
    return report;
}

} // namespace app
