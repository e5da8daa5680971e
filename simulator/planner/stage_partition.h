#pragma once

#include "core/base/job_context.h"
#include "core/base/result.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace simulator {

/// What one link of the chain of layer calls brings to its stage, per micro-batch unless said otherwise.
struct LayerCost {
    std::int64_t forwardCycles = 0;
    std::int64_t backwardCycles = 0;
    /// The part of the forward cycles that runs again where the stage recomputes.
    std::int64_t recomputeCycles = 0;
    /// Weights, optimizer state, accumulators, code.
    std::int64_t residentBytes = 0;
    /// Kept for the backward pass.
    std::int64_t activationBytes = 0;
    /// Largest temporary of its operations.
    std::int64_t temporaryBytes = 0;
    /// Bytes that cross to the next stage, and cycles of those copies in both directions, if the chain is cut
    /// after this layer.
    std::int64_t cutBytes = 0;
    std::int64_t cutCycles = 0;
};

enum class PartitionObjective : std::uint8_t { Time, Memory, Blend };

/// Cut a chain into stages, none of them empty.
struct PartitionProblem {
    std::vector<LayerCost> layers;
    std::size_t stages = 2;
    PartitionObjective objective = PartitionObjective::Time;
    /// Share of time in a blend, 0 … 1.
    double timeShare = 0.5;
    /// FIFO depth of every stage.
    std::vector<std::int64_t> fifoDepths;
    /// Stages but the last keep their input and recompute.
    bool recompute = false;
    /// Only these of them; nothing: all.
    std::optional<std::vector<std::int64_t>> recomputedStages = {};
    /// Stage that a layer must be on; empty or one entry per layer.
    std::vector<std::optional<std::size_t>> locks;
    /// How many of the best partitions to find.
    std::size_t alternatives = 1;

    [[nodiscard]] bool recomputes(std::size_t stage) const;
};

/// What a stage of layers `first` … `end` − 1 costs.
struct StageCost {
    std::size_t firstLayer = 0;
    std::size_t endLayer = 0;
    /// Forward, backward, recomputation.
    std::int64_t cycles = 0;
    std::int64_t peakBytes = 0;
    /// Leaving for the next stage, and the cycles of those copies.
    std::int64_t cutBytes = 0;
    std::int64_t cutCycles = 0;

    bool operator==(const StageCost&) const = default;
};

struct Partition {
    std::vector<StageCost> stages;
    /// What is minimised. Time: cycles of a slot, its slowest stage and then its slowest copies. Memory:
    /// bytes of the fullest stage. Blend: shares of an even split, 1 each.
    double bottleneck = 0;
    std::int64_t totalCutBytes = 0;

    /// Cycles of a slot.
    [[nodiscard]] std::int64_t bottleneckCycles() const;
    [[nodiscard]] std::int64_t peakBytes() const;
    /// Stage of every layer.
    [[nodiscard]] std::vector<std::size_t> assignment() const;
};

/// The best partitions, best first: by the bottleneck, then by the bytes cut. Exact: dynamic programming over
/// stages and ends of prefixes, for as many limits on the copies as can hold one of the answers. Refused:
/// "value-error/too-few-layers", "value-error/locks" (no partition keeps the locks). Cancelled: a diagnostic
/// of Trouble::Interrupted.
[[nodiscard]] core::Result<std::vector<Partition>> partitionStages(const PartitionProblem& problem,
                                                                   const core::JobContext& job = {});

/// Cost of one stage; what `partitionStages` adds up incrementally.
[[nodiscard]] StageCost stageCost(const PartitionProblem& problem, std::size_t stage, std::size_t firstLayer,
                                  std::size_t endLayer);

} // namespace simulator
