#include "simulator/numerics/aligned_memory.h"

#include <algorithm>
#include <cstring>
#include <numeric>

namespace simulator {
namespace {

constexpr std::size_t alignment = 64;

std::size_t roundedUp(std::size_t bytes) {
    return (bytes + alignment - 1) / alignment * alignment;
}

bool areAliveTogether(const ArenaBlock& a, const ArenaBlock& b) {
    return a.first <= b.last && b.first <= a.last;
}

} // namespace

AlignedMemory::AlignedMemory(std::size_t bytes)
    : m_data(static_cast<std::byte*>(
          ::operator new (std::max(roundedUp(bytes), alignment), std::align_val_t{alignment})))
    , m_size(bytes) {
    std::memset(m_data.get(), 0, std::max(roundedUp(bytes), alignment));
}

std::size_t planArena(std::vector<ArenaBlock>& blocks) {
    std::vector<std::size_t> order(blocks.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order,
                             [&](std::size_t a, std::size_t b) { return blocks[a].bytes > blocks[b].bytes; });
    std::vector<std::size_t> placed; // in order of offset
    std::size_t total = 0;
    for (const std::size_t index : order) {
        ArenaBlock& block = blocks[index];
        std::size_t offset = 0;
        for (const std::size_t other : placed) {
            const ArenaBlock& neighbour = blocks[other];
            if (!areAliveTogether(block, neighbour))
                continue;
            if (neighbour.offset >= offset + block.bytes)
                break;
            offset = std::max(offset, neighbour.offset + roundedUp(neighbour.bytes));
        }
        block.offset = offset;
        total = std::max(total, offset + roundedUp(block.bytes));
        const auto at =
            std::ranges::upper_bound(placed, offset, {}, [&](std::size_t i) { return blocks[i].offset; });
        placed.insert(at, index);
    }
    return total;
}

} // namespace simulator
