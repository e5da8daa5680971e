#pragma once

#include "core/plan/recomputation.h"
#include "core/plan/schedule/schedule_catalogue.h"

namespace tests {

inline core::PipelineShape shape(std::size_t stages, std::int64_t microBatches, bool training = true) {
    core::PipelineShape result;
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
inline std::int64_t smallestCount(const core::ScheduleDefinition& schedule,
                                  const core::PipelineShape& shape) {
    return schedule.multipleOf(shape);
}

} // namespace tests
