#pragma once

#include "core/base/ids.h"
#include "core/base/quantity.h"
#include "core/plan/prediction_interval.h"

#include <string>
#include <vector>

namespace core {

/// Why an IPU waits. Order of display everywhere.
enum class IdleCause : std::uint8_t {
    WarmUp,
    Drain,
    Imbalance,
    Transfer,
    Offload, ///< remote memory that nothing hides: its own, or as far as another IPU waits for more of it
    Host,
    AllReduce,
    Serial
};
inline constexpr std::size_t idleCauseCount = 8;

/// One stage of a plan, per micro-batch unless said otherwise. Same figures as a full run gives.
struct StageEstimate {
    StageId stage;
    IpuId ipu;
    std::size_t invocations = 0;
    Cycles forward;
    /// Without the weight gradients where the schedule runs them apart.
    Cycles backward;
    Cycles weightGradient;
    Cycles recompute;
    /// Once per weight update.
    Cycles update;
    Cycles host;
    /// Bytes that leave for the next stage with each micro-batch.
    Bytes cut;
    Bytes stash;

    /// What the stage works with each micro-batch.
    [[nodiscard]] Cycles perMicroBatch() const { return host + forward + backward + recompute; }
};

/// One call of a layer, per micro-batch: the sum of the operations it became.
struct InvocationEstimate {
    /// Path through the nested models, and which call of the layer.
    std::string layer;
    std::uint32_t call = 0;
    Cycles forward;
    Cycles backward;
    Bytes temporaryPerTile;
    std::int64_t tilesUsed = 0;
    /// Kept from an earlier state of the plan: the call is not part of this estimate.
    bool isOld = false;
};

/// One IPU of a replica over one weight update.
struct IpuEstimate {
    IpuId ipu;
    Bytes limit;
    Bytes peak;
    Bytes alwaysLive;
    Bytes stash;
    Bytes temporary;
    std::int64_t worstTile = 0;
    Bytes worstTileBytes;
    Cycles busy;
    /// Indexed by IdleCause; busy + idle = step.
    std::vector<Cycles> idle;
};

/// What an edited plan would cost: the figures of the gauges, computed after each edit and shown by the
/// views.
struct PlanEstimate {
    std::vector<StageEstimate> stages;
    std::vector<IpuEstimate> ipus;
    /// In post-order; empty where only stages were estimated.
    std::vector<InvocationEstimate> invocations;
    Cycles step;
    double clockHz = 0;
    double samplesPerSecond = 0;
    double idleFraction = 0;
    /// Where samples per second, and the memory of the fullest IPU, lie once they are measured.
    ProgramIntervals intervals;
    bool fits = false;
    /// Layers (paths) that no figure counts, because their shapes are not known.
    std::vector<std::string> uncounted;
    /// Why there is no estimate (text for people); empty when there is one.
    std::string refusal;
};

/// Memory of the fullest IPU.
[[nodiscard]] Bytes peakOf(const PlanEstimate& estimate);
/// Where the measured figures lie.
[[nodiscard]] PredictedRanges rangesOf(const PlanEstimate& estimate);

} // namespace core
