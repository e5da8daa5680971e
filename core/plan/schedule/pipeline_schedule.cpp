#include "core/plan/schedule/pipeline_schedule.h"

#include <algorithm>
#include <array>
#include <utility>

namespace core {

std::span<const WorkItem> PipelineSchedule::work(const Slot& slot, IpuId ipu) const {
    const std::span<const WorkItem> all = work(slot);
    const auto [first, last] = std::ranges::equal_range(all, ipu, {}, &WorkItem::ipu);
    return {first, last};
}

std::uint64_t PipelineSchedule::programMark(const Slot& slot) const {
    std::uint64_t mark = 0;
    for (const WorkItem& item : work(slot))
        mark = mark * 0x9e3779b97f4a7c15ULL + phaseCount * item.stage.index() +
               static_cast<std::uint64_t>(item.phase) + 1;
    return mark;
}

std::int64_t PipelineSchedule::slotsWithCompute() const {
    return std::ranges::count_if(timeSlots, [this](const Slot& slot) {
        return std::ranges::any_of(work(slot), [this](const WorkItem& item) { return computes(item); });
    });
}

bool PipelineSchedule::splitsBackward() const {
    return std::ranges::find(items, Phase::WeightGradient, &WorkItem::phase) != items.end();
}

std::vector<std::int64_t> PipelineSchedule::startOffsets() const {
    std::vector<std::int64_t> offsets;
    for (std::size_t slot = 0; slot < timeSlots.size() && std::cmp_less(offsets.size(), overlap); ++slot)
        if (timeSlots[slot].infeedMicroBatch)
            offsets.push_back(static_cast<std::int64_t>(slot));
    return offsets;
}

std::string_view workName(Phase phase) {
    static constexpr std::array<std::string_view, phaseCount> names{"fwd", "bwd", "recompute", "update",
                                                                    "wgrad"};
    return names[static_cast<std::size_t>(phase)];
}

char workLetter(Phase phase) {
    static constexpr std::string_view letters = "FBRUW";
    return letters[static_cast<std::size_t>(phase)];
}

std::string_view toString(SlotPhase phase) {
    static constexpr std::array<std::string_view, 3> names{"ramp_up", "main", "ramp_down"};
    return names[static_cast<std::size_t>(phase)];
}

} // namespace core
