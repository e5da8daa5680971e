#include "app/reports/schedule_report.h"

#include "app/reports/diagnostic_json.h"
#include "app/reports/report_table.h"
#include "app/reports/run_report.h"
#include "core/plan/schedule/schedule_catalogue.h"
#include "core/plan/schedule/schedule_facts.h"

#include <algorithm>
#include <fmt/format.h>
#include <iterator>
#include <optional>

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

core::Json headJson(const simulator::ScheduleRequest& request, bool isAccepted) {
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

} // namespace

core::Json scheduleJson(const core::PipelineSchedule& schedule, const simulator::ScheduleRequest& request) {
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

core::Json refusedScheduleJson(const simulator::ScheduleRequest& request, const core::Diagnostics& findings) {
    core::Json json = headJson(request, false);
    json["diagnostics"] = toJson(findings);
    return json;
}

std::string scheduleCsv(const core::PipelineSchedule& schedule) {
    using Table = ReportTable;
    Table table({Table::textColumn("slot"), Table::textColumn("phase"), Table::textColumn("ipu"),
                 Table::textColumn("kind"), Table::textColumn("stage"), Table::textColumn("micro_batch"),
                 Table::textColumn("timing"), Table::textColumn("slots")});
    // Read back as cells are, whose headings say both: slots without work have no row here.
    const char* const timing = schedule.isAsynchronous ? "in_order" : "in_step";
    for (std::size_t i = 0; i < schedule.timeSlots.size(); ++i) {
        const core::Slot& slot = schedule.timeSlots[i];
        for (const core::WorkItem& item : schedule.work(slot))
            table.add({i, core::toString(slot.phase), item.ipu.index(), core::workName(item.phase),
                       item.stage.index(), item.microBatch, timing, schedule.timeSlots.size()});
    }
    return table.csv();
}

Report outcomesReport(const std::vector<core::ScheduleOutcome>& outcomes) {
    using Table = ReportTable;
    std::vector<Table::Column> columns{{"schedule"},
                                       {"samples_per_second", Table::Align::Right, "samples/s"},
                                       {"step_cycles", Table::Align::Right, "step cycles"},
                                       {"idle_fraction", Table::Align::Right, "idle"},
                                       {"peak_bytes", Table::Align::Right, "peak bytes"},
                                       {"fits"},
                                       {"is_own", Table::Align::Left, "own"},
                                       {"what_if", Table::Align::Left, "what-if"},
                                       {"refusal"}};
    std::ranges::move(intervalColumns(), std::back_inserter(columns));
    Table table(std::move(columns));
    const auto yes = [](bool is) { return Table::Cell(is, is ? "yes" : "no"); };
    for (const core::ScheduleOutcome& outcome : outcomes) {
        const core::PlanEstimate& plan = outcome.plan;
        const core::Json none;
        std::vector<Table::Cell> cells;
        if (outcome.isRefused())
            cells = {outcome.schedule,      none,        none, none, none, none, yes(outcome.isOwn),
                     yes(outcome.isWhatIf), plan.refusal};
        else
            cells = {outcome.schedule,
                     {plan.samplesPerSecond, fmt::format("{:.1f}", plan.samplesPerSecond)},
                     plan.step.value(),
                     {plan.idleFraction, fmt::format("{:.1f} %", 100 * plan.idleFraction)},
                     outcome.peak().value(),
                     yes(plan.fits),
                     yes(outcome.isOwn),
                     yes(outcome.isWhatIf),
                     none};
        std::ranges::move(intervalCells(outcome.isRefused() ? std::optional<core::PredictedRanges>()
                                                            : core::rangesOf(plan)),
                          std::back_inserter(cells));
        table.add(std::move(cells));
    }
    Report report;
    report.json = reportJson("schedules");
    report.json["schedules"] = table.json();
    const auto fastest = core::fastestThatFits(outcomes);
    report.json["fastest"] = fastest ? core::Json(outcomes[*fastest].schedule) : core::Json();
    report.csv = table.csv();
    report.text = table.text();
    if (fastest)
        report.text += fmt::format("fastest that fits: {}\n", outcomes[*fastest].schedule);
    return report;
}

} // namespace app
