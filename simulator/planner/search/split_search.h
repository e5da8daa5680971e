#pragma once

#include "simulator/planner/search/split_diagram.h"

#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <set>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

namespace simulator {

/// Ends of the stages of a split, the last one the number of layers, and a bound of its cycles.
struct BoundedSplit {
    std::vector<std::size_t> ends;
    double cycles = 0;
};

/// The splits of a chain in the order of their bounds: best-first search over cuts from left to right. A part
/// of a split is bounded by its full slots at the smallest bottleneck that the layers left can have, by the
/// longest copy that goes with it, by its stages' share of the other slots, and by the least that the layers
/// left add to that (dynamic programming over the stages that fit).
class SplitSearch {
public:
    SplitSearch(SplitProblem problem, SlotBound slotBound);

    /// No split takes fewer cycles; infinite where none fits (or none was left below the limit of `tighten`).
    /// Rises as splits are taken.
    [[nodiscard]] double bound() const;
    /// Makes the first bound as tight as it gets. Splits that take more than `limit` cycles are left out.
    void tighten(double limit);
    /// The split that a first simulation should take: the least full slots and copies, then the least in the
    /// other slots. `limits`: bytes of each stage where they are to be tighter than the memory; empty: they
    /// are not.
    [[nodiscard]] std::optional<std::vector<std::size_t>>
    promising(const std::vector<std::int64_t>& limits = {}) const;
    /// The next split, in the order of bounds as far as it can be told; nothing where there is none below
    /// `limit` or not enough of the parts of splits could be looked at, of which at most `nodes` are left.
    [[nodiscard]] std::optional<BoundedSplit> next(double limit, std::size_t& nodes);
    /// The last `next` found nothing, and a wider diagram would not either: what is left are many parts of
    /// splits that are equally good.
    [[nodiscard]] bool isAtItsEnd() const { return m_isAtItsEnd; }
    [[nodiscard]] const StageBounds& stages() const { return m_stages; }
    /// A bound of one split.
    [[nodiscard]] std::int64_t cycles(std::span<const std::size_t> ends) const;
    /// A split was simulated and what it has on the IPU of a stage does not fit: no split has that from now
    /// on.
    void forbid(std::span<const std::size_t> ends, std::size_t stage);

private:
    static constexpr double infinite = std::numeric_limits<double>::infinity();
    static constexpr std::int64_t endless = std::numeric_limits<std::int64_t>::max();
    struct Node {
        double bound = 0;
        double shares = 0;
        std::int64_t largest = 0;
        SlotCopies copies = {};
        /// Of the first stage, and of the last one so far.
        std::size_t firstEnd = 0;
        std::size_t end = 0;
        std::size_t stage = 0;
        std::size_t parent = 0;
    };
    /// Lowest bound first, then the deepest, then the one made first.
    struct Later {
        const std::vector<Node>* nodes;
        bool operator()(std::size_t a, std::size_t b) const;
    };
    using Part = StagePart;
    using Parts = StageParts;
    /// By kind of work and layer: of the slowest stage before that layer, where it is least.
    using Prefixes = std::array<std::vector<std::int64_t>, prefixWorkCount>;
    /// The least of the stages that are left, by stage and first layer; at every level only cuts whose copies
    /// take no longer count.
    struct Remainder {
        std::vector<std::vector<std::int64_t>> bottleneck;
        std::vector<double> shares;
    };

    void findLevels(double limit);
    /// The parts and what is left of them, with no stage that has more to do than a split that takes `limit`
    /// cycles.
    void findParts(double limit);
    [[nodiscard]] double leastShares() const;
    [[nodiscard]] std::size_t levelOf(std::int64_t copy) const;
    [[nodiscard]] std::int64_t smallestBottleneck(std::span<const std::int64_t> limits) const;
    [[nodiscard]] Parts parts(std::int64_t largest, std::span<const std::int64_t> limits) const;
    [[nodiscard]] Prefixes emptyPrefixes() const;
    void addPrefixes(Parts& parts, std::size_t stage, const Prefixes& prefixes) const;
    [[nodiscard]] Remainder remainder(const Parts& parts, std::size_t firstEnd, std::int64_t largest,
                                      std::span<const std::int64_t> limits) const;
    [[nodiscard]] std::vector<Remainder> remainders(const Parts& parts, std::int64_t largest,
                                                    std::span<const std::int64_t> limits) const;
    [[nodiscard]] const Remainder& remainderOf(const Node& node) const;
    [[nodiscard]] double shareOf(std::size_t stage, const Part& part, const Remainder& remainder) const;
    void findLeastCopies();
    [[nodiscard]] double copyCycles(SlotCopies known, std::int64_t longest) const;
    [[nodiscard]] double slotCycles(std::int64_t bottleneck, double shares) const;
    [[nodiscard]] double boundOf(const Node& node, const Remainder& remainder) const;
    [[nodiscard]] std::vector<std::size_t> bestSplit(const Parts& parts,
                                                     const std::vector<Remainder>& remainders) const;
    [[nodiscard]] std::vector<std::size_t> cheapest(const Parts& parts, const Remainder& remainder,
                                                    std::size_t firstEnd, std::size_t level) const;
    [[nodiscard]] Node childOf(std::size_t parent, const Part& part) const;
    [[nodiscard]] std::size_t at(std::size_t stage, std::size_t layer) const {
        return stage * (m_stages.layers() + 1) + layer;
    }
    void expand(std::size_t parent);
    [[nodiscard]] bool isPossible(std::span<const std::size_t> ends) const;
    /// The split at which the decision diagram ends, if it is a new one.
    [[nodiscard]] std::optional<BoundedSplit> nextOfDiagram(double limit, std::size_t& nodes);
    void push(const Node& node);
    [[nodiscard]] std::vector<std::size_t> endsOf(std::size_t node) const;

    StageBounds m_stages;
    /// Bytes of every stage.
    std::vector<std::int64_t> m_limits;
    /// Cycles of copies: a few steps, each the least of those that it stands for, and the largest of them.
    std::vector<std::int64_t> m_levels;
    std::vector<std::int64_t> m_levelEnds;
    /// Of each kind of slot the longest copy that every split has.
    SlotCopies m_leastCopies = {};
    /// −1: nothing fits.
    std::int64_t m_bottleneck = -1;
    /// Cycles of an update that all splits have.
    double m_leastUpdate = 0;
    /// What `tighten` found, for splits of which no stage has more work than `m_largest`; out of date once
    /// something was forbidden.
    std::int64_t m_largest = endless;
    Parts m_parts;
    /// By end of the first stage where that matters to the last one, else one.
    std::vector<Remainder> m_remainders;
    bool m_isStale = true;
    /// What the decision diagram says of all splits.
    double m_diagramBound = 0;
    bool m_isDiagramStale = true;
    bool m_isDiagramExact = false;
    std::size_t m_diagramWidth = 8;
    bool m_isAtItsEnd = false;
    std::set<std::vector<std::size_t>> m_taken;
    /// Stage, first layer and end; of a wrapped IPU, the end of its first and the beginning of its last
    /// stage.
    std::set<std::tuple<std::size_t, std::size_t, std::size_t>> m_forbidden;
    std::set<std::pair<std::size_t, std::size_t>> m_forbiddenPairs;
    std::vector<Node> m_nodes;
    std::vector<std::size_t> m_queue;
};

} // namespace simulator
