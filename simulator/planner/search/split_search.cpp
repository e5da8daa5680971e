#include "simulator/planner/search/split_search.h"

#include <algorithm>
#include <numeric>

namespace simulator {

SplitSearch::SplitSearch(const SplitProblem& problem, SlotBound slots)
    : m_problem(problem)
    , m_slots(std::move(slots))
    , m_limits(problem.stages, problem.memoryLimit) {
    m_bottleneck = smallestBottleneck(m_limits);
    if (m_bottleneck < 0)
        return;
    push({static_cast<double>(m_problem.fixedCycles + m_slots.fullSlots() * m_bottleneck), 0, m_bottleneck, 0,
          0, 0});
}

void SplitSearch::sharpen() {
    if (!m_least.empty() || m_queue.empty())
        return;
    m_least = leastShares(std::numeric_limits<std::int64_t>::max(), m_limits);
    m_nodes.front().bound += m_least[at(0, 0)];
}

double SplitSearch::bound() const {
    return m_queue.empty() ? infinite : m_nodes[m_queue.front()].bound;
}

bool SplitSearch::recomputes(std::size_t stage) const {
    return m_problem.recompute && stage + 1 < m_problem.stages;
}

/// What a FIFO of the stage keeps of a micro-batch.
std::int64_t SplitSearch::queuedBytes(std::size_t stage, std::size_t first, std::size_t end) const {
    if (!recomputes(stage))
        return m_problem.chain->keptBytes(first, end);
    return stage > 0 ? m_problem.chain->arrivingBytes(first, end) : 0;
}

StageWork SplitSearch::workOf(std::size_t stage, std::size_t first, std::size_t end) const {
    StageWork work = m_problem.chain->work(first, end, recomputes(stage));
    if (m_problem.queueCyclesPerByte > 0 && m_problem.fifoDepths[stage] > 0) {
        const auto cycles = static_cast<std::int64_t>(m_problem.queueCyclesPerByte *
                                                      static_cast<double>(queuedBytes(stage, first, end)));
        work.forward += cycles;
        work.backward += cycles;
    }
    return work;
}

std::int64_t SplitSearch::bytes(std::size_t stage, std::size_t first, std::size_t end) const {
    std::int64_t sum = 0;
    if (m_problem.countsVariables)
        sum += m_problem.chain->variableBytes(first, end, m_problem.countsOptimizer);
    const std::int64_t kept = m_problem.chain->keptBytes(first, end);
    if (m_problem.countsStash)
        sum += m_problem.fifoDepths[stage] * queuedBytes(stage, first, end);
    // When a backward pass begins, all that it reads of its micro-batch is there: in the FIFO where that
    // keeps it, else besides.
    const bool isInFifo = m_problem.countsStash && m_problem.fifoDepths[stage] > 0 && !recomputes(stage);
    const std::int64_t live = m_problem.countsActivations && !isInFifo ? kept : 0;
    return sum + std::max(live, m_problem.chain->temporaryBytes(first, end));
}

/// Every later stage has a layer left.
std::size_t SplitSearch::lastEnd(std::size_t stage) const {
    return m_problem.chain->layers() - (m_problem.stages - 1 - stage);
}

/// The farthest end of a stage that keeps both limits; its first layer where there is none. What a stage
/// takes only grows with its layers.
std::size_t SplitSearch::longest(std::size_t stage, std::size_t first, std::int64_t largest,
                                 const std::vector<std::int64_t>& limits) const {
    std::size_t low = first;
    std::size_t high = lastEnd(stage);
    while (low < high) {
        const std::size_t middle = low + (high - low + 1) / 2;
        if (workOf(stage, first, middle).total() <= largest && bytes(stage, first, middle) <= limits[stage])
            low = middle;
        else
            high = middle - 1;
    }
    return low;
}

/// Whether some split keeps both limits: each stage as long as it may be leaves the least to the others.
bool SplitSearch::fits(std::int64_t largest, const std::vector<std::int64_t>& limits) const {
    if (m_problem.wraps && m_problem.stages > 1)
        return fitsAround(largest, limits);
    std::size_t end = 0;
    for (std::size_t stage = 0; stage < m_problem.stages; ++stage) {
        const std::size_t begin = end;
        end = longest(stage, begin, largest, limits);
        if (end == begin)
            return false;
    }
    return end == m_problem.chain->layers();
}

/// The same where the first and the last stage are on one IPU.
bool SplitSearch::fitsAround(std::int64_t largest, const std::vector<std::int64_t>& limits) const {
    const std::size_t last = m_problem.stages - 1;
    const std::size_t layers = m_problem.chain->layers();
    for (std::size_t first = longest(0, 0, largest, limits); first > 0; --first) {
        std::size_t end = first;
        bool isFilled = true;
        for (std::size_t stage = 1; stage < last && isFilled; ++stage) {
            const std::size_t begin = end;
            end = longest(stage, begin, largest, limits);
            isFilled = end > begin;
        }
        if (isFilled && end < layers &&
            workOf(0, 0, first).total() + workOf(last, end, layers).total() <= largest &&
            bytes(0, 0, first) + bytes(last, end, layers) <= limits[last])
            return true;
    }
    return false;
}

std::int64_t SplitSearch::smallestBottleneck(const std::vector<std::int64_t>& limits) const {
    std::int64_t high = workOf(0, 0, m_problem.chain->layers()).total();
    if (!fits(high, limits))
        return -1;
    std::int64_t low = 0;
    while (low < high) {
        const std::int64_t middle = low + (high - low) / 2;
        if (fits(middle, limits))
            high = middle;
        else
            low = middle + 1;
    }
    return high;
}

std::vector<double> SplitSearch::leastShares(std::int64_t largest,
                                             const std::vector<std::int64_t>& limits) const {
    const std::size_t layers = m_problem.chain->layers();
    std::vector<double> least((m_problem.stages + 1) * (layers + 1), infinite);
    least[at(m_problem.stages, layers)] = 0;
    for (std::size_t stage = m_problem.stages; stage-- > 0;)
        for (std::size_t first = stage; first < lastEnd(stage); ++first) {
            double& best = least[at(stage, first)];
            for (std::size_t end = first + 1; end <= lastEnd(stage); ++end) {
                const StageWork work = workOf(stage, first, end);
                if (work.total() > largest || bytes(stage, first, end) > limits[stage])
                    break;
                best = std::min(best, m_slots.share(stage, work) + least[at(stage + 1, end)]);
            }
        }
    return least;
}

std::optional<std::vector<std::size_t>>
SplitSearch::promising(const std::vector<std::int64_t>& limits) const {
    const std::vector<std::int64_t>& kept = limits.empty() ? m_limits : limits;
    const std::int64_t bottleneck = limits.empty() ? m_bottleneck : smallestBottleneck(kept);
    if (bottleneck < 0)
        return std::nullopt;
    const std::vector<double> least = leastShares(bottleneck, kept);
    std::vector<std::size_t> ends;
    std::size_t first = 0;
    for (std::size_t stage = 0; stage < m_problem.stages; ++stage) {
        std::size_t best = 0;
        double bestShare = infinite;
        for (std::size_t end = first + 1; end <= lastEnd(stage); ++end) {
            const StageWork work = workOf(stage, first, end);
            if (work.total() > bottleneck || bytes(stage, first, end) > kept[stage])
                break;
            const double share = m_slots.share(stage, work) + least[at(stage + 1, end)];
            if (share < bestShare) {
                bestShare = share;
                best = end;
            }
        }
        if (best == 0)
            return std::nullopt;
        ends.push_back(best);
        first = best;
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

void SplitSearch::expand(std::size_t parent) {
    const Node node = m_nodes[parent];
    const std::size_t begin = node.stage + 1 == m_problem.stages ? m_problem.chain->layers() : node.end + 1;
    for (std::size_t end = begin; end <= lastEnd(node.stage); ++end) {
        const StageWork work = workOf(node.stage, node.end, end);
        if (bytes(node.stage, node.end, end) > m_limits[node.stage])
            break;
        Node child{0,
                   node.shares + m_slots.share(node.stage, work),
                   std::max(node.largest, work.total()),
                   end,
                   node.stage + 1,
                   parent};
        child.bound = static_cast<double>(m_problem.fixedCycles + m_slots.fullSlots() * child.largest) +
                      child.shares + m_least[at(child.stage, end)];
        if (child.bound == infinite)
            continue;
        if (child.stage == m_problem.stages) {
            m_nodes.push_back(child);
            const auto ends = endsOf(m_nodes.size() - 1);
            m_nodes.pop_back();
            child.bound = std::max(child.bound, static_cast<double>(cycles(ends)));
        }
        child.bound = std::max(child.bound, node.bound);
        push(child);
    }
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
    if (m_problem.wraps)
        ipus.back() = 0;
    std::size_t first = 0;
    for (std::size_t stage = 0; stage < ends.size(); ++stage) {
        work.push_back(workOf(stage, first, ends[stage]));
        first = ends[stage];
    }
    // Other calls may share weights too, and then an IPU: what stages work one by one is the least.
    return m_problem.fixedCycles + m_slots.cycles(work, ipus);
}

std::optional<BoundedSplit> SplitSearch::next(double limit, std::size_t& nodes) {
    sharpen();
    while (!m_queue.empty() && bound() < limit && nodes > 0) {
        std::ranges::pop_heap(m_queue, Later{&m_nodes});
        const std::size_t top = m_queue.back();
        m_queue.pop_back();
        if (m_nodes[top].stage == m_problem.stages)
            return BoundedSplit{endsOf(top), m_nodes[top].bound};
        --nodes;
        expand(top);
    }
    return std::nullopt;
}

} // namespace simulator
