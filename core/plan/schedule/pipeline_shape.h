#pragma once

#include "core/base/ids.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace core {

/// A schedule of one's own: the CSV file with its slots (`schedule_cells.h`), and what is in it.
struct ScheduleTable {
    /// As written: relative to the project's folder.
    std::string file;
    /// Where it was read, for diagnostics.
    std::string path;
    std::string text;

    bool operator==(const ScheduleTable&) const = default;
};

/// What a schedule is made from.
struct PipelineShape {
    std::size_t stages = 2;
    /// N: micro-batches of one pipeline execution.
    std::int64_t microBatches = 4;
    bool training = true;
    /// Stages but the last run a separate recompute item before each backward (RecomputeThenBackpropagate).
    bool recompute = false;
    /// Only these of them; nothing: all.
    std::optional<std::vector<std::int64_t>> recomputedStages = {};
    /// IPU of each stage; empty: stage k on IPU k.
    std::vector<IpuId> deviceMapping = {};
    /// Host I/O on tiles of its own, overlapped with compute.
    bool ioTiles = false;
    /// Filled where the schedule takes a table.
    ScheduleTable table = {};

    [[nodiscard]] IpuId ipuOf(std::size_t stage) const {
        return deviceMapping.empty() ? IpuId(stage) : deviceMapping[stage];
    }
    /// Whether a stage runs recompute items.
    [[nodiscard]] bool recomputes(std::size_t stage) const;
    /// P: the positions a micro-batch passes, forward then backward.
    [[nodiscard]] std::size_t positions() const { return training ? 2 * stages : stages; }
    [[nodiscard]] std::size_t ipuCount() const;

    bool operator==(const PipelineShape&) const = default;
};

} // namespace core
