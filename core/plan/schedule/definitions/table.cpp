#include "core/plan/schedule/schedule_cells.h"
#include "core/plan/schedule/schedule_definition.h"

// A table of the user's own, as `schedule_cells.h` describes it: checked like every other, and run as it
// is.

namespace core::schedules {

namespace {

std::optional<Diagnostic> brokenTable(const PipelineShape& shape) {
    if (shape.table.text.empty())
        return makeError(Trouble::Input, "value-error/schedule-table", {"", "/pipeline/schedule"},
                         "the schedule Table has no table",
                         {R"(name a CSV file: "schedule": {"table": "slots.csv"})",
                          "the verb schedule with --cells writes one to begin with"});
    const auto table = readScheduleCells(shape);
    return table ? std::nullopt : std::optional(table.error().front());
}

PipelineSchedule tableLayOut(const PipelineShape& shape) {
    auto table = readScheduleCells(shape);
    if (table)
        return std::move(*table);
    // Refused before; the check of the empty table says so again.
    PipelineSchedule empty;
    empty.shape = shape;
    return empty;
}

} // namespace

ScheduleDefinition table() {
    return {.name = "Table",
            .meaning = "The slots of a CSV file of your own",
            .isWhatIf = true,
            .isAsynchronous = true,
            .takesTable = true,
            .recomputesInsideBackward = true,
            .brokenRule = brokenTable,
            .layOut = tableLayOut};
}

} // namespace core::schedules
