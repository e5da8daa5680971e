#include "simulator/compiler/rename_ipus.h"

#include "core/plan/schedule/schedule_catalogue.h"

#include <algorithm>

namespace simulator {

namespace {

bool namesMatter(const CompileOptions& options) {
    if (!options.isPipelined)
        return true;
    const core::ScheduleDefinition* definition = core::findSchedule(options.schedule);
    return definition == nullptr || definition->brokenRule != nullptr || definition->takesTable;
}

} // namespace

std::vector<core::IpuId> renameIpus(CompileOptions& options, IpuSystem& system) {
    std::vector<core::IpuId> ipus;
    const auto isCounted = [&](core::IpuId ipu) { return std::ranges::find(ipus, ipu) != ipus.end(); };
    for (const core::IpuId ipu : options.stages.ipus)
        if (!isCounted(ipu))
            ipus.push_back(ipu);
    const bool keeps = namesMatter(options) || std::ranges::any_of(ipus, [&](core::IpuId ipu) {
                           return ipu.index() >= system.physicalIndex.size();
                       });
    if (keeps)
        ipus.clear();
    for (std::size_t ipu = 0; ipu < system.physicalIndex.size(); ++ipu)
        if (!isCounted(core::IpuId(ipu)))
            ipus.emplace_back(ipu);
    if (keeps)
        return ipus;
    std::vector<std::int64_t> places;
    for (const core::IpuId ipu : ipus)
        places.push_back(system.physicalIndex[ipu.index()]);
    system.physicalIndex = std::move(places);
    for (core::IpuId& ipu : options.stages.ipus)
        ipu = core::IpuId(static_cast<std::size_t>(std::ranges::find(ipus, ipu) - ipus.begin()));
    return ipus;
}

} // namespace simulator
