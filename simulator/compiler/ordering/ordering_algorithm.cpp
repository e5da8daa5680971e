#include "simulator/compiler/ordering/ordering_algorithm.h"

#include "simulator/compiler/ordering/clustering.h"
#include "simulator/compiler/ordering/look_ahead.h"
#include "simulator/compiler/ordering/post_order.h"
#include "simulator/compiler/ordering/shortest_path.h"

#include <algorithm>
#include <array>
#include <limits>

namespace simulator {

std::span<const OrderingAlgorithmRow> orderingAlgorithms() {
    static constexpr std::array<OrderingAlgorithmRow, 4> rows{{
        {OrderingAlgorithm::PostOrder, "POST_ORDER", true, postOrderOrder},
        {OrderingAlgorithm::Clustering, "CLUSTERING", true, clusteringOrder},
        {OrderingAlgorithm::ShortestPath, "SHORTEST_PATH", true, shortestPathOrder},
        {OrderingAlgorithm::LookAhead, "LOOK_AHEAD", false, lookAheadOrder},
    }};
    return rows;
}

std::optional<OrderingAlgorithm> orderingAlgorithmFromName(std::string_view name) {
    if (name == "CHOOSE_BEST")
        return OrderingAlgorithm::ChooseBest;
    const auto row = std::ranges::find(orderingAlgorithms(), name, &OrderingAlgorithmRow::name);
    return row == orderingAlgorithms().end() ? std::nullopt : std::optional(row->algorithm);
}

NodeOrder orderComputation(const Computation& computation, const OrderingOptions& options) {
    NodeOrder best;
    std::int64_t lowest = std::numeric_limits<std::int64_t>::max();
    for (const OrderingAlgorithmRow& row : orderingAlgorithms()) {
        if (row.algorithm == options.algorithm)
            return row.order(computation, options);
        if (options.algorithm != OrderingAlgorithm::ChooseBest || !row.isCandidate)
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
