#include "simulator/schedule/pipeline_schedule.h"

#include <algorithm>

namespace simulator {

std::span<const WorkItem> PipelineSchedule::work(const Slot& slot, core::IpuId ipu) const {
    const std::span<const WorkItem> all = work(slot);
    const auto [first, last] = std::ranges::equal_range(all, ipu, {}, &WorkItem::ipu);
    return {first, last};
}

std::int64_t PipelineSchedule::slotsWithCompute() const {
    return std::ranges::count_if(timeSlots, [this](const Slot& slot) {
        return std::ranges::any_of(work(slot), [this](const WorkItem& item) { return computes(item); });
    });
}

} // namespace simulator
