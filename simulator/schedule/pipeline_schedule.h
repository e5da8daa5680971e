#pragma once

#include "core/base/ids.h"
#include "core/config/pipeline_options.h"
#include "core/plan/pipeline_shape.h"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace simulator {

enum class WorkKind : std::uint8_t { Forward, Backward, Recompute };

/// One piece of work of a schedule: a stage's program on one micro-batch, on the stage's IPU.
struct WorkItem {
    WorkKind kind = WorkKind::Forward;
    core::StageId stage;
    std::int32_t microBatch = 0;
    core::IpuId ipu;

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

using core::PipelineShape;

/// Slots of one pipeline execution, complete and dependency-true. Flat: the items of all slots stand in one
/// list, slot by slot, within a slot by IPU, within an IPU in execution order.
struct PipelineSchedule {
    core::ScheduleKind kind = core::ScheduleKind::Grouped;
    PipelineShape shape;
    /// Micro-batches in flight per cycle of P slots; as many as there are start offsets.
    std::int64_t overlap = 1;
    std::vector<std::int64_t> startOffsets;
    std::vector<Slot> timeSlots;
    std::vector<WorkItem> items;
    /// FIFO depth of what each forward stage stashes.
    std::vector<std::int64_t> fifoDepths;
    /// Slot after which the weight update runs; nothing for inference.
    std::optional<std::int64_t> weightUpdateAfterSlot;
    /// The last forward stage computes nothing of its own: its work is merged into the last backward stage
    /// (every Sequential training pipeline).
    bool lastForwardMerged = false;

    /// All work of a slot, by IPU.
    [[nodiscard]] std::span<const WorkItem> work(const Slot& slot) const {
        return std::span(items).subspan(slot.firstItem, slot.itemCount);
    }
    /// Work of one IPU in a slot, in execution order; empty where it has none.
    [[nodiscard]] std::span<const WorkItem> work(const Slot& slot, core::IpuId ipu) const;
    /// False for the pass-through forward step of a merged last stage.
    [[nodiscard]] bool computes(const WorkItem& item) const {
        return !(lastForwardMerged && item.kind == WorkKind::Forward &&
                 item.stage.index() + 1 == shape.stages);
    }
    /// Slots in which some IPU computes.
    [[nodiscard]] std::int64_t slotsWithCompute() const;
};

} // namespace simulator
