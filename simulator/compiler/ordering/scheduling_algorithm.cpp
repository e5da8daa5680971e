#include "simulator/compiler/ordering/scheduling_algorithm.h"

#include "simulator/compiler/ordering/clustering.h"
#include "simulator/compiler/ordering/look_ahead.h"
#include "simulator/compiler/ordering/post_order.h"
#include "simulator/compiler/ordering/shortest_path.h"

#include <algorithm>
#include <array>
#include <limits>

namespace simulator {

std::span<const SchedulingAlgorithmRow> schedulingAlgorithms() {
    static constexpr std::array<SchedulingAlgorithmRow, 4> rows{{
        {SchedulingAlgorithm::PostOrder, "POST_ORDER", true, postOrderSchedule},
        {SchedulingAlgorithm::Clustering, "CLUSTERING", true, clusteringSchedule},
        {SchedulingAlgorithm::ShortestPath, "SHORTEST_PATH", true, shortestPathSchedule},
        {SchedulingAlgorithm::LookAhead, "LOOK_AHEAD", false, lookAheadSchedule},
    }};
    return rows;
}

std::optional<SchedulingAlgorithm> schedulingAlgorithmFromName(std::string_view name) {
    if (name == "CHOOSE_BEST")
        return SchedulingAlgorithm::ChooseBest;
    const auto row = std::ranges::find(schedulingAlgorithms(), name, &SchedulingAlgorithmRow::name);
    return row == schedulingAlgorithms().end() ? std::nullopt : std::optional(row->algorithm);
}

NodeOrder scheduleComputation(const Computation& computation, const OrderingOptions& options) {
    NodeOrder best;
    std::int64_t lowest = std::numeric_limits<std::int64_t>::max();
    for (const SchedulingAlgorithmRow& row : schedulingAlgorithms()) {
        if (row.algorithm == options.algorithm)
            return row.order(computation, options);
        if (options.algorithm != SchedulingAlgorithm::ChooseBest || !row.isCandidate)
            continue;
        NodeOrder order = row.order(computation, options);
        if (const std::int64_t peak = peakLiveness(computation, order); peak < lowest) {
            lowest = peak;
            best = std::move(order);
        }
    }
    return best;
}

} // namespace simulator
