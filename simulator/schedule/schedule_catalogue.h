#pragma once

#include "core/base/result.h"
#include "core/config/pipeline_options.h"
#include "simulator/schedule/pipeline_schedule.h"

#include <span>
#include <string_view>

namespace simulator {

/// One schedule: what it is called, what it allows, and how it is laid out. Each has a file of its own and a
/// row in the catalogue; rules that name these figures stand in `schedule_rules`.
struct ScheduleDefinition {
    core::ScheduleKind kind = core::ScheduleKind::Grouped;
    /// The member of PipelineSchedule in the Python API.
    std::string_view name;
    /// c of the FIFO depth c·(S−1−k).
    std::int64_t fifoFactor = 0;
    /// Reserved I/O tiles change the schedule; otherwise they are ignored.
    bool overlapsHostIo = false;
    /// Training may put two stages on one IPU.
    bool sharesIpusInTraining = true;
    /// What RecomputationMode.Auto means.
    core::RecomputationMode automaticRecomputation = core::RecomputationMode::RecomputeThenBackpropagate;
    bool recomputesThenBackpropagates = true;
    bool recomputesInsideBackward = true;
    /// Slots by which the micro-batches in flight follow each other; the first is 0.
    std::vector<std::int64_t> (*startOffsets)(const PipelineShape&) = nullptr;
    /// Slots of a shape that keeps the rules; FIFO depths are filled in by `buildSchedule`.
    PipelineSchedule (*build)(const PipelineShape&) = nullptr;
};

/// Every schedule, in the order of ScheduleKind.
[[nodiscard]] std::span<const ScheduleDefinition> scheduleCatalogue();
[[nodiscard]] const ScheduleDefinition& scheduleDefinition(core::ScheduleKind kind);

/// The schedule of a pipeline of at least two stages, or the rule it breaks (kinds of error in
/// `schedule_rules.h`).
[[nodiscard]] core::Result<PipelineSchedule> buildSchedule(core::ScheduleKind kind,
                                                           const PipelineShape& shape);

/// The schedule of a model without stages: micro-batch after micro-batch on one IPU.
[[nodiscard]] core::Result<PipelineSchedule> buildUnpipelinedSchedule(std::int64_t microBatches,
                                                                      bool training);

/// Resolves Auto; refuses a mode that the schedule does not support ("unimplemented/recomputation-mode"),
/// which the programming system does even where nothing is recomputed.
[[nodiscard]] core::Result<core::RecomputationMode> resolveRecomputation(core::ScheduleKind kind,
                                                                         core::RecomputationMode mode);

} // namespace simulator
