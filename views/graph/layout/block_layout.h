#pragma once

#include "views/graph/layout/layered_layout.h"
#include "views/graph/model/canvas_geometry.h"
#include "views/graph/model/canvas_model.h"

#include <map>
#include <set>
#include <string>

namespace views {

/// What is drawn as a row under what feeds it: index of the head of each node (itself when it is none's
/// follower). A follower has one input, its producer has no other consumer, and both are in one group and
/// one stage.
[[nodiscard]] std::vector<int> dockFollowers(const CanvasModel& model, bool withinStages);

/// One block of boxes (a column, an expanded group, the whole canvas), laid out recursively from the inside
/// out. Everything in it is relative to its top left corner.
struct Block {
    QSizeF size;
    std::vector<BoxShape> boxes;
    /// (edge of the model, piece).
    std::vector<std::pair<int, QPolygonF>> pieces;
    std::vector<LabelShape> labels;
    /// Ends on the sides of the block, of edges that leave or enter it sideways: (edge, height).
    std::vector<std::pair<int, double>> leaving;
    std::vector<std::pair<int, double>> entering;
};

/// Moves the boxes, pieces and labels of `inside` to `at` in `block`; leaves `inside` empty.
void moveInto(Block& block, Block& inside, const QPointF& at);

struct BlockOptions {
    CanvasMetrics metrics;
    LayoutSpacing spacing;
    /// Ids of collapsed groups.
    std::set<std::string> collapsed;
    /// Down, or to the right. What has the shape of a U goes down on its left side and up on its right one.
    FlowDirection flow = FlowDirection::Down;
};

/// Lays out the nodes of `members` (ascending). Edges to and from other nodes leave to the right and enter
/// from the left, whatever the direction inside. `heads` as of dockFollowers.
[[nodiscard]] Block layOutBlock(const CanvasModel& model, const std::vector<int>& heads,
                                const std::vector<int>& members, const BlockOptions& options);

} // namespace views
