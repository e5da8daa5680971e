#include "views/plan/schedule/schedule_chart.h"

#include <algorithm>
#include <fmt/core.h>

namespace views {

std::size_t ScheduleChart::columnsOf(std::size_t slot) const {
    std::size_t most = 1;
    for (const std::vector<ScheduleCell>& work : slotList[slot].work)
        most = std::max(most, work.size());
    return most;
}

std::string ScheduleChart::description() const {
    const auto counted = [](auto count, const char* one, const char* many) {
        return fmt::format("{} {}", count, count == 1 ? one : many);
    };
    std::string text =
        fmt::format("{} · {} · {}, {} in flight · {}, {} with compute", schedule,
                    counted(stages, "stage", "stages"), counted(microBatches, "micro-batch", "micro-batches"),
                    overlap, counted(slotList.size(), "slot", "slots"), slotsWithCompute);
    if (updateAfter)
        text += fmt::format(" · weight update after slot {}", *updateAfter);
    return text;
}

} // namespace views
