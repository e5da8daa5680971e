#pragma once

#include "core/profile/queries/schedule_bands.h"
#include "core/profile/records/time_records.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace views {

/// A piece of work of a slot: a stage's program on one micro-batch.
struct ScheduleCell {
    /// Forward, Backward or Recompute.
    core::SpanKind kind = core::SpanKind::Forward;
    core::StageId stage;
    std::int64_t microBatch = 0;
    /// False for a step that only hands on what it got.
    bool computes = true;

    bool operator==(const ScheduleCell&) const = default;
};

/// What happens between two exchanges of the IPUs.
struct ScheduleSlot {
    core::ScheduleBand band = core::ScheduleBand::Main;
    /// Per row of the chart, in the order of execution.
    std::vector<std::vector<ScheduleCell>> work;
    std::optional<std::int64_t> infeed;
    std::optional<std::int64_t> outfeed;

    bool operator==(const ScheduleSlot&) const = default;
};

/// An IPU and what it holds.
struct ScheduleRow {
    core::IpuId ipu;
    std::vector<core::StageId> stages;
    /// Micro-batches whose activations its stages keep.
    std::int64_t fifoDepth = 0;

    bool operator==(const ScheduleRow&) const = default;
};

/// The slots of one pipeline execution as the pipelining documents draw them: slots × IPUs.
struct ScheduleChart {
    /// "Grouped".
    std::string schedule;
    /// The schedule of a project or run, for titles.
    std::string subject;
    bool isTraining = true;
    std::int64_t stages = 1;
    std::int64_t microBatches = 1;
    /// In flight.
    std::int64_t overlap = 1;
    std::int64_t slotsWithCompute = 0;
    std::vector<ScheduleRow> rows;
    std::vector<ScheduleSlot> slotList;
    /// Slot after which the weights are updated.
    std::optional<std::int64_t> updateAfter;

    /// Pieces of work side by side in the fullest IPU of a slot, at least 1: the width of its column.
    [[nodiscard]] std::size_t columnsOf(std::size_t slot) const;
    /// "Grouped · 4 stages · 8 micro-batches, 8 in flight · 24 slots, 15 with compute · update after slot
    /// 23".
    [[nodiscard]] std::string description() const;
};

/// Work by its place.
struct ScheduleCellId {
    std::size_t slot = 0;
    std::size_t row = 0;
    std::size_t index = 0;

    bool operator==(const ScheduleCellId&) const = default;
};

} // namespace views
