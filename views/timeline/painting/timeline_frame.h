#pragma once

#include "core/profile/queries/memory_queries.h"
#include "core/profile/queries/schedule_bands.h"
#include "core/profile/queries/timeline_queries.h"
#include "core/profile/records/run_records.h"
#include "core/profile/records/time_records.h"
#include "core/profile/schema/profile_database.h"
#include "views/common/text/number_text.h"

#include <array>
#include <map>
#include <optional>
#include <vector>

namespace views {

/// One IPU of a replica in the timeline.
struct TimelineIpu {
    core::IpuId ipu;
    std::vector<core::StageId> stages;
    /// By LaneKind.
    std::array<std::optional<core::LaneId>, core::laneKindCount> lanes{};
    /// Share of the update in which it computes.
    double busyShare = 0;
    core::Bytes limit;
    core::Bytes peak;
    core::Bytes alwaysLive;
    /// Live bytes inside its stage programs, in the order of time of each.
    std::map<std::pair<core::StageId, core::ProgramPhase>, std::vector<core::ProgramLiveness>> liveness;
    /// From its first work on a micro-batch in an update to the end of its last: micro-batches are in flight,
    /// and what is stashed for them stays when no program runs.
    std::optional<std::pair<core::Cycles, core::Cycles>> inFlight;
    /// Where least is live: of the programs that work on micro-batches, and of all. No gap between them has
    /// less.
    std::optional<core::ProgramLiveness> leastInFlight;
    std::optional<core::ProgramLiveness> least;

    [[nodiscard]] bool isInFlight(core::Cycles at) const {
        return inFlight && leastInFlight && at >= inFlight->first && at < inFlight->second;
    }
    /// Bytes when none of its programs runs, at a time of the update.
    [[nodiscard]] core::Bytes liveBetween(core::Cycles at) const {
        return isInFlight(at) ? leastInFlight->live : alwaysLive;
    }
    /// The place in its program that stands for such a time.
    [[nodiscard]] const std::optional<core::ProgramLiveness>& placeBetween(core::Cycles at) const {
        return isInFlight(at) ? leastInFlight : least;
    }
    /// Bytes so far inside a program; nothing where they were not recorded.
    [[nodiscard]] std::optional<core::Bytes> liveInside(core::StageId stage, core::ProgramPhase phase,
                                                        core::Cycles inside) const;

    [[nodiscard]] std::optional<core::LaneId> lane(core::LaneKind kind) const {
        return lanes[static_cast<std::size_t>(kind)];
    }
};

/// What a timeline knows about a run whatever part of it is in view.
struct TimelineFrame {
    core::RunId run;
    /// Without the project's text.
    core::RunProvenance provenance;
    core::Cycles step;
    /// Of one execution.
    std::int64_t updates = 1;
    std::int64_t executions = 1;
    std::vector<TimelineIpu> ipus;

    /// Length of the timeline: the updates of one execution, one after the other.
    [[nodiscard]] core::Cycles length() const { return updates * step; }
    [[nodiscard]] TimeScale timeScale() const { return {provenance.clockHz, step}; }
    /// Index into `ipus` of the IPU that has the lane.
    [[nodiscard]] std::optional<std::size_t> ipuOfLane(core::LaneId lane) const;
    [[nodiscard]] std::optional<core::LaneKind> kindOfLane(core::LaneId lane) const;
    [[nodiscard]] std::optional<std::size_t> ipuOfStage(core::StageId stage) const;
};

[[nodiscard]] core::Result<TimelineFrame> loadTimelineFrame(const core::ProfileDatabase& database,
                                                            core::RunId run);

/// Slots of an update and its phases. Every span is read for them, so they come after the lanes.
struct TimelineSlots {
    /// In the order of their starts. Those of an asynchronous schedule overlap.
    std::vector<core::SlotTime> times;
    /// The latest end of each and of those before it.
    std::vector<core::Cycles> latestEnds;
    std::vector<core::BandTime> bands;
};
[[nodiscard]] core::Result<TimelineSlots> loadTimelineSlots(const core::ProfileDatabase& database,
                                                            core::RunId run);

} // namespace views
