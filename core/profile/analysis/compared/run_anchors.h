#pragma once

#include "core/base/ids.h"
#include "core/base/quantity.h"
#include "core/profile/schema/profile_database.h"

#include <map>
#include <string>

namespace core {

/// Where micro-batches, stages and layers begin in an update: their first forward work, in cycles from its
/// start; where a stage goes forward and back in one program, that program. What several runs have in common
/// can be laid over one another there.
struct RunAnchors {
    std::map<std::int64_t, Cycles> microBatches;
    std::map<StageId, Cycles> stages;
    /// By the path of the layer.
    std::map<std::string, Cycles> layers;
};
/// Empty for a run without a timeline. Errors: those of the database.
[[nodiscard]] Result<RunAnchors> loadRunAnchors(const ProfileDatabase& database, RunId run);

} // namespace core
