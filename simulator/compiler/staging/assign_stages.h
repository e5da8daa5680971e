#pragma once

#include "core/base/ids.h"
#include "simulator/graph/staged_graph.h"

#include <vector>

namespace simulator {

/// What the project says about placement.
struct StageMap {
    std::size_t count = 1;
    /// Stage of every invocation of the typed graph.
    std::vector<core::StageId> ofInvocation;
    /// IPU of every stage.
    std::vector<core::IpuId> ipus;

    bool operator==(const StageMap&) const = default;
};

/// Puts each operation on one stage:
/// - forward operations with their invocation; loss and metrics, to which every output and target comes, on
///   the last stage;
/// - backward operations with their forward; a sum of gradients where the last of them arrives, so that one
///   sum and not its parts travels on;
/// - accumulation where the gradient is; the weight update where the variable is.
[[nodiscard]] StagedGraph assignStages(TrainingGraph graph, const StageMap& map);

} // namespace simulator
