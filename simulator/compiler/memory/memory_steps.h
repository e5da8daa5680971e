#pragma once

#include "simulator/memory/memory_plan.h"
#include "simulator/program/lowered_pipeline.h"

#include <span>
#include <vector>

namespace simulator {

/// A stretch of an IPU's program order: one program of one stage, or the forward part of a merged one.
struct ProgramSegment {
    core::StageId stage;
    /// What the operations do here; recomputed operations inside a Backward segment are forward operations.
    Phase phase = Phase::Forward;
    std::uint32_t firstStep = 0;
    std::span<const core::OperationId> operations;

    [[nodiscard]] std::uint32_t endStep() const {
        return firstStep + static_cast<std::uint32_t>(operations.size());
    }
};

/// The order in which one IPU runs the operations of a full slot, and then of the weight update.
struct IpuProgramOrder {
    core::IpuId ipu;
    /// In program order: stage programs (by descending position where slots overlap micro-batches, else by
    /// ascending), recomputation, update.
    std::vector<ProgramSegment> segments;
    std::vector<MemoryStep> steps;
    /// Last step of the slot.
    std::uint32_t slotEnd = 0;
    /// Last step of the stage programs: after it FIFOs push and pop.
    std::uint32_t fifoStep = 0;
    /// A micro-batch takes several slots, others run beside it: what it leaves for the next slot lives around
    /// the slot's end. Otherwise a slot is the whole way of one micro-batch.
    bool overlapsMicroBatches = false;
};

/// For every IPU of a replica. The segments look into the orders of `pipeline`.
[[nodiscard]] std::vector<IpuProgramOrder> ipuProgramOrders(const LoweredPipeline& pipeline);

} // namespace simulator
