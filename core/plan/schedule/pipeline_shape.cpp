#include "core/plan/schedule/pipeline_shape.h"

#include <algorithm>

namespace core {

std::size_t PipelineShape::ipuCount() const {
    std::size_t count = 0;
    for (std::size_t stage = 0; stage < stages; ++stage)
        count = std::max(count, ipuOf(stage).index() + 1);
    return count;
}

bool PipelineShape::recomputes(std::size_t stage) const {
    const auto number = static_cast<std::int64_t>(stage);
    return recompute && stage + 1 < stages &&
           (!recomputedStages || std::ranges::find(*recomputedStages, number) != recomputedStages->end());
}

} // namespace core
