#pragma once

#include "simulator/graph/graph_builder.h"

namespace simulator {

/// x [N, C, field…] with its channels last.
[[nodiscard]] core::TensorId withChannelsLast(GraphBuilder& build, core::TensorId x);
/// x [N, field…, C] with its channels second.
[[nodiscard]] core::TensorId withChannelsSecond(GraphBuilder& build, core::TensorId x);

} // namespace simulator
