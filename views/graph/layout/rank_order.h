#pragma once

#include "views/graph/layout/layer_ranks.h"

namespace views {

/// The nodes of every rank from left to right, with few crossings.
using RankOrder = std::vector<std::vector<int>>;

[[nodiscard]] RankOrder orderRanks(const RankedGraph& graph);

/// Gives the lines into boxes with free ports the ports in the order in which they come, from the left: of
/// the segments of `graph` and of the edges from outside; and exchanges the places of ports that may.
void arrangePorts(RankedGraph& graph, const RankOrder& order, std::vector<LayoutEdge>& edges);

/// Pairs of segments that cross between neighbouring ranks.
[[nodiscard]] std::size_t countCrossings(const RankedGraph& graph, const RankOrder& order);

} // namespace views
