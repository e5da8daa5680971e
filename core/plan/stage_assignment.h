#pragma once

#include "core/base/ids.h"

#include <vector>

namespace core {

/// Stage of every assignable invocation of the flattened model (nested models opened), in post-order: the
/// list of `set_pipeline_stage_assignment`. Empty: the model is not pipelined. An invalid stage is one that
/// is not set yet; `validate()` refuses it.
struct StageAssignment {
    std::vector<StageId> stages;

    [[nodiscard]] bool isPipelined() const { return !stages.empty(); }
    /// Highest stage + 1; 0 when not pipelined.
    [[nodiscard]] std::size_t stageCount() const;

    bool operator==(const StageAssignment&) const = default;
};

/// IPU of every stage (`device_mapping`). Empty: stage k on IPU k.
struct DeviceMapping {
    std::vector<IpuId> ipus;

    [[nodiscard]] IpuId ipuOf(StageId stage) const {
        return ipus.empty() ? IpuId(stage.index()) : ipus[stage.index()];
    }
    /// Highest IPU + 1 over `stageCount` stages, before rounding up to a power of two.
    [[nodiscard]] std::size_t ipuCount(std::size_t stageCount) const;

    bool operator==(const DeviceMapping&) const = default;
};

} // namespace core
