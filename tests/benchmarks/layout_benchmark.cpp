// The layout of a large model beside Graphviz dot, in one run on one thread: how long each takes, and how
// often lines cross in the drawing of each. "layout_benchmark 2000" takes another number of layers; without
// dot (Debian: graphviz) only the first half is printed.
#include "tests/benchmarks/measure.h"
#include "views/graph/layout/layered_layout.h"

#include <QDir>
#include <QFile>
#include <QProcess>
#include <QTemporaryDir>
#include <cmath>
#include <cstdlib>
#include <map>
#include <random>
#include <set>

namespace {

struct Graph {
    std::vector<views::LayoutNode> nodes;
    std::vector<views::LayoutEdge> edges;

    int add(const std::vector<int>& inputs) {
        views::LayoutNode node;
        node.size = {148, 34};
        for (std::size_t i = 0; i < inputs.size(); ++i)
            node.inPorts.push_back(148.0 * double(i + 1) / double(inputs.size() + 1));
        node.outPorts = {74};
        node.hasFreeInPorts = true;
        nodes.push_back(node);
        const int own = int(nodes.size()) - 1;
        for (std::size_t i = 0; i < inputs.size(); ++i) {
            views::LayoutEdge edge;
            edge.from = inputs[i];
            edge.to = own;
            edge.toPort = int(i);
            edge.tensor = inputs[i];
            edges.push_back(edge);
        }
        return own;
    }
};

/// Blocks as networks have them, one after the other: of several branches, with shortcuts, and of three
/// resolutions that exchange what they have, whose lines have to cross. The same for the same number of
/// layers.
Graph network(int layers) {
    std::mt19937 random(1); // NOLINT: the same graph each time
    Graph graph;
    int last = graph.add({});
    while (int(graph.nodes.size()) < layers) {
        const int start = last;
        std::vector<int> ends;
        if (random() % 8 == 0) {
            std::vector<int> sizes{graph.add({start}), graph.add({start}), graph.add({start})};
            for (int exchange = 0; exchange < 2; ++exchange)
                sizes = {graph.add(sizes), graph.add(sizes), graph.add(sizes)};
            last = graph.add(sizes);
            continue;
        }
        const int branches = 1 + int(random() % 4);
        for (int branch = 0; branch < branches; ++branch) {
            int end = start;
            for (int i = 0; i < 1 + int(random() % 4); ++i)
                end = graph.add({end});
            ends.push_back(end);
        }
        if (random() % 2 == 0)
            ends.push_back(start);
        last = ends.size() > 1 ? graph.add(ends) : ends.front();
    }
    return graph;
}

struct Segment {
    QPointF a;
    QPointF b;
    int edge = 0;
};

double side(const QPointF& a, const QPointF& b, const QPointF& p) {
    return (b.x() - a.x()) * (p.y() - a.y()) - (b.y() - a.y()) * (p.x() - a.x());
}

/// Pairs of edges that cross, where they do not only touch or share a way.
std::size_t crossings(const std::vector<QPolygonF>& routes, double band) {
    std::map<int, std::vector<Segment>> bands;
    for (std::size_t edge = 0; edge < routes.size(); ++edge)
        for (int i = 0; i + 1 < routes[edge].size(); ++i) {
            const Segment one{routes[edge][i], routes[edge][i + 1], int(edge)};
            const double low = std::min(one.a.y(), one.b.y());
            const double high = std::max(one.a.y(), one.b.y());
            for (int b = int(std::floor(low / band)); b <= int(std::floor(high / band)); ++b)
                bands[b].push_back(one);
        }
    std::set<std::pair<int, int>> pairs;
    for (const auto& [band_, segments] : bands)
        for (std::size_t i = 0; i < segments.size(); ++i)
            for (std::size_t j = i + 1; j < segments.size(); ++j) {
                const Segment& s = segments[i];
                const Segment& t = segments[j];
                constexpr double touch = 1e-6;
                if (s.edge != t.edge && side(s.a, s.b, t.a) * side(s.a, s.b, t.b) < -touch &&
                    side(t.a, t.b, s.a) * side(t.a, t.b, s.b) < -touch)
                    pairs.insert(std::minmax(s.edge, t.edge));
            }
    return pairs.size();
}

/// dot's drawing of the graph; nothing where it is not installed.
std::vector<QPolygonF> drawnByDot(const Graph& graph, double& milliseconds) {
    const QTemporaryDir folder;
    QFile file(folder.filePath("graph.dot"));
    if (!file.open(QIODevice::WriteOnly))
        return {};
    file.write("digraph g { node [shape=box, fixedsize=true, width=2.05, height=0.47, label=\"\"];\n");
    for (const views::LayoutEdge& edge : graph.edges)
        file.write(QStringLiteral("n%1 -> n%2;\n").arg(edge.from).arg(edge.to).toUtf8());
    file.write("}\n");
    file.close();
    QProcess dot;
    const auto start = std::chrono::steady_clock::now();
    dot.start("dot", {"-Tplain", file.fileName()});
    constexpr int most = 3'600'000;
    if (!dot.waitForStarted() || !dot.waitForFinished(most))
        return {};
    milliseconds =
        std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
    std::vector<QPolygonF> routes;
    for (const QByteArray& line : dot.readAllStandardOutput().split('\n')) {
        const QList<QByteArray> words = line.split(' ');
        if (words.front() != "edge")
            continue;
        QPolygonF route;
        for (int i = 0; i < words[3].toInt(); ++i)
            route << QPointF(words[4 + 2 * i].toDouble() * 72, -words[5 + 2 * i].toDouble() * 72);
        routes.push_back(route);
    }
    return routes;
}

/// How many pairs of lines cross in both drawings; where dot is not there, only in the program's.
void compare(int layers, bool countsCrossings) {
    const Graph graph = network(layers);
    views::LayeredLayout layout;
    const double own = benchmarks::milliseconds(5, [&] { layout = views::layOut(graph.nodes, graph.edges); });
    fmt::print("{} layers, {} lines: laid out in {:.1f} ms\n", graph.nodes.size(), graph.edges.size(), own);
    std::fflush(stdout);
    double other = 0;
    const std::vector<QPolygonF> drawn = drawnByDot(graph, other);
    if (drawn.empty())
        fmt::print("  dot is not there: nothing to compare with\n");
    else
        fmt::print("  dot: {:.0f} ms; the program is {:.0f} times as fast (bar 50)\n", other, other / own);
    constexpr double band = 60;
    if (countsCrossings)
        fmt::print("  pairs of lines that cross: {}, in dot's drawing {}\n", crossings(layout.routes, band),
                   crossings(drawn, band));
}

} // namespace

int main(int argc, char** argv) {
    const int layers = argc > 1 ? std::max(10, std::atoi(argv[1])) : 10'000;
    // dot writes five digits, too few to tell lines of larger drawings apart.
    compare(std::min(layers, 1000), true);
    if (layers > 1000)
        compare(layers, false);
    return 0;
}
