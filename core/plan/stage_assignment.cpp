#include "core/plan/stage_assignment.h"

#include <algorithm>

namespace core {

std::size_t StageAssignment::stageCount() const {
    const auto highest = std::max_element(stages.begin(), stages.end());
    return highest == stages.end() ? 0 : highest->index() + 1;
}

std::size_t DeviceMapping::ipuCount(std::size_t stageCount) const {
    if (ipus.empty())
        return stageCount;
    return std::max_element(ipus.begin(), ipus.end())->index() + 1;
}

} // namespace core
