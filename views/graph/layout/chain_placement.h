#pragma once

#include "views/graph/layout/rank_order.h"

namespace views {

/// Left side of every node of `graph` (bends included), at least 0. Chains of nodes whose ports can be placed
/// above one another become straight, through the middle of the boxes whose ports can slide; where three or
/// more branches begin and end, both ends are in the middle of them. Neighbours of a rank keep their
/// distance.
[[nodiscard]] std::vector<double> placeChains(RankedGraph& graph, const RankOrder& order,
                                              const LayoutSpacing& spacing);

} // namespace views
