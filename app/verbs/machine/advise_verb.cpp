#include "app/reports/report_table.h"
#include "app/reports/run_report.h"
#include "app/services/run/moved_project.h"
#include "app/services/run/project_check.h"
#include "app/verbs/base/option_value.h"
#include "app/verbs/base/project_argument.h"
#include "app/verbs/base/verb.h"
#include "core/profile/records/project_difference.h"
#include "simulator/compiler/compile_graph.h"
#include "simulator/planner/estimate.h"
#include "simulator/planner/search/ranked_advice.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace app {

namespace {

/// What `--set` would be given to follow the advice; the stages are one setting like every other.
std::vector<std::string> settingsOf(const core::Project& before, const core::Project& after) {
    std::vector<std::string> settings;
    const auto difference = core::differenceOf(core::writeProject(before), core::writeProject(after));
    for (const core::OptionDifference& option : difference.options)
        settings.push_back(fmt::format("{}={}", option.path, option.after.value_or("null")));
    if (before.assignment != after.assignment) {
        const core::Json stages = core::Json::parse(core::writeProject(after))["pipeline"]["stages"];
        settings.push_back(fmt::format("pipeline.stages={}", stages.dump()));
    }
    return settings;
}

/// The single changes of a project that the window advises, simulated and ranked.
class AdviseVerb final : public Verb {
public:
    void addOptions(CLI::App& command) override {
        m_project.addOptions(command);
        addWholeNumber(command, "--apply", m_applied, 1, 100,
                       "With -o FILE: write the project with this piece of advice, 1 is the best")
            ->type_name("N");
    }

    core::Result<Report> run(const VerbContext& context) override {
        if (m_applied && context.output.file.empty())
            return core::failure(usageError("usage/apply", "--apply", "there is no file for the project",
                                            "name one with -o FILE, or write it to stdout with -o -"));
        auto file = m_project.load();
        if (!file)
            return core::failure(std::move(file.error()));
        const std::string name = m_project.path().string();
        DatasetFactsCache datasets;
        ProjectCheck check = checkProject(file->project, name, m_project.folder(), datasets);
        if (!check.outcome.project)
            return core::failure(m_project.withSettingPlaces(std::move(check.outcome.findings)));
        simulator::CompilationCache cache;
        const core::PlanEstimate present =
            simulator::estimate(*check.outcome.project, cache, context.job, m_project.folder());
        if (context.job.isCancelled())
            return core::failure(simulator::interrupted());
        if (!present.refusal.empty())
            return core::failure(core::makeError(core::Trouble::Input, "advise/refused", {name, ""},
                                                 present.refusal,
                                                 {"`validate` and `run --no-numerics` say more about it"}));
        const auto [advice, remedies] = simulator::recommend(
            {file->project, present, check.facts, name, m_project.folder()}, cache, context.job);
        // What was found so far passes for all there is.
        if (context.job.isCancelled())
            return core::failure(simulator::interrupted());
        if (m_applied && static_cast<std::size_t>(*m_applied) > advice.size())
            return core::failure(usageError(
                "usage/apply", "--apply", fmt::format("there is no piece of advice number {}", *m_applied),
                advice.empty() ? "no single change was found that gains half a percent and fits"
                               : fmt::format("they are numbered 1 to {}", advice.size())));
        Report report = reportOf(file->project, present, advice, remedies);
        report.diagnostics = std::move(file->warnings);
        if (m_applied)
            report.content =
                core::writeProject(projectForOutput(advice[static_cast<std::size_t>(*m_applied - 1)].project,
                                                    m_project.folder(), context.output.file));
        return report;
    }

private:
    static Report reportOf(const core::Project& project, const core::PlanEstimate& present,
                           const std::vector<simulator::Advice>& advice,
                           const std::vector<simulator::Advice>& remedies) {
        Report report;
        report.json = reportJson("advise");
        report.json["present"] = {{"fits", present.fits},
                                  {"step_cycles", present.step.value()},
                                  {"samples_per_second", finite(present.samplesPerSecond)},
                                  {"peak_bytes", core::peakOf(present).value()},
                                  {"intervals", intervalsJson(core::rangesOf(present))}};
        ReportTable lowering = tableOf(project, remedies);
        lowering.writeTo(report, "remedies");
        ReportTable table = tableOf(project, advice);
        table.writeTo(report, "advice");
        report.text =
            fmt::format("now: {} cycles a step, {:.1f} samples/s, {} bytes on the fullest IPU, {}\n{}{}{}",
                        present.step.value(), present.samplesPerSecond, core::peakOf(present).value(),
                        present.fits ? "fits" : "does not fit", intervalsText(core::rangesOf(present)),
                        advice.empty() ? "No single change was found that gains half a percent and fits.\n"
                                       : "\n" + table.text(),
                        remedies.empty() ? "No change was found that lowers the peak of the fullest IPU.\n"
                                         : "\ncheapest with a lower peak:\n" + lowering.text());
        return report;
    }

    static ReportTable tableOf(const core::Project& project, const std::vector<simulator::Advice>& advice) {
        constexpr auto right = TextTable::Align::Right;
        std::vector<ReportTable::Column> columns{{"number", right},
                                                 {"advice"},
                                                 {"gain", right},
                                                 {"samples_per_second", right, "samples/s"},
                                                 {"step_cycles", right, "step cycles"},
                                                 {"peak_bytes", right, "peak bytes"},
                                                 {"repairs"},
                                                 {"ipus", right, "IPUs"},
                                                 {"changes_batch", TextTable::Align::Left, "effective batch"},
                                                 {"set"}};
        std::ranges::move(intervalColumns(), std::back_inserter(columns));
        ReportTable table(std::move(columns));
        for (std::size_t i = 0; i < advice.size(); ++i) {
            const simulator::Advice& piece = advice[i];
            const std::vector<std::string> settings = settingsOf(project, piece.project);
            std::vector<ReportTable::Cell> cells{
                i + 1,
                piece.text,
                {finite(piece.gain), fmt::format("{:+.1f} %", 100 * piece.gain)},
                {finite(piece.samplesPerSecond), fmt::format("{:.1f}", piece.samplesPerSecond)},
                piece.step.value(),
                piece.peak.value(),
                {piece.repairs, piece.repairs ? "makes it fit" : ""},
                piece.ipus,
                {piece.changesBatch, piece.changesBatch ? "another" : "kept"},
                {core::Json(settings), fmt::format("{}", fmt::join(settings, " "))}};
            std::ranges::move(intervalCells(core::predictedRanges(piece.intervals, piece.samplesPerSecond,
                                                                  piece.step, piece.peak)),
                              std::back_inserter(cells));
            table.add(std::move(cells));
        }
        return table;
    }

    ProjectArgument m_project;
    std::optional<std::int64_t> m_applied;
};

} // namespace

VerbDefinition adviseVerb() {
    return {.name = "advise",
            .summary = "Simulated suggestions for a project, the best first",
            .examples = {"advise net.ipuproj", "advise net.ipuproj --json",
                         "advise net.ipuproj --apply 1 -o better.ipuproj"},
            .make = makeVerb<AdviseVerb>,
            .hasCsv = true};
}

} // namespace app
