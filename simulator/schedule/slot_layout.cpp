#include "simulator/schedule/slot_layout.h"

#include <algorithm>

namespace simulator {

namespace {

/// A row of the slot table: work that some slots give to an IPU. It handles in slot t the micro-batch that
/// entered the pipeline `delay` slots before.
struct Row {
    core::IpuId ipu;
    WorkKind kind = WorkKind::Forward;
    core::StageId stage;
    std::int64_t delay = 0;
};

/// Rows by IPU, on an IPU in execution order: stage programs by descending position, so that a backward stage
/// reads what its forward stage left in the previous slot; then recomputation.
std::vector<Row> executionRows(const PipelineShape& shape) {
    const auto stages = static_cast<std::int64_t>(shape.stages);
    std::vector<Row> rows;
    for (std::int64_t position = static_cast<std::int64_t>(shape.positions()) - 1; position >= 0;
         --position) {
        const bool backward = position >= stages;
        const auto stage = static_cast<std::size_t>(backward ? 2 * stages - 1 - position : position);
        rows.push_back({shape.ipuOf(stage), backward ? WorkKind::Backward : WorkKind::Forward,
                        core::StageId(stage), position});
    }
    for (std::int64_t stage = 0; shape.training && shape.recompute && stage + 1 < stages; ++stage) {
        const auto index = static_cast<std::size_t>(stage);
        rows.push_back(
            {shape.ipuOf(index), WorkKind::Recompute, core::StageId(index), 2 * stages - 2 - stage});
    }
    std::ranges::stable_sort(rows, {}, &Row::ipu);
    return rows;
}

/// entering[t]: the micro-batch that enters the pipeline in slot t; −1 where none does.
std::vector<std::int32_t> enteringMicroBatches(const PipelineShape& shape,
                                               const std::vector<std::int64_t>& startOffsets,
                                               std::size_t slots) {
    std::vector<std::int32_t> entering(slots, -1);
    const auto overlap = static_cast<std::int64_t>(startOffsets.size());
    const auto positions = static_cast<std::int64_t>(shape.positions());
    for (std::int64_t microBatch = 0; microBatch < shape.microBatches; ++microBatch) {
        const std::int64_t slot =
            microBatch / overlap * positions + startOffsets[static_cast<std::size_t>(microBatch % overlap)];
        entering[static_cast<std::size_t>(slot)] = static_cast<std::int32_t>(microBatch);
    }
    return entering;
}

SlotPhase phaseOf(std::int64_t slot, std::int64_t ramp, std::int64_t slots) {
    if (slot < ramp)
        return SlotPhase::RampUp;
    return slot < slots - ramp ? SlotPhase::Main : SlotPhase::RampDown;
}

} // namespace

PipelineSchedule layOutSlots(core::ScheduleKind kind, const PipelineShape& shape,
                             std::vector<std::int64_t> startOffsets, bool ioTiles) {
    PipelineSchedule schedule;
    schedule.kind = kind;
    schedule.shape = shape;
    schedule.overlap = static_cast<std::int64_t>(startOffsets.size());
    schedule.startOffsets = std::move(startOffsets);

    const auto positions = static_cast<std::int64_t>(shape.positions());
    const std::int64_t delay = ioTiles ? 1 : 0;
    const std::int64_t ramp = positions + 2 * delay;
    const std::int64_t slots = positions * (shape.microBatches / schedule.overlap + 1) + 2 * delay;
    const std::vector<Row> rows = executionRows(shape);
    const std::vector<std::int32_t> entering =
        enteringMicroBatches(shape, schedule.startOffsets, static_cast<std::size_t>(slots));
    const auto microBatchAt = [&](std::int64_t slot) -> std::int32_t {
        return slot < 0 ? -1 : entering[static_cast<std::size_t>(slot)];
    };
    const auto feed = [&](std::int64_t slot) {
        const std::int32_t microBatch = microBatchAt(slot);
        return microBatch < 0 ? std::nullopt : std::optional(microBatch);
    };

    schedule.timeSlots.reserve(static_cast<std::size_t>(slots));
    schedule.items.reserve(rows.size() * static_cast<std::size_t>(shape.microBatches));
    for (std::int64_t slot = 0; slot < slots; ++slot) {
        Slot current{
            phaseOf(slot, ramp, slots), static_cast<std::uint32_t>(schedule.items.size()), 0, {}, {}};
        for (const Row& row : rows)
            if (const std::int32_t microBatch = microBatchAt(slot - delay - row.delay); microBatch >= 0)
                schedule.items.push_back({row.kind, row.stage, microBatch, row.ipu});
        current.itemCount = static_cast<std::uint32_t>(schedule.items.size()) - current.firstItem;
        current.infeedMicroBatch = feed(slot);
        current.outfeedMicroBatch = feed(slot - 2 * delay - static_cast<std::int64_t>(shape.stages) + 1);
        schedule.timeSlots.push_back(current);
    }
    if (shape.training)
        schedule.weightUpdateAfterSlot = slots - 1;
    return schedule;
}

std::vector<std::int64_t> fifoDepths(const PipelineShape& shape, std::int64_t factor) {
    std::vector<std::int64_t> depths(shape.stages, 0);
    for (std::size_t stage = 0; shape.training && stage < shape.stages; ++stage)
        depths[stage] = factor * static_cast<std::int64_t>(shape.stages - 1 - stage);
    return depths;
}

} // namespace simulator
