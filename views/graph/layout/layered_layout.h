#pragma once

#include <QPointF>
#include <QPolygonF>
#include <QSizeF>
#include <cstddef>
#include <vector>

namespace views {

// The layered layout of the canvas: boxes in ranks from top to bottom, edges as orthogonal lines between
// them. After Sugiyama, in the usual four steps, each a function of its own: ranks (longest path), order
// within the ranks (barycenters), straight chains placed horizontally (after Brandes and Köpf), horizontal
// pieces of edges on tracks of the channels between the ranks. Deterministic, and stable: what did not change
// keeps its order.

/// A box to be placed.
struct LayoutNode {
    enum class Kind : std::uint8_t {
        Box,
        Entry, ///< where a line enters the block from above; of rank 0, without height
        Exit,  ///< where a line leaves the block below; of the last rank, without height
        Bend,  ///< a long edge on its way through a rank; made by the layout itself
    };
    QSizeF size;
    /// Distance of each port from the left side of the box.
    std::vector<double> inPorts;
    std::vector<double> outPorts;
    Kind kind = Kind::Box;
    /// The in ports may change places, so that lines do not cross right above the box.
    bool hasFreeInPorts = false;
    /// The ports of one side may exchange their places; each keeps its number.
    bool exchangesPorts = false;
    /// The ports may move along their side, so that the line that goes straight on goes through the middle.
    bool slidesPorts = false;
    /// Room that the label under each output port needs to its right; 0 for none.
    double labelWidth = 0;
    /// Room that the label needs between this rank and the next; 0 for none.
    double labelLength = 0;
};

/// A line between two ports. One end may be outside of the block: `to == outside` leaves to the right in the
/// channel below its source, `from == outside` enters from the left in the channel above its target.
struct LayoutEdge {
    static constexpr int outside = -1;
    int from = outside;
    int fromPort = 0;
    int to = outside;
    int toPort = 0;
    /// Lines with one tensor share their way: equal for edges from one port, and given for those from
    /// outside.
    int tensor = 0;
};

struct LayoutSpacing {
    double nodeGap = 26;
    double bendGap = 16;
    /// Height of a line of shape labels.
    double labelHeight = 15;
    /// Distance between two horizontal pieces of a channel, and of the first and last from the ranks.
    double trackGap = 7;
    double channelMargin = 6;
    /// Least height of a channel.
    double channelHeight = 22;
};

/// What comes out, in the coordinates of the block: origin at its top left corner.
struct LayeredLayout {
    QSizeF size;
    std::vector<QPointF> positions;
    /// Of every edge, from source to target. A line from or to outside ends on the left or right side of the
    /// block (x = 0 or x = width).
    std::vector<QPolygonF> routes;
    /// Rank of every node.
    std::vector<int> ranks;
    /// Where the ports of every node came to be, from the left side of its box.
    std::vector<std::vector<double>> inPorts;
    std::vector<std::vector<double>> outPorts;
};

/// Nodes are in topological order: every inner edge has from < to.
[[nodiscard]] LayeredLayout layOut(const std::vector<LayoutNode>& nodes, const std::vector<LayoutEdge>& edges,
                                   const LayoutSpacing& spacing = {});

/// From the bottom up, in place of from the top down. `nodes`: those that were laid out.
void turnOver(LayeredLayout& layout, const std::vector<LayoutNode>& nodes);

/// From left to right, in place of from the top down.
void turnToRight(LayeredLayout& layout);

} // namespace views
