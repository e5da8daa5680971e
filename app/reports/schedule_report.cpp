#include "app/reports/schedule_report.h"

#include "app/reports/diagnostic_json.h"
#include "app/reports/text_table.h"
#include "core/plan/recomputation.h"
#include "core/plan/schedule/schedule_catalogue.h"
#include "core/plan/schedule/schedule_facts.h"
#include "core/project/validate.h"

#include <algorithm>
#include <array>

namespace app {

namespace {

core::Json slotJson(const core::PipelineSchedule& schedule, std::size_t index) {
    const core::Slot& slot = schedule.timeSlots[index];
    core::Json ipus = core::Json::object();
    for (const core::WorkItem& item : schedule.work(slot))
        ipus[std::to_string(item.ipu.index())].push_back(
            {core::workName(item.phase), item.stage.index(), item.microBatch});
    core::Json json = {{"slot", index}, {"phase", core::toString(slot.phase)}, {"ipus", std::move(ipus)}};
    if (slot.infeedMicroBatch)
        json["infeed_mb"] = *slot.infeedMicroBatch;
    if (slot.outfeedMicroBatch)
        json["outfeed_mb"] = *slot.outfeedMicroBatch;
    return json;
}

/// The bubble of the table where each pass of a stage takes 1, beside the published one.
core::Json bubbleJson(const core::PipelineSchedule& schedule) {
    const core::ScheduleDefinition& definition = core::scheduleDefinition(schedule.name);
    const core::StageTimes times;
    const core::IdealTimes ideal = core::idealTimes(schedule, times);
    core::Json json = {{"forward", times.forward},
                       {"input_gradient", times.inputGradient},
                       {"weight_gradient", times.weightGradient},
                       {"makespan", ideal.makespan},
                       {"idle", ideal.bubble}};
    if (definition.publishedBubble != nullptr) {
        json["published"] = definition.publishedBubble(schedule.shape, times);
        json["formula"] = definition.bubbleFormula;
    }
    return json;
}

core::Json headJson(const ScheduleRequest& request, bool isAccepted) {
    core::Json json = reportJson("schedule");
    json["accepted"] = isAccepted;
    json["schedule"] = request.schedule;
    json["training"] = request.shape.training;
    if (core::scheduleDefinition(request.schedule).isWhatIf)
        json["what_if"] = true;
    json["stages"] = request.shape.stages;
    json["micro_batches"] = request.shape.microBatches;
    return json;
}

/// Findings that are the schedule's own "no"; everything else is trouble with the project.
bool isRefusal(const core::Diagnostic& finding) {
    constexpr std::array<std::string_view, 12> codes{
        "value-error/micro-batches",
        "value-error/interleaved-stages",
        "value-error/schedule-table",
        "value-error/pipeline-stages",
        "resource-exhausted/pipeline-stages",
        "value-error/device-mapping-length",
        "not-implemented/interleaved-repeated-device",
        "failed-precondition/micro-batch-multiple",
        "failed-precondition/micro-batch-minimum",
        "resource-exhausted/schedule-size",
        "unimplemented/recomputation-mode",
        "runtime-error/empty-stage",
    };
    return finding.code.starts_with("schedule/") || std::ranges::find(codes, finding.code) != codes.end();
}

/// Findings about what a schedule does not depend on: no model is compiled.
bool isAboutTheModel(const core::Diagnostic& finding) {
    constexpr std::array<std::string_view, 4> codes{"value-error/unknown-dimension",
                                                    "not-implemented/opaque-layer", "value-error/no-loss",
                                                    "value-error/loss-count"};
    return finding.code.starts_with("layer/") || std::ranges::find(codes, finding.code) != codes.end();
}

core::Diagnostics negative(core::Diagnostics findings, const ScheduleRequest& request) {
    for (core::Diagnostic& finding : findings) {
        finding.trouble = core::Trouble::Negative;
        finding.location.file = request.file;
        if (request.file.empty())
            finding.location.place.clear(); // places name keys of a project
    }
    return findings;
}

} // namespace

core::Result<ScheduleRequest> scheduleRequest(const core::Project& project, core::RunMode mode,
                                              const std::string& file, core::Diagnostics& refusals) {
    auto outcome = core::validateAll(project, mode, {}, file);
    core::Diagnostics errors;
    for (core::Diagnostic& finding : outcome.findings) {
        if (finding.severity == core::Severity::Error && !isAboutTheModel(finding))
            (isRefusal(finding) ? refusals : errors).push_back(std::move(finding));
    }
    if (!errors.empty())
        return core::failure(std::move(errors));
    const core::RunFigures figures = core::runFigures(project, mode, {});
    ScheduleRequest request;
    request.isPipelined = figures.isPipelined;
    request.schedule = figures.isPipelined ? project.pipeline.schedule : core::serialSchedule().name;
    request.mode = figures.isPipelined ? project.pipeline.recomputationMode : core::RecomputationMode::Auto;
    request.shape = core::pipelineShape(project, figures);
    request.updatesPerExecution = figures.stepsPerExecution / std::max<std::int64_t>(1, figures.microBatches);
    request.file = file;
    refusals = negative(std::move(refusals), request);
    return request;
}

core::Result<core::PipelineSchedule> scheduleFor(const ScheduleRequest& request) {
    if (auto mode = core::resolveRecomputation(request.schedule, request.mode); !mode)
        return core::failure(negative(mode.error(), request));
    auto schedule = request.isPipelined ? core::buildSchedule(request.schedule, request.shape)
                                        : core::buildUnpipelinedSchedule(request.shape);
    if (!schedule)
        return core::failure(negative(schedule.error(), request));
    return schedule;
}

core::Result<core::PipelineSchedule> projectSchedule(const core::Project& project, core::RunMode mode,
                                                     const std::string& file) {
    core::Diagnostics refusals;
    const auto request = scheduleRequest(project, mode, file, refusals);
    if (!request)
        return core::failure(request.error());
    if (!refusals.empty())
        return core::failure(std::move(refusals));
    return scheduleFor(*request);
}

core::Json scheduleJson(const core::PipelineSchedule& schedule, const ScheduleRequest& request) {
    const bool training = request.shape.training;
    core::Json json = headJson(request, true);
    json["overlap"] = schedule.overlap;
    json["start_offsets"] = schedule.startOffsets();
    json["slots_constructed"] = schedule.timeSlots.size();
    json["slots_with_compute"] = schedule.slotsWithCompute();
    json["weight_updates_per_execution"] = training ? request.updatesPerExecution : 0;
    json["weight_update_after_slot"] =
        schedule.weightUpdateAfterSlot ? core::Json(*schedule.weightUpdateAfterSlot) : core::Json();
    json["fifo_depth_per_stage"] =
        training ? schedule.fifoDepths : std::vector<std::int64_t>(request.shape.stages, 0);
    if (training && core::scheduleDefinition(schedule.name).isWhatIf)
        json["bubble"] = bubbleJson(schedule);
    core::Json& slotList = json["slots"] = core::Json::array();
    for (std::size_t i = 0; i < schedule.timeSlots.size(); ++i)
        slotList.push_back(slotJson(schedule, i));
    return json;
}

core::Json refusedScheduleJson(const ScheduleRequest& request, const core::Diagnostics& findings) {
    core::Json json = headJson(request, false);
    json["diagnostics"] = toJson(findings);
    return json;
}

std::string scheduleCsv(const core::PipelineSchedule& schedule) {
    TextTable table({{"slot"}, {"phase"}, {"ipu"}, {"kind"}, {"stage"}, {"micro_batch"}});
    for (std::size_t i = 0; i < schedule.timeSlots.size(); ++i) {
        const core::Slot& slot = schedule.timeSlots[i];
        for (const core::WorkItem& item : schedule.work(slot))
            table.add({std::to_string(i), std::string(core::toString(slot.phase)),
                       std::to_string(item.ipu.index()), std::string(core::workName(item.phase)),
                       std::to_string(item.stage.index()), std::to_string(item.microBatch)});
    }
    return table.csv();
}

} // namespace app
