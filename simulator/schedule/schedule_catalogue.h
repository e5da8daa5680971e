#pragma once

#include "core/base/result.h"
#include "core/config/pipeline_options.h"
#include "simulator/schedule/pipeline_schedule.h"

#include <span>
#include <string_view>

namespace simulator {

/// How one schedule is laid out; each has a file of its own and a row in the catalogue. What a schedule
/// allows stands in `core/plan/schedule_traits.h`.
struct ScheduleDefinition {
    core::ScheduleKind kind = core::ScheduleKind::Grouped;
    /// Slots of a shape that keeps the rules; FIFO depths are filled in by `buildSchedule`.
    PipelineSchedule (*build)(const PipelineShape&) = nullptr;
};

/// Every schedule, in the order of ScheduleKind.
[[nodiscard]] std::span<const ScheduleDefinition> scheduleCatalogue();
[[nodiscard]] const ScheduleDefinition& scheduleDefinition(core::ScheduleKind kind);

/// The schedule of a pipeline of at least two stages, or the rule it breaks (kinds of error in
/// `core/plan/schedule_rules.h`).
[[nodiscard]] core::Result<PipelineSchedule> buildSchedule(core::ScheduleKind kind,
                                                           const PipelineShape& shape);

/// The schedule of a model without a pipeline: micro-batch after micro-batch on one IPU or, for a sharded
/// one, on one IPU after the other. `shape.stages` are its steps; recomputation and I/O tiles make no
/// difference.
[[nodiscard]] core::Result<PipelineSchedule> buildUnpipelinedSchedule(PipelineShape shape);

} // namespace simulator
