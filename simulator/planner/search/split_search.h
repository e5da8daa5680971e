#pragma once

#include "simulator/planner/search/chain_table.h"
#include "simulator/planner/search/slot_bound.h"

#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <vector>

namespace simulator {

/// What a search over cuts is about: one choice of everything but the cuts.
struct SplitProblem {
    const ChainTable* chain = nullptr;
    std::size_t stages = 1;
    bool recompute = false;
    /// The first and the last stage share an IPU.
    bool wraps = false;
    /// What counts towards the memory of a stage.
    bool countsVariables = true;
    bool countsOptimizer = true;
    bool countsStash = true;
    bool countsActivations = true;
    std::vector<std::int64_t> fifoDepths;
    /// Of each byte that a FIFO keeps, on its way in and again on its way out.
    double queueCyclesPerByte = 0;
    /// Bytes of an IPU.
    std::int64_t memoryLimit = 0;
    /// Cycles of an update that are the same wherever the cuts are.
    std::int64_t fixedCycles = 0;
};

/// Ends of the stages of a split, the last one the number of layers, and a bound of its cycles.
struct BoundedSplit {
    std::vector<std::size_t> ends;
    double cycles = 0;
};

/// The splits of a chain in the order of their bounds: best-first search over cuts from left to right. A part
/// of a split is bounded by its full slots at the smallest bottleneck that any split has, by its stages'
/// share of the other slots, and by the least that the layers left add to that (dynamic programming).
class SplitSearch {
public:
    SplitSearch(const SplitProblem& problem, SlotBound slots);

    /// No split takes fewer cycles; infinite where none fits. Rises as splits are taken.
    [[nodiscard]] double bound() const;
    /// Makes the first bound as tight as it gets, which takes longer than all before.
    void sharpen();
    /// The split that a first simulation should take: smallest bottleneck, then the least in the other slots.
    /// `limits`: bytes of each stage where they are to be tighter than the memory; empty: they are not.
    [[nodiscard]] std::optional<std::vector<std::size_t>>
    promising(const std::vector<std::int64_t>& limits = {}) const;
    /// The next split in the order of bounds; nothing where there is none below `limit` or `nodes` were not
    /// enough to find it.
    [[nodiscard]] std::optional<BoundedSplit> next(double limit, std::size_t& nodes);
    /// Bytes that a stage has at least.
    [[nodiscard]] std::int64_t bytes(std::size_t stage, std::size_t first, std::size_t end) const;
    /// A bound of one split.
    [[nodiscard]] std::int64_t cycles(std::span<const std::size_t> ends) const;

private:
    static constexpr double infinite = std::numeric_limits<double>::infinity();
    struct Node {
        double bound = 0;
        double shares = 0;
        std::int64_t largest = 0;
        std::size_t end = 0;
        std::size_t stage = 0;
        std::size_t parent = 0;
    };
    /// Lowest bound first, then the deepest, then the one made first.
    struct Later {
        const std::vector<Node>* nodes;
        bool operator()(std::size_t a, std::size_t b) const;
    };

    [[nodiscard]] bool recomputes(std::size_t stage) const;
    [[nodiscard]] std::int64_t queuedBytes(std::size_t stage, std::size_t first, std::size_t end) const;
    [[nodiscard]] StageWork workOf(std::size_t stage, std::size_t first, std::size_t end) const;
    [[nodiscard]] std::size_t lastEnd(std::size_t stage) const;
    [[nodiscard]] std::size_t longest(std::size_t stage, std::size_t first, std::int64_t largest,
                                      const std::vector<std::int64_t>& limits) const;
    [[nodiscard]] bool fits(std::int64_t largest, const std::vector<std::int64_t>& limits) const;
    [[nodiscard]] bool fitsAround(std::int64_t largest, const std::vector<std::int64_t>& limits) const;
    [[nodiscard]] std::int64_t smallestBottleneck(const std::vector<std::int64_t>& limits) const;
    /// The least shares of the stages from `stage` on, by stage and first layer.
    [[nodiscard]] std::vector<double> leastShares(std::int64_t largest,
                                                  const std::vector<std::int64_t>& limits) const;
    [[nodiscard]] std::size_t at(std::size_t stage, std::size_t layer) const {
        return stage * (m_problem.chain->layers() + 1) + layer;
    }
    void expand(std::size_t parent);
    void push(const Node& node);
    [[nodiscard]] std::vector<std::size_t> endsOf(std::size_t node) const;

    SplitProblem m_problem;
    SlotBound m_slots;
    /// Bytes of every stage.
    std::vector<std::int64_t> m_limits;
    /// −1: nothing fits.
    std::int64_t m_bottleneck = -1;
    std::vector<double> m_least;
    std::vector<Node> m_nodes;
    std::vector<std::size_t> m_queue;
};

} // namespace simulator
