#pragma once

#include "core/base/result.h"
#include "core/plan/schedule/schedule_definition.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace core {

/// The definitions under `definitions/`: those of the programming system, then the others, each by name.
[[nodiscard]] std::span<const ScheduleDefinition> scheduleCatalogue();

/// The schedule of that name; a name that is not in the catalogue is a programming error.
[[nodiscard]] const ScheduleDefinition& scheduleDefinition(std::string_view name);
/// Null where there is none. Also takes the spelling of a Python program, "PipelineSchedule.Grouped".
[[nodiscard]] const ScheduleDefinition* findSchedule(std::string_view name);

/// Those to choose from by name alone, in the order of the catalogue.
[[nodiscard]] std::vector<std::string_view> scheduleNames();
/// The schedule for one stage at a time, which also runs models without a pipeline.
[[nodiscard]] const ScheduleDefinition& serialSchedule();
/// The schedule whose slots come from a file of the user.
[[nodiscard]] const ScheduleDefinition& tableSchedule();

/// A count of micro-batches that the schedule takes and that fills the pipeline.
[[nodiscard]] std::int64_t fittingMicroBatches(const ScheduleDefinition& definition,
                                               const PipelineShape& shape);

/// The table of a pipeline of at least two stages, checked; or the rule that the shape breaks (kinds of error
/// in `schedule_rules.h`), or what is wrong with a table of the user (`schedule_check.h`).
[[nodiscard]] Result<PipelineSchedule> buildSchedule(const ScheduleDefinition& definition,
                                                     const PipelineShape& shape);
[[nodiscard]] Result<PipelineSchedule> buildSchedule(std::string_view name, const PipelineShape& shape);

/// The table of a model without a pipeline: micro-batch after micro-batch on one IPU or, for a sharded one,
/// on one IPU after the other. `shape.stages` are its steps; recomputation and I/O tiles make no difference.
[[nodiscard]] Result<PipelineSchedule> buildUnpipelinedSchedule(PipelineShape shape);

} // namespace core
