#pragma once

#include "simulator/planner/stage_partition.h"

#include <limits>
#include <vector>

namespace simulator {

/// The objective as one number per stage, and what the slowest copy of a slot adds to the largest of them.
class ObjectiveScale {
public:
    explicit ObjectiveScale(const PartitionProblem& problem);

    [[nodiscard]] double valueOf(std::int64_t cycles, std::int64_t bytes) const;
    [[nodiscard]] double valueOfCut(std::int64_t cutCycles) const;
    /// Of a whole partition.
    [[nodiscard]] double valueOf(const std::vector<StageCost>& stages) const;

private:
    PartitionObjective m_objective;
    double m_timeShare;
    double m_evenCycles = 1;
    double m_evenBytes = 1;
};

/// Partitions by their largest stage alone, cut only where the copies keep a limit.
class PartitionSearch {
public:
    static constexpr double none = std::numeric_limits<double>::infinity();

    PartitionSearch(const PartitionProblem& problem, const ObjectiveScale& scale,
                    const core::JobContext& job);

    /// Cuts whose copies take longer are not made from now on.
    void limitCuts(std::int64_t cycles) { m_cutLimit = cycles; }
    /// The smallest value above `floor` that the largest stage of a partition has; `none`: there is no
    /// further.
    [[nodiscard]] double nextLargestStage(double floor) const;
    /// Of the partitions whose largest stage is `ceiling`, the next one above `floor`: the `wanted` best by
    /// bytes cut.
    [[nodiscard]] std::vector<std::vector<StageCost>> partitions(double floor, double ceiling,
                                                                 std::size_t wanted);

private:
    /// One of the best ways to cut a prefix.
    struct Prefix {
        std::int64_t cutBytes = 0;
        std::uint32_t lastBegin = 0;
        /// Of the list it continues, and which list that is: prefixes that reach the ceiling, or those that
        /// stay at or below the floor.
        std::uint32_t rank = 0;
        bool continuesReaching = false;
    };

    [[nodiscard]] std::size_t at(std::size_t stage, std::size_t end) const {
        return stage * (m_layers + 1) + end;
    }
    template <class Visit>
    void forEachEnd(Visit visit) const;
    template <class Visit>
    void forEachBegin(std::size_t stage, std::size_t end, Visit visit) const;
    void extend(std::size_t stage, std::size_t end, std::size_t begin, std::int64_t cutBytes, bool reaches);
    bool insert(std::vector<Prefix>& list, const Prefix& prefix) const;
    [[nodiscard]] std::vector<StageCost> trace(std::uint32_t rank) const;

    const PartitionProblem& m_problem;
    const ObjectiveScale& m_scale;
    const core::JobContext& m_job;
    std::size_t m_layers;
    std::size_t m_stages;
    std::int64_t m_cutLimit = std::numeric_limits<std::int64_t>::max();
    std::size_t m_wanted = 1;
    /// By stage and end of prefix.
    std::vector<std::vector<Prefix>> m_below;
    std::vector<std::vector<Prefix>> m_reaching;
};

} // namespace simulator
