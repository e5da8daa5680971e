#include "core/plan/schedule_traits.h"

#include "core/plan/schedule_rules.h"

#include <algorithm>
#include <array>
#include <numeric>

namespace core {

namespace {

/// A new micro-batch enters in every slot.
std::vector<std::int64_t> everySlot(const PipelineShape& shape) {
    std::vector<std::int64_t> offsets(shape.positions());
    std::iota(offsets.begin(), offsets.end(), 0);
    return offsets;
}

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

std::vector<std::int64_t> oneAtATime(const PipelineShape&) {
    return {0};
}

} // namespace

const ScheduleTraits& scheduleTraits(ScheduleKind kind) {
    using enum RecomputationMode;
    static const std::array<ScheduleTraits, 3> rows{{
        {.kind = ScheduleKind::Grouped,
         .fifoFactor = 2,
         .overlapsHostIo = true,
         .sharesIpusInTraining = true,
         .automaticRecomputation = RecomputeThenBackpropagate,
         .recomputesThenBackpropagates = true,
         .recomputesInsideBackward = true,
         .startOffsets = everySlot},
        {.kind = ScheduleKind::Interleaved,
         .fifoFactor = 1,
         .overlapsHostIo = false,
         .sharesIpusInTraining = false,
         .automaticRecomputation = RecomputeThenBackpropagate,
         .recomputesThenBackpropagates = true,
         .recomputesInsideBackward = false,
         .startOffsets = distinctIpus},
        {.kind = ScheduleKind::Sequential,
         .fifoFactor = 0,
         .overlapsHostIo = false,
         .sharesIpusInTraining = true,
         .automaticRecomputation = RecomputeAndBackpropagateInterleaved,
         .recomputesThenBackpropagates = false,
         .recomputesInsideBackward = true,
         .startOffsets = oneAtATime},
    }};
    return *std::ranges::find(rows, kind, &ScheduleTraits::kind);
}

Result<RecomputationMode> resolveRecomputation(ScheduleKind kind, RecomputationMode mode) {
    const ScheduleTraits& traits = scheduleTraits(kind);
    if (mode == RecomputationMode::Auto)
        return traits.automaticRecomputation;
    const bool isThen = mode == RecomputationMode::RecomputeThenBackpropagate;
    if (isThen ? traits.recomputesThenBackpropagates : traits.recomputesInsideBackward)
        return mode;
    return failure(unsupportedRecomputation(kind, mode));
}

} // namespace core
