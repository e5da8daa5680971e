#pragma once

#include "views/graph/model/canvas_model.h"

namespace views {

/// Groups by name: layers whose names share a prefix that ends at "_", "/" or ".", at least `leastMembers` of
/// them, with different endings ("conv3_block1_1_conv", "conv3_block1_out" → "conv3_block1"). Of nested
/// prefixes the longest wins. A group is convex: no path leaves it and comes back, so it can be collapsed.
/// Layers that Keras numbered by itself ("dense", "dense_1", …) are no group. Only nodes of one enclosing
/// group are grouped together. Adds to `model.groups` and `model.groupOf`.
void detectNameGroups(CanvasModel& model, std::size_t leastMembers = 5);

/// Adds a group of these nodes unless it is not convex, cuts through another group, or has fewer than two
/// nodes. Answers its index or −1.
int addGroup(CanvasModel& model, const std::string& id, CanvasGroup::Origin origin, std::vector<int> members);

/// No path leaves the set and comes back. `members` ascending.
[[nodiscard]] bool isConvex(const CanvasModel& model, const std::vector<int>& members);

/// The name without the group's prefix: "1_conv" in "conv3_block1".
[[nodiscard]] QString nameWithin(const CanvasModel& model, int node);

} // namespace views
