#include "core/plan/schedule/schedule_definition.h"
#include "core/plan/schedule/slot_layout.h"

#include <numeric>

// A new micro-batch enters in every slot, and all stages, forward and backward, run in each full slot: P
// micro-batches in flight, FIFO depth 2·(S−1−k). The only schedule that overlaps host I/O on I/O tiles.
// Source: pipeline_visitor and grouped_overlap_pipeline_visitor of Graphcore's TensorFlow.

namespace core::schedules {

namespace {

std::int64_t groupedMultiple(const PipelineShape& shape) {
    return static_cast<std::int64_t>(shape.positions());
}

PipelineSchedule groupedLayOut(const PipelineShape& shape) {
    std::vector<std::int64_t> everySlot(shape.positions());
    std::iota(everySlot.begin(), everySlot.end(), 0);
    return layOutRotations(shape, everySlot, 1, shape.ioTiles);
}

} // namespace

ScheduleDefinition grouped() {
    return {.name = "Grouped",
            .meaning = "Forward passes together, backward passes together",
            .overlapsHostIo = true,
            .shortensPassThrough = true,
            .recomputesInsideBackward = true,
            .microBatchMultiple = groupedMultiple,
            .layOut = groupedLayOut};
}

} // namespace core::schedules
