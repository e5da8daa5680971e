#pragma once

#include "core/base/ids.h"

#include <vector>

namespace core {

/// Stage of every assignable invocation of the flattened model (nested models opened), in post-order: the
/// list of `set_pipeline_stage_assignment`; or, when `isSharding`, the shard of every invocation: the IPU its
/// `ipu_shard` scope names. Empty: neither. An invalid stage is one that is not set yet; `validate()` refuses
/// it.
struct StageAssignment {
    std::vector<StageId> stages;
    /// The numbers are IPUs of a model that is spread over them without a pipeline.
    bool isSharding = false;

    [[nodiscard]] bool isPipelined() const { return !stages.empty() && !isSharding; }
    [[nodiscard]] bool isSharded() const { return !stages.empty() && isSharding; }
    /// Highest stage (shard) + 1; 0 when neither pipelined nor sharded.
    [[nodiscard]] std::size_t stageCount() const;

    bool operator==(const StageAssignment&) const = default;
};

/// IPU of every stage (`device_mapping`). Stage k is on IPU k where it is empty or too short.
struct DeviceMapping {
    std::vector<IpuId> ipus;

    [[nodiscard]] IpuId ipuOf(StageId stage) const {
        return stage.index() < ipus.size() ? ipus[stage.index()] : IpuId(stage.index());
    }
    /// Highest IPU + 1 over `stageCount` stages, before rounding up to a power of two.
    [[nodiscard]] std::size_t ipuCount(std::size_t stageCount) const;

    bool operator==(const DeviceMapping&) const = default;
};

} // namespace core
