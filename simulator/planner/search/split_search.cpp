#include "simulator/planner/search/split_search.h"

#include <algorithm>
#include <numeric>

namespace simulator {

namespace {

/// More make the bounds a little tighter and the search slower.
constexpr std::size_t mostLevels = 8;
/// A first split may have a little more work on its slowest stage where its copies are shorter for it.
constexpr double promisingSlack = 1.15;
/// Parts of splits that may be gone through to find one more.
constexpr std::size_t nodesPerSplit = 500;
/// More nodes make a diagram take longer than what it adds to the bound is worth.
constexpr std::size_t narrowestDiagram = 8;
constexpr std::size_t widestDiagram = 128;
/// Of all cycles: what joining nodes that are nearly equal may cost in one stage.
constexpr double diagramTolerance = 1e-4;
/// Nodes of a diagram for one part of a split: they are cheap, and what closes the gap.
constexpr std::size_t diagramNodesPerNode = 60;

} // namespace

SplitSearch::SplitSearch(SplitProblem problem, SlotBound slotBound)
    : m_stages(std::move(problem), std::move(slotBound))
    , m_limits(m_stages.count(), m_stages.problem().memoryLimit) {
    m_bottleneck = smallestBottleneck(m_limits);
    if (m_bottleneck < 0)
        return;
    findLeastCopies();
    findLevels(infinite);
    Node root;
    root.largest = m_bottleneck;
    m_leastUpdate = static_cast<double>(m_stages.leastUpdate());
    root.bound = slotCycles(m_bottleneck, 0) + static_cast<double>(m_stages.problem().fixedCycles) +
                 copyCycles({}, m_levels.front());
    push(root);
}

void SplitSearch::tighten(double limit) {
    if (!m_isStale || m_queue.empty())
        return;
    m_isStale = false;
    findParts(limit);
    m_nodes.resize(1);
    m_queue.clear();
    expand(0);
    if (bound() > limit)
        m_queue.clear();
}

void SplitSearch::findParts(double limit) {
    const double most = limit - static_cast<double>(m_stages.problem().fixedCycles) - m_leastUpdate;
    if (m_parts.empty()) {
        if (limit < infinite)
            m_largest = static_cast<std::int64_t>(
                most / static_cast<double>(m_stages.slotBound().microBatches()) + 1);
        findLevels(limit);
        m_parts = parts(m_largest, m_limits);
    }
    m_remainders = remainders(m_parts, m_largest, m_limits);
    // What the other slots take at least, the full ones cannot have; with smaller stages these take more.
    const auto full = static_cast<double>(m_stages.slotBound().fullSlots());
    constexpr int mostRounds = 4;
    for (int round = 0; round < mostRounds && limit < infinite && full > 0; ++round) {
        const double shares = leastShares();
        if (shares == infinite)
            return;
        const double largest = (most - copyCycles({}, m_levels.front()) - shares) / full + 1;
        constexpr double worthIt = 0.9995;
        if (!(largest < worthIt * static_cast<double>(m_largest)))
            return;
        m_largest = std::max<std::int64_t>(0, static_cast<std::int64_t>(largest));
        m_parts = parts(m_largest, m_limits);
        m_remainders = remainders(m_parts, m_largest, m_limits);
    }
}

/// Of all stages; infinite where no split is left.
double SplitSearch::leastShares() const {
    if (!m_stages.isWrapped(0))
        return m_remainders.front().shares[at(0, 0)];
    double least = infinite;
    for (const Part& part : m_parts[at(0, 0)])
        least = std::min(least, shareOf(0, part, m_remainders[part.end]) +
                                    m_remainders[part.end].shares[at(1, part.end)]);
    return least;
}

double SplitSearch::bound() const {
    return m_queue.empty() ? infinite : std::max(m_diagramBound, m_nodes[m_queue.front()].bound);
}

/// Steps of copies up to those that alone take more than `limit` cycles with the smallest bottleneck.
void SplitSearch::findLevels(double limit) {
    const double least = static_cast<double>(m_stages.problem().fixedCycles) + slotCycles(m_bottleneck, 0);
    std::set<std::int64_t> lengths;
    for (std::size_t stage = 0; stage + 1 < m_stages.count(); ++stage)
        for (std::size_t end = stage + 1; end <= m_stages.lastEnd(stage); ++end)
            lengths.insert(m_stages.copyLength(stage, end));
    if (lengths.empty())
        lengths.insert(0);
    std::vector<std::int64_t> sorted(lengths.begin(), lengths.end());
    while (sorted.size() > 1 && least + copyCycles({}, sorted.back()) > limit)
        sorted.pop_back();
    // Steps as small as they may be for their number.
    for (double step = 1.002;; step = 1 + 2 * (step - 1)) {
        m_levels.clear();
        m_levelEnds.clear();
        for (const std::int64_t length : sorted) {
            if (m_levels.empty() ||
                static_cast<double>(length) > step * static_cast<double>(m_levels.back())) {
                m_levels.push_back(length);
                m_levelEnds.push_back(length);
            }
            m_levelEnds.back() = length;
        }
        if (m_levels.size() <= mostLevels)
            return;
    }
}

std::size_t SplitSearch::levelOf(std::int64_t copy) const {
    return static_cast<std::size_t>(std::ranges::lower_bound(m_levelEnds, copy) - m_levelEnds.begin());
}

std::int64_t SplitSearch::smallestBottleneck(std::span<const std::int64_t> limits) const {
    const std::size_t layers = m_stages.layers();
    std::vector<std::int64_t> least((m_stages.count() + 1) * (layers + 1), endless);
    least[at(m_stages.count(), layers)] = 0;
    for (std::size_t stage = m_stages.count(); stage-- > 0;)
        for (std::size_t first = stage; first < (stage == 0 ? 1 : m_stages.lastEnd(stage)); ++first) {
            std::int64_t& best = least[at(stage, first)];
            for (std::size_t end = m_stages.firstEnd(stage, first); end <= m_stages.lastEnd(stage); ++end) {
                const std::int64_t work = m_stages.leastWork(stage, m_stages.workOf(stage, first, end));
                if (work >= best || !m_stages.fits(stage, first, end, limits))
                    break;
                best = std::min(best, std::max(work, least[at(stage + 1, end)]));
            }
        }
    return least[at(0, 0)] == endless ? -1 : least[at(0, 0)];
}

SplitSearch::Parts SplitSearch::parts(std::int64_t largest, std::span<const std::int64_t> limits) const {
    Parts result(at(m_stages.count(), 0));
    Prefixes before = emptyPrefixes();
    for (auto& kind : before)
        kind[0] = 0;
    for (std::size_t stage = 0; stage < m_stages.count(); ++stage) {
        Prefixes here = emptyPrefixes();
        for (std::size_t first = stage; first < (stage == 0 ? 1 : m_stages.lastEnd(stage)); ++first)
            for (std::size_t end = m_stages.firstEnd(stage, first); end <= m_stages.lastEnd(stage); ++end) {
                const StageWork work = m_stages.workOf(stage, first, end);
                const std::int64_t least = m_stages.leastWork(stage, work);
                if (least > largest || !m_stages.fits(stage, first, end, limits))
                    break;
                const std::size_t level = levelOf(m_stages.copyLength(stage, end));
                if (level >= m_levels.size() || m_forbidden.contains({stage, first, end}))
                    continue;
                result[at(stage, first)].push_back({end, least, m_stages.share(stage, work, end), level});
                for (std::size_t kind = 0; kind < here.size(); ++kind)
                    here[kind][end] =
                        std::min(here[kind][end], std::max(before[kind][first],
                                                           cyclesOf(static_cast<PrefixWork>(kind), work)));
            }
        addPrefixes(result, stage, here);
        before = std::move(here);
    }
    return result;
}

SplitSearch::Prefixes SplitSearch::emptyPrefixes() const {
    Prefixes prefixes;
    prefixes.fill(std::vector<std::int64_t>(m_stages.layers() + 1, endless));
    return prefixes;
}

/// The slots in which only the stages up to one have the same to do take as long as the slowest of these, at
/// least as long as where the layers up to there are cut best.
void SplitSearch::addPrefixes(Parts& parts, std::size_t stage, const Prefixes& prefixes) const {
    for (std::size_t kind = 0; kind < prefixes.size(); ++kind) {
        const std::int64_t slots = m_stages.slotBound().prefixSlots(static_cast<PrefixWork>(kind), stage);
        if (slots == 0)
            continue;
        for (std::size_t first = stage; first < m_stages.layers(); ++first)
            for (Part& part : parts[at(stage, first)])
                if (const std::int64_t slowest = prefixes[kind][part.end]; slowest != endless)
                    part.share += static_cast<double>(slots) * static_cast<double>(slowest);
    }
}

/// `firstEnd`: where the first stage ends if the last one is on its IPU, else of no meaning.
SplitSearch::Remainder SplitSearch::remainder(const Parts& parts, std::size_t firstEnd, std::int64_t largest,
                                              std::span<const std::int64_t> limits) const {
    const std::size_t layers = m_stages.layers();
    const std::size_t last = m_stages.count() - 1;
    const std::size_t size = at(m_stages.count() + 1, 0);
    Remainder result{std::vector(m_levels.size(), std::vector<std::int64_t>(size, endless)),
                     std::vector<double>(size, infinite)};
    for (auto& bottleneck : result.bottleneck)
        bottleneck[at(m_stages.count(), layers)] = 0;
    result.shares[at(m_stages.count(), layers)] = 0;
    const bool isTied = m_stages.isWrapped(0);
    const StageBytes firstBytes = isTied ? m_stages.partBytes(0, 0, firstEnd) : StageBytes{};
    const std::int64_t firstWork =
        isTied ? m_stages.workOf(0, 0, firstEnd).total() - m_stages.firstWork() : 0;
    for (std::size_t stage = m_stages.count(); stage-- > (isTied ? 1 : 0);)
        for (std::size_t first = std::max(stage, firstEnd);
             first < (stage == 0 ? 1 : m_stages.lastEnd(stage)); ++first) {
            const std::size_t here = at(stage, first);
            for (const Part& part : parts[here]) {
                const std::size_t next = at(stage + 1, part.end);
                if (result.shares[next] == infinite)
                    continue;
                const std::int64_t work = part.work + (isTied && stage == last ? firstWork : 0);
                if (isTied && stage == last &&
                    (work > largest ||
                     totalBytes(firstBytes, m_stages.partBytes(last, first, layers)) > limits[last] ||
                     m_forbiddenPairs.contains({firstEnd, first})))
                    continue;
                result.shares[here] =
                    std::min(result.shares[here], shareOf(stage, part, result) + result.shares[next]);
                for (std::size_t level = part.level; level < m_levels.size(); ++level)
                    result.bottleneck[level][here] = std::min(result.bottleneck[level][here],
                                                              std::max(work, result.bottleneck[level][next]));
            }
        }
    return result;
}

/// What a stage adds to the slots that are not full; the slowest from it on is at least the smallest
/// bottleneck of what is left.
double SplitSearch::shareOf(std::size_t stage, const Part& part, const Remainder& remainder) const {
    const std::int64_t slots = m_stages.slotBound().suffixSlots(stage);
    if (slots == 0)
        return part.share;
    // Of a wrapped IPU, the first stage may do less.
    const std::int64_t others = remainder.bottleneck.back()[at(stage + 1, part.end)] - m_stages.firstWork();
    const std::int64_t own = part.work - (m_stages.isWrapped(stage) ? m_stages.firstWork() : 0);
    return part.share + static_cast<double>(slots * std::max(own, others));
}

std::vector<SplitSearch::Remainder> SplitSearch::remainders(const Parts& parts, std::int64_t largest,
                                                            std::span<const std::int64_t> limits) const {
    if (!m_stages.isWrapped(0))
        return {remainder(parts, 0, largest, limits)};
    std::vector<Remainder> result;
    for (const Part& part : parts[at(0, 0)]) {
        result.resize(part.end + 1);
        result.back() = remainder(parts, part.end, largest, limits);
    }
    return result;
}

const SplitSearch::Remainder& SplitSearch::remainderOf(const Node& node) const {
    return m_remainders[m_stages.isWrapped(0) ? node.firstEnd : 0];
}

double SplitSearch::boundOf(const Node& node, const Remainder& remainder) const {
    const std::size_t here = at(node.stage, node.end);
    const bool isWhole = node.stage == m_stages.count();
    double least = infinite;
    for (std::size_t level = 0; level < m_levels.size(); ++level)
        if (const std::int64_t bottleneck = remainder.bottleneck[level][here]; bottleneck != endless)
            least = std::min(
                least, slotCycles(std::max(node.largest, bottleneck), node.shares + remainder.shares[here]) +
                           copyCycles(node.copies, isWhole ? 0 : m_levels[level]));
    return static_cast<double>(m_stages.problem().fixedCycles) + least;
}

void SplitSearch::findLeastCopies() {
    for (std::size_t stage = 0; stage + 1 < m_stages.count(); ++stage) {
        SlotCopies least;
        least.fill(endless);
        for (std::size_t end = stage + 1; end <= m_stages.lastEnd(stage); ++end) {
            const SlotCopies copies = m_stages.slotBound().withCopies({}, m_stages.copies(), stage, end);
            for (std::size_t kind = 0; kind < least.size(); ++kind)
                least[kind] = std::min(least[kind], copies[kind]);
        }
        for (std::size_t kind = 0; kind < least.size(); ++kind)
            if (least[kind] != endless)
                m_leastCopies[kind] = std::max(m_leastCopies[kind], least[kind]);
    }
}

/// In the slots in which several stages send.
double SplitSearch::copyCycles(SlotCopies known, std::int64_t longest) const {
    for (std::size_t kind = 0; kind < known.size(); ++kind)
        known[kind] = std::max(known[kind], m_leastCopies[kind]);
    return static_cast<double>(m_stages.slotBound().sharedCopyCycles(m_stages.copies(), known, longest));
}

/// The update, and the slots without their copies, twofold: the full ones and the stages' shares of the
/// others; or every micro-batch on the IPU that has most to do, which takes part in most of the other slots
/// too.
double SplitSearch::slotCycles(std::int64_t bottleneck, double shares) const {
    const double slots = std::max(static_cast<double>(m_stages.slotBound().fullSlots() * bottleneck) + shares,
                                  static_cast<double>(m_stages.slotBound().microBatches() * bottleneck));
    return slots + m_leastUpdate;
}

std::optional<std::vector<std::size_t>>
SplitSearch::promising(const std::vector<std::int64_t>& limits) const {
    const std::vector<std::int64_t>& kept = limits.empty() ? m_limits : limits;
    const std::int64_t bottleneck = limits.empty() ? m_bottleneck : smallestBottleneck(kept);
    if (bottleneck < 0)
        return std::nullopt;
    // What two stages on one IPU have together may be more than the smallest bottleneck knows of.
    for (double slack = promisingSlack; slack < 8 * promisingSlack; slack *= 2) {
        const auto largest = static_cast<std::int64_t>(slack * static_cast<double>(bottleneck)) + 1;
        const Parts found = parts(largest, kept);
        auto best = bestSplit(found, remainders(found, largest, kept));
        if (!best.empty())
            return best;
    }
    return std::nullopt;
}

/// The split that the bounds of what is left lead to; empty where there is none.
std::vector<std::size_t> SplitSearch::bestSplit(const Parts& parts,
                                                const std::vector<Remainder>& remainders) const {
    struct Promise {
        double cycles = 0;
        std::size_t firstEnd = 0;
        std::size_t level = 0;
    };
    std::vector<Promise> promises;
    for (std::size_t end = 0; end < remainders.size(); ++end) {
        const Remainder& left = remainders[end];
        const std::size_t from = at(m_stages.isWrapped(0) ? 1 : 0, end);
        for (std::size_t level = 0; level < m_levels.size() && !left.shares.empty(); ++level) {
            if (left.bottleneck[level][from] == endless)
                continue;
            std::int64_t work = left.bottleneck[level][from];
            double shares = left.shares[from];
            if (m_stages.isWrapped(0)) {
                const auto part = std::ranges::find(parts[at(0, 0)], end, &Part::end);
                work = std::max(work, part->work);
                shares += shareOf(0, *part, left);
            }
            promises.push_back({slotCycles(work, shares) + copyCycles({}, m_levels[level]), end, level});
        }
    }
    std::ranges::stable_sort(promises, {}, &Promise::cycles);
    for (const Promise& promise : promises)
        if (auto ends = cheapest(parts, remainders[promise.firstEnd], promise.firstEnd, promise.level);
            !ends.empty())
            return ends;
    return {};
}

/// The split with the least shares among those with the smallest bottleneck of a level.
std::vector<std::size_t> SplitSearch::cheapest(const Parts& parts, const Remainder& remainder,
                                               std::size_t firstEnd, std::size_t level) const {
    const std::size_t layers = m_stages.layers();
    const std::size_t begin = m_stages.isWrapped(0) ? 1 : 0;
    const std::vector<std::int64_t>& bottleneck = remainder.bottleneck[level];
    const std::int64_t largest =
        m_stages.slotBound().fullSlots() > 0 ? bottleneck[at(begin, firstEnd)] : endless - 1;
    std::vector<double> least(at(m_stages.count() + 1, 0), infinite);
    std::vector<std::size_t> cut(least.size(), 0);
    least[at(m_stages.count(), layers)] = 0;
    for (std::size_t stage = m_stages.count(); stage-- > begin;)
        for (std::size_t first = std::max(stage, firstEnd);
             first < (stage == 0 ? 1 : m_stages.lastEnd(stage)); ++first)
            for (const Part& part : parts[at(stage, first)]) {
                const std::size_t here = at(stage, first);
                const std::size_t next = at(stage + 1, part.end);
                // The last stage of a wrapped IPU may not go with the first one.
                if (part.work > largest || part.level > level || bottleneck[next] > largest ||
                    bottleneck[here] > largest)
                    continue;
                if (const double shares = shareOf(stage, part, remainder) + least[next];
                    shares < least[here]) {
                    least[here] = shares;
                    cut[here] = part.end;
                }
            }
    std::vector<std::size_t> ends;
    if (begin == 1)
        ends.push_back(firstEnd);
    for (std::size_t stage = begin, first = firstEnd; stage < m_stages.count(); ++stage) {
        first = cut[at(stage, first)];
        if (first == 0)
            return {};
        ends.push_back(first);
    }
    return ends;
}

bool SplitSearch::Later::operator()(std::size_t a, std::size_t b) const {
    const Node& left = (*nodes)[a];
    const Node& right = (*nodes)[b];
    if (left.bound != right.bound)
        return left.bound > right.bound;
    return left.stage != right.stage ? left.stage < right.stage : a > b;
}

void SplitSearch::push(const Node& node) {
    m_nodes.push_back(node);
    m_queue.push_back(m_nodes.size() - 1);
    std::ranges::push_heap(m_queue, Later{&m_nodes});
}

SplitSearch::Node SplitSearch::childOf(std::size_t parent, const Part& part) const {
    const Node& node = m_nodes[parent];
    Node child{0,
               0,
               std::max(node.stage == 0 ? 0 : node.largest, part.work),
               node.copies,
               node.stage == 0 ? part.end : node.firstEnd,
               part.end,
               node.stage + 1,
               parent};
    child.shares = node.shares + shareOf(node.stage, part, remainderOf(child));
    if (child.stage < m_stages.count())
        child.copies = m_stages.slotBound().withCopies(node.copies, m_stages.copies(), node.stage, part.end);
    return child;
}

void SplitSearch::expand(std::size_t parent) {
    const Node node = m_nodes[parent];
    for (const Part& part : m_parts[at(node.stage, node.end)]) {
        const Remainder& left =
            m_remainders[m_stages.isWrapped(0) ? (node.stage == 0 ? part.end : node.firstEnd) : 0];
        if (left.shares[at(node.stage + 1, part.end)] == infinite)
            continue;
        Node child = childOf(parent, part);
        child.bound = std::max(node.bound, boundOf(child, left));
        if (child.stage == m_stages.count()) {
            m_nodes.push_back(child);
            const auto ends = endsOf(m_nodes.size() - 1);
            m_nodes.pop_back();
            if (!isPossible(ends) || m_taken.contains(ends))
                continue;
            child.bound = std::max(child.bound, static_cast<double>(cycles(ends)));
        }
        push(child);
    }
}

/// What two stages on one IPU take, whole splits show.
bool SplitSearch::isPossible(std::span<const std::size_t> ends) const {
    return !m_stages.isWrapped(0) || (m_stages.ipuBytes(ends, 0) <= m_stages.problem().memoryLimit &&
                                      !m_forbiddenPairs.contains({ends.front(), ends[ends.size() - 2]}));
}

std::vector<std::size_t> SplitSearch::endsOf(std::size_t node) const {
    std::vector<std::size_t> ends;
    for (; m_nodes[node].stage > 0; node = m_nodes[node].parent)
        ends.push_back(m_nodes[node].end);
    std::ranges::reverse(ends);
    return ends;
}

std::int64_t SplitSearch::cycles(std::span<const std::size_t> ends) const {
    std::vector<StageWork> work;
    std::vector<std::size_t> ipus(ends.size());
    std::iota(ipus.begin(), ipus.end(), 0);
    if (m_stages.problem().wraps)
        ipus.back() = 0;
    std::size_t first = 0;
    SlotCopies longest{};
    std::int64_t copies = 0;
    for (std::size_t stage = 0; stage < ends.size(); ++stage) {
        work.push_back(m_stages.workOf(stage, first, ends[stage]));
        first = ends[stage];
        if (stage + 1 == ends.size())
            continue;
        copies += m_stages.slotBound().copyCycles(m_stages.copies(), stage, first);
        longest = m_stages.slotBound().withCopies(longest, m_stages.copies(), stage, first);
    }
    copies += m_stages.slotBound().sharedCopyCycles(m_stages.copies(), longest);
    // Other calls may share weights too, and then an IPU: what stages work one by one is the least.
    return m_stages.problem().fixedCycles + m_stages.slotBound().cycles(work, ipus) + copies;
}

void SplitSearch::forbid(std::span<const std::size_t> ends, std::size_t stage) {
    m_isStale = true;
    m_isDiagramStale = true;
    if (m_stages.isWrapped(stage)) {
        m_forbiddenPairs.insert({ends.front(), ends[ends.size() - 2]});
        return;
    }
    const std::size_t first = stage == 0 ? 0 : ends[stage - 1];
    m_forbidden.insert({stage, first, ends[stage]});
    if (!m_parts.empty())
        std::erase_if(m_parts[at(stage, first)], [&](const Part& part) { return part.end == ends[stage]; });
}

std::optional<BoundedSplit> SplitSearch::nextOfDiagram(double limit, std::size_t& nodes) {
    if (!m_isDiagramStale)
        return std::nullopt;
    // Without a plan to be better than, a diagram leaves nothing out: any good split will do.
    if (limit == infinite) {
        auto ends = bestSplit(m_parts, m_remainders);
        if (ends.empty() || !isPossible(ends) || !m_taken.insert(ends).second)
            return std::nullopt;
        return BoundedSplit{ends, static_cast<double>(cycles(ends))};
    }
    m_isDiagramStale = false;
    const DiagramBound found = diagramBound(
        {m_stages, m_parts, m_leastCopies, m_forbiddenPairs, limit, m_diagramWidth,
         m_diagramWidth > narrowestDiagram ? diagramTolerance * bound() : 0, nodes * diagramNodesPerNode});
    nodes -= std::min(nodes, found.nodes / diagramNodesPerNode);
    m_isDiagramExact = found.isExact;
    if (found.cycles == infinite)
        m_queue.clear();
    m_diagramBound = std::max(m_diagramBound, found.cycles);
    if (found.ends.empty() || !m_taken.insert(found.ends).second)
        return std::nullopt;
    return BoundedSplit{found.ends, static_cast<double>(cycles(found.ends))};
}

std::optional<BoundedSplit> SplitSearch::next(double limit, std::size_t& nodes) {
    tighten(limit);
    if (m_queue.empty() || bound() > limit || nodes == 0)
        return std::nullopt;
    if (auto split = nextOfDiagram(limit, nodes))
        return split;
    for (std::size_t left = std::min(nodes, nodesPerSplit); left > 0 && !m_queue.empty() && bound() <= limit;
         --left, --nodes) {
        std::ranges::pop_heap(m_queue, Later{&m_nodes});
        const std::size_t top = m_queue.back();
        m_queue.pop_back();
        if (m_nodes[top].stage == m_stages.count()) {
            if (auto ends = endsOf(top); m_taken.insert(ends).second)
                return BoundedSplit{ends, m_nodes[top].bound};
            continue;
        }
        expand(top);
    }
    // Where the parts of splits are too many to go through, a wider diagram says more.
    m_isAtItsEnd = m_isDiagramExact || m_diagramWidth >= widestDiagram;
    if (!m_isAtItsEnd) {
        m_diagramWidth *= 4;
        m_isDiagramStale = true;
    }
    return std::nullopt;
}

} // namespace simulator
