#pragma once

#include "core/profile/analysis/step_division.h"
#include "core/profile/analysis/time_tree.h"

namespace core {

/// What the mean IPU does in a piece of the update of each compared run, in cycles of that run: kinds of
/// work, causes of idleness. In cycles of the baseline's clock; the parts of a run add up to its piece. Parts
/// that no run has are left out. Empty where a run has no timeline. Errors: those of the database.
[[nodiscard]] Result<std::vector<ComparedStepPart>> compareRanges(const ProfileDatabase& database,
                                                                  const RunComparison& comparison,
                                                                  std::span<const CycleRange> ranges);

} // namespace core
