#pragma once

#include "core/config/pipeline_options.h"
#include "simulator/compiler/staging/tensor_uses.h"
#include "simulator/program/kept_graph.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

namespace simulator {

/// What decides how activations get from the forward to the backward pass.
struct ActivationOptions {
    /// Off: every activation is kept.
    bool recompute = false;
    /// Resolved: never Auto.
    core::RecomputationMode mode = core::RecomputationMode::RecomputeThenBackpropagate;
    /// FIFO depth of every stage, from the schedule.
    std::vector<std::int64_t> fifoDepths;
    /// The same from the backward pass to weight gradients that run apart from it.
    std::vector<std::int64_t> gradientDepths = {};
    /// FIFOs in streaming memory.
    bool offload = false;
    /// Of these stages alone; nothing: of all.
    std::optional<std::vector<std::int64_t>> recomputedStages = {};
    std::optional<std::vector<std::int64_t>> offloadedStages = {};

    [[nodiscard]] bool recomputes(std::size_t stage) const {
        return recompute && isAmong(recomputedStages, stage);
    }
    [[nodiscard]] bool offloads(std::size_t stage) const {
        return offload && isAmong(offloadedStages, stage);
    }
    [[nodiscard]] bool recomputesInsideBackward() const {
        return recompute && mode == core::RecomputationMode::RecomputeAndBackpropagateInterleaved;
    }

private:
    [[nodiscard]] static bool isAmong(const std::optional<std::vector<std::int64_t>>& some,
                                      std::size_t stage) {
        return !some || std::ranges::find(*some, static_cast<std::int64_t>(stage)) != some->end();
    }
};

struct ActivationPlan {
    std::vector<Stash> stashes;
    std::vector<Stash> gradientStashes;
    std::vector<std::vector<core::OperationId>> recomputed;
};

/// For every value that a backward operation reads: kept, or computed again from what is kept.
/// - Without recomputation a stage keeps what its backward reads.
/// - RecomputeThenBackpropagate: a stage but the last keeps its inputs and runs what its backward needs
/// again.
/// - RecomputeAndBackpropagateInterleaved: it keeps its inputs and its checkpoints. The last stage recomputes
///   only what leads to a final checkpoint (one that reaches no other): without checkpoints nothing.
///
/// What weight gradients of their own read, activations and gradients, is kept from the backward pass on.
///
/// Weights are read where they are; views count as their storage; random operations repeat their numbers from
/// their counters, so nothing of them is kept.
[[nodiscard]] ActivationPlan planActivations(const StagedGraph& staged, const TensorUses& uses,
                                             const ActivationOptions& options);

} // namespace simulator
