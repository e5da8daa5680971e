#pragma once

#include "simulator/compiler/ordering/computation.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace simulator {

/// Orders the operations within one program: `SchedulingAlgorithm` of the Python API
/// (`scheduling.algorithm`).
enum class OrderingAlgorithm : std::uint8_t { ChooseBest, Clustering, PostOrder, LookAhead, ShortestPath };

struct OrderingOptions {
    OrderingAlgorithm algorithm = OrderingAlgorithm::ChooseBest;
    /// `scheduling.maximum_scheduler_lookahead_depth` and `…_search_space_size`; LOOK_AHEAD alone asks.
    std::int64_t lookAheadDepth = 5;
    std::int64_t searchSpaceSize = 64;

    bool operator==(const OrderingOptions&) const = default;
};

/// One algorithm; each has a file of its own and a row in the table.
struct OrderingAlgorithmRow {
    OrderingAlgorithm algorithm = OrderingAlgorithm::PostOrder;
    std::string_view name;
    /// CHOOSE_BEST tries it (LOOK_AHEAD is too slow for that).
    bool isCandidate = false;
    NodeOrder (*order)(const Computation&, const OrderingOptions&) = nullptr;
};

/// Every algorithm but CHOOSE_BEST, in the order in which CHOOSE_BEST tries them.
[[nodiscard]] std::span<const OrderingAlgorithmRow> orderingAlgorithms();
[[nodiscard]] std::optional<OrderingAlgorithm> orderingAlgorithmFromName(std::string_view name);

/// An order of the computation. CHOOSE_BEST keeps the strictly lowest peak liveness, the earlier on ties.
[[nodiscard]] NodeOrder orderComputation(const Computation& computation, const OrderingOptions& options);

} // namespace simulator
