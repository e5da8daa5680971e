#include "simulator/planner/bounds/stage_bounds.h"

#include <algorithm>
#include <iterator>
#include <numeric>

namespace simulator {

StageBounds::StageBounds(SplitProblem problem, SlotBound slotBound)
    : m_problem(std::move(problem))
    , m_slots(std::move(slotBound)) {
    applyLocks();
    if (!m_problem.streamedCycles.empty()) {
        m_streamed.push_back(0);
        std::partial_sum(m_problem.streamedCycles.begin(), m_problem.streamedCycles.end(),
                         std::back_inserter(m_streamed));
    }
    const std::size_t layers = m_problem.chain->layers();
    const std::size_t last = m_problem.stages - 1;
    if (isWrapped(0)) {
        m_firstBytes = partBytes(0, 0, 1);
        m_lastBytes = partBytes(last, layers - 1, layers);
        m_firstWork = workOf(0, 0, 1).total();
        m_lastWork = workOf(last, layers - 1, layers).total();
    }
    if (m_problem.system)
        m_copies = copyBound();
}

/// A stage ends before the layers that are locked to later ones, and leaves the stages between a layer each.
void StageBounds::applyLocks() {
    if (m_problem.locks.empty())
        return;
    const std::size_t layers = m_problem.chain->layers();
    m_lockedEnds.assign(m_problem.stages, layers);
    m_foreign.assign(m_problem.stages * (layers + 1), layers);
    for (std::size_t stage = 0; stage < m_problem.stages; ++stage)
        for (std::size_t layer = layers; layer-- > 0;) {
            std::size_t* const foreign = &m_foreign[stage * (layers + 1) + layer];
            const std::optional<std::size_t> locked = m_problem.locks[layer];
            foreign[0] = locked && *locked != stage ? layer : foreign[1];
            if (!locked || *locked <= stage)
                continue;
            const std::size_t between = *locked - stage - 1;
            m_lockedEnds[stage] = std::min(m_lockedEnds[stage], layer > between ? layer - between : 0);
        }
}

bool StageBounds::recomputes(std::size_t stage) const {
    return m_problem.recompute && stage + 1 < m_problem.stages;
}

bool StageBounds::isWrapped(std::size_t stage) const {
    return m_problem.wraps && m_problem.stages > 1 && (stage == 0 || stage + 1 == m_problem.stages);
}

/// The last stage of a full slot runs its backward program before its forward program (`memory_steps`): what
/// is made in one slot is read in the next.
bool StageBounds::waitsWithoutQueue(std::size_t stage) const {
    return m_problem.landsEarly && stage > 0 && stage + 1 == m_problem.stages &&
           m_problem.fifoDepths[stage] == 0 && !recomputes(stage);
}

/// What a FIFO of the stage keeps of a micro-batch.
WaitingValues StageBounds::queued(std::size_t stage, std::size_t first, std::size_t end) const {
    const ChainTable& chain = *m_problem.chain;
    if (recomputes(stage))
        return stage > 0 ? chain.arriving(first, end) : WaitingValues{};
    WaitingValues values = chain.kept(first, end);
    if (stage > 0)
        values += chain.arrivingKept(first, end);
    return values;
}

StageWork StageBounds::workOf(std::size_t stage, std::size_t first, std::size_t end) const {
    StageWork work = m_problem.chain->work(first, end, recomputes(stage));
    if (m_problem.queueCyclesPerByte > 0 && m_problem.fifoDepths[stage] > 0) {
        const WaitingValues values = queued(stage, first, end);
        const std::int64_t cycles =
            static_cast<std::int64_t>(m_problem.queueCyclesPerByte * static_cast<double>(values.bytes)) +
            m_problem.queueCallCycles * values.count;
        work.forward += cycles;
        // The program that computes again finds in the FIFO what it starts with; whether a stage has one is
        // only known where some of its operations surely run twice.
        if (!recomputes(stage) || !m_problem.recomputesApart)
            work.backward += cycles;
        else if (work.recompute > 0)
            work.recompute += cycles;
    }
    work.update = updateCycles(first, end);
    return work;
}

std::int64_t StageBounds::updateCycles(std::size_t first, std::size_t end) const {
    const std::int64_t streamed = m_streamed.empty() ? 0 : m_streamed[end] - m_streamed[first];
    return m_problem.chain->work(first, end, false).update + streamed;
}

/// The mean of the IPUs, and the slowest stage where the chain is cut best for the update alone.
std::int64_t StageBounds::leastUpdate() const {
    const std::size_t layers = m_problem.chain->layers();
    const auto stagesWithin = [&](std::int64_t most) {
        std::size_t stages = 0;
        for (std::size_t first = 0; first < layers; ++stages) {
            std::size_t end = first + 1;
            while (end < layers && updateCycles(first, end + 1) <= most)
                ++end;
            first = end;
        }
        return stages;
    };
    const std::int64_t all = updateCycles(0, layers);
    const auto mean = static_cast<std::int64_t>(m_slots.updateShare({.update = all}));
    if (mean == 0)
        return 0;
    std::int64_t low = mean;
    for (std::size_t layer = 0; layer < layers; ++layer)
        low = std::max(low, updateCycles(layer, layer + 1));
    std::int64_t high = std::max(low, all);
    while (low < high) {
        const std::int64_t middle = low + (high - low) / 2;
        if (stagesWithin(middle) <= m_problem.stages)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

/// Of a full slot, with the least that another stage on the IPU has.
std::int64_t StageBounds::leastWork(std::size_t stage, const StageWork& work) const {
    if (!isWrapped(stage))
        return work.total();
    return work.total() + (stage == 0 ? m_lastWork : m_firstWork);
}

StageBytes StageBounds::partBytes(std::size_t stage, std::size_t first, std::size_t end) const {
    const ChainTable& chain = *m_problem.chain;
    StageBytes bytes{chain.codeBytes(first, end), chain.sharedCodeBytes(first, end), 0};
    if (m_problem.countsVariables)
        bytes.own += chain.variableBytes(first, end, m_problem.countsOptimizer);
    if (m_problem.countsStash)
        bytes.own += m_problem.fifoDepths[stage] * queued(stage, first, end).bytes;
    if (!m_problem.countsActivations) {
        bytes.live = chain.temporaryBytes(first, end);
        return bytes;
    }
    bytes.live = chain.liveBytes(first, end, recomputes(stage));
    if (waitsWithoutQueue(stage))
        bytes.waiting = chain.kept(first, end).bytes;
    if (m_problem.landsEarly && m_problem.fifoDepths[stage] > 0)
        bytes.live = std::max(bytes.live, chain.liveBytes(first, end, true) + m_copies.landingBytes(first));
    return bytes;
}

std::int64_t totalBytes(const StageBytes& bytes) {
    return bytes.own + bytes.code + bytes.live;
}

std::int64_t totalBytes(const StageBytes& first, const StageBytes& last) {
    return first.own + last.own + std::max(first.code, last.code) +
           std::max(first.live + last.waiting, last.live);
}

bool StageBounds::fits(std::size_t stage, std::size_t first, std::size_t end,
                       std::span<const std::int64_t> limits) const {
    if (!m_foreign.empty() && m_foreign[stage * (m_problem.chain->layers() + 1) + first] < end)
        return false;
    const StageBytes bytes = partBytes(stage, first, end);
    if (!isWrapped(stage))
        return totalBytes(bytes) <= limits[stage];
    return (stage == 0 ? totalBytes(bytes, m_lastBytes) : totalBytes(m_firstBytes, bytes)) <= limits[stage];
}

std::int64_t StageBounds::ipuBytes(std::span<const std::size_t> ends, std::size_t stage) const {
    const auto part = [&](std::size_t of) { return partBytes(of, of == 0 ? 0 : ends[of - 1], ends[of]); };
    return isWrapped(stage) ? totalBytes(part(0), part(m_problem.stages - 1)) : totalBytes(part(stage));
}

/// Where a stage may end at the earliest: the last one takes all that is left.
std::size_t StageBounds::firstEnd(std::size_t stage, std::size_t first) const {
    return stage + 1 == m_problem.stages ? m_problem.chain->layers() : first + 1;
}

/// Every later stage has a layer left.
std::size_t StageBounds::lastEnd(std::size_t stage) const {
    const std::size_t last = m_problem.chain->layers() - (m_problem.stages - 1 - stage);
    return m_lockedEnds.empty() ? last : std::min(last, m_lockedEnds[stage]);
}

/// Cycles of the longer copy between a stage and the next one.
std::int64_t StageBounds::copyLength(std::size_t stage, std::size_t end) const {
    if (stage + 1 == m_problem.stages)
        return 0;
    return std::max(m_copies.forward(stage, end), m_copies.backward(stage, end));
}

/// What a stage and the cut behind it add to the slots that are not full.
double StageBounds::share(std::size_t stage, const StageWork& work, std::size_t end) const {
    const double slots = m_slots.share(stage, work);
    if (stage + 1 == m_problem.stages)
        return slots;
    return slots + static_cast<double>(m_slots.copyCycles(m_copies, stage, end));
}

/// Shortcuts are possible for what the two stages of one IPU can have at most.
CopyBound StageBounds::copyBound() const {
    std::vector<std::int64_t> ipus(m_problem.stages);
    std::iota(ipus.begin(), ipus.end(), 0);
    const std::size_t last = m_problem.stages - 1;
    const std::vector<std::int64_t> limits(m_problem.stages, m_problem.memoryLimit);
    WrappedStages wrapped;
    if (m_problem.wraps)
        ipus.back() = 0;
    if (m_problem.shortensPassThrough && isWrapped(0)) {
        while (wrapped.firstEnd < lastEnd(0) && fits(0, 0, wrapped.firstEnd + 1, limits))
            ++wrapped.firstEnd;
        wrapped.lastBegin = last;
        while (wrapped.lastBegin + 1 < m_problem.chain->layers() &&
               !fits(last, wrapped.lastBegin, m_problem.chain->layers(), limits))
            ++wrapped.lastBegin;
    }
    return {m_problem.chain->bounds(), *m_problem.system, ipus, wrapped};
}

} // namespace simulator
