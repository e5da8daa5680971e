#include "simulator/planner/stage_partition.h"

#include "simulator/compiler/compile_graph.h"

#include <algorithm>
#include <fmt/format.h>
#include <limits>

namespace simulator {

namespace {

constexpr double unreachable = std::numeric_limits<double>::infinity();

/// A stage that grows layer by layer towards the front of the chain.
class GrowingStage {
public:
    GrowingStage(const PartitionProblem& problem, std::size_t stage, std::size_t endLayer)
        : m_problem(problem)
        , m_depth(problem.fifoDepths.empty() ? 0 : problem.fifoDepths[stage])
        , m_isLast(stage + 1 == problem.stages)
        , m_recomputes(problem.recompute && !m_isLast) {
        m_cost.firstLayer = m_cost.endLayer = endLayer;
        if (!m_isLast) {
            m_cost.cutBytes = problem.layers[endLayer - 1].cutBytes;
            m_cost.cycles = problem.layers[endLayer - 1].cutCycles;
        }
    }

    void takeLayerBefore() {
        const LayerCost& layer = m_problem.layers[--m_cost.firstLayer];
        m_cost.cycles += layer.forwardCycles * (m_recomputes ? 2 : 1) + layer.backwardCycles;
        m_resident += layer.residentBytes;
        m_activations += layer.activationBytes;
        m_temporary = std::max(m_temporary, layer.temporaryBytes);
        const std::int64_t entries = m_depth > 0 ? m_depth + 1 : 1;
        const std::int64_t input =
            m_cost.firstLayer > 0 ? m_problem.layers[m_cost.firstLayer - 1].cutBytes : 0;
        m_cost.peakBytes = m_resident + m_temporary +
                           (m_recomputes ? entries * input + m_activations : entries * m_activations);
    }

    [[nodiscard]] const StageCost& cost() const { return m_cost; }

private:
    const PartitionProblem& m_problem;
    std::int64_t m_depth;
    bool m_isLast;
    bool m_recomputes;
    StageCost m_cost;
    std::int64_t m_resident = 0;
    std::int64_t m_activations = 0;
    std::int64_t m_temporary = 0;
};

/// The objective as one number per stage.
class ObjectiveScale {
public:
    explicit ObjectiveScale(const PartitionProblem& problem)
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

    [[nodiscard]] double valueOf(const StageCost& cost) const {
        const auto cycles = static_cast<double>(cost.cycles);
        const auto bytes = static_cast<double>(cost.peakBytes);
        switch (m_objective) {
        case PartitionObjective::Time:
            return cycles;
        case PartitionObjective::Memory:
            return bytes;
        case PartitionObjective::Blend:
            break;
        }
        return m_timeShare * cycles / m_evenCycles + (1 - m_timeShare) * bytes / m_evenBytes;
    }

private:
    PartitionObjective m_objective;
    double m_timeShare;
    double m_evenCycles = 1;
    double m_evenBytes = 1;
};

/// One of the best ways to cut a prefix: the bytes cut, and where its last stage begins.
struct Prefix {
    std::int64_t cutBytes = 0;
    std::uint32_t lastBegin = 0;
    /// Of the list it continues.
    std::uint32_t rank = 0;
    /// Which of the two lists: of those that reach the bottleneck, or of those that stay at or below the
    /// bottleneck before.
    bool continuesReaching = false;
};

class Partitioner {
public:
    Partitioner(const PartitionProblem& problem, const core::JobContext& job)
        : m_problem(problem)
        , m_job(job)
        , m_scale(problem)
        , m_layers(problem.layers.size())
        , m_stages(problem.stages) {}

    core::Result<std::vector<Partition>> solve() {
        if (m_stages == 0 || m_layers < m_stages)
            return refuse("value-error/too-few-layers",
                          fmt::format("{} layers cannot fill {} stages", m_layers, m_stages),
                          "use fewer stages");
        std::vector<Partition> best;
        double bottleneck = -unreachable;
        while (best.size() < std::max<std::size_t>(m_problem.alternatives, 1)) {
            const double next = nextBottleneck(bottleneck);
            if (m_job.isCancelled())
                return core::failure(interrupted());
            if (next == unreachable)
                break;
            collect(bottleneck, next, best);
            bottleneck = next;
        }
        if (best.empty())
            return refuse("value-error/locks", "no partition into stages without gaps keeps all locks",
                          "locked layers must stand in the order of their stages, with room for the stages "
                          "between");
        return best;
    }

private:
    static tl::unexpected<core::Diagnostics> refuse(std::string code, std::string message, std::string hint) {
        return core::failure(core::Diagnostic{core::Severity::Error,
                                              core::Trouble::Input,
                                              std::move(code),
                                              {},
                                              std::move(message),
                                              {std::move(hint)}});
    }

    [[nodiscard]] std::size_t at(std::size_t stage, std::size_t end) const {
        return stage * (m_layers + 1) + end;
    }

    /// Calls `visit(begin, cost)` for every stage that may end before layer `end`, shortest first.
    template <class Visit>
    void forEachBegin(std::size_t stage, std::size_t end, Visit visit) const {
        GrowingStage growing(m_problem, stage, end);
        for (std::size_t begin = end; begin-- > stage;) {
            if (!m_problem.locks.empty() && m_problem.locks[begin].value_or(stage) != stage)
                return;
            growing.takeLayerBefore();
            // Only the first stage begins with the first layer, and it must.
            if (stage > 0 || begin == 0)
                visit(begin, growing.cost());
        }
    }
    template <class Visit>
    void forEachEnd(Visit visit) const {
        for (std::size_t stage = 0; stage < m_stages && !m_job.isCancelled(); ++stage) {
            const std::size_t lowest = stage + 1 == m_stages ? m_layers : stage + 1;
            for (std::size_t end = lowest; end + (m_stages - 1 - stage) <= m_layers; ++end)
                visit(stage, end);
        }
    }

    /// The smallest bottleneck above `floor` that a partition has.
    [[nodiscard]] double nextBottleneck(double floor) const {
        // Of every prefix: can it stay at or below the floor, and its smallest bottleneck above.
        std::vector<char> staysBelow(m_stages * (m_layers + 1), 0);
        std::vector<double> above(m_stages * (m_layers + 1), unreachable);
        forEachEnd([&](std::size_t stage, std::size_t end) {
            char& below = staysBelow[at(stage, end)];
            double& lowest = above[at(stage, end)];
            forEachBegin(stage, end, [&](std::size_t begin, const StageCost& cost) {
                const double value = m_scale.valueOf(cost);
                const bool prefixBelow = stage == 0 || staysBelow[at(stage - 1, begin)] != 0;
                const double prefixAbove = stage == 0 ? unreachable : above[at(stage - 1, begin)];
                if (value > floor) {
                    if (prefixBelow)
                        lowest = std::min(lowest, value);
                } else if (prefixBelow) {
                    below = 1;
                }
                lowest = std::min(lowest, std::max(prefixAbove, value));
            });
        });
        return above[at(m_stages - 1, m_layers)];
    }

    /// Adds the partitions whose bottleneck is exactly `ceiling`, by bytes cut, as many as still wanted.
    void collect(double floor, double ceiling, std::vector<Partition>& best) {
        m_wanted = std::max<std::size_t>(m_problem.alternatives, 1) - best.size();
        m_below.assign(m_stages * (m_layers + 1), {});
        m_reaching.assign(m_stages * (m_layers + 1), {});
        forEachEnd([&](std::size_t stage, std::size_t end) {
            forEachBegin(stage, end, [&](std::size_t begin, const StageCost& cost) {
                const double value = m_scale.valueOf(cost);
                if (value <= ceiling)
                    extend(stage, end, begin, cost.cutBytes, value > floor);
            });
        });
        const std::vector<Prefix>& found = m_reaching[at(m_stages - 1, m_layers)];
        for (std::uint32_t rank = 0; rank < found.size(); ++rank)
            best.push_back(trace(rank));
    }

    void extend(std::size_t stage, std::size_t end, std::size_t begin, std::int64_t cutBytes, bool reaches) {
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
    bool insert(std::vector<Prefix>& list, const Prefix& prefix) const {
        const auto place = std::ranges::upper_bound(list, prefix.cutBytes, {}, &Prefix::cutBytes);
        if (place == list.end() && list.size() >= m_wanted)
            return false;
        list.insert(place, prefix);
        if (list.size() > m_wanted)
            list.pop_back();
        return true;
    }

    [[nodiscard]] Partition trace(std::uint32_t rank) const {
        Partition partition;
        partition.stages.resize(m_stages);
        bool isReaching = true;
        std::size_t end = m_layers;
        for (std::size_t stage = m_stages; stage-- > 0;) {
            const Prefix& prefix = (isReaching ? m_reaching : m_below)[at(stage, end)][rank];
            partition.stages[stage] = stageCost(m_problem, stage, prefix.lastBegin, end);
            partition.bottleneck = std::max(partition.bottleneck, m_scale.valueOf(partition.stages[stage]));
            partition.totalCutBytes += partition.stages[stage].cutBytes;
            end = prefix.lastBegin;
            rank = prefix.rank;
            isReaching = prefix.continuesReaching;
        }
        return partition;
    }

    const PartitionProblem& m_problem;
    const core::JobContext& m_job;
    ObjectiveScale m_scale;
    std::size_t m_layers;
    std::size_t m_stages;
    std::size_t m_wanted = 1;
    /// By stage and end of prefix.
    std::vector<std::vector<Prefix>> m_below;
    std::vector<std::vector<Prefix>> m_reaching;
};

} // namespace

std::int64_t Partition::bottleneckCycles() const {
    std::int64_t most = 0;
    for (const StageCost& stage : stages)
        most = std::max(most, stage.cycles);
    return most;
}

std::int64_t Partition::peakBytes() const {
    std::int64_t most = 0;
    for (const StageCost& stage : stages)
        most = std::max(most, stage.peakBytes);
    return most;
}

std::vector<std::size_t> Partition::assignment() const {
    std::vector<std::size_t> result;
    for (std::size_t stage = 0; stage < stages.size(); ++stage)
        result.insert(result.end(), stages[stage].endLayer - stages[stage].firstLayer, stage);
    return result;
}

StageCost stageCost(const PartitionProblem& problem, std::size_t stage, std::size_t firstLayer,
                    std::size_t endLayer) {
    GrowingStage growing(problem, stage, endLayer);
    for (std::size_t layer = endLayer; layer > firstLayer; --layer)
        growing.takeLayerBefore();
    return growing.cost();
}

core::Result<std::vector<Partition>> partitionStages(const PartitionProblem& problem,
                                                     const core::JobContext& job) {
    return Partitioner(problem, job).solve();
}

} // namespace simulator
