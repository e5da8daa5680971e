#pragma once

#include "core/profile/queries/comparison.h"
#include "core/profile/schema/profile_database.h"

#include <optional>
#include <vector>

namespace core {

/// What a layer takes of the step in each of the compared runs, all IPUs together: every micro-batch,
/// forward, backward and once more where it is recomputed, and its part of the weight update. In cycles of
/// the baseline's clock; nothing where a run has no such layer, or no timeline.
using LayerTimes = std::vector<std::optional<Cycles>>;

/// One per layer of the comparison, in its order. Errors: those of `loadRun`.
[[nodiscard]] Result<std::vector<LayerTimes>> compareLayers(const ProfileDatabase& database,
                                                            const RunComparison& comparison);

} // namespace core
