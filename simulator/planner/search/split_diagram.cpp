#include "simulator/planner/search/split_diagram.h"

#include <algorithm>
#include <limits>
#include <map>
#include <span>
#include <utility>

namespace simulator {

namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();
constexpr std::int64_t endless = std::numeric_limits<std::int64_t>::max();

SlotCopies longer(SlotCopies copies, const SlotCopies& others) {
    for (std::size_t kind = 0; kind < copies.size(); ++kind)
        copies[kind] = std::max(copies[kind], others[kind]);
    return copies;
}

class SplitDiagram {
public:
    explicit SplitDiagram(const DiagramRequest& request)
        : m_request(request)
        , m_stages(request.stages)
        , m_slots(request.stages.slotBound())
        , m_kinds(m_slots.kinds())
        , m_layers(m_stages.layers())
        , m_limit(request.limit) {
        findWork();
        findLastStages();
        findCopies();
        findRemainders();
    }

    DiagramBound bound() {
        DiagramBound best{.cycles = infinite, .ends = {}};
        for (std::size_t part = 0; part < m_request.parts[at(0, 0)].size(); ++part) {
            m_nodes.clear();
            m_slowest.clear();
            const DiagramBound found = boundAfter(part);
            if (found.cycles < best.cycles)
                best = found;
            m_limit = std::min(m_limit, best.cycles);
            if (m_made > m_request.mostNodes)
                return {.cycles = 0, .ends = {}, .isExact = false, .nodes = m_made};
        }
        best.nodes = m_made;
        return best;
    }

private:
    /// Stages up to one, as the least that some splits have in common.
    struct Node {
        double bound = 0;
        /// Of the copies, and of the kinds of slots in which no later stage works.
        std::int64_t doneCycles = 0;
        SlotCopies copies = {};
        std::size_t end = 0;
        std::size_t parent = 0;
        bool isExact = true;
    };

    [[nodiscard]] std::size_t at(std::size_t stage, std::size_t layer) const {
        return stage * (m_layers + 1) + layer;
    }
    [[nodiscard]] std::span<std::int64_t> slowest(std::size_t node) {
        return std::span(m_slowest).subspan(node * m_kinds, m_kinds);
    }
    [[nodiscard]] std::span<const std::int64_t> remainder(std::size_t stage, std::size_t layer) const {
        return std::span(m_remainders).subspan(at(stage, layer) * m_kinds, m_kinds);
    }

    /// What the parts do in each kind of slot.
    void findWork() {
        m_workOfParts.assign(at(m_stages.count(), 0), 0);
        for (std::size_t stage = 0; stage < m_stages.count(); ++stage)
            for (std::size_t first = 0; first < m_layers; ++first) {
                m_workOfParts[at(stage, first)] = m_work.size();
                for (const StagePart& part : m_request.parts[at(stage, first)]) {
                    const StageWork work = m_stages.workOf(stage, first, part.end);
                    for (std::size_t kind = 0; kind < m_kinds; ++kind)
                        m_work.push_back(m_slots.workIn(kind, stage, work));
                }
            }
    }
    /// Of each kind of slot the last stage that works in it.
    void findLastStages() {
        constexpr StageWork anything{.forward = 1, .backward = 1, .recompute = 1, .update = 1};
        m_lastStages.assign(m_kinds, 0);
        for (std::size_t kind = 0; kind < m_kinds; ++kind)
            for (std::size_t stage = 0; stage < m_stages.count(); ++stage)
                if (m_slots.workIn(kind, stage, anything) > 0)
                    m_lastStages[kind] = stage;
    }
    /// What the cut behind a stage adds, by stage and end.
    struct CutCopies {
        std::int64_t cycles = 0;
        SlotCopies longest = {};
    };
    void findCopies() {
        m_copies.resize(at(m_stages.count(), 0));
        for (std::size_t stage = 0; stage + 1 < m_stages.count(); ++stage)
            for (std::size_t end = stage + 1; end <= m_stages.lastEnd(stage); ++end)
                m_copies[at(stage, end)] = {m_slots.copyCycles(m_stages.copies(), stage, end),
                                            m_slots.withCopies({}, m_stages.copies(), stage, end)};
    }

    [[nodiscard]] std::span<const std::int64_t> work(std::size_t stage, std::size_t first,
                                                     std::size_t part) const {
        return std::span(m_work).subspan(m_workOfParts[at(stage, first)] + part * m_kinds, m_kinds);
    }

    /// Of each kind of slot the least that the slowest of the stages from one on has to do, however the
    /// layers that are left are cut.
    void findRemainders() {
        m_remainders.assign(at(m_stages.count() + 1, 0) * m_kinds, endless);
        const std::size_t done = at(m_stages.count(), m_layers);
        std::fill_n(m_remainders.begin() + static_cast<std::ptrdiff_t>(done * m_kinds), m_kinds, 0);
        for (std::size_t stage = m_stages.count(); stage-- > 0;)
            for (std::size_t first = 0; first < m_layers; ++first) {
                const std::vector<StagePart>& parts = m_request.parts[at(stage, first)];
                for (std::size_t part = 0; part < parts.size(); ++part) {
                    const std::span<const std::int64_t> next = remainder(stage + 1, parts[part].end);
                    if (next.front() == endless)
                        continue;
                    const std::span<const std::int64_t> own = work(stage, first, part);
                    std::int64_t* const here = m_remainders.data() + at(stage, first) * m_kinds;
                    for (std::size_t kind = 0; kind < m_kinds; ++kind)
                        here[kind] = std::min(here[kind], std::max(next[kind], own[kind]));
                }
            }
    }

    /// Of the splits whose first stage ends with a layer.
    DiagramBound boundAfter(std::size_t firstPart) {
        m_firstWork = work(0, 0, firstPart);
        m_firstEnd = m_request.parts[at(0, 0)][firstPart].end;
        addRoot();
        std::map<std::size_t, std::vector<std::size_t>> front;
        addChild(0, 0, firstPart, front);
        for (std::size_t stage = 1; stage < m_stages.count(); ++stage) {
            std::map<std::size_t, std::vector<std::size_t>> next;
            for (auto& [end, nodes] : front) {
                if (m_made > m_request.mostNodes)
                    return {};
                thin(nodes);
                for (const std::size_t node : nodes)
                    for (std::size_t part = 0; part < m_request.parts[at(stage, end)].size(); ++part)
                        addChild(node, stage, part, next);
            }
            front = std::move(next);
        }
        DiagramBound best{.cycles = infinite, .ends = {}};
        for (const std::size_t node : front[m_layers])
            if (m_nodes[node].bound < best.cycles)
                best = {m_nodes[node].bound, endsOf(node), m_nodes[node].isExact, 0};
        return best;
    }

    void addRoot() {
        m_nodes.push_back({.copies = m_request.leastCopies});
        m_slowest.resize(m_kinds, 0);
    }

    /// A stage behind those of a node, unless all splits with them take too long.
    void addChild(std::size_t parent, std::size_t stage, std::size_t part,
                  std::map<std::size_t, std::vector<std::size_t>>& front) {
        const std::size_t first = m_nodes[parent].end;
        const std::size_t end = m_request.parts[at(stage, first)][part].end;
        if (remainder(stage + 1, end).front() == endless)
            return;
        const bool isLast = stage + 1 == m_stages.count();
        const bool isWrapped = isLast && stage > 0 && m_stages.isWrapped(stage);
        if (isWrapped && !goTogether(first))
            return;
        ++m_made;
        const std::span<const std::int64_t> ofPart = work(stage, first, part);
        Node child = m_nodes[parent];
        child.parent = parent;
        child.end = end;
        if (!isLast) {
            const CutCopies& cut = m_copies[at(stage, end)];
            child.doneCycles += cut.cycles;
            child.copies = longer(child.copies, cut.longest);
        }
        m_scratch.resize(m_kinds);
        const std::span<const std::int64_t> before = slowest(parent);
        const std::span<const std::int64_t> left = remainder(stage + 1, end);
        for (std::size_t kind = 0; kind < m_kinds; ++kind) {
            const bool isOver = m_lastStages[kind] == stage;
            const std::int64_t own = ofPart[kind] + (isWrapped && isOver ? m_firstWork[kind] : 0);
            m_scratch[kind] = std::max({before[kind], own, left[kind]});
            if (isOver)
                child.doneCycles += m_slots.slotsOf(kind) * std::exchange(m_scratch[kind], 0);
        }
        child.bound = boundOf(child, m_scratch);
        if (child.bound > m_limit)
            return;
        front[end].push_back(m_nodes.size());
        m_nodes.push_back(child);
        m_slowest.insert(m_slowest.end(), m_scratch.begin(), m_scratch.end());
    }

    /// Whether the first stage and a last one that begins with a layer have room on their IPU.
    [[nodiscard]] bool goTogether(std::size_t lastBegin) const {
        return !m_request.forbiddenPairs.contains({m_firstEnd, lastBegin}) &&
               totalBytes(m_stages.partBytes(0, 0, m_firstEnd),
                          m_stages.partBytes(m_stages.count() - 1, lastBegin, m_layers)) <=
                   m_stages.problem().memoryLimit;
    }

    [[nodiscard]] double boundOf(const Node& node, std::span<const std::int64_t> slowestOfOpen) const {
        std::int64_t cycles = m_stages.problem().fixedCycles + node.doneCycles + sharedCopies(node.copies);
        for (std::size_t kind = 0; kind < m_kinds; ++kind)
            cycles += m_slots.slotsOf(kind) * slowestOfOpen[kind];
        return static_cast<double>(cycles);
    }

    /// No completion of `b` takes less than the same one of `a`: what `a` has more in the slots that are
    /// still open costs at most as much as it has less in the others.
    [[nodiscard]] bool isNoWorse(std::size_t a, std::size_t b) {
        return m_nodes[a].doneCycles + moreThan(a, b) <= m_nodes[b].doneCycles;
    }
    /// What a completion of `a` takes at most more than the same one of `b` in slots that are still open.
    [[nodiscard]] std::int64_t moreThan(std::size_t a, std::size_t b) {
        const std::span<const std::int64_t> left = slowest(a);
        const std::span<const std::int64_t> right = slowest(b);
        std::int64_t more = 0;
        for (std::size_t kind = 0; kind < m_kinds; ++kind)
            more += m_slots.slotsOf(kind) * std::max<std::int64_t>(0, left[kind] - right[kind]);
        const SlotCopies both = longer(m_nodes[a].copies, m_nodes[b].copies);
        if (both != m_nodes[b].copies)
            more += sharedCopies(both) - sharedCopies(m_nodes[b].copies);
        return more;
    }
    [[nodiscard]] std::int64_t sharedCopies(const SlotCopies& copies) const {
        return m_slots.sharedCopyCycles(m_stages.copies(), copies);
    }

    /// Of nodes with the same stage and end those that matter, at most as many as the width.
    void thin(std::vector<std::size_t>& nodes) {
        std::ranges::stable_sort(nodes, {}, [&](std::size_t node) { return m_nodes[node].bound; });
        std::vector<std::size_t> kept;
        std::vector<double> lost;
        for (const std::size_t node : nodes) {
            if (std::ranges::any_of(kept, [&](std::size_t other) { return isNoWorse(other, node); }))
                continue;
            const auto [nearest, loss] = nearestTo(node, kept, lost);
            if (nearest < kept.size() && (loss <= m_request.tolerance || kept.size() == m_request.width)) {
                lost[nearest] = loss;
                merge(kept[nearest], node);
            } else {
                kept.push_back(node);
                lost.push_back(0);
            }
        }
        nodes = std::move(kept);
    }

    /// Which node has lost least, with what it lost before, once another one is joined with it.
    [[nodiscard]] std::pair<std::size_t, double>
    nearestTo(std::size_t node, const std::vector<std::size_t>& kept, const std::vector<double>& lost) {
        std::pair<std::size_t, double> nearest{kept.size(), infinite};
        for (std::size_t other = 0; other < kept.size(); ++other) {
            const std::int64_t loss =
                moreThan(kept[other], node) +
                std::max<std::int64_t>(0, m_nodes[kept[other]].doneCycles - m_nodes[node].doneCycles);
            if (const double all = lost[other] + static_cast<double>(loss); all < nearest.second)
                nearest = {other, all};
        }
        return nearest;
    }

    void merge(std::size_t into, std::size_t node) {
        Node& merged = m_nodes[into];
        const Node& other = m_nodes[node];
        merged.doneCycles = std::min(merged.doneCycles, other.doneCycles);
        for (std::size_t kind = 0; kind < merged.copies.size(); ++kind)
            merged.copies[kind] = std::min(merged.copies[kind], other.copies[kind]);
        const std::span<std::int64_t> least = slowest(into);
        std::ranges::transform(least, slowest(node), least.begin(),
                               [](std::int64_t a, std::int64_t b) { return std::min(a, b); });
        merged.isExact = false;
        merged.bound = boundOf(merged, least);
    }

    [[nodiscard]] std::vector<std::size_t> endsOf(std::size_t node) const {
        std::vector<std::size_t> ends;
        for (; node != 0; node = m_nodes[node].parent)
            ends.push_back(m_nodes[node].end);
        std::ranges::reverse(ends);
        return ends;
    }

    const DiagramRequest& m_request;
    const StageBounds& m_stages;
    const SlotBound& m_slots;
    std::size_t m_kinds;
    std::size_t m_layers;
    double m_limit;
    /// By stage, first layer, part and kind of slot, and where those of a first layer begin.
    std::vector<std::int64_t> m_work;
    std::vector<std::size_t> m_workOfParts;
    std::vector<CutCopies> m_copies;
    std::vector<std::size_t> m_lastStages;
    std::size_t m_made = 0;
    std::vector<std::int64_t> m_scratch;
    /// Of the first stage.
    std::span<const std::int64_t> m_firstWork;
    std::size_t m_firstEnd = 0;
    /// By stage, first layer and kind of slot.
    std::vector<std::int64_t> m_remainders;
    std::vector<Node> m_nodes;
    /// By node and kind of slot: of the stages so far, at least what those that are left need; 0 where no
    /// later stage works.
    std::vector<std::int64_t> m_slowest;
};

} // namespace

DiagramBound diagramBound(const DiagramRequest& request) {
    return SplitDiagram(request).bound();
}

} // namespace simulator
