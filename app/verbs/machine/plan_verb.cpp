#include "app/reports/report_table.h"
#include "app/services/run/dataset_facts.h"
#include "app/services/run/moved_project.h"
#include "app/services/run/project_wants.h"
#include "app/verbs/base/option_value.h"
#include "app/verbs/base/project_argument.h"
#include "app/verbs/base/verb.h"
#include "app/verbs/machine/plan_search_argument.h"
#include "app/verbs/machine/stage_locks.h"
#include "core/plan/assignment_entries.h"
#include "core/project/choices/pipeline_choices.h"
#include "core/project/project_edit.h"
#include "simulator/planner/partition_check.h"
#include "simulator/planner/stage_plan.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

namespace app {

namespace {

/// Cuts a model into stages exactly.
class PlanVerb final : public Verb {
public:
    void addOptions(CLI::App& command) override {
        m_command = &command;
        m_project.addOptions(command);
        addWholeNumber(command, "--stages", m_stages, 1, 16384, "Stages to cut the model into")
            ->type_name("N");
        addChoice<simulator::PartitionObjective>(
            command, "--objective", m_request.objective,
            {{"time", simulator::PartitionObjective::Time},
             {"memory", simulator::PartitionObjective::Memory},
             {"blend", simulator::PartitionObjective::Blend}},
            "What the largest stage is measured by: time, memory or blend")
            ->type_name("NAME");
        addNumber(command, "--time-share", m_request.timeShare, NumberRange::FromZero, 1,
                  "Share of time in a blend")
            ->type_name("SHARE")
            ->default_str(fmt::format("{}", m_request.timeShare));
        command.add_option("--lock", m_locks, "Keep a layer on a stage")
            ->type_name("LAYER=STAGE")
            ->expected(1)
            ->take_all();
        addWholeNumber(command, "--alternatives", m_alternatives, 0, 100,
                       "How many further plans to find; of a search, to show")
            ->type_name("K");
        m_search.addOptions(command);
    }

    core::Result<Report> run(const VerbContext& context) override {
        if (m_search.isGiven())
            return search(context);
        if (auto misplaced = m_search.misplaced())
            return core::failure(std::move(*misplaced));
        if (!m_stages)
            return core::failure(usageError("usage/arguments", "--stages", "the number of stages is missing",
                                            "write --stages N, or --ipus N --search to search for it too"));
        m_request.stages = static_cast<std::size_t>(*m_stages);
        auto file = m_project.load();
        if (!file)
            return core::failure(std::move(file.error()));
        const auto calls = core::flattened(core::assignmentEntries(file->project.model));
        auto locks = readLocks(m_locks, file->project, calls, m_request.stages);
        if (!locks)
            return core::failure(std::move(locks.error()));
        m_request.locks = *std::move(locks);
        m_request.alternatives = static_cast<std::size_t>(m_alternatives.value_or(0)) + 1;
        simulator::CompilationCache cache;
        const auto partitions = simulator::planStages(file->project, m_project.path().string(),
                                                      m_project.folder(), m_request, cache, context.job);
        if (!partitions)
            return core::failure(partitions.error());
        const auto whole =
            core::withPipelineNeeds(file->project, simulator::withPlan(file->project, partitions->front()));
        if (!whole)
            return core::failure(whole.error());
        const core::Project& planned = *whole;
        DatasetFactsCache datasets;
        const auto facts = datasets.facts(planned, core::RunMode::Train, m_project.folder());
        // The search has reported its progress; the check behind it is short.
        const core::JobContext quietly{context.job.stopToken, {}};
        const auto compiled =
            simulator::compilePartition(planned, partitions->front(), facts ? *facts : std::nullopt,
                                        m_project.path().string(), m_project.folder(), cache, quietly);
        Report report = reportOf(*partitions, calls);
        addProof(compiled, report);
        report.diagnostics = std::move(file->warnings);
        if (const auto note = dataOutside(planned, m_project.folder(), m_project.path().string()))
            report.diagnostics.push_back(*note);
        if (!context.output.file.empty()) {
            report.content =
                core::writeProject(projectForOutput(planned, m_project.folder(), context.output.file));
            addObstacles(compiled, report);
        }
        return report;
    }

private:
    core::Result<Report> search(const VerbContext& context) {
        if (m_stages)
            return core::failure(usageError("usage/arguments", "--stages", "a search finds the stages itself",
                                            "leave --stages out, or --search"));
        const std::pair<const char*, bool> options[]{{"--objective", m_command->count("--objective") > 0},
                                                     {"--time-share", m_command->count("--time-share") > 0}};
        for (const auto& [name, isThere] : options)
            if (isThere)
                return core::failure(usageError("usage/arguments", name, "goes with --stages only",
                                                fmt::format("leave {} out, or cut with --stages N", name)));
        return m_search.run(m_project, m_locks, m_alternatives, context);
    }

    Report reportOf(const std::vector<simulator::Partition>& partitions,
                    const std::vector<core::AssignmentEntry>& calls) const {
        constexpr std::string_view names[]{"time", "memory", "blend"};
        const simulator::Partition& best = partitions.front();
        Report report;
        report.json = reportJson("plan");
        report.json["objective"] = names[static_cast<std::size_t>(m_request.objective)];
        report.json["bottleneck_cycles"] = best.bottleneckCycles();
        report.json["exact_for"] = simulator::partitionModel;
        report.json["proven_optimal"] = false;
        constexpr auto right = TextTable::Align::Right;
        ReportTable table({{"stage", right},
                           {"first"},
                           {"last"},
                           {"invocations", right},
                           {"cycles", right},
                           {"peak_bytes", right},
                           {"cut_bytes", right}});
        for (std::size_t i = 0; i < best.stages.size(); ++i) {
            const simulator::StageCost& stage = best.stages[i];
            table.add({i, calls[stage.firstLayer].path, calls[stage.endLayer - 1].path,
                       stage.endLayer - stage.firstLayer, stage.cycles, stage.peakBytes, stage.cutBytes});
        }
        table.writeTo(report, "stages");
        report.json["assignment"] = best.assignment();
        report.json["alternatives"] = core::Json::array();
        for (std::size_t i = 1; i < partitions.size(); ++i)
            report.json["alternatives"].push_back({{"bottleneck_cycles", partitions[i].bottleneckCycles()},
                                                   {"peak_bytes", partitions[i].peakBytes()},
                                                   {"assignment", partitions[i].assignment()}});
        return report;
    }

    /// What the search proves it proves of its own model; of the compiler's, where both agree on the plan.
    static void addProof(const core::Result<simulator::CompiledPartition>& compiled, Report& report) {
        report.json["proven_optimal"] = compiled && compiled->agrees;
        report.text += fmt::format("No other cut is better by the {}.\n", simulator::partitionModel);
        if (!compiled) {
            report.json["compiled"] = nullptr;
            report.text += fmt::format("Not compiled: {}\n", compiled.error().front().message);
            return;
        }
        const core::PredictionInterval time = core::inverseInterval(compiled->intervals.rate);
        const auto range = [](std::int64_t figure, const core::PredictionInterval& interval) {
            return core::Json{std::llround(core::real(figure) * interval.low),
                              std::llround(core::real(figure) * interval.high)};
        };
        const core::Json cycles = range(compiled->slowestStageCycles, time);
        const core::Json bytes = range(compiled->peakBytes, compiled->intervals.peak);
        report.json["compiled"] = {
            {"slowest_stage_cycles", compiled->slowestStageCycles},
            {"peak_bytes", compiled->peakBytes},
            {"intervals",
             {{"coverage", core::intervalCoverage},
              {"slowest_stage_cycles", cycles},
              {"peak_bytes", bytes},
              {"rows", {{"slowest_stage_cycles", time.rows}, {"peak_bytes", compiled->intervals.peak.rows}}},
              {"own_rows",
               {{"slowest_stage_cycles", time.ownRows}, {"peak_bytes", compiled->intervals.peak.ownRows}}}}}};
        report.text +=
            fmt::format("Compiled: {} cycles on the slowest stage (measured, 4 of 5 programs: {} to "
                        "{}), {} bytes on the fullest IPU ({} to {}).\n",
                        compiled->slowestStageCycles, cycles[0].dump(), cycles[1].dump(), compiled->peakBytes,
                        bytes[0].dump(), bytes[1].dump());
    }

    /// What somebody has decided stays, and may not go with the new stages: the file says nothing of it.
    static void addObstacles(const core::Result<simulator::CompiledPartition>& compiled, Report& report) {
        if (compiled)
            return;
        for (core::Diagnostic obstacle : compiled.error()) {
            obstacle.severity = core::Severity::Warning;
            report.diagnostics.push_back(std::move(obstacle));
        }
    }

    CLI::App* m_command = nullptr;
    ProjectArgument m_project;
    simulator::PartitionRequest m_request;
    std::vector<std::string> m_locks;
    std::optional<std::int64_t> m_stages;
    std::optional<std::int64_t> m_alternatives;
    PlanSearchArgument m_search;
};

} // namespace

VerbDefinition planVerb() {
    return {.name = "plan",
            .summary = "Cut a project's model into stages, exactly, or search everything for N IPUs",
            .examples = {"plan net.ipuproj --stages 4",
                         "plan net.ipuproj --stages 4 --lock embedding=0 --alternatives 3 --json",
                         "plan net.ipuproj --stages 8 --objective memory -o planned.ipuproj",
                         "plan net.ipuproj --ipus 16 --search --batch 1024 --time-limit 30 -o best.ipuproj"},
            .make = makeVerb<PlanVerb>,
            .hasCsv = true};
}

} // namespace app
