#pragma once

#include "core/base/diagnostic.h"
#include "simulator/schedule/schedule_catalogue.h"

#include <optional>

namespace simulator {

/// The first rule of the programming system that a pipeline breaks, in the order in which it would be found:
/// - value-error/micro-batches: N negative or beyond 32 bits;
/// - value-error/pipeline-stages: fewer than two stages;
/// - value-error/device-mapping-length;
/// - not-implemented/interleaved-repeated-device: training, two stages of an Interleaved pipeline on one IPU;
/// - failed-precondition/micro-batch-multiple: N is no multiple of the overlap;
/// - failed-precondition/micro-batch-minimum: N below the overlap (I/O tiles: overlap + 2);
/// - resource-exhausted/schedule-size: our own bound on the table.
///
/// With I/O tiles the programming system does not test the multiple and then drops the micro-batches of the
/// remainder; it is refused here.
[[nodiscard]] std::optional<core::Diagnostic> brokenRule(const ScheduleDefinition& definition,
                                                         const PipelineShape& shape);

/// The part about N alone.
[[nodiscard]] std::optional<core::Diagnostic> brokenMicroBatchRule(const ScheduleDefinition& definition,
                                                                   const PipelineShape& shape);

[[nodiscard]] core::Diagnostic unsupportedRecomputation(const ScheduleDefinition& definition,
                                                        bool thenBackpropagate);

} // namespace simulator
