#pragma once

#include "core/plan/schedule_traits.h"
#include "simulator/schedule/schedule_catalogue.h"

namespace tests {

inline simulator::PipelineShape shape(std::size_t stages, std::int64_t microBatches, bool training = true) {
    simulator::PipelineShape result;
    result.stages = stages;
    result.microBatches = microBatches;
    result.training = training;
    return result;
}

inline std::vector<core::IpuId> ipus(std::initializer_list<std::size_t> indices) {
    std::vector<core::IpuId> result;
    for (const std::size_t index : indices)
        result.emplace_back(index);
    return result;
}

/// The smallest N that the schedule takes.
inline std::int64_t smallestCount(core::ScheduleKind kind, const simulator::PipelineShape& shape) {
    return static_cast<std::int64_t>(core::scheduleTraits(kind).startOffsets(shape).size());
}

} // namespace tests
