#include "core/plan/schedule/schedule_definition.h"
#include "core/plan/schedule/slot_layout.h"

#include <algorithm>
#include <numeric>

// Forward and backward slots alternate on each IPU, so an IPU runs one stage program per slot. As many
// micro-batches in flight as fit without two on one IPU in one slot (S with the default mapping); FIFO depth
// S−1−k. Source: pipeline_visitor_utils of Graphcore's TensorFlow.

namespace core::schedules {

namespace {

/// IPU of every position: forward devices in stage order, then backward devices in reverse order.
std::vector<IpuId> devicesOfPositions(const PipelineShape& shape) {
    std::vector<IpuId> devices;
    devices.reserve(shape.positions());
    for (std::size_t stage = 0; stage < shape.stages; ++stage)
        devices.push_back(shape.ipuOf(stage));
    for (std::size_t stage = shape.stages; shape.training && stage-- > 0;)
        devices.push_back(shape.ipuOf(stage));
    return devices;
}

/// clash[d]: the device list and itself rotated by d name the same IPU somewhere.
std::vector<bool> clashingRotations(const std::vector<IpuId>& devices) {
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
std::vector<std::int64_t> distinctIpus(const PipelineShape& shape) {
    const std::vector<IpuId> devices = devicesOfPositions(shape);
    const std::vector<bool> clash = clashingRotations(devices);
    std::vector<std::int64_t> offsets{0};
    for (std::int64_t rotation = 1; rotation < static_cast<std::int64_t>(devices.size()); ++rotation)
        if (std::ranges::none_of(offsets, [&](std::int64_t taken) {
                return clash[static_cast<std::size_t>(rotation - taken)];
            }))
            offsets.push_back(rotation);
    return offsets;
}

std::int64_t interleavedMultiple(const PipelineShape& shape) {
    return static_cast<std::int64_t>(distinctIpus(shape).size());
}

PipelineSchedule interleavedLayOut(const PipelineShape& shape) {
    return layOutRotations(shape, distinctIpus(shape), shape.positions(), false);
}

} // namespace

ScheduleDefinition interleaved() {
    return {.name = "Interleaved",
            .meaning = "Forward and backward passes in turn: shorter FIFOs",
            .sharesIpusInTraining = false,
            .microBatchMultiple = interleavedMultiple,
            .layOut = interleavedLayOut};
}

} // namespace core::schedules
