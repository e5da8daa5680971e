#include "simulator/memory/address_assignment.h"

#include <algorithm>
#include <limits>
#include <map>
#include <numeric>
#include <queue>

namespace simulator {

namespace {

/// Unused stretches of an address space without end, by address; neighbours are merged.
class FreeList {
public:
    std::int64_t take(std::int64_t bytes) {
        const auto hole =
            std::ranges::find_if(m_holes, [&](const auto& each) { return each.second >= bytes; });
        const auto [address, size] = *hole;
        m_holes.erase(hole);
        if (size > bytes)
            m_holes.emplace(address + bytes, size - bytes);
        return address;
    }

    void give(std::int64_t address, std::int64_t bytes) {
        auto next = m_holes.lower_bound(address);
        if (next != m_holes.end() && address + bytes == next->first) {
            bytes += next->second;
            next = m_holes.erase(next);
        }
        if (next != m_holes.begin()) {
            const auto previous = std::prev(next);
            if (previous->first + previous->second == address) {
                previous->second += bytes;
                return;
            }
        }
        m_holes.emplace(address, bytes);
    }

private:
    std::map<std::int64_t, std::int64_t> m_holes{{0, std::numeric_limits<std::int64_t>::max() / 2}};
};

} // namespace

std::vector<std::int64_t> assignAddresses(std::span<const AddressRequest> requests, std::uint32_t slotEnd) {
    const auto occupied = [&](std::size_t index) {
        const LiveInterval& interval = requests[index].interval;
        return interval.wraps() ? LiveInterval{0, slotEnd} : interval;
    };
    std::vector<std::size_t> order(requests.size());
    std::iota(order.begin(), order.end(), 0);
    std::ranges::stable_sort(order, {}, [&](std::size_t index) {
        return std::pair(occupied(index).first, -requests[index].bytes);
    });

    using Ending = std::pair<std::uint32_t, std::size_t>;
    std::priority_queue<Ending, std::vector<Ending>, std::greater<>> live;
    std::vector<std::int64_t> addresses(requests.size(), 0);
    FreeList free;
    for (const std::size_t index : order) {
        for (; !live.empty() && live.top().first < occupied(index).first; live.pop())
            free.give(addresses[live.top().second], requests[live.top().second].bytes);
        if (requests[index].bytes <= 0)
            continue;
        addresses[index] = free.take(requests[index].bytes);
        live.emplace(occupied(index).last, index);
    }
    return addresses;
}

} // namespace simulator
