#pragma once

#include "core/base/quantity.h"
#include "simulator/target/ipu_target.h"

#include <cstdint>
#include <vector>

namespace simulator {

/// Chips, links and host of the simulated machine.
struct IpuSystem {
    IpuTarget target;
    /// IPUs of all replicas.
    std::int64_t ipus = 1;
    std::int64_t ipusPerReplica = 1;
    std::int64_t replicas = 1;
    std::int64_t machines = 1;
    bool remoteMemory = true;
    /// Physical index of each virtual IPU of a replica (selection order).
    std::vector<std::int64_t> physicalIndex;
};

} // namespace simulator
