#include "core/plan/schedule/schedule_catalogue.h"

#include "core/base/quantity.h"
#include "core/plan/schedule/schedule_check.h"
#include "core/plan/schedule/schedule_facts.h"
#include "core/plan/schedule/schedule_rules.h"

#include <algorithm>
#include <cassert>
#include <tuple>

// One line per file under definitions/, written by CMake: SCHEDULE(grouped).
#define SCHEDULE(name) ScheduleDefinition name();
namespace core::schedules {
#include "core/plan/schedule/schedule_definitions.inc"
} // namespace core::schedules
#undef SCHEDULE

namespace core {

std::span<const ScheduleDefinition> scheduleCatalogue() {
#define SCHEDULE(name) schedules::name(),
    static const std::vector<ScheduleDefinition> catalogue = [] {
        std::vector<ScheduleDefinition> rows{
#include "core/plan/schedule/schedule_definitions.inc"
        };
        std::ranges::sort(rows, {}, [](const ScheduleDefinition& row) {
            return std::tuple(row.isWhatIf, row.takesTable, row.name);
        });
        return rows;
    }();
#undef SCHEDULE
    return catalogue;
}

const ScheduleDefinition* findSchedule(std::string_view name) {
    constexpr std::string_view enumName = "PipelineSchedule.";
    if (name.starts_with(enumName))
        name.remove_prefix(enumName.size());
    const auto found = std::ranges::find(scheduleCatalogue(), name, &ScheduleDefinition::name);
    return found == scheduleCatalogue().end() ? nullptr : &*found;
}

const ScheduleDefinition& scheduleDefinition(std::string_view name) {
    const ScheduleDefinition* definition = findSchedule(name);
    assert(definition != nullptr && "only names of the catalogue get into a project");
    return definition ? *definition : scheduleCatalogue().front();
}

std::vector<std::string_view> scheduleNames() {
    std::vector<std::string_view> names;
    for (const ScheduleDefinition& definition : scheduleCatalogue())
        if (!definition.takesTable)
            names.push_back(definition.name);
    return names;
}

const ScheduleDefinition& serialSchedule() {
    return *std::ranges::find(scheduleCatalogue(), true, &ScheduleDefinition::isSerial);
}

const ScheduleDefinition& tableSchedule() {
    return *std::ranges::find(scheduleCatalogue(), true, &ScheduleDefinition::takesTable);
}

std::int64_t fittingMicroBatches(const ScheduleDefinition& definition, const PipelineShape& shape) {
    const std::int64_t multiple = definition.multipleOf(shape);
    if (definition.isSerial || multiple > 1)
        return multiple;
    return roundUp(2 * static_cast<std::int64_t>(shape.stages), multiple);
}

namespace {

/// Every table goes through here: checked, and what its items say derived.
Result<PipelineSchedule> finished(const ScheduleDefinition& definition, const PipelineShape& shape) {
    PipelineSchedule schedule = definition.layOut(shape);
    schedule.name = definition.name;
    schedule.isAsynchronous = definition.isAsynchronous;
    schedule.shortensPassThrough |= definition.shortensPassThrough;
    if (shape.training && !schedule.timeSlots.empty())
        schedule.weightUpdateAfterSlot = static_cast<std::int64_t>(schedule.timeSlots.size()) - 1;
    if (Diagnostics findings = checkSchedule(schedule); !findings.empty())
        return failure(std::move(findings));
    schedule.fifoDepths = fifoDepths(schedule);
    return schedule;
}

} // namespace

Result<PipelineSchedule> buildSchedule(const ScheduleDefinition& definition, const PipelineShape& shape) {
    if (auto broken = brokenScheduleRule(definition, shape))
        return failure(std::move(*broken));
    return finished(definition, shape);
}

Result<PipelineSchedule> buildSchedule(std::string_view name, const PipelineShape& shape) {
    return buildSchedule(scheduleDefinition(name), shape);
}

Result<PipelineSchedule> buildUnpipelinedSchedule(PipelineShape shape) {
    shape.recompute = false;
    shape.ioTiles = false;
    const ScheduleDefinition& serial = serialSchedule();
    auto broken = shape.stages > 1 ? brokenScheduleRule(serial, shape) : brokenMicroBatchRule(serial, shape);
    if (broken)
        return failure(std::move(*broken));
    return finished(serial, shape);
}

} // namespace core
