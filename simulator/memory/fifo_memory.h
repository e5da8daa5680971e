#pragma once

#include "core/profile/records/memory_records.h"
#include "simulator/memory/memory_plan.h"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace simulator {

/// What the memory of an IPU comes to with other depths of its FIFOs. A FIFO lives through the slot, and one
/// of n values takes n times the memory of one value on the same tiles: bytes are linear in the depths, and
/// the worst tile is the worst of a few.
class FifoMemory {
public:
    /// Of a measured plan.
    explicit FifoMemory(const IpuMemoryPlan& plan);

    /// Of the plan's FIFOs, ascending, each once.
    [[nodiscard]] const std::vector<std::int64_t>& depths() const { return m_depths; }
    /// What `measure` finds of the plan whose FIFOs have these depths, one for each of `depths()`, none 0.
    [[nodiscard]] core::IpuMemorySummary at(std::span<const std::int64_t> depths) const;

private:
    /// The worst of all tiles on which the FIFOs lie alike, at the step at which everything else takes most.
    struct Tile {
        std::int64_t tile = 0;
        std::int64_t bytes = 0;
        std::uint32_t step = 0;
        /// Of one value in each FIFO of a depth.
        std::vector<std::int64_t> bytesPerEntry;
    };

    void findTiles(const IpuMemoryPlan& plan, const std::vector<std::vector<std::int64_t>>& bytesPerEntry);

    std::vector<std::int64_t> m_depths;
    /// Of one value in each FIFO of a depth, all tiles together.
    std::vector<std::int64_t> m_bytesPerEntry;
    std::vector<Tile> m_tiles;
    /// With FIFOs of no values, where the slot takes most and where the update does.
    core::IpuMemorySummary m_slot;
    std::optional<core::IpuMemorySummary> m_update;
};

} // namespace simulator
