#include "core/profile/analysis/fragmentation.h"

#include "core/profile/analysis/tile_time.h"

#include <algorithm>
#include <vector>

namespace core {

Fragmentation fragmentationAt(std::span<const LiveRangeRecord> ranges, std::int64_t step) {
    std::vector<const LiveRangeRecord*> live;
    for (const LiveRangeRecord& range : ranges)
        if (isLiveAt(range, step))
            live.push_back(&range);
    std::ranges::sort(live, {}, &LiveRangeRecord::address);
    Fragmentation result;
    for (const LiveRangeRecord* range : live) {
        if (range->address > result.span) {
            const Bytes gap = range->address - result.span;
            result.gaps += gap;
            ++result.gapCount;
            result.largestGap = std::max(result.largestGap, gap);
        }
        result.span = std::max(result.span, range->address + range->bytes);
    }
    return result;
}

} // namespace core
