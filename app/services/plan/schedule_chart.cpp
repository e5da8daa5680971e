#include "app/services/plan/schedule_chart.h"

#include "app/services/plan/live_estimator.h"
#include "core/plan/schedule/schedule_catalogue.h"
#include "core/project/project_edit.h"
#include "simulator/planner/schedule_request.h"

#include <algorithm>
#include <map>
#include <memory>

namespace app {

namespace {

core::ScheduleBand band(core::SlotPhase phase) {
    switch (phase) {
    case core::SlotPhase::RampUp:
        return core::ScheduleBand::RampUp;
    case core::SlotPhase::RampDown:
        return core::ScheduleBand::RampDown;
    case core::SlotPhase::Main:
        break;
    }
    return core::ScheduleBand::Main;
}

/// IPUs in order, each with its stages.
std::vector<views::ScheduleRow> rowsOf(const core::PipelineSchedule& schedule) {
    std::map<core::IpuId, views::ScheduleRow> rows;
    for (std::size_t stage = 0; stage < schedule.shape.stages; ++stage) {
        views::ScheduleRow& row = rows[schedule.shape.ipuOf(stage)];
        row.ipu = schedule.shape.ipuOf(stage);
        row.stages.emplace_back(stage);
        if (stage < schedule.fifoDepths.size())
            row.fifoDepth += schedule.fifoDepths[stage];
    }
    std::vector<views::ScheduleRow> list;
    for (auto& [ipu, row] : rows)
        list.push_back(std::move(row));
    return list;
}

template <class Number>
std::optional<std::int64_t> widened(const std::optional<Number>& number) {
    return number ? std::optional<std::int64_t>(*number) : std::nullopt;
}

} // namespace

views::ScheduleChart scheduleChart(const core::PipelineSchedule& schedule, std::string subject) {
    views::ScheduleChart chart;
    chart.schedule = schedule.name + (core::scheduleDefinition(schedule.name).isWhatIf ? " (what-if)" : "");
    chart.subject = std::move(subject);
    chart.isTraining = schedule.shape.training;
    chart.stages = static_cast<std::int64_t>(schedule.shape.stages);
    chart.microBatches = schedule.shape.microBatches;
    chart.overlap = schedule.overlap;
    chart.slotsWithCompute = schedule.slotsWithCompute();
    chart.rows = rowsOf(schedule);
    chart.updateAfter = schedule.weightUpdateAfterSlot;
    for (const core::Slot& slot : schedule.timeSlots) {
        views::ScheduleSlot& column = chart.slotList.emplace_back();
        column.band = band(slot.phase);
        column.infeed = widened(slot.infeedMicroBatch);
        column.outfeed = widened(slot.outfeedMicroBatch);
        column.work.resize(chart.rows.size());
        for (const core::WorkItem& item : schedule.work(slot)) {
            const auto row = std::ranges::find(chart.rows, item.ipu, &views::ScheduleRow::ipu);
            column.work[static_cast<std::size_t>(row - chart.rows.begin())].push_back(
                {core::spanKindOf(item.phase), item.stage, item.microBatch, schedule.computes(item)});
        }
    }
    return chart;
}

core::Result<views::ScheduleChart> projectScheduleChart(const core::Project& project, core::RunMode mode,
                                                        const std::string& file) {
    const auto schedule = simulator::projectSchedule(project, mode, file);
    if (!schedule)
        return core::failure(schedule.error());
    return scheduleChart(*schedule, project.name);
}

core::Result<core::Project> withScheduleMove(const core::Project& project, const core::ScheduleMove& move,
                                             const std::string& file) {
    const auto schedule = simulator::projectSchedule(project, core::RunMode::Train, file);
    if (!schedule)
        return core::failure(schedule.error());
    auto cells = core::movedCells(*schedule, move);
    if (!cells)
        return core::failure(std::move(cells.error()));
    return core::withScheduleTable(project, {"slots.csv", "slots.csv", *std::move(cells)});
}

core::Result<std::vector<core::ScheduleOutcome>>
projectScheduleOutcomes(core::Project project, const std::string& file, const std::filesystem::path& folder,
                        simulator::CompilationCache& cache, const core::JobContext& job) {
    return simulator::scheduleOutcomes(forPricing(std::move(project)), file, cache, job, folder);
}

views::ScheduleOutcomesSource scheduleOutcomesSource() {
    return [cache = std::make_shared<simulator::CompilationCache>()](
               const core::Project& project, const std::string& file, const std::filesystem::path& folder,
               const core::JobContext& job) {
        return projectScheduleOutcomes(project, file, folder, *cache, job);
    };
}

} // namespace app
