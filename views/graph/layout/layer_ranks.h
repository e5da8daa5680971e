#pragma once

#include "views/graph/layout/layered_layout.h"

namespace views {

/// Rank of every node: one below the lowest of what feeds it. A source is right above the first node that
/// it feeds, entries in rank 0, exits in the last.
[[nodiscard]] std::vector<int> assignRanks(const std::vector<LayoutNode>& nodes,
                                           const std::vector<LayoutEdge>& edges);

/// The graph with a Bend in every rank that an edge passes, so that every edge joins neighbouring ranks.
struct RankedGraph {
    struct Segment {
        int from = 0;
        int fromPort = 0;
        int to = 0;
        int toPort = 0;
        /// The edge of the input it is a piece of.
        int edge = 0;
    };
    /// Those of the input, then the bends.
    std::vector<LayoutNode> nodes;
    std::vector<int> ranks;
    std::vector<Segment> segments;
    /// Segments of each edge from source to target; empty for edges from or to outside, and for those that go
    /// around.
    std::vector<std::vector<int>> segmentsOfEdge;
    /// Very long edges of very large graphs: they run along the right side of the block, without bends.
    std::vector<bool> goesAround;
    int rankCount = 0;

    /// Indices of segments by the node they leave and enter.
    std::vector<std::vector<int>> outgoing;
    std::vector<std::vector<int>> incoming;
};

[[nodiscard]] RankedGraph insertBends(const std::vector<LayoutNode>& nodes,
                                      const std::vector<LayoutEdge>& edges, std::vector<int> ranks);

} // namespace views
