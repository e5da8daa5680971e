#pragma once

#include "core/profile/records/program_phase.h"
#include "core/profile/schema/profile_database.h"
#include "views/common/text/number_text.h"
#include "views/document/selection.h"

#include <set>
#include <utility>

namespace views {

/// What a stage runs for one micro-batch, or once per update.
using StageProgram = std::pair<core::StageId, core::ProgramPhase>;

/// The programs hold this one. Where a lane has so many spans that only their sums are stored, the stage is
/// not known: an invalid one means all.
[[nodiscard]] bool holds(const std::set<StageProgram>& programs, core::StageId stage,
                         core::ProgramPhase phase);

/// The stage programs that run at some time of the range, on any IPU. A range may go on into the next update,
/// which is like this one. Errors: those of the database.
[[nodiscard]] core::Result<std::set<StageProgram>> programsWithin(const core::ProfileDatabase& database,
                                                                  core::RunId run, core::Cycles step,
                                                                  const TimeRange& range);

/// "time 1.2 ms": the chip of a view that shows only what runs in the range.
[[nodiscard]] QString timeChipText(const TimeRange& range, const Units& units, const TimeScale& scale);

} // namespace views
