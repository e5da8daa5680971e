#include "views/graph/layout/chain_placement.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace views {

namespace {

using Kind = LayoutNode::Kind;

double outX(const RankedGraph& graph, const RankedGraph::Segment& segment) {
    const std::vector<double>& ports = graph.nodes[std::size_t(segment.from)].outPorts;
    return ports[std::min(ports.size() - 1, std::size_t(segment.fromPort))];
}

double inX(const RankedGraph& graph, const RankedGraph::Segment& segment) {
    const std::vector<double>& ports = graph.nodes[std::size_t(segment.to)].inPorts;
    return ports[std::min(ports.size() - 1, std::size_t(segment.toPort))];
}

/// Nodes straight below one another: `chain` of each, and its distance from the chain's position.
struct Chains {
    std::vector<int> chainOf;
    std::vector<double> shift;
    int count = 0;
};

/// Which segments become straight: at most one into and one out of each node, none crossing another.
class Aligner {
public:
    Aligner(const RankedGraph& graph, const RankOrder& order)
        : m_graph(graph)
        , m_order(order)
        , m_positions(graph.nodes.size(), 0)
        , m_above(graph.nodes.size(), -1)
        , m_below(graph.nodes.size(), -1) {
        for (const std::vector<int>& rank : order) {
            for (std::size_t i = 0; i < rank.size(); ++i)
                m_positions[std::size_t(rank[i])] = int(i);
        }
    }

    Chains align() {
        for (std::size_t r = 1; r < m_order.size(); ++r) {
            // The inner pieces of long edges first: they are the lines that must not wriggle.
            choose(m_order[r],
                   [this](const RankedGraph::Segment& s) { return isBend(s.from) && isBend(s.to); });
            choose(m_order[r],
                   [this](const RankedGraph::Segment& s) { return !isBend(s.from) && !isBend(s.to); });
            choose(m_order[r], [](const RankedGraph::Segment&) { return true; });
        }
        return chains();
    }

private:
    bool isBend(int node) const { return m_graph.nodes[std::size_t(node)].kind == Kind::Bend; }

    /// True when a straight piece at these positions would cross one that is chosen already.
    bool crosses(const std::vector<int>& rank, int upper, int lower) const {
        const int at = m_positions[std::size_t(lower)];
        for (int i = at - 1; i >= 0; --i) {
            const int above = m_above[std::size_t(rank[std::size_t(i)])];
            if (above >= 0) {
                if (m_positions[std::size_t(m_graph.segments[std::size_t(above)].from)] >= upper)
                    return true;
                break;
            }
        }
        for (std::size_t i = std::size_t(at) + 1; i < rank.size(); ++i) {
            const int above = m_above[std::size_t(rank[i])];
            if (above >= 0)
                return m_positions[std::size_t(m_graph.segments[std::size_t(above)].from)] <= upper;
        }
        return false;
    }

    template <class Accept>
    void choose(const std::vector<int>& rank, Accept accept) {
        for (const int node : rank) {
            if (m_above[std::size_t(node)] >= 0)
                continue;
            for (const int index : candidates(node)) {
                const RankedGraph::Segment& segment = m_graph.segments[std::size_t(index)];
                if (!accept(segment) || m_below[std::size_t(segment.from)] >= 0 ||
                    crosses(rank, m_positions[std::size_t(segment.from)], node))
                    continue;
                m_above[std::size_t(node)] = index;
                m_below[std::size_t(segment.from)] = index;
                break;
            }
        }
    }

    /// Incoming segments, that of the leftmost source first: the main line is left.
    std::vector<int> candidates(int node) const {
        std::vector<int> segments = m_graph.incoming[std::size_t(node)];
        std::stable_sort(segments.begin(), segments.end(), [this](int a, int b) {
            return m_positions[std::size_t(m_graph.segments[std::size_t(a)].from)] <
                   m_positions[std::size_t(m_graph.segments[std::size_t(b)].from)];
        });
        return segments;
    }

    Chains chains() const {
        Chains result;
        result.chainOf.assign(m_graph.nodes.size(), -1);
        result.shift.assign(m_graph.nodes.size(), 0);
        for (const std::vector<int>& rank : m_order) {
            for (const int node : rank) {
                const int above = m_above[std::size_t(node)];
                if (above < 0) {
                    result.chainOf[std::size_t(node)] = result.count++;
                    continue;
                }
                const RankedGraph::Segment& segment = m_graph.segments[std::size_t(above)];
                result.chainOf[std::size_t(node)] = result.chainOf[std::size_t(segment.from)];
                result.shift[std::size_t(node)] =
                    result.shift[std::size_t(segment.from)] + outX(m_graph, segment) - inX(m_graph, segment);
            }
        }
        return result;
    }

    const RankedGraph& m_graph;
    const RankOrder& m_order;
    std::vector<int> m_positions;
    std::vector<int> m_above;
    std::vector<int> m_below;
};

/// position(right) ≥ position(left) + distance
struct Separation {
    int left = 0;
    int right = 0;
    double distance = 0;
};

std::vector<Separation> separationsOf(const RankedGraph& graph, const RankOrder& order, const Chains& chains,
                                      const LayoutSpacing& spacing) {
    std::vector<Separation> separations;
    for (const std::vector<int>& rank : order) {
        for (std::size_t i = 0; i + 1 < rank.size(); ++i) {
            const auto a = std::size_t(rank[i]);
            const auto b = std::size_t(rank[i + 1]);
            const bool bends = graph.nodes[a].kind == Kind::Bend || graph.nodes[b].kind == Kind::Bend;
            // A label hangs to the right of the port, under the box, and needs space when the box is narrow.
            double right = graph.nodes[a].size.width();
            if (graph.nodes[a].labelWidth > 0 && !graph.nodes[a].outPorts.empty())
                right = std::max(right, graph.nodes[a].outPorts.back() + graph.nodes[a].labelWidth);
            separations.push_back(
                {chains.chainOf[a], chains.chainOf[b],
                 chains.shift[a] + right + (bends ? spacing.bendGap : spacing.nodeGap) - chains.shift[b]});
        }
    }
    return separations;
}

/// A pull between two chains: an edge that is not straight yet. position(a) + offset wants to be position(b).
struct Pull {
    int other = 0;
    double offset = 0;
    double weight = 1;
};

class Compactor {
public:
    Compactor(const RankedGraph& graph, const Chains& chains, std::vector<Separation> separations)
        : m_chains(chains)
        , m_toRight(std::size_t(chains.count))
        , m_toLeft(std::size_t(chains.count))
        , m_pulls(std::size_t(chains.count))
        , m_positions(std::size_t(chains.count), 0) {
        for (const Separation& separation : separations) {
            m_toRight[std::size_t(separation.left)].push_back(separation);
            m_toLeft[std::size_t(separation.right)].push_back(separation);
        }
        for (const RankedGraph::Segment& segment : graph.segments) {
            const int a = chains.chainOf[std::size_t(segment.from)];
            const int b = chains.chainOf[std::size_t(segment.to)];
            if (a == b)
                continue;
            const double offset = chains.shift[std::size_t(segment.from)] + outX(graph, segment) -
                                  chains.shift[std::size_t(segment.to)] - inX(graph, segment);
            m_pulls[std::size_t(a)].push_back({b, -offset, 1});
            m_pulls[std::size_t(b)].push_back({a, offset, 1});
        }
        sortTopologically();
    }

    std::vector<double> compact() {
        packLeft();
        constexpr int rounds = 12;
        for (int round = 0; round < rounds; ++round) {
            for (std::size_t i = 0; i < m_sorted.size(); ++i)
                relax(round % 2 == 0 ? m_sorted[m_sorted.size() - 1 - i] : m_sorted[i]);
        }
        return m_positions;
    }

private:
    void sortTopologically() {
        std::vector<int> waiting(m_toLeft.size());
        for (std::size_t i = 0; i < m_toLeft.size(); ++i) {
            waiting[i] = int(m_toLeft[i].size());
            if (waiting[i] == 0)
                m_sorted.push_back(int(i));
        }
        for (std::size_t next = 0; next < m_sorted.size(); ++next) {
            for (const Separation& separation : m_toRight[std::size_t(m_sorted[next])]) {
                if (--waiting[std::size_t(separation.right)] == 0)
                    m_sorted.push_back(separation.right);
            }
        }
    }

    void packLeft() {
        for (const int chain : m_sorted) {
            double least = 0;
            for (const Separation& separation : m_toLeft[std::size_t(chain)])
                least = std::max(least, m_positions[std::size_t(separation.left)] + separation.distance);
            m_positions[std::size_t(chain)] = least;
        }
    }

    /// Moves a chain to where its neighbours pull it, as far as there is space.
    void relax(int chain) {
        const std::vector<Pull>& pulls = m_pulls[std::size_t(chain)];
        double low = -std::numeric_limits<double>::infinity();
        double high = std::numeric_limits<double>::infinity();
        for (const Separation& s : m_toLeft[std::size_t(chain)])
            low = std::max(low, m_positions[std::size_t(s.left)] + s.distance);
        for (const Separation& s : m_toRight[std::size_t(chain)])
            high = std::min(high, m_positions[std::size_t(s.right)] - s.distance);
        if (pulls.empty() || low > high)
            return;
        double sum = 0;
        double weight = 0;
        for (const Pull& pull : pulls) {
            sum += pull.weight * (m_positions[std::size_t(pull.other)] + pull.offset);
            weight += pull.weight;
        }
        m_positions[std::size_t(chain)] = std::clamp(sum / weight, low, high);
    }

    const Chains& m_chains;
    std::vector<std::vector<Separation>> m_toRight;
    std::vector<std::vector<Separation>> m_toLeft;
    std::vector<std::vector<Pull>> m_pulls;
    std::vector<double> m_positions;
    std::vector<int> m_sorted;
};

} // namespace

std::vector<double> placeChains(const RankedGraph& graph, const RankOrder& order,
                                const LayoutSpacing& spacing) {
    const Chains chains = Aligner(graph, order).align();
    Compactor compactor(graph, chains, separationsOf(graph, order, chains, spacing));
    const std::vector<double> positions = compactor.compact();
    std::vector<double> lefts(graph.nodes.size());
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < lefts.size(); ++i) {
        lefts[i] = std::round(positions[std::size_t(chains.chainOf[i])] + chains.shift[i]);
        least = std::min(least, lefts[i]);
    }
    for (double& left : lefts)
        left -= least;
    return lefts;
}

} // namespace views
