#pragma once

#include "core/profile/queries/timeline_queries.h"
#include "core/profile/schema/profile_database.h"

#include <vector>

namespace core {

/// Parts of an update: the pipeline fills, is full, drains, then weights are updated. What is not pipelined
/// is one `Whole` and the update.
enum class ScheduleBand : std::uint8_t { RampUp, Main, RampDown, Update, Whole };

struct BandTime {
    ScheduleBand band = ScheduleBand::Whole;
    Cycles from;
    Cycles to;

    bool operator==(const BandTime&) const = default;
};

/// The bands of a run, without gaps from 0 to the step. Ramp-up ends with the slot in which the first
/// micro-batch has passed the whole pipeline; ramp-down begins when the first stage has no new micro-batch.
[[nodiscard]] Result<std::vector<BandTime>> loadBands(const ProfileDatabase& database, RunId run);
/// The same for whoever has the slots of the run.
[[nodiscard]] Result<std::vector<BandTime>> loadBands(const ProfileDatabase& database, RunId run,
                                                      const std::vector<SlotTime>& times);

/// "Ramp-up", "Main", "Ramp-down", "Update", "Step".
[[nodiscard]] std::string_view toString(ScheduleBand band);

} // namespace core
