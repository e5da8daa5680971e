#pragma once

#include "simulator/schedule/pipeline_schedule.h"

#include <cstdint>
#include <vector>

namespace simulator {

/// Lays a pipeline out from its start offsets: micro-batch q·overlap + i is at position p (F_k: k; B_k:
/// 2S−1−k) in slot q·P + offsets[i] + p, and a stage recomputes in the slot before its backward. Ramp-up and
/// ramp-down take P slots each. With I/O tiles, infeeds run a slot ahead of the compute and outfeeds a slot
/// after it, and each ramp grows by two slots.
///
/// Source: the pipeline visitors of Graphcore's TensorFlow (pipeline_visitor, grouped_overlap_…).
[[nodiscard]] PipelineSchedule layOutSlots(core::ScheduleKind kind, const PipelineShape& shape,
                                           std::vector<std::int64_t> startOffsets, bool ioTiles);

/// depth(k) = factor·(S−1−k) in training; all 0 in inference.
[[nodiscard]] std::vector<std::int64_t> fifoDepths(const PipelineShape& shape, std::int64_t factor);

} // namespace simulator
