#include "views/graph/layout/layered_layout.h"

#include "tests/support/test_registry.h"
#include "views/graph/layout/channel_routing.h"
#include "views/graph/layout/rank_order.h"

#include <QElapsedTimer>
#include <QRectF>
#include <QtTest/QTest>
#include <random>

using namespace views;

namespace {

LayoutNode box(double width = 100, double height = 34) {
    LayoutNode node;
    node.size = {width, height};
    node.inPorts = {width / 2};
    node.outPorts = {width / 2};
    return node;
}

LayoutEdge line(int from, int to) {
    return {from, 0, to, 0, from};
}

std::vector<LayoutNode> boxes(int count) {
    return std::vector<LayoutNode>(std::size_t(count), box());
}

std::vector<LayoutEdge> chain(int count) {
    std::vector<LayoutEdge> edges;
    for (int i = 0; i + 1 < count; ++i)
        edges.push_back(line(i, i + 1));
    return edges;
}

QRectF rectOf(const LayeredLayout& layout, const std::vector<LayoutNode>& nodes, std::size_t i) {
    return {layout.positions[i], nodes[i].size};
}

/// What must hold of every layout, whatever the graph.
void requireSound(const std::vector<LayoutNode>& nodes, const std::vector<LayoutEdge>& edges,
                  const LayeredLayout& layout) {
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        const QRectF a = rectOf(layout, nodes, i);
        QVERIFY(a.left() >= 0 && a.top() >= 0);
        QVERIFY(a.right() <= layout.size.width() + 0.5 && a.bottom() <= layout.size.height() + 0.5);
        for (std::size_t j = i + 1; j < nodes.size() && nodes.size() < 500; ++j)
            QVERIFY2(!a.intersects(rectOf(layout, nodes, j)), "boxes overlap");
    }
    for (std::size_t e = 0; e < edges.size(); ++e) {
        const QPolygonF& route = layout.routes[e];
        QVERIFY(route.size() >= 2);
        for (int p = 0; p + 1 < route.size(); ++p) {
            const bool isOrthogonal = std::abs(route[p].x() - route[p + 1].x()) < 0.5 ||
                                      std::abs(route[p].y() - route[p + 1].y()) < 0.01;
            QVERIFY2(isOrthogonal, "a piece runs aslant");
        }
        if (edges[e].from != LayoutEdge::outside) {
            const QRectF source = rectOf(layout, nodes, std::size_t(edges[e].from));
            QCOMPARE(route.front().y(), source.bottom());
        }
        if (edges[e].to != LayoutEdge::outside) {
            const QRectF target = rectOf(layout, nodes, std::size_t(edges[e].to));
            QCOMPARE(route.back().y(), target.top());
        }
    }
}

/// A residual block: 0 → 1 → 2 → 3 → 4 with a shortcut 0 → 4.
std::vector<LayoutEdge> residual() {
    std::vector<LayoutEdge> edges = chain(5);
    edges.push_back({0, 0, 4, 0, 0});
    return edges;
}

} // namespace

class LayeredLayoutTest : public QObject {
    Q_OBJECT

private slots:
    void joinsLeaveTheTrunkStraight() {
        std::vector<LayoutNode> nodes = boxes(13);
        std::vector<LayoutEdge> edges = chain(13);
        for (int join = 3; join < 13; join += 3) {
            nodes[std::size_t(join)].inPorts = {40, 60};
            nodes[std::size_t(join)].hasFreeInPorts = true;
            LayoutEdge skip = line(join - 3, join);
            skip.toPort = 1;
            edges.push_back(skip);
        }
        for (LayoutNode& node : nodes)
            node.slidesPorts = true;
        const LayeredLayout layout = layOut(nodes, edges);
        requireSound(nodes, edges, layout);
        for (const QPointF& position : layout.positions)
            QCOMPARE(position.x(), layout.positions.front().x());
    }

    void bothEndsOfManyBranchesAreInTheMiddleOfThem() {
        for (const int branches : {3, 4, 5}) {
            // Two modules, one after the other.
            std::vector<LayoutNode> nodes{box()};
            std::vector<LayoutEdge> edges;
            for (int module = 0; module < 2; ++module) {
                const int begin = int(nodes.size()) - 1;
                LayoutNode join = box();
                join.hasFreeInPorts = true;
                join.inPorts.clear();
                for (int branch = 0; branch < branches; ++branch) {
                    nodes.push_back(box());
                    edges.push_back(line(begin, int(nodes.size()) - 1));
                    join.inPorts.push_back(50 + 10 * (branch - (branches - 1) / 2.0));
                }
                nodes.push_back(join);
                for (int branch = 0; branch < branches; ++branch) {
                    LayoutEdge in = line(begin + 1 + branch, int(nodes.size()) - 1);
                    in.toPort = branch;
                    edges.push_back(in);
                }
            }
            for (LayoutNode& node : nodes)
                node.slidesPorts = true;
            const LayeredLayout layout = layOut(nodes, edges);
            requireSound(nodes, edges, layout);
            const double trunk = layout.positions.front().x();
            const auto at = [&](int node) { return layout.positions[std::size_t(node)].x(); };
            for (int module = 0; module < 2; ++module) {
                const int begin = module * (branches + 1);
                QVERIFY(std::abs(at(begin + branches + 1) - trunk) < 1);
                QVERIFY(std::abs((at(begin + 1) + at(begin + branches)) / 2 - trunk) < 6);
            }
        }
    }

    void aChainIsAStraightLine() {
        const auto nodes = boxes(6);
        const auto layout = layOut(nodes, chain(6));
        requireSound(nodes, chain(6), layout);
        for (std::size_t i = 1; i < 6; ++i)
            QCOMPARE(layout.positions[i].x(), layout.positions[0].x());
        for (const QPolygonF& route : layout.routes)
            QCOMPARE(route.size(), 2);
    }

    void aShortcutGoesAroundAndTheMainLineStaysStraight() {
        const auto nodes = boxes(5);
        const auto layout = layOut(nodes, residual());
        requireSound(nodes, residual(), layout);
        for (std::size_t i = 1; i < 5; ++i)
            QCOMPARE(layout.positions[i].x(), layout.positions[0].x());
        double right = 0;
        for (const QPointF& point : layout.routes.back())
            right = std::max(right, point.x());
        QVERIFY(right > layout.positions[1].x() + 100);
    }

    void anEmptyGraphHasNoSize() { QVERIFY(layOut({}, {}).size.isEmpty()); }

    void aSourceStandsRightAboveItsFirstUser() {
        // 0 → 1 → 2 → 3, and 4 → 3 alone (numbers in topological order: 4 is node 1 here)
        const auto nodes = boxes(5);
        const std::vector<LayoutEdge> edges{line(0, 2), line(2, 3), line(3, 4), line(1, 4)};
        const auto layout = layOut(nodes, edges);
        QCOMPARE(layout.ranks[1], 2);
        requireSound(nodes, edges, layout);
    }

    void linesFromOutsideEnterLeftAndLeaveRight() {
        const auto nodes = boxes(3);
        std::vector<LayoutEdge> edges = chain(3);
        edges.push_back({LayoutEdge::outside, 0, 0, 0, 77});
        edges.push_back({1, 0, LayoutEdge::outside, 0, 1});
        const auto layout = layOut(nodes, edges);
        requireSound(nodes, edges, layout);
        QCOMPARE(layout.routes[2].front().x(), 0.0);
        QCOMPARE(layout.routes[3].back().x(), layout.size.width());
        QVERIFY(layout.positions[0].y() > layout.routes[2].front().y());
    }

    void portsStandAboveOneAnother() {
        std::vector<LayoutNode> nodes = boxes(3);
        nodes[1].size = {200, 80};
        nodes[1].inPorts = {30};
        nodes[1].outPorts = {170};
        const auto layout = layOut(nodes, chain(3));
        requireSound(nodes, chain(3), layout);
        QCOMPARE(layout.positions[0].x() + 50, layout.positions[1].x() + 30);
        QCOMPARE(layout.positions[1].x() + 170, layout.positions[2].x() + 50);
    }

    void bothBranchesStandBesideEachOther() {
        const auto nodes = boxes(4);
        const std::vector<LayoutEdge> edges{line(0, 1), line(0, 2), line(1, 3), line(2, 3)};
        const auto layout = layOut(nodes, edges);
        requireSound(nodes, edges, layout);
        QCOMPARE(layout.positions[1].y(), layout.positions[2].y());
        QVERIFY(layout.positions[1].x() < layout.positions[2].x());
    }

    void crossingsAreSortedOut() {
        // Two chains whose numbering is interleaved the wrong way around.
        std::vector<LayoutNode> nodes = boxes(4);
        const std::vector<LayoutEdge> edges{line(0, 3), line(1, 2)};
        const RankedGraph graph = insertBends(nodes, edges, assignRanks(nodes, edges));
        QCOMPARE(countCrossings(graph, orderRanks(graph)), std::size_t{0});
    }

    void tracksOfOneChannelDoNotOverlap() {
        const std::vector<ChannelNet> nets{{10, {60}, false, false},
                                           {50, {100}, false, false},
                                           {200, {200}, false, false},
                                           {150, {180}, false, false}};
        const ChannelTracks tracks = assignTracks(nets, 0, 300);
        QVERIFY(tracks.trackOf[1] < tracks.trackOf[0]); // so that they do not cross
        QCOMPARE(tracks.trackOf[2], -1);                // straight down
        QVERIFY(tracks.trackOf[3] >= 0);                // beside one of the others
        QCOMPARE(tracks.count, 2);
    }

    void linesThatComeTogetherFromBothSidesDoNotCross() {
        // Four branches into one box in the middle: on each side the inner one turns above the outer one.
        const std::vector<ChannelNet> nets{{50, {280}, false, false},
                                           {200, {295}, false, false},
                                           {400, {310}, false, false},
                                           {550, {325}, false, false}};
        const ChannelTracks tracks = assignTracks(nets, 0, 600);
        QVERIFY(tracks.trackOf[1] < tracks.trackOf[0]);
        QVERIFY(tracks.trackOf[2] < tracks.trackOf[3]);
    }

    void aLineComesDownAboveTheOneThatGoesDownThere() {
        // Net 1 comes down at x = 60, where net 0 goes down: it must turn off first.
        const std::vector<ChannelNet> nets{{10, {60}, false, false}, {60, {100}, false, false}};
        const ChannelTracks tracks = assignTracks(nets, 0, 300);
        QVERIFY(tracks.trackOf[1] < tracks.trackOf[0]);
    }

    void randomGraphsAreSoundAndAlwaysTheSame() {
        for (unsigned seed = 1; seed <= 40; ++seed) {
            std::mt19937 random(seed);
            const int count = 2 + int(random() % 60);
            std::vector<LayoutNode> nodes;
            for (int i = 0; i < count; ++i)
                nodes.push_back(box(40 + random() % 120, 20 + random() % 60));
            std::vector<LayoutEdge> edges;
            for (int to = 1; to < count; ++to) {
                for (unsigned k = 0; k <= random() % 3; ++k)
                    edges.push_back(line(int(random() % unsigned(to)), to));
            }
            const auto layout = layOut(nodes, edges);
            requireSound(nodes, edges, layout);
            QCOMPARE(layOut(nodes, edges).positions, layout.positions);
        }
    }

    void tenThousandBoxesWithShortcutsAreLaidOutInOneGo() {
        const int count = 10000;
        auto nodes = boxes(count);
        auto edges = chain(count);
        for (int i = 0; i + 4 < count; i += 4)
            edges.push_back(line(i, i + 4));
        for (int i = 0; i < 200; ++i) // very long ones, which go around
            edges.push_back(line(i, count - 1 - i));
        const auto layout = layOut(nodes, edges);
        requireSound(nodes, edges, layout);
    }
};

REGISTER_TEST("layered_layout", LayeredLayoutTest)
#include "layered_layout_test.moc"
