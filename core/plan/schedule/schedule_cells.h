#pragma once

#include "core/base/result.h"
#include "core/plan/schedule/pipeline_schedule.h"
#include "core/plan/schedule/schedule_definition.h"

#include <optional>
#include <string>
#include <string_view>

namespace core {

/// A schedule as a table that people edit: CSV with a row per IPU and a column per slot. The first row names
/// the slots, the first column the IPUs; a cell holds the work of an IPU in a slot, in order: "F2", "B0 F3",
/// empty or "-" for none. F: forward pass of that micro-batch, B: backward pass, W: weight gradients where
/// they run apart from it, R: recomputation. The stage follows a dot where an IPU holds several: "F2.1".
[[nodiscard]] std::string scheduleCells(const PipelineSchedule& schedule);

/// A note on what such a table does not keep of a schedule: that its IPUs are in step. Nothing for those of
/// which only the order counts, or one stage works at a time.
[[nodiscard]] std::optional<Diagnostic> stepNote(const ScheduleDefinition& schedule, Location place);

/// Whether some cell of such a table is recomputation.
[[nodiscard]] bool haveRecomputation(std::string_view cells);

/// Slots and items of the shape's table, in the file's order: the inverse of `scheduleCells`. Whether they
/// make sense is `checkSchedule`'s matter. Error "value-error/schedule-table", placed at line:column (in
/// bytes, from 1) of the file, which names slot and cell: a cell that is no work, an IPU that holds no stage
/// or is named twice, a stage left out where an IPU holds several, more slots than a schedule can have work
/// for.
[[nodiscard]] Result<PipelineSchedule> readScheduleCells(const PipelineShape& shape);

} // namespace core
