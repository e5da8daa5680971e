#pragma once

#include "simulator/planner/bounds/layer_bounds.h"
#include "simulator/planner/bounds/slot_bound.h"

#include <cstdint>
#include <vector>

namespace simulator {

/// Values of a micro-batch that wait.
struct WaitingValues {
    std::int64_t count = 0;
    /// Of all of them.
    std::int64_t bytes = 0;

    WaitingValues& operator+=(const WaitingValues& other) {
        count += other.count;
        bytes += other.bytes;
        return *this;
    }
};

/// Bounds of any run of layers of a chain, in constant time.
class ChainTable {
public:
    explicit ChainTable(ChainBounds bounds);

    [[nodiscard]] const ChainBounds& bounds() const { return m_bounds; }
    [[nodiscard]] std::size_t layers() const { return m_layers; }
    /// Of the layers `first` … `end` − 1 on one stage.
    [[nodiscard]] StageWork work(std::size_t first, std::size_t end, bool recomputes) const;
    [[nodiscard]] std::int64_t variableBytes(std::size_t first, std::size_t end, bool withOptimizer) const;
    /// What the layers make for their backward passes.
    [[nodiscard]] const WaitingValues& kept(std::size_t first, std::size_t end) const {
        return m_kept[at(first, end)];
    }
    /// What a stage that recomputes keeps of its inputs; of no meaning for the first stage.
    [[nodiscard]] const WaitingValues& arriving(std::size_t first, std::size_t end) const {
        return m_arriving[at(first, end)];
    }
    /// What a stage that does not recompute keeps of its inputs.
    [[nodiscard]] const WaitingValues& arrivingKept(std::size_t first, std::size_t end) const {
        return m_arrivingKept[at(first, end)];
    }
    /// The largest temporary of an operation.
    [[nodiscard]] std::int64_t temporaryBytes(std::size_t first, std::size_t end) const {
        return m_temporary[at(first, end)];
    }
    /// What is live at once of a micro-batch (`LiveBounds`): in a backward pass, or also in a forward pass
    /// that keeps what the backward pass reads.
    [[nodiscard]] std::int64_t liveBytes(std::size_t first, std::size_t end, bool recomputes) const {
        return recomputes ? m_liveBackward[at(first, end)] : m_live[at(first, end)];
    }
    /// Constants and code that operations have for themselves; code that they share; of every program.
    [[nodiscard]] std::int64_t codeBytes(std::size_t first, std::size_t end) const {
        return m_code[end] - m_code[first];
    }
    [[nodiscard]] std::int64_t sharedCodeBytes(std::size_t first, std::size_t end) const {
        return m_sharedCode[at(first, end)];
    }
    /// Forward and backward cycles of all layers, of the largest one, and bytes of all variables.
    [[nodiscard]] std::int64_t totalCycles() const;
    [[nodiscard]] std::int64_t largestLayerCycles() const;
    /// Whether the first and the last call share weights, so that the ends of the chain are on one IPU.
    [[nodiscard]] bool isTied() const;

private:
    void addArriving(const std::vector<ArrivingValue>& values, std::vector<WaitingValues>& table) const;
    void addLive();
    void addSharedCode();
    [[nodiscard]] std::size_t at(std::size_t first, std::size_t end) const {
        return first * (m_layers + 1) + end;
    }

    ChainBounds m_bounds;
    std::size_t m_layers;
    /// Sums of the layers before.
    std::vector<StageWork> m_before;
    std::vector<std::int64_t> m_variables;
    std::vector<std::int64_t> m_optimizer;
    std::vector<std::int64_t> m_code;
    /// By first layer and end.
    std::vector<std::int64_t> m_recompute;
    std::vector<WaitingValues> m_kept;
    std::vector<std::int64_t> m_temporary;
    std::vector<WaitingValues> m_arriving;
    std::vector<WaitingValues> m_arrivingKept;
    std::vector<std::int64_t> m_liveBackward;
    std::vector<std::int64_t> m_live;
    std::vector<std::int64_t> m_sharedCode;
};

} // namespace simulator
