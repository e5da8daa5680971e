#pragma once

#include "simulator/program/lowered_pipeline.h"

namespace simulator {

/// What one execution of a stage brings from and sends to the host; nothing where the deployment works on
/// synthetic data. `mergesInfeedCopies`: the tensors of a micro-batch come in one copy.
[[nodiscard]] HostTraffic hostTraffic(const StagedGraph& staged, const Deployment& deployment,
                                      bool mergesInfeedCopies);

} // namespace simulator
