#include "simulator/schedule/grouped.h"

#include "simulator/schedule/slot_layout.h"

#include <numeric>

namespace simulator {

namespace {

std::vector<std::int64_t> startOffsets(const PipelineShape& shape) {
    std::vector<std::int64_t> offsets(shape.positions());
    std::iota(offsets.begin(), offsets.end(), 0);
    return offsets;
}

PipelineSchedule build(const PipelineShape& shape) {
    return layOutSlots(core::ScheduleKind::Grouped, shape, startOffsets(shape), shape.ioTiles);
}

} // namespace

ScheduleDefinition groupedSchedule() {
    return {
        .kind = core::ScheduleKind::Grouped,
        .name = "Grouped",
        .fifoFactor = 2,
        .overlapsHostIo = true,
        .sharesIpusInTraining = true,
        .automaticRecomputation = core::RecomputationMode::RecomputeThenBackpropagate,
        .recomputesThenBackpropagates = true,
        .recomputesInsideBackward = true,
        .startOffsets = startOffsets,
        .build = build,
    };
}

} // namespace simulator
