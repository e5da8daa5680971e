#pragma once

#include "core/profile/queries/timeline_queries.h"

#include <span>
#include <vector>

namespace core {

/// The gaps that some time of an area holds, longest first, at most `limit`, and how many there are. A gap
/// that an edge of the area cuts is whole; `pieces` are those of `updatePieces`. No lanes: all of them.
[[nodiscard]] Result<IdleGaps> idleGapsWithin(const ProfileDatabase& database, RunId run,
                                              std::span<const UpdatePiece> pieces,
                                              const std::vector<LaneId>& lanes, std::int64_t limit = 10000);

} // namespace core
