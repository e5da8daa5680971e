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
/// The first heading is "ipu in step" where all IPUs meet at the end of every slot, and "ipu" where slots are
/// only the order of the work.
///
/// The same may be written with a row per piece of work, in the order of slots and, within an IPU, of the
/// work: CSV with the columns slot, ipu, kind ("fwd", "bwd", "wgrad", "recompute"), stage and micro_batch, in
/// any order and beside others; a column "timing" says "in_step" (as without it) or "in_order" in every row,
/// a column "slots" in every row how many there are with those without work.
[[nodiscard]] std::string scheduleCells(const PipelineSchedule& schedule);

/// The row of the catalogue that such a table is laid out by, after its first heading.
[[nodiscard]] const ScheduleDefinition& scheduleOfCells(std::string_view cells);

/// Whether some cell of such a table is recomputation.
[[nodiscard]] bool haveRecomputation(std::string_view cells);

/// Slots and items of the shape's table, in the file's order: the inverse of `scheduleCells`. Whether they
/// make sense is `checkSchedule`'s matter. Error "value-error/schedule-table", placed at line:column (in
/// bytes, from 1) of the file, which names slot and cell: a cell that is no work, an IPU that holds no stage
/// or is named twice, a stage left out where an IPU holds several, a column left out, rows that do not agree
/// on the whole table, more slots than a schedule can have work for.
[[nodiscard]] Result<PipelineSchedule> readScheduleCells(const PipelineShape& shape);

// The parts of a definition whose work comes from such a table.

/// That there is no table, or what keeps it from being read.
[[nodiscard]] std::optional<Diagnostic> brokenTable(const PipelineShape& shape);
/// As it stands; nothing of a table that is broken.
[[nodiscard]] PipelineSchedule tableLayOut(const PipelineShape& shape);

} // namespace core
