#include "simulator/planner/stage_partition.h"

#include "simulator/compiler/compile_graph.h"
#include "simulator/planner/partition_search.h"

#include <algorithm>
#include <fmt/format.h>

namespace simulator {

namespace {

/// Finds the best partitions over limits on the slowest copy. A partition whose slowest copy is E is among
/// the best by largest stage of those that keep the limit E, so the best of every limit together hold the
/// best of all. Limits are looked at while the least they could give is no worse than what is known; a
/// limit's largest stage is worked out only when it matters, and bounds those of all tighter limits.
class Partitioner {
public:
    Partitioner(const PartitionProblem& problem, const core::JobContext& job)
        : m_problem(problem)
        , m_job(job)
        , m_scale(problem)
        , m_search(problem, m_scale, job)
        , m_wanted(std::max<std::size_t>(problem.alternatives, 1)) {}

    core::Result<std::vector<Partition>> solve() {
        if (m_problem.stages == 0 || m_problem.layers.size() < m_problem.stages)
            return refuse(
                "value-error/too-few-layers",
                fmt::format("{} layers cannot fill {} stages", m_problem.layers.size(), m_problem.stages),
                "use fewer stages");
        makeLimits();
        bound(m_limits.size() - 1);
        while (!m_job.isCancelled()) {
            const std::size_t next = mostPromising();
            if (next == m_limits.size() || leastOf(next) > worstWanted())
                break;
            if (m_limits[next].isExact)
                collect(next);
            else
                bound(middleOfRun(next));
        }
        if (m_job.isCancelled())
            return core::failure(interrupted());
        if (m_best.empty())
            return refuse(
                "value-error/locks", "no partition into stages without gaps keeps all locks",
                "locked layers must be in the order of their stages, with layers left for the stages "
                "between");
        return std::move(m_best);
    }

private:
    /// No copy takes longer than `cycles`.
    struct Limit {
        std::int64_t cycles = 0;
        /// The largest stage is at least this, exactly this once it is worked out.
        double largestStage = 0;
        bool isExact = false;
        bool isDone = false;
    };

    static tl::unexpected<core::Diagnostics> refuse(std::string code, std::string message, std::string hint) {
        return core::failure(core::makeError(core::Trouble::Input, std::move(code), {}, std::move(message),
                                             {std::move(hint)}));
    }

    void makeLimits() {
        std::vector<std::int64_t> cycles{0};
        const bool countsTime = m_scale.valueOfCut(1) > 0;
        for (std::size_t layer = 0; layer + 1 < m_problem.layers.size(); ++layer)
            cycles.push_back(m_problem.layers[layer].cutCycles);
        std::ranges::sort(cycles);
        const auto repeats = std::ranges::unique(cycles);
        cycles.erase(repeats.begin(), repeats.end());
        // Where copies do not count, one limit holds all.
        for (const std::int64_t limit : cycles)
            if (countsTime || limit == cycles.back())
                m_limits.push_back({limit, 0, false, false});
    }

    [[nodiscard]] double leastOf(std::size_t limit) const {
        return m_limits[limit].largestStage + m_scale.valueOfCut(m_limits[limit].cycles);
    }
    [[nodiscard]] double worstWanted() const {
        return m_best.size() < m_wanted ? PartitionSearch::none : m_best.back().bottleneck;
    }

    [[nodiscard]] std::size_t mostPromising() const {
        std::size_t best = m_limits.size();
        for (std::size_t limit = 0; limit < m_limits.size(); ++limit)
            if (!m_limits[limit].isDone && m_limits[limit].largestStage < PartitionSearch::none &&
                (best == m_limits.size() || leastOf(limit) < leastOf(best)))
                best = limit;
        return best;
    }

    /// Works a limit out; tighter ones have a stage at least as large.
    void bound(std::size_t limit) {
        m_search.limitCuts(m_limits[limit].cycles);
        const double largest = m_search.nextLargestStage(-PartitionSearch::none);
        m_limits[limit].isExact = true;
        for (std::size_t tighter = 0; tighter <= limit; ++tighter)
            m_limits[tighter].largestStage = std::max(m_limits[tighter].largestStage, largest);
    }

    /// Of the limits from here on that share one bound, the middle one: to work it out settles half of them.
    [[nodiscard]] std::size_t middleOfRun(std::size_t first) const {
        std::size_t end = first;
        while (end < m_limits.size() && !m_limits[end].isExact &&
               m_limits[end].largestStage == m_limits[first].largestStage)
            ++end;
        return first + (end - first) / 2;
    }

    void collect(std::size_t index) {
        Limit& limit = m_limits[index];
        limit.isDone = true;
        m_search.limitCuts(limit.cycles);
        const double cut = m_scale.valueOfCut(limit.cycles);
        double floor = -PartitionSearch::none;
        std::size_t found = 0;
        while (found < m_wanted && !m_job.isCancelled()) {
            const double largest = m_search.nextLargestStage(floor);
            if (largest == PartitionSearch::none || largest + cut > worstWanted())
                return;
            for (std::vector<StageCost>& stages : m_search.partitions(floor, largest, m_wanted - found)) {
                ++found;
                add(std::move(stages));
            }
            floor = largest;
        }
    }

    void add(std::vector<StageCost> stages) {
        Partition partition;
        partition.bottleneck = m_scale.valueOf(stages);
        for (const StageCost& stage : stages)
            partition.totalCutBytes += stage.cutBytes;
        partition.stages = std::move(stages);
        const auto isKnown = [&](const Partition& known) { return known.stages == partition.stages; };
        if (std::ranges::any_of(m_best, isKnown))
            return;
        const auto place = std::ranges::upper_bound(
            m_best, std::pair(partition.bottleneck, partition.totalCutBytes), {},
            [](const Partition& known) { return std::pair(known.bottleneck, known.totalCutBytes); });
        m_best.insert(place, std::move(partition));
        if (m_best.size() > m_wanted)
            m_best.pop_back();
    }

    const PartitionProblem& m_problem;
    const core::JobContext& m_job;
    ObjectiveScale m_scale;
    PartitionSearch m_search;
    std::size_t m_wanted;
    /// Tightest first.
    std::vector<Limit> m_limits;
    std::vector<Partition> m_best;
};

} // namespace

std::int64_t Partition::bottleneckCycles() const {
    std::int64_t slowest = 0;
    std::int64_t slowestCut = 0;
    for (const StageCost& stage : stages) {
        slowest = std::max(slowest, stage.cycles);
        slowestCut = std::max(slowestCut, stage.cutCycles);
    }
    return slowest + slowestCut;
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

core::Result<std::vector<Partition>> partitionStages(const PartitionProblem& problem,
                                                     const core::JobContext& job) {
    return Partitioner(problem, job).solve();
}

} // namespace simulator
