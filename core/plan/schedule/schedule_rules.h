#pragma once

#include "core/base/result.h"
#include "core/plan/schedule/schedule_definition.h"

#include <optional>

namespace core {

// The rules of the programming system for a pipeline, each alone. Every answer is the finding, or nothing
// when the rule is kept. `brokenScheduleRule` asks them in the order in which they would be found.

/// value-error/micro-batches: N negative or beyond 32 bits.
[[nodiscard]] std::optional<Diagnostic> brokenMicroBatchBounds(const PipelineShape& shape);
/// value-error/pipeline-stages: fewer than two stages; resource-exhausted/pipeline-stages: more than 16,384.
[[nodiscard]] std::optional<Diagnostic> brokenStageCount(const PipelineShape& shape);
/// value-error/device-mapping-length.
[[nodiscard]] std::optional<Diagnostic> brokenMappingLength(const PipelineShape& shape);
/// not-implemented/interleaved-repeated-device: training, two stages of an Interleaved pipeline on one IPU.
[[nodiscard]] std::optional<Diagnostic> brokenDeviceSharing(const ScheduleDefinition& definition,
                                                            const PipelineShape& shape);
/// failed-precondition/micro-batch-multiple: N is no multiple of the overlap;
/// failed-precondition/micro-batch-minimum: N below the overlap (I/O tiles: overlap + 2).
/// With I/O tiles the programming system does not test the multiple and then drops the micro-batches of the
/// remainder; it is refused here.
[[nodiscard]] std::optional<Diagnostic> brokenMicroBatchRule(const ScheduleDefinition& definition,
                                                             const PipelineShape& shape);

/// The first rule broken, those of the definition itself after the common ones, or
/// resource-exhausted/schedule-size, our own bound on the slot table.
[[nodiscard]] std::optional<Diagnostic> brokenScheduleRule(const ScheduleDefinition& definition,
                                                           const PipelineShape& shape);

} // namespace core
