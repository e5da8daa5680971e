#pragma once

#include "core/base/result.h"
#include "core/project/project.h"

#include <compare>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace simulator {

/// What a pipeline keeps in streaming memory.
struct OffloadChoice {
    bool optimizerState = false;
    bool activations = false;

    [[nodiscard]] bool isNothing() const { return !optimizerState && !activations; }
    /// Keeps there what the other one does.
    [[nodiscard]] bool includes(const OffloadChoice& other) const {
        return optimizerState >= other.optimizerState && activations >= other.activations;
    }
    bool operator==(const OffloadChoice&) const = default;
};
/// "nothing", "optimizer_state", "activations", "optimizer_state_and_activations".
[[nodiscard]] std::string_view toString(OffloadChoice offload);

/// Everything that a search decides but the cuts.
struct PlanChoice {
    /// Samples of a micro-batch.
    std::int64_t batchSize = 1;
    std::int64_t replicas = 1;
    /// 1: not pipelined.
    std::size_t stages = 1;
    std::string schedule = "Grouped";
    /// N: micro-batches per weight update and replica.
    std::int64_t accumulation = 1;
    bool recompute = false;
    OffloadChoice offload = {};
    /// availableMemoryProportion of matrix products and convolutions; nothing: as the project says.
    std::optional<double> memoryProportion = std::nullopt;

    bool operator==(const PlanChoice&) const = default;
};

/// The micro-batches a search tries beside the project's own: divisors of the effective batch up to this.
inline constexpr std::int64_t largestMicroBatch = 4096;
/// The memory proportions it tries beside the project's own.
inline constexpr double memoryProportions[]{0.15, 0.3};

/// The IPU of every stage: one of its own, but where a stage calls a layer whose weights an earlier stage
/// has. `ends`: end of every stage; `shared`: calls that share weights.
[[nodiscard]] std::vector<std::size_t>
ipusOfSplit(std::span<const std::size_t> ends, std::span<const std::pair<std::size_t, std::size_t>> shared);

/// The project with a plan. Its weight updates per execution and per epoch stay; Poplar options of single
/// stages, which name stages that are no more, go; a mode of recomputation that the schedule does not have
/// becomes Auto; a choice of devices by number or count gives way to as many IPUs as the plan needs.
[[nodiscard]] core::Result<core::Project>
withPlanChoice(const core::Project& project, const PlanChoice& choice, std::span<const std::size_t> ends,
               std::span<const std::pair<std::size_t, std::size_t>> shared);

/// Samples of a weight update of the project as it is.
[[nodiscard]] std::int64_t effectiveBatchOf(const core::Project& project);
/// Every choice for up to `ipus` IPUs that keeps the effective batch; `layers` are the layer calls, `isTied`
/// that the first and the last share weights. Schedules that refuse the shape are left out.
[[nodiscard]] std::vector<PlanChoice> planChoices(const core::Project& project, std::int64_t ipus,
                                                  std::int64_t effectiveBatch, std::size_t layers,
                                                  bool isTied);
/// IPUs of one replica, as many as its stages need, rounded up to a power of two.
[[nodiscard]] std::int64_t ipusPerReplica(const PlanChoice& choice, bool isTied);

} // namespace simulator
