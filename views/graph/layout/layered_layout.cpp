#include "views/graph/layout/layered_layout.h"

#include "views/graph/layout/chain_placement.h"
#include "views/graph/layout/channel_routing.h"
#include "views/graph/layout/layer_ranks.h"
#include "views/graph/layout/rank_order.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace views {

namespace {

double portX(const std::vector<double>& ports, int port) {
    return ports.empty() ? 0 : ports[std::min(ports.size() - 1, std::size_t(port))];
}

/// Keys of nets that come back from the right side: below every node and every line from outside.
constexpr int aroundKey = -2;

/// Builds the vertical structure on top of finished horizontal positions.
class Router {
public:
    Router(const RankedGraph& graph, const std::vector<LayoutEdge>& edges, const std::vector<double>& lefts,
           const LayoutSpacing& spacing)
        : m_graph(graph)
        , m_edges(edges)
        , m_lefts(lefts)
        , m_spacing(spacing)
        , m_channels(std::size_t(graph.rankCount) + 1) {}

    LayeredLayout route(std::size_t nodeCount) {
        measureWidth();
        collectNets();
        stackRanks();
        LayeredLayout layout;
        layout.size = {std::max(m_width, m_right), m_height};
        for (std::size_t i = 0; i < nodeCount; ++i) {
            layout.positions.emplace_back(m_lefts[i], m_rankTop[std::size_t(m_graph.ranks[i])]);
            layout.ranks.push_back(m_graph.ranks[i]);
            layout.inPorts.push_back(m_graph.nodes[i].inPorts);
            layout.outPorts.push_back(m_graph.nodes[i].outPorts);
        }
        for (std::size_t i = 0; i < m_edges.size(); ++i)
            layout.routes.push_back(routeOf(i));
        return layout;
    }

private:
    /// Channel c lies above rank c.
    struct Channel {
        std::vector<ChannelNet> nets;
        /// Net by (source node, port), or by (−1, tensor) for lines from outside.
        std::map<std::pair<int, int>, std::size_t> netOf;
        ChannelTracks tracks;
        double top = 0;
        double labelLength = 0;
    };

    double outX(int node, int port) const {
        return m_lefts[std::size_t(node)] + portX(m_graph.nodes[std::size_t(node)].outPorts, port);
    }
    double inX(int node, int port) const {
        return m_lefts[std::size_t(node)] + portX(m_graph.nodes[std::size_t(node)].inPorts, port);
    }
    int rank(int node) const { return m_graph.ranks[std::size_t(node)]; }

    void measureWidth() {
        for (std::size_t i = 0; i < m_graph.nodes.size(); ++i)
            m_width = std::max(m_width, m_lefts[i] + m_graph.nodes[i].size.width());
    }

    ChannelNet& net(int channel, std::pair<int, int> source) {
        Channel& where = m_channels[std::size_t(channel)];
        const auto [entry, isNew] = where.netOf.try_emplace(source, where.nets.size());
        if (isNew)
            where.nets.emplace_back();
        return where.nets[entry->second];
    }

    void collectNets() {
        for (const RankedGraph::Segment& segment : m_graph.segments) {
            ChannelNet& through = net(rank(segment.to), {segment.from, segment.fromPort});
            through.top = outX(segment.from, segment.fromPort);
            through.bottoms.push_back(inX(segment.to, segment.toPort));
        }
        for (std::size_t i = 0; i < m_edges.size(); ++i) {
            const LayoutEdge& edge = m_edges[i];
            if (m_graph.goesAround[i]) {
                goAround(i);
            } else if (edge.from != LayoutEdge::outside && edge.to == LayoutEdge::outside) {
                ChannelNet& leaving = net(rank(edge.from) + 1, {edge.from, edge.fromPort});
                leaving.top = outX(edge.from, edge.fromPort);
                leaving.exitsRight = true;
            } else if (edge.from == LayoutEdge::outside && edge.to != LayoutEdge::outside) {
                ChannelNet& entering = net(rank(edge.to), {LayoutEdge::outside, edge.tensor});
                entering.bottoms.push_back(inX(edge.to, edge.toPort));
                entering.entersLeft = true;
            }
        }
        for (std::size_t i = 0; i < m_graph.nodes.size(); ++i) {
            double& room = m_channels[std::size_t(m_graph.ranks[i]) + 1].labelLength;
            room = std::max(room, m_graph.nodes[i].labelLength);
        }
    }

    /// Out to the right side, along it, and back: a lane of its own for each tensor.
    void goAround(std::size_t index) {
        const LayoutEdge& edge = m_edges[index];
        const auto [lane, isNew] = m_lanes.try_emplace({edge.from, edge.fromPort}, m_lanes.size());
        if (isNew)
            m_right = m_width + m_spacing.channelMargin + double(m_lanes.size()) * m_spacing.trackGap;
        ChannelNet& leaving = net(rank(edge.from) + 1, {edge.from, edge.fromPort});
        leaving.top = outX(edge.from, edge.fromPort);
        leaving.exitsRight = true;
        ChannelNet& entering = net(rank(edge.to), {aroundKey - edge.from, edge.fromPort});
        entering.bottoms.push_back(inX(edge.to, edge.toPort));
        entering.exitsRight = true;
    }

    double laneX(const LayoutEdge& edge) const {
        return m_width + m_spacing.channelMargin +
               double(m_lanes.at({edge.from, edge.fromPort})) * m_spacing.trackGap;
    }

    void stackRanks() {
        std::vector<double> heights(std::size_t(m_graph.rankCount), 0);
        for (std::size_t i = 0; i < m_graph.nodes.size(); ++i) {
            double& height = heights[std::size_t(m_graph.ranks[i])];
            height = std::max(height, m_graph.nodes[i].size.height());
        }
        double y = 0;
        for (std::size_t c = 0; c < m_channels.size(); ++c) {
            Channel& channel = m_channels[c];
            channel.tracks = assignTracks(channel.nets, 0, m_width);
            channel.top = y;
            const bool isOuter = c == 0 || c + 1 == m_channels.size();
            double height = isOuter && channel.nets.empty() ? channel.labelLength : m_spacing.channelHeight;
            if (channel.tracks.count > 0)
                height = std::max(height, channel.labelLength + 2 * m_spacing.channelMargin +
                                              (channel.tracks.count - 1) * m_spacing.trackGap);
            else if (!channel.nets.empty())
                height = std::max(height, channel.labelLength + m_spacing.channelMargin);
            // Lines into a block start on its frame: no channel above their rank is wanted.
            y += height;
            if (c < heights.size()) {
                m_rankTop.push_back(y);
                y += heights[c];
                m_rankBottom.push_back(y);
            }
        }
        m_height = y;
    }

    double trackY(int channel, std::pair<int, int> source) const {
        const Channel& where = m_channels[std::size_t(channel)];
        const int track = where.tracks.trackOf[where.netOf.at(source)];
        return where.top + where.labelLength + m_spacing.channelMargin +
               std::max(track, 0) * m_spacing.trackGap;
    }

    double bottomOf(int node) const {
        return m_rankTop[std::size_t(rank(node))] + m_graph.nodes[std::size_t(node)].size.height();
    }

    /// Appends a turn unless the line is already there.
    static void append(QPolygonF& line, const QPointF& point) {
        if (line.isEmpty() || std::abs(line.back().x() - point.x()) > 0.01 ||
            std::abs(line.back().y() - point.y()) > 0.01)
            line.append(point);
    }

    QPolygonF routeOf(std::size_t index) const {
        const LayoutEdge& edge = m_edges[index];
        QPolygonF line;
        if (edge.from == LayoutEdge::outside) {
            const double y = trackY(rank(edge.to), {LayoutEdge::outside, edge.tensor});
            append(line, {0, y});
            append(line, {inX(edge.to, edge.toPort), y});
            append(line, {inX(edge.to, edge.toPort), m_rankTop[std::size_t(rank(edge.to))]});
            return line;
        }
        append(line, {outX(edge.from, edge.fromPort), bottomOf(edge.from)});
        if (edge.to == LayoutEdge::outside) {
            const double y = trackY(rank(edge.from) + 1, {edge.from, edge.fromPort});
            append(line, {outX(edge.from, edge.fromPort), y});
            append(line, {std::max(m_width, m_right), y});
            return line;
        }
        if (m_graph.goesAround[index]) {
            const double below = trackY(rank(edge.from) + 1, {edge.from, edge.fromPort});
            const double above = trackY(rank(edge.to), {aroundKey - edge.from, edge.fromPort});
            append(line, {outX(edge.from, edge.fromPort), below});
            append(line, {laneX(edge), below});
            append(line, {laneX(edge), above});
            append(line, {inX(edge.to, edge.toPort), above});
            append(line, {inX(edge.to, edge.toPort), m_rankTop[std::size_t(rank(edge.to))]});
            return line;
        }
        for (const int piece : m_graph.segmentsOfEdge[index]) {
            const RankedGraph::Segment& segment = m_graph.segments[std::size_t(piece)];
            const double from = outX(segment.from, segment.fromPort);
            const double to = inX(segment.to, segment.toPort);
            if (std::abs(from - to) >= 0.5) {
                const double y = trackY(rank(segment.to), {segment.from, segment.fromPort});
                append(line, {from, y});
                append(line, {to, y});
            }
            const bool isLast = segment.to == edge.to;
            if (isLast)
                append(line, {to, m_rankTop[std::size_t(rank(segment.to))]});
        }
        return line;
    }

    const RankedGraph& m_graph;
    const std::vector<LayoutEdge>& m_edges;
    const std::vector<double>& m_lefts;
    const LayoutSpacing& m_spacing;
    std::vector<Channel> m_channels;
    std::vector<double> m_rankTop;
    std::vector<double> m_rankBottom;
    /// Lanes of the edges that go around, by tensor.
    std::map<std::pair<int, int>, std::size_t> m_lanes;
    double m_width = 0;
    double m_right = 0;
    double m_height = 0;
};

} // namespace

LayeredLayout layOut(const std::vector<LayoutNode>& nodes, const std::vector<LayoutEdge>& edges,
                     const LayoutSpacing& spacing) {
    if (nodes.empty())
        return {};
    RankedGraph graph = insertBends(nodes, edges, assignRanks(nodes, edges));
    const RankOrder order = orderRanks(graph);
    std::vector<LayoutEdge> arranged = edges;
    arrangePorts(graph, order, arranged);
    const std::vector<double> lefts = placeChains(graph, order, spacing);
    return Router(graph, arranged, lefts, spacing).route(nodes.size());
}

void turnOver(LayeredLayout& layout, const std::vector<LayoutNode>& nodes) {
    for (std::size_t i = 0; i < layout.positions.size(); ++i)
        layout.positions[i].setY(layout.size.height() - layout.positions[i].y() - nodes[i].size.height());
    for (QPolygonF& route : layout.routes) {
        for (QPointF& point : route)
            point.setY(layout.size.height() - point.y());
    }
}

void turnToRight(LayeredLayout& layout) {
    layout.size.transpose();
    for (QPointF& position : layout.positions)
        position = position.transposed();
    for (QPolygonF& route : layout.routes) {
        for (QPointF& point : route)
            point = point.transposed();
    }
}

} // namespace views
