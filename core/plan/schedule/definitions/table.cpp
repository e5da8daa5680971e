#include "core/plan/schedule/schedule_cells.h"
#include "core/plan/schedule/schedule_definition.h"

// A table of the user's own, as `schedule_cells.h` describes it: checked like every other, and run as it
// is. Its slots are only the order of the work.

namespace core::schedules {

ScheduleDefinition table() {
    return {.name = "Table",
            .meaning = "The slots of a CSV file of your own, each IPU at its own pace",
            .isWhatIf = true,
            .isAsynchronous = true,
            .takesTable = true,
            .recomputesInsideBackward = true,
            .brokenRule = brokenTable,
            .layOut = tableLayOut};
}

} // namespace core::schedules
