#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace simulator {

/// Program steps over which something is live, both ends included. `first` > `last`: it lives around the end
/// of a slot, from `first` to the slot's last step and on from step 0 to `last` of the next slot.
struct LiveInterval {
    std::uint32_t first = 0;
    std::uint32_t last = 0;

    [[nodiscard]] bool wraps() const { return first > last; }
    /// `slotEnd`: the slot's last step.
    [[nodiscard]] bool covers(std::uint32_t step, std::uint32_t slotEnd) const {
        if (!wraps())
            return first <= step && step <= last;
        return step <= last || (step >= first && step <= slotEnd);
    }
    bool operator==(const LiveInterval&) const = default;
};

/// Sum of live bytes at every step: one pass over the events, whatever the number of overlaps.
[[nodiscard]] std::vector<std::int64_t> liveBytes(std::span<const LiveInterval> intervals,
                                                  std::span<const std::int64_t> bytes, std::size_t steps,
                                                  std::uint32_t slotEnd);

} // namespace simulator
