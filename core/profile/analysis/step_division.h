#pragma once

#include "core/base/ids.h"
#include "core/base/quantity.h"
#include "core/base/result.h"
#include "core/plan/plan_estimate.h"
#include "core/profile/queries/comparison.h"
#include "core/profile/schema/profile_database.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace core {

/// What an IPU does with a piece of a step: a part of its programs, or waiting for one of the causes
/// (`FirstIdle` + IdleCause).
enum class StepPart : std::uint8_t {
    Compute,  ///< vertices run
    Exchange, ///< tiles of the chip send to one another
    Sync,     ///< tiles wait for one another
    FirstIdle,
};
/// The parts above, the causes of idleness, and what nothing was recorded of.
inline constexpr std::size_t stepPartCount =
    static_cast<std::size_t>(StepPart::FirstIdle) + idleCauseCount + 1;

/// "compute", "exchange", "sync", "idle.drain", "unrecorded".
[[nodiscard]] std::string stepPartName(std::size_t part);
/// For people: "Compute", "Exchange on the chip", "Idle: drain".
[[nodiscard]] std::string stepPartLabel(std::size_t part);

/// Where a step of a stored run goes on the mean IPU, in cycles by StepPart: the sum over the IPUs divided by
/// their number, rounded so that the parts add up to the step exactly. Empty for a run without a timeline.
/// What a program spends of its time on computing, exchanging and syncing is that of its steps; streams of
/// remote memory and waits for the host inside it are idle time of those causes. Errors: those of `loadRun`.
[[nodiscard]] Result<std::vector<Cycles>> loadStepDivision(const ProfileDatabase& database, RunId run);

/// What an IPU does with a part of the step, run by run. All parts of a run add up to its step, so the
/// differences add up to that of the steps.
struct ComparedStepPart {
    /// "compute", "idle.drain": `stepPartName`.
    std::string name;
    std::string label;
    /// Cycles of the baseline's clock.
    std::vector<Cycles> cycles;
};
/// Side by side what a division of each run says of each part; parts that no run has are left out. `partOf`
/// names a part.
[[nodiscard]] std::vector<ComparedStepPart>
comparedParts(std::span<const std::vector<std::int64_t>> divisions, ComparedStepPart (*partOf)(std::size_t));
/// Of the compared runs, without parts that none of them has; empty where a run has no timeline. Errors:
/// those of `loadRun`.
[[nodiscard]] Result<std::vector<ComparedStepPart>> compareSteps(const ProfileDatabase& database,
                                                                 const RunComparison& comparison);

/// Whole numbers in proportion to `parts` (none negative) that add up to `total` exactly; parts that are 0
/// stay 0. All 0 where `parts` are.
[[nodiscard]] std::vector<std::int64_t> apportioned(std::span<const std::int64_t> parts, std::int64_t total);

} // namespace core
