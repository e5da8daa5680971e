#pragma once

#include "simulator/planner/bounds/layer_bounds.h"
#include "simulator/target/ipu_system.h"

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace simulator {

/// Which values take a shortcut on an IPU that has the first and the last stage, as far as can be known
/// before the cuts are: those that are made before layer `firstEnd` and read from layer `lastBegin` on.
struct WrappedStages {
    std::size_t firstEnd = 0;
    std::size_t lastBegin = std::numeric_limits<std::size_t>::max();
};

/// What the copies between neighbouring stages take at least, by where the chain is cut: each value travels
/// from stage to stage (`insertTransfers`), what one IPU sends to another in a slot goes one after the other.
class CopyBound {
public:
    CopyBound() = default;
    /// `ipuOfStage`: virtual IPU of every stage.
    CopyBound(const ChainBounds& chain, const IpuSystem& system, std::span<const std::int64_t> ipuOfStage,
              WrappedStages wrapped);

    /// Cycles of the copies between stages `stage` and `stage` + 1 where the first of them ends before layer
    /// `end`: of what goes up in a slot, and of what comes down in one. 0 where nothing crosses.
    [[nodiscard]] std::int64_t forward(std::size_t stage, std::size_t end) const {
        return m_forward.empty() ? 0 : m_forward[m_routeOf[stage]][end];
    }
    [[nodiscard]] std::int64_t backward(std::size_t stage, std::size_t end) const {
        return m_backward.empty() ? 0 : m_backward[m_routeOf[stage]][end];
    }
    /// Bytes in which the values land that come up to a stage that begins with layer `first`.
    [[nodiscard]] std::int64_t landingBytes(std::size_t first) const {
        return m_landing.empty() ? 0 : m_landing[first];
    }
    /// The two syncs around the copies of a slot.
    [[nodiscard]] std::int64_t syncCycles() const { return m_sync; }

private:
    /// Different routes between neighbours are few.
    std::vector<std::size_t> m_routeOf;
    std::vector<std::vector<std::int64_t>> m_forward;
    std::vector<std::vector<std::int64_t>> m_backward;
    std::vector<std::int64_t> m_landing;
    std::int64_t m_sync = 0;
};

} // namespace simulator
