#pragma once

#include "simulator/planner/search/layer_bounds.h"
#include "simulator/planner/search/slot_bound.h"

#include <cstdint>
#include <vector>

namespace simulator {

/// Bounds of any run of layers of a chain, in constant time.
class ChainTable {
public:
    explicit ChainTable(ChainBounds bounds);

    [[nodiscard]] const ChainBounds& bounds() const { return m_bounds; }
    [[nodiscard]] std::size_t layers() const { return m_layers; }
    /// Of the layers `first` … `end` − 1 on one stage.
    [[nodiscard]] StageWork work(std::size_t first, std::size_t end, bool recomputes) const;
    [[nodiscard]] std::int64_t variableBytes(std::size_t first, std::size_t end, bool withOptimizer) const;
    /// Per micro-batch that waits.
    [[nodiscard]] std::int64_t keptBytes(std::size_t first, std::size_t end) const {
        return m_kept[at(first, end)];
    }
    /// What a stage that recomputes keeps of its inputs per micro-batch that waits, as the least over all
    /// stages but the first that hold these layers: so a longer stage never has less.
    [[nodiscard]] std::int64_t arrivingBytes(std::size_t first, std::size_t end) const {
        return m_arriving[at(first, end)];
    }
    /// The largest temporary of an operation.
    [[nodiscard]] std::int64_t temporaryBytes(std::size_t first, std::size_t end) const {
        return m_temporary[at(first, end)];
    }
    /// Forward and backward cycles of all layers, of the largest one, and bytes of all variables.
    [[nodiscard]] std::int64_t totalCycles() const;
    [[nodiscard]] std::int64_t largestLayerCycles() const;
    /// Whether the first and the last call share weights, so that the ends of the chain are on one IPU.
    [[nodiscard]] bool isTied() const;

private:
    void addArriving();
    [[nodiscard]] std::size_t at(std::size_t first, std::size_t end) const {
        return first * (m_layers + 1) + end;
    }

    ChainBounds m_bounds;
    std::size_t m_layers;
    /// Sums of the layers before.
    std::vector<StageWork> m_before;
    std::vector<std::int64_t> m_variables;
    std::vector<std::int64_t> m_optimizer;
    /// By first layer and end.
    std::vector<std::int64_t> m_recompute;
    std::vector<std::int64_t> m_kept;
    std::vector<std::int64_t> m_temporary;
    std::vector<std::int64_t> m_arriving;
};

} // namespace simulator
