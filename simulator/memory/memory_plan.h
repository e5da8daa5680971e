#pragma once

#include "core/profile/records.h"

#include <cstdint>
#include <vector>

namespace simulator {

/// Memory of one IPU of a replica: what is live when, and where it is heaviest.
struct IpuMemoryPlan {
    core::IpuId ipu;
    std::vector<core::LivenessStepRecord> steps;
    std::vector<core::LiveRangeRecord> ranges;
    core::TileMemoryRecord tiles;
    core::IpuMemorySummary summary;
};

struct MemoryPlan {
    std::vector<IpuMemoryPlan> ipus;
    /// One finding per IPU that does not fit: by how much, on which tile, and what holds it. A run goes on
    /// all the same.
    core::Diagnostics findings;

    [[nodiscard]] bool fits() const { return findings.empty(); }
};

} // namespace simulator
