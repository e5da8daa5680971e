#pragma once

#include "core/profile/records/memory_records.h"

#include <span>

namespace core {

/// Memory that lies free between blocks that are live together, by the planner's addresses.
struct Fragmentation {
    /// From address 0 to the end of the highest block.
    Bytes span;
    Bytes gaps;
    std::int64_t gapCount = 0;
    /// No block larger than this fits below the highest one.
    Bytes largestGap;

    /// Of the span.
    [[nodiscard]] double share() const { return span.value() == 0 ? 0 : ratio(gaps, span); }
};
[[nodiscard]] Fragmentation fragmentationAt(std::span<const LiveRangeRecord> ranges, std::int64_t step);

} // namespace core
