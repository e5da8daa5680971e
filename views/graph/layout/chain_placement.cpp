#include "views/graph/layout/chain_placement.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <set>
#include <utility>

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

/// The branches that begin below and end above each node: segments from left to right. A line past other
/// nodes straight from a place where the lines part to one where they meet is no branch but a shortcut.
class Fans {
public:
    Fans(const RankedGraph& graph, const std::vector<int>& positions)
        : m_graph(graph)
        , m_origins(graph.nodes.size())
        , m_idoms(graph.nodes.size(), -1)
        , m_above(graph.nodes.size())
        , m_below(graph.nodes.size()) {
        std::vector<int> byRank(graph.nodes.size());
        std::iota(byRank.begin(), byRank.end(), 0);
        std::stable_sort(byRank.begin(), byRank.end(), [&](int a, int b) {
            return graph.ranks[std::size_t(a)] < graph.ranks[std::size_t(b)];
        });
        for (const int node : byRank) {
            const std::vector<int>& incoming = graph.incoming[std::size_t(node)];
            m_origins[std::size_t(node)] =
                isBend(node) && !incoming.empty() ? m_origins[std::size_t(from(incoming.front()))] : node;
            m_idoms[std::size_t(node)] = commonOrigin(node);
        }
        for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
            m_above[i] = fan(graph.incoming[i], positions, true);
            m_below[i] = fan(graph.outgoing[i], positions, false);
        }
    }

    /// Whether a segment may go straight on at both its ends: of three branches or more only the middle one
    /// does, and none of an even number.
    [[nodiscard]] bool mayGoStraight(int segment) const {
        return isInMiddle(m_above[std::size_t(to(segment))], segment) &&
               isInMiddle(m_below[std::size_t(from(segment))], segment);
    }

    /// The node in which all branches that end in `node` begin, when both have three or more; −1 for none.
    [[nodiscard]] int beginOf(int node) const {
        const int begin = m_idoms[std::size_t(node)];
        const bool isFan = begin >= 0 && m_above[std::size_t(node)].size() >= least &&
                           m_below[std::size_t(begin)].size() >= least;
        return isFan ? begin : -1;
    }

private:
    static constexpr std::size_t least = 3;

    [[nodiscard]] int from(int segment) const { return m_graph.segments[std::size_t(segment)].from; }
    [[nodiscard]] int to(int segment) const { return m_graph.segments[std::size_t(segment)].to; }
    [[nodiscard]] bool isBend(int node) const { return m_graph.nodes[std::size_t(node)].kind == Kind::Bend; }

    [[nodiscard]] static bool isInMiddle(const std::vector<int>& branches, int segment) {
        return branches.size() < least ||
               (branches.size() % 2 == 1 && branches[branches.size() / 2] == segment);
    }

    /// The nearest node through which every way to `node` goes; −1 where it is far or there is none.
    [[nodiscard]] int commonOrigin(int node) const {
        int common = -1;
        for (const int segment : m_graph.incoming[std::size_t(node)]) {
            const int other = from(segment);
            common = common < 0 && segment == m_graph.incoming[std::size_t(node)].front()
                         ? other
                         : meeting(common, other);
            if (common < 0)
                return -1;
        }
        return common;
    }

    [[nodiscard]] int meeting(int a, int b) const {
        constexpr int furthest = 400;
        for (int steps = 0; a != b; ++steps) {
            if (a < 0 || b < 0 || steps > furthest)
                return -1;
            int& lower = m_graph.ranks[std::size_t(a)] >= m_graph.ranks[std::size_t(b)] ? a : b;
            lower = m_idoms[std::size_t(lower)];
        }
        return a;
    }

    /// The branches; none where one of them belongs to several fans at once, as between layers that all read
    /// one another.
    [[nodiscard]] std::vector<int> fan(const std::vector<int>& segments, const std::vector<int>& positions,
                                       bool ends) const {
        std::vector<int> found = branches(segments, positions, ends);
        const bool isShared = std::ranges::any_of(found, [&](int segment) {
            return ends ? m_graph.outgoing[std::size_t(from(segment))].size() > 1
                        : m_graph.incoming[std::size_t(to(segment))].size() > 1;
        });
        if (isShared)
            found.clear();
        return found;
    }

    [[nodiscard]] std::vector<int> branches(const std::vector<int>& segments,
                                            const std::vector<int>& positions, bool ends) const {
        std::vector<int> found;
        std::vector<int> others;
        for (const int segment : segments) {
            const int other = ends ? from(segment) : to(segment);
            const bool isShortcut =
                isBend(other) &&
                (!ends || m_graph.outgoing[std::size_t(m_origins[std::size_t(other)])].size() > 1);
            if (isShortcut || std::ranges::find(others, other) != others.end())
                continue;
            others.push_back(other);
            found.push_back(segment);
        }
        std::stable_sort(found.begin(), found.end(), [&](int a, int b) {
            return positions[std::size_t(ends ? from(a) : to(a))] <
                   positions[std::size_t(ends ? from(b) : to(b))];
        });
        return found;
    }

    const RankedGraph& m_graph;
    /// The box from which a bend's line comes.
    std::vector<int> m_origins;
    std::vector<int> m_idoms;
    std::vector<std::vector<int>> m_above;
    std::vector<std::vector<int>> m_below;
};

/// Nodes straight below one another: `chain` of each, and its distance from the chain's position.
struct Chains {
    std::vector<int> chainOf;
    std::vector<double> shift;
    int count = 0;
};

/// Which segments become straight: at most one into and one out of each node, none crossing another.
class Aligner {
public:
    Aligner(RankedGraph& graph, const RankOrder& order)
        : m_graph(graph)
        , m_order(order)
        , m_positions(positionsIn(graph, order))
        , m_fans(graph, m_positions)
        , m_above(graph.nodes.size(), -1)
        , m_below(graph.nodes.size(), -1) {}

    /// Chooses them, and slides the ports of their ends to the middle.
    Chains align() {
        for (std::size_t r = 1; r < m_order.size(); ++r) {
            // The inner pieces of long edges first: they are the lines that must not wriggle.
            choose(m_order[r],
                   [this](const RankedGraph::Segment& s) { return isBend(s.from) && isBend(s.to); });
            choose(m_order[r],
                   [this](const RankedGraph::Segment& s) { return !isBend(s.from) && !isBend(s.to); });
            choose(m_order[r], [](const RankedGraph::Segment&) { return true; });
        }
        slidePorts();
        return chains();
    }

    [[nodiscard]] const Fans& fans() const { return m_fans; }

private:
    static std::vector<int> positionsIn(const RankedGraph& graph, const RankOrder& order) {
        std::vector<int> positions(graph.nodes.size(), 0);
        for (const std::vector<int>& rank : order) {
            for (std::size_t i = 0; i < rank.size(); ++i)
                positions[std::size_t(rank[i])] = int(i);
        }
        return positions;
    }

    void slidePorts() {
        for (std::size_t i = 0; i < m_graph.nodes.size(); ++i) {
            LayoutNode& node = m_graph.nodes[i];
            if (!node.slidesPorts)
                continue;
            if (m_above[i] >= 0)
                slide(node.inPorts, m_graph.segments[std::size_t(m_above[i])].toPort, node.size.width());
            if (m_below[i] >= 0)
                slide(node.outPorts, m_graph.segments[std::size_t(m_below[i])].fromPort, node.size.width());
        }
    }

    /// One port comes to the middle of all, the others to both sides of it, in their order.
    static void slide(std::vector<double>& ports, int main, double width) {
        if (ports.size() < 2 || std::size_t(main) >= ports.size())
            return;
        std::vector<std::size_t> byPlace(ports.size());
        std::iota(byPlace.begin(), byPlace.end(), std::size_t{0});
        std::stable_sort(byPlace.begin(), byPlace.end(),
                         [&](std::size_t a, std::size_t b) { return ports[a] < ports[b]; });
        const double middle = (ports[byPlace.front()] + ports[byPlace.back()]) / 2;
        const auto at = std::size_t(std::ranges::find(byPlace, std::size_t(main)) - byPlace.begin());
        constexpr double widest = 20;
        constexpr double edge = 5;
        const auto step = [&](double room, std::size_t count) {
            return count == 0 ? 0 : std::min(widest, (room - edge) / double(count));
        };
        const double toLeft = step(middle, at);
        const double toRight = step(width - middle, byPlace.size() - 1 - at);
        for (std::size_t k = 0; k < byPlace.size(); ++k)
            ports[byPlace[k]] =
                std::round(k < at ? middle - toLeft * double(at - k) : middle + toRight * double(k - at));
    }

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
                    !m_fans.mayGoStraight(index) ||
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

    RankedGraph& m_graph;
    const RankOrder& m_order;
    std::vector<int> m_positions;
    Fans m_fans;
    std::vector<int> m_above;
    std::vector<int> m_below;
};

double middleOf(const std::vector<double>& ports) {
    const auto [least, most] = std::ranges::minmax(ports);
    return (least + most) / 2;
}

/// Puts both ends of several branches on one chain. Chains that come into a circle by that are in `barred`:
/// they stay as they are.
void joinFans(const RankedGraph& graph, const Fans& fans, const std::set<int>& barred, Chains& chains) {
    std::vector<int> parent(std::size_t(chains.count));
    std::iota(parent.begin(), parent.end(), 0);
    std::vector<double> offset(parent.size(), 0);
    std::vector<std::set<int>> ranks(parent.size());
    for (std::size_t i = 0; i < graph.nodes.size(); ++i)
        ranks[std::size_t(chains.chainOf[i])].insert(graph.ranks[i]);
    const auto rootOf = [&](int chain) {
        double sum = 0;
        for (; parent[std::size_t(chain)] != chain; chain = parent[std::size_t(chain)])
            sum += offset[std::size_t(chain)];
        return std::pair(chain, sum);
    };
    for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
        const int begin = fans.beginOf(int(i));
        if (begin < 0)
            continue;
        const auto b = std::size_t(begin);
        if (barred.contains(chains.chainOf[i]) || barred.contains(chains.chainOf[b]))
            continue;
        auto [upper, above] = rootOf(chains.chainOf[b]);
        auto [lower, below] = rootOf(chains.chainOf[i]);
        // position(lower) = position(upper) + by
        double by = above + chains.shift[b] + middleOf(graph.nodes[b].outPorts) - below - chains.shift[i] -
                    middleOf(graph.nodes[i].inPorts);
        if (ranks[std::size_t(upper)].size() < ranks[std::size_t(lower)].size()) {
            std::swap(upper, lower);
            by = -by;
        }
        std::set<int>& kept = ranks[std::size_t(upper)];
        const std::set<int>& joined = ranks[std::size_t(lower)];
        if (upper == lower || std::ranges::any_of(joined, [&](int rank) { return kept.contains(rank); }))
            continue;
        kept.insert(joined.begin(), joined.end());
        parent[std::size_t(lower)] = upper;
        offset[std::size_t(lower)] = by;
    }
    for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
        const auto [root, sum] = rootOf(chains.chainOf[i]);
        chains.chainOf[i] = root;
        chains.shift[i] += sum;
    }
}

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
                right =
                    std::max(right, std::ranges::max(graph.nodes[a].outPorts) + graph.nodes[a].labelWidth);
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
            if (separation.left == separation.right) // of one chain: they keep their distance
                continue;
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

    /// Chains that cannot be placed: each has to be left of another and right of it.
    [[nodiscard]] std::set<int> inCircles() const {
        std::vector<bool> isSorted(m_toLeft.size(), false);
        for (const int chain : m_sorted)
            isSorted[std::size_t(chain)] = true;
        std::set<int> stuck;
        for (std::size_t i = 0; i < isSorted.size(); ++i) {
            if (!isSorted[i])
                stuck.insert(int(i));
        }
        return stuck;
    }

    std::vector<double> compact() {
        packLeft();
        constexpr int rounds = 12;
        for (int round = 0; round < rounds; ++round) {
            for (std::size_t i = 0; i < m_sorted.size(); ++i)
                relax(round % 2 == 0 ? m_sorted[m_sorted.size() - 1 - i] : m_sorted[i]);
            shiftClusters();
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

    [[nodiscard]] double slackOf(const Separation& s) const {
        return m_positions[std::size_t(s.right)] - m_positions[std::size_t(s.left)] - s.distance;
    }

    /// Chains that stand close by one another move as one to where all that pulls them would have them: alone
    /// each of them is in the way of the next.
    void shiftClusters() {
        constexpr double close = 0.01;
        std::vector<int> parent(m_positions.size());
        std::iota(parent.begin(), parent.end(), 0);
        const auto rootOf = [&](int chain) {
            while (parent[std::size_t(chain)] != chain) {
                int& up = parent[std::size_t(chain)];
                up = parent[std::size_t(up)];
                chain = up;
            }
            return chain;
        };
        for (const std::vector<Separation>& separations : m_toRight) {
            for (const Separation& s : separations) {
                if (slackOf(s) < close)
                    parent[std::size_t(rootOf(s.left))] = rootOf(s.right);
            }
        }
        std::vector<std::vector<int>> clusters(m_positions.size());
        for (const int chain : m_sorted)
            clusters[std::size_t(rootOf(chain))].push_back(chain);
        for (const std::vector<int>& cluster : clusters) {
            if (cluster.size() > 1)
                shift(cluster, [&](int a, int b) { return rootOf(a) == rootOf(b); });
        }
    }

    template <class IsSame>
    void shift(const std::vector<int>& cluster, IsSame isSame) {
        double sum = 0;
        double weight = 0;
        double low = -std::numeric_limits<double>::infinity();
        double high = std::numeric_limits<double>::infinity();
        for (const int chain : cluster) {
            for (const Pull& pull : m_pulls[std::size_t(chain)]) {
                if (isSame(chain, pull.other))
                    continue;
                sum += pull.weight *
                       (m_positions[std::size_t(pull.other)] + pull.offset - m_positions[std::size_t(chain)]);
                weight += pull.weight;
            }
            for (const Separation& s : m_toLeft[std::size_t(chain)]) {
                if (!isSame(s.left, s.right))
                    low = std::max(low, -slackOf(s));
            }
            for (const Separation& s : m_toRight[std::size_t(chain)]) {
                if (!isSame(s.left, s.right))
                    high = std::min(high, slackOf(s));
            }
        }
        if (weight <= 0 || low > high)
            return;
        const double by = std::clamp(sum / weight, low, high);
        for (const int chain : cluster)
            m_positions[std::size_t(chain)] += by;
    }

    const Chains& m_chains;
    std::vector<std::vector<Separation>> m_toRight;
    std::vector<std::vector<Separation>> m_toLeft;
    std::vector<std::vector<Pull>> m_pulls;
    std::vector<double> m_positions;
    std::vector<int> m_sorted;
};

} // namespace

std::vector<double> placeChains(RankedGraph& graph, const RankOrder& order, const LayoutSpacing& spacing) {
    Aligner aligner(graph, order);
    const Chains straight = aligner.align();
    Chains chains = straight;
    std::set<int> barred;
    std::vector<double> positions;
    constexpr int attempts = 4;
    for (int attempt = 0; positions.empty(); ++attempt) {
        chains = straight;
        if (attempt < attempts)
            joinFans(graph, aligner.fans(), barred, chains);
        Compactor compactor(graph, chains, separationsOf(graph, order, chains, spacing));
        const std::set<int> stuck = compactor.inCircles();
        if (stuck.empty() || attempt == attempts) {
            positions = compactor.compact();
            break;
        }
        for (std::size_t i = 0; i < chains.chainOf.size(); ++i) {
            if (stuck.contains(chains.chainOf[i]))
                barred.insert(straight.chainOf[i]);
        }
    }
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
