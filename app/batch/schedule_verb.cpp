#include "app/batch/diagnostic_json.h"
#include "app/batch/project_argument.h"
#include "app/batch/text_table.h"
#include "app/batch/verb.h"
#include "core/plan/schedule_traits.h"
#include "simulator/schedule/schedule_catalogue.h"
#include "simulator/schedule/schedule_table.h"

#include <CLI/CLI.hpp>
#include <array>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace app {

namespace {

constexpr std::array<std::string_view, 3> kindNames{"fwd", "bwd", "recompute"};
constexpr std::array<std::string_view, 3> phaseNames{"ramp_up", "main", "ramp_down"};

/// What is asked for: a pipeline and its schedule.
struct ScheduleRequest {
    core::ScheduleKind kind = core::ScheduleKind::Grouped;
    core::RecomputationMode mode = core::RecomputationMode::Auto;
    core::PipelineShape shape;
    std::int64_t updatesPerExecution = 1;
    std::string file;
};

core::Json slotJson(const simulator::PipelineSchedule& schedule, std::size_t index) {
    const simulator::Slot& slot = schedule.timeSlots[index];
    core::Json ipus = core::Json::object();
    for (const simulator::WorkItem& item : schedule.work(slot))
        ipus[std::to_string(item.ipu.index())].push_back(
            {kindNames[static_cast<std::size_t>(item.kind)], item.stage.index(), item.microBatch});
    core::Json json = {{"slot", index},
                       {"phase", phaseNames[static_cast<std::size_t>(slot.phase)]},
                       {"ipus", std::move(ipus)}};
    if (slot.infeedMicroBatch)
        json["infeed_mb"] = *slot.infeedMicroBatch;
    if (slot.outfeedMicroBatch)
        json["outfeed_mb"] = *slot.outfeedMicroBatch;
    return json;
}

core::Json headJson(const ScheduleRequest& request, bool isAccepted) {
    core::Json json = reportJson("schedule");
    json["accepted"] = isAccepted;
    json["schedule"] = core::toString(request.kind);
    json["training"] = request.shape.training;
    json["stages"] = request.shape.stages;
    json["micro_batches"] = request.shape.microBatches;
    return json;
}

core::Json toJson(const simulator::PipelineSchedule& schedule, const ScheduleRequest& request) {
    const bool training = request.shape.training;
    core::Json json = headJson(request, true);
    json["overlap"] = schedule.overlap;
    json["start_offsets"] = schedule.startOffsets;
    json["slots_constructed"] = schedule.timeSlots.size();
    json["slots_with_compute"] = schedule.slotsWithCompute();
    json["weight_updates_per_execution"] = training ? request.updatesPerExecution : 0;
    json["weight_update_after_slot"] =
        schedule.weightUpdateAfterSlot ? core::Json(*schedule.weightUpdateAfterSlot) : core::Json();
    json["fifo_depth_per_stage"] =
        training ? schedule.fifoDepths : std::vector<std::int64_t>(request.shape.stages, 0);
    core::Json& slotList = json["slots"] = core::Json::array();
    for (std::size_t i = 0; i < schedule.timeSlots.size(); ++i)
        slotList.push_back(slotJson(schedule, i));
    return json;
}

std::string toCsv(const simulator::PipelineSchedule& schedule) {
    TextTable table({{"slot"}, {"phase"}, {"ipu"}, {"kind"}, {"stage"}, {"micro_batch"}});
    for (std::size_t i = 0; i < schedule.timeSlots.size(); ++i) {
        const simulator::Slot& slot = schedule.timeSlots[i];
        for (const simulator::WorkItem& item : schedule.work(slot))
            table.add({std::to_string(i), std::string(phaseNames[static_cast<std::size_t>(slot.phase)]),
                       std::to_string(item.ipu.index()),
                       std::string(kindNames[static_cast<std::size_t>(item.kind)]),
                       std::to_string(item.stage.index()), std::to_string(item.microBatch)});
    }
    return table.csv();
}

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

/// Findings that are the schedule's own "no"; everything else is trouble with the project.
bool isRefusal(const core::Diagnostic& finding) {
    constexpr std::array<std::string_view, 9> codes{
        "value-error/micro-batches",
        "value-error/pipeline-stages",
        "value-error/device-mapping-length",
        "not-implemented/interleaved-repeated-device",
        "failed-precondition/micro-batch-multiple",
        "failed-precondition/micro-batch-minimum",
        "resource-exhausted/schedule-size",
        "unimplemented/recomputation-mode",
        "runtime-error/empty-stage",
    };
    return std::ranges::find(codes, finding.code) != codes.end();
}

/// The slot table of a pipeline, without compiling a model.
class ScheduleVerb final : public Verb {
public:
    void addOptions(CLI::App& command) override {
        m_project.addOptions(command, false);
        m_free = {
            command.add_option("--stages", m_stages, "Stages of the pipeline")->type_name("S"),
            command.add_option("--micro-batches", m_microBatches, "Micro-batches of one pipeline execution")
                ->type_name("N"),
            command.add_option("--schedule", m_schedule, "Grouped, Interleaved or Sequential")
                ->type_name("NAME"),
            command
                .add_option("--recompute", m_recompute,
                            "Recompute activations: Auto, RecomputeThenBackpropagate or "
                            "RecomputeAndBackpropagateInterleaved")
                ->type_name("MODE"),
            command.add_option("--device-mapping", m_mapping, "IPU of each stage")->type_name("0,1,…"),
            command.add_flag("--io-tiles", m_ioTiles, "Reserve tiles for input and output"),
        };
        command.add_flag("--inference", m_inference, "Forward passes only");
    }

    core::Result<Report> run(const VerbContext&) override {
        auto request = m_project.isGiven() ? fromProject() : fromOptions();
        if (!request)
            return core::failure(std::move(request.error()));
        if (!m_refusals.empty())
            return refused(*request, m_refusals);
        if (auto mode = core::resolveRecomputation(request->kind, request->mode); !mode)
            return refused(*request, mode.error());
        auto schedule =
            request->shape.stages == 1 && m_isUnpipelined
                ? simulator::buildUnpipelinedSchedule(request->shape.microBatches, request->shape.training)
                : simulator::buildSchedule(request->kind, request->shape);
        if (!schedule)
            return refused(*request, schedule.error());
        Report report;
        report.diagnostics = std::move(m_warnings);
        report.json = toJson(*schedule, *request);
        report.csv = toCsv(*schedule);
        report.text = textOf(*schedule, *request);
        return report;
    }

private:
    core::Result<ScheduleRequest> fromOptions() {
        if (!m_stages || !m_microBatches)
            return core::failure(usageError("usage/arguments", "",
                                            "a project, or --stages and --micro-batches are needed",
                                            "for example: schedule --stages 2 --micro-batches 4"));
        ScheduleRequest request;
        const auto kind = core::scheduleFromName(m_schedule);
        if (!kind)
            return core::failure(usageError("usage/schedule", "--schedule",
                                            fmt::format("\"{}\" is no schedule", m_schedule.substr(0, 40)),
                                            "write Grouped, Interleaved or Sequential"));
        request.kind = *kind;
        request.shape.stages = static_cast<std::size_t>(std::max<std::int64_t>(*m_stages, 0));
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
            const auto resolved = core::resolveRecomputation(*kind, *mode);
            request.shape.recompute =
                !m_inference && resolved && *resolved == core::RecomputationMode::RecomputeThenBackpropagate;
        }
        return request;
    }

    core::Result<ScheduleRequest> fromProject() {
        for (const CLI::Option* option : m_free) {
            if (option->count() > 0)
                return core::failure(usageError("usage/arguments", option->get_name(),
                                                "a project says itself what its pipeline is",
                                                "use --set, or leave the project out"));
        }
        auto file = m_project.load();
        if (!file)
            return core::failure(std::move(file.error()));
        const core::RunMode mode = m_inference ? core::RunMode::Evaluate : core::RunMode::Train;
        const core::Project& project = file->project;
        auto outcome = core::validateAll(project, mode, {}, m_project.path().string());
        core::Diagnostics errors;
        for (core::Diagnostic& finding : outcome.findings) {
            if (finding.severity != core::Severity::Error)
                m_warnings.push_back(std::move(finding));
            else
                (isRefusal(finding) ? m_refusals : errors).push_back(std::move(finding));
        }
        if (!errors.empty())
            return core::failure(std::move(errors));
        const core::RunFigures figures = core::runFigures(project, mode, {});
        m_isUnpipelined = !figures.isPipelined;
        ScheduleRequest request;
        request.kind = m_isUnpipelined ? core::ScheduleKind::Sequential : project.pipeline.schedule;
        request.mode = m_isUnpipelined ? core::RecomputationMode::Auto : project.pipeline.recomputationMode;
        request.shape = core::pipelineShape(project, figures);
        request.updatesPerExecution =
            figures.stepsPerExecution / std::max<std::int64_t>(1, figures.microBatches);
        request.file = m_project.path().string();
        return request;
    }

    static Report refused(const ScheduleRequest& request, core::Diagnostics findings) {
        Report report;
        for (core::Diagnostic& finding : findings) {
            finding.trouble = core::Trouble::Negative;
            finding.location.file = request.file;
            if (request.file.empty())
                finding.location.place.clear(); // places name keys of a project
        }
        report.json = headJson(request, false);
        report.json["diagnostics"] = app::toJson(findings);
        report.text =
            fmt::format("{} schedule of {} stages and {} micro-batches: refused\n",
                        core::toString(request.kind), request.shape.stages, request.shape.microBatches);
        report.isNegative = true;
        report.diagnostics = std::move(findings);
        return report;
    }

    static std::string textOf(const simulator::PipelineSchedule& schedule, const ScheduleRequest& request) {
        const std::vector<std::int64_t> depths =
            request.shape.training ? schedule.fifoDepths : std::vector<std::int64_t>(request.shape.stages, 0);
        std::string text =
            fmt::format("{} {}: {} stages, {} micro-batches; FIFO depths {}\n", core::toString(request.kind),
                        request.shape.training ? "training" : "inference", request.shape.stages,
                        request.shape.microBatches, fmt::join(depths, ", "));
        text += simulator::toText(schedule);
        if (schedule.weightUpdateAfterSlot)
            text += fmt::format("weight update after slot {}\n", *schedule.weightUpdateAfterSlot);
        return text;
    }

    ProjectArgument m_project;
    std::vector<CLI::Option*> m_free;
    std::optional<std::int64_t> m_stages;
    std::optional<std::int64_t> m_microBatches;
    std::string m_schedule = "Grouped";
    std::string m_recompute;
    std::string m_mapping;
    bool m_ioTiles = false;
    bool m_inference = false;
    bool m_isUnpipelined = false;
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
                     "schedule net.ipuproj --set pipeline.schedule=Sequential"},
        .make = makeVerb<ScheduleVerb>,
        .hasCsv = true};
}

} // namespace app
