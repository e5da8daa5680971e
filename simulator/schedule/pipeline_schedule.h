#pragma once

#include "core/base/ids.h"
#include "core/base/result.h"
#include "core/config/pipeline_options.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace simulator {

enum class WorkKind : std::uint8_t { Forward, Backward, Recompute, WeightUpdate };

/// One piece of work of a schedule.
struct WorkItem {
    WorkKind kind = WorkKind::Forward;
    core::StageId stage;
    std::int64_t microBatch = 0;

    bool operator==(const WorkItem&) const = default;
};

enum class SlotPhase : std::uint8_t { RampUp, Main, RampDown };

/// What every IPU does between two inter-IPU exchanges.
struct Slot {
    SlotPhase phase = SlotPhase::Main;
    /// Work in execution order per IPU; an IPU without work has an empty list. Indexed by IPU.
    std::vector<std::vector<WorkItem>> work;
    std::optional<std::int64_t> infeedMicroBatch;
    std::optional<std::int64_t> outfeedMicroBatch;

    bool operator==(const Slot&) const = default;
};

/// What a schedule is made from.
struct PipelineShape {
    std::size_t stages = 2;
    std::int64_t microBatches = 4;
    bool training = true;
    /// The stages that run a separate recompute item; last stage never.
    bool recompute = false;
    /// IPU of each stage.
    std::vector<core::IpuId> deviceMapping;
    bool ioTiles = false;
};

/// Slots × IPUs of one pipeline execution, complete and dependency-true.
struct PipelineSchedule {
    core::ScheduleKind kind = core::ScheduleKind::Grouped;
    PipelineShape shape;
    /// Micro-batches in flight.
    std::int64_t overlap = 1;
    std::vector<std::int64_t> startOffsets;
    std::vector<Slot> slots;
    /// FIFO depth of what each forward stage stashes.
    std::vector<std::int64_t> fifoDepths;
    /// Slot after which the weight update runs; nothing for inference.
    std::optional<std::int64_t> weightUpdateAfterSlot;

    /// Slots in which some IPU computes (Sequential: the pass-through forward step of the last stage is not
    /// counted).
    [[nodiscard]] std::int64_t slotsWithCompute() const;
};

} // namespace simulator
