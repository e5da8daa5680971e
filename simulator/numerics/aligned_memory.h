#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <vector>

namespace simulator {

/// Memory for tensors: aligned to cache lines, zero at first, never moved.
class AlignedMemory {
public:
    AlignedMemory() = default;
    explicit AlignedMemory(std::size_t bytes);

    [[nodiscard]] std::byte* data() const { return m_data.get(); }
    [[nodiscard]] std::size_t size() const { return m_size; }

private:
    struct Free {
        void operator()(std::byte* data) const { ::operator delete (data, std::align_val_t{64}); }
    };
    std::unique_ptr<std::byte, Free> m_data;
    std::size_t m_size = 0;
};

/// A block that must lie in an arena from one step to another (both included).
struct ArenaBlock {
    std::size_t bytes = 0;
    std::size_t first = 0;
    std::size_t last = 0;
    /// Set by `planArena`.
    std::size_t offset = 0;
};

/// Places blocks so that those alive together do not overlap, the largest first, each at the lowest free
/// address. Answers the bytes of the arena. Offsets are multiples of 64.
std::size_t planArena(std::vector<ArenaBlock>& blocks);

} // namespace simulator
