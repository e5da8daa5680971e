#pragma once

#include "core/base/phase.h"
#include "core/plan/schedule/pipeline_shape.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace core {

/// One piece of work of a schedule: a stage's program on one micro-batch, on the stage's IPU.
struct WorkItem {
    /// Every phase but WeightUpdate.
    Phase phase = Phase::Forward;
    StageId stage;
    std::int32_t microBatch = 0;
    IpuId ipu;

    bool operator==(const WorkItem&) const = default;
};

enum class SlotPhase : std::uint8_t { RampUp, Main, RampDown };

/// What happens between two inter-IPU exchanges.
struct Slot {
    SlotPhase phase = SlotPhase::Main;
    /// Range of `PipelineSchedule::items`.
    std::uint32_t firstItem = 0;
    std::uint32_t itemCount = 0;
    std::optional<std::int32_t> infeedMicroBatch;
    std::optional<std::int32_t> outfeedMicroBatch;

    bool operator==(const Slot&) const = default;
};

/// Slots of one pipeline execution, complete and dependency-true. Flat: the items of all slots are in one
/// list, slot by slot, within a slot by IPU, within an IPU in execution order.
struct PipelineSchedule {
    /// Row of the catalogue it was laid out by.
    std::string name;
    PipelineShape shape;
    /// Most micro-batches in flight.
    std::int64_t overlap = 1;
    std::vector<Slot> timeSlots;
    std::vector<WorkItem> items;
    /// Slots after which the main phase does the same again.
    std::size_t cycle = 1;
    /// Each IPU does its work in order as soon as the operands are there; slots are only the order
    /// (`ScheduleDefinition::isAsynchronous`).
    bool isAsynchronous = false;
    /// The copies of a full slot run in every slot, also where a ramp leaves them nothing to carry. Source:
    /// pipeline_visitor of Graphcore's TensorFlow, which keeps the copies of its ramps unconditional.
    bool rampsCopyAll = false;
    /// Infeeds run a slot ahead of the compute, outfeeds a slot after it
    /// (`ScheduleDefinition::overlapsHostIo`, with I/O tiles).
    bool overlapsHostIo = false;
    /// The last forward stage computes nothing of its own: its work is merged into the last backward stage.
    bool lastForwardMerged = false;
    /// `ScheduleDefinition::shortensPassThrough`.
    bool shortensPassThrough = false;
    /// FIFO depth of what each forward stage stashes.
    std::vector<std::int64_t> fifoDepths;
    /// Slot after which the weight update runs; nothing for inference.
    std::optional<std::int64_t> weightUpdateAfterSlot;

    /// All work of a slot, by IPU.
    [[nodiscard]] std::span<const WorkItem> work(const Slot& slot) const {
        return std::span(items).subspan(slot.firstItem, slot.itemCount);
    }
    /// Work of one IPU in a slot, in execution order; empty where it has none.
    [[nodiscard]] std::span<const WorkItem> work(const Slot& slot, IpuId ipu) const;
    /// Slots that run the same programs have the same mark; others hardly ever do.
    [[nodiscard]] std::uint64_t programMark(const Slot& slot) const;
    /// False for the pass-through forward step of a merged last stage.
    [[nodiscard]] bool computes(const WorkItem& item) const {
        return !(lastForwardMerged && item.phase == Phase::Forward && item.stage.index() + 1 == shape.stages);
    }
    /// Slots in which some IPU computes.
    [[nodiscard]] std::int64_t slotsWithCompute() const;
    /// The pipeline fills and drains: slots hold work of several micro-batches. Otherwise one stage works at
    /// a time.
    [[nodiscard]] bool hasRamps() const {
        return !timeSlots.empty() && timeSlots.front().phase != SlotPhase::Main;
    }
    /// Gradients of the weights are pieces of work of their own.
    [[nodiscard]] bool splitsBackward() const;
    /// Slots in which the micro-batches of the first `overlap` enter.
    [[nodiscard]] std::vector<std::int64_t> startOffsets() const;
};

/// "fwd", "bwd", "recompute", "wgrad": a kind of work in JSON and CSV; one letter of it, F, B, R, W, in
/// tables.
[[nodiscard]] std::string_view workName(Phase phase);
[[nodiscard]] char workLetter(Phase phase);
/// "ramp_up", "main", "ramp_down".
[[nodiscard]] std::string_view toString(SlotPhase phase);

} // namespace core
