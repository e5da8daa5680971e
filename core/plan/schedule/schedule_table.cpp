#include "core/plan/schedule/schedule_table.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>

namespace core {

namespace {

constexpr std::array<std::string_view, 3> phaseNames{"up", "main", "down"};

bool sharesIpus(const PipelineShape& shape) {
    std::vector<IpuId> ipus = shape.deviceMapping;
    std::ranges::sort(ipus);
    return std::ranges::adjacent_find(ipus) != ipus.end();
}

std::string cell(const PipelineSchedule& schedule, const Slot& slot, IpuId ipu, bool withStages) {
    std::string text;
    for (const WorkItem& item : schedule.work(slot, ipu)) {
        text += fmt::format("{}{}{}", text.empty() ? "" : " ", workLetter(item.phase), item.microBatch);
        if (withStages)
            text += fmt::format(".{}", item.stage.index());
        if (!schedule.computes(item))
            text += '*';
    }
    return text.empty() ? "-" : text;
}

std::string feed(std::optional<std::int32_t> microBatch) {
    return microBatch ? fmt::to_string(*microBatch) : "-";
}

} // namespace

std::string toText(const PipelineSchedule& schedule) {
    const bool withStages = sharesIpus(schedule.shape);
    std::string text = fmt::format("overlap {}; {} slots, {} with compute\n", schedule.overlap,
                                   schedule.timeSlots.size(), schedule.slotsWithCompute());
    for (std::size_t index = 0; index < schedule.timeSlots.size(); ++index) {
        const Slot& slot = schedule.timeSlots[index];
        text += fmt::format("{} {}", index, phaseNames[static_cast<std::size_t>(slot.phase)]);
        for (std::size_t ipu = 0; ipu < schedule.shape.ipuCount(); ++ipu)
            text += fmt::format(" | {}", cell(schedule, slot, IpuId(ipu), withStages));
        text += fmt::format(" | {} | {}\n", feed(slot.infeedMicroBatch), feed(slot.outfeedMicroBatch));
    }
    return text;
}

} // namespace core
