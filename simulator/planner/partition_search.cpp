#include "simulator/planner/partition_search.h"

#include <algorithm>

namespace simulator {

namespace {

/// A stage that grows layer by layer towards the front of the chain.
class GrowingStage {
public:
    GrowingStage(const PartitionProblem& problem, std::size_t stage, std::size_t endLayer)
        : m_problem(problem)
        , m_depth(problem.fifoDepths.empty() ? 0 : problem.fifoDepths[stage])
        , m_isLast(stage + 1 == problem.stages)
        , m_recomputes(problem.recomputes(stage)) {
        m_cost.firstLayer = m_cost.endLayer = endLayer;
        if (!m_isLast) {
            m_cost.cutBytes = problem.layers[endLayer - 1].cutBytes;
            m_cost.cutCycles = problem.layers[endLayer - 1].cutCycles;
        }
    }

    void takeLayerBefore() {
        const LayerCost& layer = m_problem.layers[--m_cost.firstLayer];
        m_cost.cycles +=
            layer.forwardCycles + layer.backwardCycles + (m_recomputes ? layer.recomputeCycles : 0);
        m_resident += layer.residentBytes;
        m_activations += layer.activationBytes;
        m_temporary = std::max(m_temporary, layer.temporaryBytes);
        const std::int64_t entries = m_depth > 0 ? m_depth + 1 : 1;
        const std::int64_t input =
            m_cost.firstLayer > 0 ? m_problem.layers[m_cost.firstLayer - 1].cutBytes : 0;
        m_growingBytes = m_resident + m_temporary + (m_recomputes ? 1 : entries) * m_activations;
        m_cost.peakBytes = m_growingBytes + (m_recomputes ? entries * input : 0);
    }

    [[nodiscard]] const StageCost& cost() const { return m_cost; }
    /// The part of the bytes that a longer stage never has less of.
    [[nodiscard]] std::int64_t growingBytes() const { return m_growingBytes; }

private:
    const PartitionProblem& m_problem;
    std::int64_t m_depth;
    bool m_isLast;
    bool m_recomputes;
    StageCost m_cost;
    std::int64_t m_growingBytes = 0;
    std::int64_t m_resident = 0;
    std::int64_t m_activations = 0;
    std::int64_t m_temporary = 0;
};

} // namespace

bool PartitionProblem::recomputes(std::size_t stage) const {
    const auto number = static_cast<std::int64_t>(stage);
    return recompute && stage + 1 < stages &&
           (!recomputedStages || std::ranges::find(*recomputedStages, number) != recomputedStages->end());
}

StageCost stageCost(const PartitionProblem& problem, std::size_t stage, std::size_t firstLayer,
                    std::size_t endLayer) {
    GrowingStage growing(problem, stage, endLayer);
    for (std::size_t layer = endLayer; layer > firstLayer; --layer)
        growing.takeLayerBefore();
    return growing.cost();
}

ObjectiveScale::ObjectiveScale(const PartitionProblem& problem)
    : m_objective(problem.objective)
    , m_timeShare(problem.timeShare) {
    double cycles = 0;
    double bytes = 0;
    for (const LayerCost& layer : problem.layers) {
        cycles += static_cast<double>(layer.forwardCycles + layer.backwardCycles);
        bytes += static_cast<double>(layer.residentBytes + layer.activationBytes);
    }
    const auto stages = static_cast<double>(problem.stages);
    m_evenCycles = std::max(cycles / stages, 1.0);
    m_evenBytes = std::max(bytes / stages, 1.0);
}

double ObjectiveScale::valueOf(std::int64_t cycles, std::int64_t bytes) const {
    switch (m_objective) {
    case PartitionObjective::Time:
        return static_cast<double>(cycles);
    case PartitionObjective::Memory:
        return static_cast<double>(bytes);
    case PartitionObjective::Blend:
        break;
    }
    return m_timeShare * static_cast<double>(cycles) / m_evenCycles +
           (1 - m_timeShare) * static_cast<double>(bytes) / m_evenBytes;
}

double ObjectiveScale::valueOfCut(std::int64_t cutCycles) const {
    return valueOf(cutCycles, 0);
}

double ObjectiveScale::valueOf(const std::vector<StageCost>& stages) const {
    double largest = 0;
    std::int64_t slowestCut = 0;
    for (const StageCost& stage : stages) {
        largest = std::max(largest, valueOf(stage.cycles, stage.peakBytes));
        slowestCut = std::max(slowestCut, stage.cutCycles);
    }
    return largest + valueOfCut(slowestCut);
}

PartitionSearch::PartitionSearch(const PartitionProblem& problem, const ObjectiveScale& scale,
                                 const core::JobContext& job)
    : m_problem(problem)
    , m_scale(scale)
    , m_job(job)
    , m_layers(problem.layers.size())
    , m_stages(problem.stages) {}

template <class Visit>
void PartitionSearch::forEachEnd(Visit visit) const {
    for (std::size_t stage = 0; stage < m_stages && !m_job.isCancelled(); ++stage) {
        const bool isLast = stage + 1 == m_stages;
        for (std::size_t end = isLast ? m_layers : stage + 1; end + (m_stages - 1 - stage) <= m_layers; ++end)
            if (isLast || m_problem.layers[end - 1].cutCycles <= m_cutLimit)
                visit(stage, end);
    }
}

/// Calls `visit(begin, cost, value, least)` for every stage that may end before layer `end`, shortest first,
/// until it answers false; no longer stage has a value below `least`.
template <class Visit>
void PartitionSearch::forEachBegin(std::size_t stage, std::size_t end, Visit visit) const {
    GrowingStage growing(m_problem, stage, end);
    for (std::size_t begin = end; begin-- > stage;) {
        if (!m_problem.locks.empty() && m_problem.locks[begin].value_or(stage) != stage)
            return;
        growing.takeLayerBefore();
        // Only the first stage begins with the first layer, and it must.
        const StageCost& cost = growing.cost();
        const double least = m_scale.valueOf(cost.cycles, growing.growingBytes());
        if ((stage > 0 || begin == 0) &&
            !visit(begin, cost, m_scale.valueOf(cost.cycles, cost.peakBytes), least))
            return;
    }
}

double PartitionSearch::nextLargestStage(double floor) const {
    // Of every prefix: can it stay at or below the floor, and its smallest largest stage above.
    std::vector<char> staysBelow(m_stages * (m_layers + 1), 0);
    std::vector<double> above(m_stages * (m_layers + 1), none);
    forEachEnd([&](std::size_t stage, std::size_t end) {
        char& below = staysBelow[at(stage, end)];
        double& lowest = above[at(stage, end)];
        forEachBegin(stage, end, [&](std::size_t begin, const StageCost&, double value, double least) {
            const bool prefixBelow = stage == 0 || staysBelow[at(stage - 1, begin)] != 0;
            const double prefixAbove = stage == 0 ? none : above[at(stage - 1, begin)];
            if (value <= floor && prefixBelow)
                below = 1;
            if (value > floor && prefixBelow)
                lowest = std::min(lowest, value);
            lowest = std::min(lowest, std::max(prefixAbove, value));
            return least <= floor || least < lowest;
        });
    });
    return above[at(m_stages - 1, m_layers)];
}

std::vector<std::vector<StageCost>> PartitionSearch::partitions(double floor, double ceiling,
                                                                std::size_t wanted) {
    m_wanted = wanted;
    m_below.assign(m_stages * (m_layers + 1), {});
    m_reaching.assign(m_stages * (m_layers + 1), {});
    forEachEnd([&](std::size_t stage, std::size_t end) {
        forEachBegin(stage, end, [&](std::size_t begin, const StageCost& cost, double value, double least) {
            if (value <= ceiling)
                extend(stage, end, begin, cost.cutBytes, value > floor);
            return least <= ceiling;
        });
    });
    std::vector<std::vector<StageCost>> found;
    for (std::uint32_t rank = 0; rank < m_reaching[at(m_stages - 1, m_layers)].size(); ++rank)
        found.push_back(trace(rank));
    return found;
}

void PartitionSearch::extend(std::size_t stage, std::size_t end, std::size_t begin, std::int64_t cutBytes,
                             bool reaches) {
    const auto from = static_cast<std::uint32_t>(begin);
    std::vector<Prefix>& below = m_below[at(stage, end)];
    std::vector<Prefix>& reaching = m_reaching[at(stage, end)];
    if (stage == 0) {
        insert(reaches ? reaching : below, {cutBytes, from, 0, false});
        return;
    }
    const auto continueWith = [&](const std::vector<Prefix>& prefixes, std::vector<Prefix>& list,
                                  bool isReaching) {
        for (std::uint32_t rank = 0; rank < prefixes.size(); ++rank)
            if (!insert(list, {prefixes[rank].cutBytes + cutBytes, from, rank, isReaching}))
                return;
    };
    continueWith(m_below[at(stage - 1, begin)], reaches ? reaching : below, false);
    continueWith(m_reaching[at(stage - 1, begin)], reaching, true);
}

/// Keeps the best few, earlier ones first on ties; false where this one is none of them.
bool PartitionSearch::insert(std::vector<Prefix>& list, const Prefix& prefix) const {
    const auto place = std::ranges::upper_bound(list, prefix.cutBytes, {}, &Prefix::cutBytes);
    if (place == list.end() && list.size() >= m_wanted)
        return false;
    list.insert(place, prefix);
    if (list.size() > m_wanted)
        list.pop_back();
    return true;
}

std::vector<StageCost> PartitionSearch::trace(std::uint32_t rank) const {
    std::vector<StageCost> stages(m_stages);
    bool isReaching = true;
    std::size_t end = m_layers;
    for (std::size_t stage = m_stages; stage-- > 0;) {
        const Prefix& prefix = (isReaching ? m_reaching : m_below)[at(stage, end)][rank];
        stages[stage] = stageCost(m_problem, stage, prefix.lastBegin, end);
        end = prefix.lastBegin;
        rank = prefix.rank;
        isReaching = prefix.continuesReaching;
    }
    return stages;
}

} // namespace simulator
