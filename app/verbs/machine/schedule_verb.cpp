#include "app/reports/schedule_report.h"
#include "app/services/plan/schedule_chart.h"
#include "app/verbs/base/option_value.h"
#include "app/verbs/base/project_argument.h"
#include "app/verbs/base/verb.h"
#include "app/verbs/base/verb_input.h"
#include "core/base/file.h"
#include "core/base/file_limit.h"
#include "core/plan/recomputation.h"
#include "core/plan/schedule/schedule_catalogue.h"
#include "core/plan/schedule/schedule_cells.h"
#include "core/plan/schedule/schedule_facts.h"
#include "core/plan/schedule/schedule_table.h"
#include "core/platform/work_scope.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace app {

namespace {

/// The numbers after a comma-separated option, or what is wrong with it.
core::Result<std::vector<core::IpuId>> readMapping(const std::string& text) {
    std::vector<core::IpuId> ipus;
    for (const std::string& field : CLI::detail::split(text, ',')) {
        std::int64_t ipu = -1;
        if (!CLI::detail::lexical_cast(field, ipu) || ipu < 0 || ipu > 65535)
            return core::failure(usageError("usage/device-mapping", "--device-mapping",
                                            fmt::format("\"{}\" is no IPU", field.substr(0, 40)),
                                            "write one IPU per stage, for example 0,1,1,0"));
        ipus.emplace_back(static_cast<std::size_t>(ipu));
    }
    return ipus;
}

std::string scheduleHint() {
    return fmt::format("write {}", fmt::join(core::scheduleNames(), ", "));
}

/// The slot table of a pipeline, without compiling a model.
class ScheduleVerb final : public Verb {
public:
    void addOptions(CLI::App& command) override {
        m_project.addOptions(command, false);
        m_free = {
            addWholeNumber(command, "--stages", m_stages, 0, 65536, "Stages of the pipeline")->type_name("S"),
            command.add_option("--micro-batches", m_microBatches, "Micro-batches of one pipeline execution")
                ->type_name("N"),
            command
                .add_option("--schedule", m_schedule,
                            fmt::format("{}", fmt::join(core::scheduleNames(), ", ")))
                ->type_name("NAME"),
            command
                .add_option("--recompute", m_recompute,
                            "Recompute activations: Auto, RecomputeThenBackpropagate or "
                            "RecomputeAndBackpropagateInterleaved")
                ->type_name("MODE"),
            command.add_option("--device-mapping", m_mapping, "IPU of each stage")->type_name("0,1,…"),
            command.add_flag("--io-tiles", m_ioTiles, "Reserve tiles for input and output"),
            command
                .add_option("--table", m_table,
                            "A schedule of your own: a CSV file as --cells and export --format schedule-csv "
                            "write it; - "
                            "reads the standard input")
                ->type_name("FILE"),
        };
        command.add_flag(
            "--cells", m_cells,
            "Print the slots as a table to edit: CSV, a row per IPU, cells F0 B0 W0 R0; the first heading "
            "is \"ipu in step\" where all IPUs meet after every slot");
        command.add_flag("--inference", m_inference, "Forward passes only");
        command.add_flag("--all", m_all,
                         "Every schedule on the project's stages: samples per second, step, idle share, "
                         "fullest IPU");
    }

    core::Result<Report> run(const VerbContext& context) override {
        // Nothing is written while slots are laid out.
        const core::ReadingScope reading;
        if (m_all)
            return all();
        auto request = m_project.isGiven() ? fromProject() : fromOptions();
        if (!request)
            return core::failure(std::move(request.error()));
        if (!m_refusals.empty())
            return refused(*request, std::move(m_refusals));
        auto schedule = simulator::scheduleFor(*request);
        if (!schedule) {
            // What is no table of work at all is a broken file, not a schedule that is refused.
            if (schedule.error().front().trouble == core::Trouble::Input)
                return core::failure(std::move(schedule.error()));
            return refused(*request, std::move(schedule.error()));
        }
        if (schedule->items.size() > mostItems)
            return core::failure(tooLong(schedule->items.size()));
        Report report;
        report.diagnostics = std::move(m_warnings);
        // A long table takes its time in each form, so only the one that is asked for is made.
        if (m_cells) {
            report.text = report.csv = core::scheduleCells(*schedule);
            if (context.output.json) {
                report.json = scheduleJson(*schedule, *request);
                report.json["cells"] = report.csv;
            }
            return report;
        }
        if (context.output.json)
            report.json = scheduleJson(*schedule, *request);
        else if (context.output.csv)
            report.csv = scheduleCsv(*schedule);
        else
            report.text = textOf(*schedule, *request);
        return report;
    }

private:
    core::Result<Report> all() {
        for (const auto& [isGiven, name] : {std::pair(m_cells, "--cells"), {m_inference, "--inference"}})
            if (isGiven)
                return core::failure(usageError("usage/arguments", name,
                                                "--all compares updates of training by their figures",
                                                "leave one of the two out"));
        if (!m_project.isGiven())
            return core::failure(usageError("usage/arguments", "--all",
                                            "figures need the stages of a project",
                                            "for example: schedule net.ipuproj --all"));
        for (const CLI::Option* option : m_free)
            if (option->count() > 0)
                return core::failure(takesNoOption(*option));
        auto file = m_project.load();
        if (!file)
            return core::failure(std::move(file.error()));
        simulator::CompilationCache cache;
        const auto outcomes =
            projectScheduleOutcomes(file->project, m_project.path().string(), m_project.folder(), cache);
        if (!outcomes)
            return core::failure(outcomes.error());
        Report report = outcomesReport(*outcomes);
        report.diagnostics = std::move(file->warnings);
        return report;
    }

    static core::Diagnostic takesNoOption(const CLI::Option& option) {
        return usageError("usage/arguments", option.get_name(), "a project says itself what its pipeline is",
                          "use --set, or leave the project out");
    }

    core::Result<simulator::ScheduleRequest> fromOptions() {
        if (!m_stages || !m_microBatches)
            return core::failure(usageError("usage/arguments", "",
                                            "a project, or --stages and --micro-batches are needed",
                                            "for example: schedule --stages 2 --micro-batches 4"));
        simulator::ScheduleRequest request;
        if (!m_table.empty()) {
            auto text = readInput(m_table, core::FileLimit::table);
            if (!text)
                return core::failure(std::move(text.error()));
            request.shape.table = {m_table, inputName(m_table), std::move(*text)};
            m_schedule = core::scheduleOfCells(request.shape.table.text).name;
        }
        const core::ScheduleDefinition* definition = core::findSchedule(m_schedule);
        if (definition == nullptr || (definition->takesTable && m_table.empty()))
            return core::failure(usageError("usage/schedule", "--schedule",
                                            fmt::format("\"{}\" is no schedule", m_schedule.substr(0, 40)),
                                            scheduleHint()));
        request.schedule = definition->name;
        request.shape.stages = static_cast<std::size_t>(*m_stages);
        request.shape.microBatches = *m_microBatches;
        request.shape.training = !m_inference;
        request.shape.ioTiles = m_ioTiles;
        if (!m_mapping.empty()) {
            auto mapping = readMapping(m_mapping);
            if (!mapping)
                return core::failure(std::move(mapping.error()));
            request.shape.deviceMapping = std::move(*mapping);
        }
        if (!m_recompute.empty()) {
            const auto mode = core::recomputationModeFromName(m_recompute);
            if (!mode)
                return core::failure(usageError(
                    "usage/recompute", "--recompute",
                    fmt::format("\"{}\" is no mode", m_recompute.substr(0, 40)),
                    "write Auto, RecomputeThenBackpropagate or RecomputeAndBackpropagateInterleaved"));
            request.mode = *mode;
            const auto resolved =
                core::resolveRecomputation(request.schedule, *mode, request.shape.table.text);
            request.shape.recompute =
                !m_inference && resolved && *resolved == core::RecomputationMode::RecomputeThenBackpropagate;
        }
        return request;
    }

    core::Result<simulator::ScheduleRequest> fromProject() {
        for (const CLI::Option* option : m_free) {
            if (option->count() > 0)
                return core::failure(takesNoOption(*option));
        }
        auto file = m_project.load();
        if (!file)
            return core::failure(std::move(file.error()));
        m_warnings = std::move(file->warnings);
        return simulator::scheduleRequest(file->project,
                                          m_inference ? core::RunMode::Evaluate : core::RunMode::Train,
                                          m_project.path().string(), m_refusals);
    }

    /// More pieces of work than anybody reads, and than fit into a machine's memory as JSON.
    static constexpr std::size_t mostItems = 2'000'000;

    static core::Diagnostic tooLong(std::size_t items) {
        return usageError("usage/schedule-size", "",
                          fmt::format("the table would have {} entries, more than the {} that are printed",
                                      items, mostItems),
                          "use fewer stages or micro-batches: the schedule repeats itself");
    }

    static Report refused(const simulator::ScheduleRequest& request, core::Diagnostics findings) {
        Report report;
        report.json = refusedScheduleJson(request, findings);
        report.text = fmt::format("{} schedule of {} stages and {} micro-batches: refused\n",
                                  request.schedule, request.shape.stages, request.shape.microBatches);
        report.isNegative = true;
        report.diagnostics = std::move(findings);
        return report;
    }

    static std::string textOf(const core::PipelineSchedule& schedule,
                              const simulator::ScheduleRequest& request) {
        const std::vector<std::int64_t> depths =
            request.shape.training ? schedule.fifoDepths : std::vector<std::int64_t>(request.shape.stages, 0);
        std::string text =
            fmt::format("{} {}: {} stages, {} micro-batches; FIFO depths {}\n", request.schedule,
                        request.shape.training ? "training" : "inference", request.shape.stages,
                        request.shape.microBatches, fmt::join(depths, ", "));
        if (core::scheduleDefinition(schedule.name).isWhatIf)
            text += whatIfText(schedule);
        text += core::toText(schedule);
        if (schedule.weightUpdateAfterSlot)
            text += fmt::format("weight update after slot {}\n", *schedule.weightUpdateAfterSlot);
        return text;
    }

    /// The bubble beside the published one.
    static std::string whatIfText(const core::PipelineSchedule& schedule) {
        const core::ScheduleDefinition& definition = core::scheduleDefinition(schedule.name);
        std::string text =
            fmt::format("what-if: the programming system of the IPU has no {} schedule\n", schedule.name);
        if (!schedule.shape.training)
            return text;
        const core::StageTimes times;
        text += fmt::format("bubble where every pass takes 1: {}", core::idealTimes(schedule, times).bubble);
        if (definition.publishedBubble != nullptr)
            text += fmt::format(" (published {} = {})", definition.bubbleFormula,
                                definition.publishedBubble(schedule.shape, times));
        return text + '\n';
    }

    ProjectArgument m_project;
    std::vector<CLI::Option*> m_free;
    std::optional<std::int64_t> m_stages;
    std::optional<std::int64_t> m_microBatches;
    std::string m_schedule = "Grouped";
    std::string m_recompute;
    std::string m_mapping;
    std::string m_table;
    bool m_cells = false;
    bool m_ioTiles = false;
    bool m_inference = false;
    bool m_all = false;
    core::Diagnostics m_refusals;
    core::Diagnostics m_warnings;
};

} // namespace

VerbDefinition scheduleVerb() {
    return {
        .name = "schedule",
        .summary = "The slot table of a pipeline, of a project or of given stages and micro-batches",
        .examples = {"schedule --stages 2 --micro-batches 4",
                     "schedule --stages 4 --micro-batches 8 --schedule Interleaved --recompute Auto --json",
                     "schedule --stages 3 --micro-batches 6 --inference --device-mapping 0,1,1",
                     "schedule --stages 4 --micro-batches 8 --schedule ZB-H1 --cells",
                     "schedule net.ipuproj --set pipeline.schedule=Sequential", "schedule net.ipuproj --all"},
        .make = makeVerb<ScheduleVerb>,
        .hasCsv = true};
}

} // namespace app
