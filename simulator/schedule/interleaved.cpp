#include "simulator/schedule/interleaved.h"

#include "simulator/schedule/slot_layout.h"

#include <algorithm>
#include <numeric>

namespace simulator {

namespace {

/// IPU of every position: forward devices in stage order, then backward devices in reverse order.
std::vector<core::IpuId> devicesOfPositions(const PipelineShape& shape) {
    std::vector<core::IpuId> devices;
    devices.reserve(shape.positions());
    for (std::size_t stage = 0; stage < shape.stages; ++stage)
        devices.push_back(shape.ipuOf(stage));
    for (std::size_t stage = shape.stages; shape.training && stage-- > 0;)
        devices.push_back(shape.ipuOf(stage));
    return devices;
}

/// clash[d]: the device list and itself rotated by d name the same IPU somewhere.
std::vector<bool> clashingRotations(const std::vector<core::IpuId>& devices) {
    const std::size_t count = devices.size();
    std::vector<std::size_t> positions(count);
    std::iota(positions.begin(), positions.end(), 0);
    std::ranges::stable_sort(positions, {}, [&](std::size_t position) { return devices[position]; });
    std::vector<bool> clash(count, false);
    for (std::size_t a = 0; a < count; ++a)
        for (std::size_t b = a; b < count && devices[positions[a]] == devices[positions[b]]; ++b) {
            const std::size_t distance = positions[b] - positions[a];
            clash[distance] = true;
            clash[(count - distance) % count] = true;
        }
    return clash;
}

/// Greedy: the next rotation that puts no IPU to two uses in one slot beside those already taken.
std::vector<std::int64_t> startOffsets(const PipelineShape& shape) {
    const std::vector<core::IpuId> devices = devicesOfPositions(shape);
    const std::vector<bool> clash = clashingRotations(devices);
    std::vector<std::int64_t> offsets{0};
    for (std::int64_t rotation = 1; rotation < static_cast<std::int64_t>(devices.size()); ++rotation)
        if (std::ranges::none_of(offsets, [&](std::int64_t taken) {
                return clash[static_cast<std::size_t>(rotation - taken)];
            }))
            offsets.push_back(rotation);
    return offsets;
}

PipelineSchedule build(const PipelineShape& shape) {
    return layOutSlots(core::ScheduleKind::Interleaved, shape, startOffsets(shape), false);
}

} // namespace

ScheduleDefinition interleavedSchedule() {
    return {
        .kind = core::ScheduleKind::Interleaved,
        .name = "Interleaved",
        .fifoFactor = 1,
        .overlapsHostIo = false,
        .sharesIpusInTraining = false,
        .automaticRecomputation = core::RecomputationMode::RecomputeThenBackpropagate,
        .recomputesThenBackpropagates = true,
        .recomputesInsideBackward = false,
        .startOffsets = startOffsets,
        .build = build,
    };
}

} // namespace simulator
