#pragma once

#include "core/base/ids.h"
#include "core/profile/schema/profile_database.h"

#include <vector>

namespace core {

/// Why so many micro-batches of a stage wait for their backward pass, by the spans that were recorded: before
/// the backward pass of `microBatch` the forward passes of those up to `last` begin.
struct StashCount {
    StageId stage;
    std::int64_t microBatch = 0;
    std::int64_t last = 0;

    /// What has to be kept when it comes back: one entry for each forward pass in between.
    [[nodiscard]] std::int64_t depth() const { return last - microBatch; }
};

/// The first micro-batch of each stage of an IPU for which most wait; nothing for stages where none does.
/// Errors: those of the database.
[[nodiscard]] Result<std::vector<StashCount>> loadStashCounts(const ProfileDatabase& database, RunId run,
                                                              IpuId ipu);

} // namespace core
