#pragma once

#include "views/graph/layout/layered_layout.h"

#include <utility>
#include <vector>

namespace views {

/// Of a graph in the shape of a U, one line down and up again with connections straight across, each inside
/// of the one before: which nodes are on the way up. Empty for any other graph. `edges` run from lower to
/// higher nodes.
[[nodiscard]] std::vector<bool> rightLegOf(std::size_t count, const std::vector<std::pair<int, int>>& edges);

/// The left leg from top to bottom, the right one beside it from bottom to top: in ports of its boxes are on
/// their lower sides, out ports on their upper ones. What runs across is level wherever both legs can be
/// drawn out so far. No edge comes from outside or goes there.
[[nodiscard]] LayeredLayout layOutAsU(const std::vector<LayoutNode>& nodes,
                                      const std::vector<LayoutEdge>& edges, const std::vector<bool>& isRight,
                                      const LayoutSpacing& spacing);

} // namespace views
