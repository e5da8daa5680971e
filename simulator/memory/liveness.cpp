#include "simulator/memory/liveness.h"

#include <numeric>

namespace simulator {

std::vector<std::int64_t> liveBytes(std::span<const LiveInterval> intervals,
                                    std::span<const std::int64_t> bytes, std::size_t steps,
                                    std::uint32_t slotEnd) {
    std::vector<std::int64_t> change(steps + 1, 0);
    for (std::size_t index = 0; index < intervals.size(); ++index) {
        const LiveInterval& interval = intervals[index];
        change[interval.first] += bytes[index];
        change[interval.last + 1] -= bytes[index];
        if (interval.wraps()) {
            change[0] += bytes[index];
            change[slotEnd + 1] -= bytes[index];
        }
    }
    std::partial_sum(change.begin(), change.end(), change.begin());
    change.pop_back();
    return change;
}

} // namespace simulator
