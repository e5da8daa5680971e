#include "core/plan/schedule/schedule_catalogue.h"
#include "core/plan/schedule/schedule_cells.h"
#include "core/plan/schedule/schedule_definition.h"
#include "core/plan/schedule/schedule_rules.h"

#include <algorithm>

// A table of the user's own whose IPUs meet at the end of every slot, as those of the programming system do.
// Cells that are those of a schedule of the programming system are that schedule: ramps, cycle, and the
// copies that run in its ramps with nothing to carry, which cells do not show. Other cells copy what they
// make.

namespace core::schedules {

namespace {

bool haveSameCells(const PipelineSchedule& table, const PipelineSchedule& schedule) {
    return table.items == schedule.items &&
           std::ranges::equal(table.timeSlots, schedule.timeSlots, {}, &Slot::itemCount, &Slot::itemCount);
}

PipelineSchedule tableInStepLayOut(const PipelineShape& shape) {
    PipelineSchedule table = tableLayOut(shape);
    for (const ScheduleDefinition& definition : scheduleCatalogue()) {
        if (definition.takesTable || definition.isAsynchronous || brokenScheduleRule(definition, shape))
            continue;
        PipelineSchedule schedule = definition.layOut(shape);
        schedule.shortensPassThrough = definition.shortensPassThrough;
        if (haveSameCells(table, schedule))
            return schedule;
    }
    return table;
}

} // namespace

ScheduleDefinition tableInStep() {
    return {.name = "TableInStep",
            .meaning = "The slots of a CSV file of your own, all IPUs in step",
            .isWhatIf = true,
            .takesTable = true,
            .recomputesInsideBackward = true,
            .brokenRule = brokenTable,
            .layOut = tableInStepLayOut};
}

} // namespace core::schedules
