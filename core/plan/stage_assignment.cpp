#include "core/plan/stage_assignment.h"

#include <algorithm>

namespace core {

std::size_t StageAssignment::stageCount() const {
    std::size_t count = 0;
    for (const StageId stage : stages)
        count = std::max(count, stage.isValid() ? stage.index() + 1 : 0);
    return count;
}

std::size_t DeviceMapping::ipuCount(std::size_t stageCount) const {
    if (ipus.empty())
        return stageCount;
    return std::max_element(ipus.begin(), ipus.end())->index() + 1;
}

} // namespace core
