#pragma once

#include "simulator/planner/bounds/stage_bounds.h"

#include <cstdint>
#include <limits>
#include <set>
#include <utility>
#include <vector>

namespace simulator {

/// A stage that fits: where it ends, the cycles of a full slot, what it adds to the other slots, and which of
/// the lengths of copies follows it.
struct StagePart {
    std::size_t end = 0;
    std::int64_t work = 0;
    double share = 0;
    std::size_t level = 0;
};
/// By stage and first layer: stage × (layers + 1) + layer.
using StageParts = std::vector<std::vector<StagePart>>;

/// What all splits of some parts take at least.
struct DiagramBound {
    /// Infinite where every split takes more than the limit; 0 where the nodes did not suffice.
    double cycles = 0;
    /// A split that leads there; empty where there is none.
    std::vector<std::size_t> ends;
    /// The split takes exactly this, so no other one takes less.
    bool isExact = false;
    /// That were looked at.
    std::size_t nodes = 0;
};

struct DiagramRequest {
    const StageBounds& stages;
    const StageParts& parts;
    /// Of each kind of slot the longest copy that every split has.
    SlotCopies leastCopies = {};
    /// Of an IPU with the first and the last stage: an end of the first and a beginning of the last one that
    /// do not go together.
    const std::set<std::pair<std::size_t, std::size_t>>& forbiddenPairs;
    /// Splits that take more cycles are of no interest.
    double limit = 0;
    /// Parts of splits that are told apart where they end with the same stage and layer.
    std::size_t width = 8;
    /// Cycles that a node may lose where those like it are joined with it although there is room.
    double tolerance = 0;
    /// That may be looked at; where they do not suffice, nothing is known.
    std::size_t mostNodes = std::numeric_limits<std::size_t>::max();
};

/// A relaxed decision diagram over the cuts (Bergman, Cire, van Hoeve and Hooker, "Decision Diagrams for
/// Optimization", 2016): one layer of nodes for every stage, a node for what the stages up to there do at
/// most in each kind of slot. Nodes that no completion can make better than another one are left out; where
/// more remain than the width, the worst of them become one that is as good as each of them.
[[nodiscard]] DiagramBound diagramBound(const DiagramRequest& request);

} // namespace simulator
