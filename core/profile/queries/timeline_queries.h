#pragma once

#include "core/profile/records/program_records.h"
#include "core/profile/records/span_bins.h"
#include "core/profile/records/time_records.h"
#include "core/profile/schema/profile_database.h"

#include <array>
#include <optional>
#include <string>
#include <vector>

namespace core {

// Questions of a timeline. Times are cycles of one update unless said otherwise: all updates are alike.

/// "run/no-timeline" (Trouble::Input): the run has no lanes, and what one does to have some.
[[nodiscard]] Diagnostic withoutTimeline(RunId run);
[[nodiscard]] bool isWithoutTimeline(const Diagnostics& diagnostics);

[[nodiscard]] Result<std::vector<LaneRecord>> loadLanes(const ProfileDatabase& database, RunId run);
[[nodiscard]] Result<std::vector<ExecutionRecord>> loadExecutions(const ProfileDatabase& database, RunId run);
/// Every span in order of lane and time. For exports; views ask for a window.
[[nodiscard]] Result<std::vector<SpanRecord>> loadSpans(const ProfileDatabase& database, RunId run);

/// More events than a long training of many stages has, and no more than a window has the memory for.
inline constexpr std::int64_t mostOutlineSpans = 3'000'000;

/// The same without what happens inside the programs: exchanges on a chip, and streams of remote memory.
/// "timeline/too-long" (Trouble::World) for more than `mostOutlineSpans`.
[[nodiscard]] Result<std::vector<SpanRecord>> loadOutlineSpans(const ProfileDatabase& database, RunId run);

/// One lane inside a window: the spans that are wide enough to be seen alone, and the others summed over
/// bins.
struct LaneWindow {
    LaneRecord lane;
    std::vector<SpanRecord> spans;
    std::vector<SpanBin> bins;
};

/// A part of the timeline at the resolution of a picture.
struct TimelineWindow {
    Cycles from;
    Cycles to;
    std::int64_t binCount = 1;
    std::vector<LaneWindow> lanes;

    /// Spans that the window's rows stand for.
    std::int64_t spanCount = 0;
    /// First cycle of a bin.
    [[nodiscard]] Cycles binEdge(std::int64_t index) const {
        return SpanBinner::edgeOf(from, to, binCount, index);
    }
};

struct TimelineRequest {
    RunId run;
    Cycles from;
    Cycles to;
    /// Usually the width of the picture in pixels.
    std::int64_t binCount = 1000;
    /// None: every lane.
    std::vector<LaneKind> kinds;
};

/// What there is to draw between `from` and `to`: per lane at most a few rows per bin, whatever the length of
/// the trace. A lane with at most `binCount` spans in the window answers all of them; otherwise spans shorter
/// than a bin are summed, exactly, and a lane of very many spans answers sums alone, from the stored ones.
[[nodiscard]] Result<TimelineWindow> loadTimeline(const ProfileDatabase& database,
                                                  const TimelineRequest& request);

/// A piece of a time range inside one update, and how often it occurs.
struct UpdatePiece {
    Cycles from;
    Cycles to;
    std::int64_t times = 1;

    bool operator==(const UpdatePiece&) const = default;
};
/// A range longer than an update is its whole updates and what sticks out on both sides.
[[nodiscard]] std::vector<UpdatePiece> updatePieces(Cycles from, Cycles to, Cycles step);

/// Cycles of one compute lane inside an area, by kind of work and by cause of idleness; all of them together
/// are the length of the area.
struct LaneStatistics {
    LaneId lane;
    IpuId ipu;
    std::array<Cycles, spanKindCount> byKind{};
    std::array<Cycles, idleCauseCount> idleByCause{};
    /// Neither work nor idle: nothing was recorded there.
    Cycles unrecorded;

    [[nodiscard]] Cycles busy() const;
    [[nodiscard]] Cycles idle() const { return byKind[static_cast<std::size_t>(SpanKind::Idle)]; }
};

/// Compute lanes in the area [from, to), which may be longer than one update: time goes on with the next.
[[nodiscard]] Result<std::vector<LaneStatistics>> areaStatistics(const ProfileDatabase& database, RunId run,
                                                                 Cycles from, Cycles to);

/// Spans of a stage program in an area: one of many that lie in it whole and last as long, or one that the
/// area's edge cuts.
struct AreaWork {
    SpanRecord span;
    std::int64_t times = 1;
};
/// What the compute lanes work in [from, to) of one update, in the order in which it first comes.
[[nodiscard]] Result<std::vector<AreaWork>> areaWork(const ProfileDatabase& database, RunId run, Cycles from,
                                                     Cycles to);

/// The compute spans of a micro-batch, in time.
[[nodiscard]] Result<std::vector<SpanRecord>> microBatchSpans(const ProfileDatabase& database, RunId run,
                                                              std::int64_t microBatch);

/// Idle gaps, longest first, at most `limit`; and how many there are.
struct IdleGaps {
    std::vector<SpanRecord> longest;
    std::int64_t count = 0;
};
[[nodiscard]] Result<IdleGaps> idleGaps(const ProfileDatabase& database, RunId run,
                                        std::int64_t limit = 10000);

/// What a search for events asks for; all that is given must hold.
struct SpanFilter {
    std::optional<SpanKind> kind;
    std::optional<std::int64_t> microBatch;
    std::optional<StageId> stage;
    std::optional<std::int64_t> slot;
    std::optional<IdleCause> cause;
    /// Part of the name of a layer or operation: the spans of the stage programs that hold it.
    std::string operation;

    bool operator==(const SpanFilter&) const = default;
};

/// Reads what people type: "B3", "f 12", "recompute", "stage 2", "slot 9", "micro-batch 3", "drain", or the
/// name of a layer; several words narrow the search.
[[nodiscard]] SpanFilter parseSpanFilter(std::string_view text);

/// Spans that a filter admits, in time, at most `limit`.
[[nodiscard]] Result<std::vector<SpanRecord>> findSpans(const ProfileDatabase& database, RunId run,
                                                        const SpanFilter& filter, std::int64_t limit = 1000);

/// The span of the lane before (or after) the one that starts at `start`; nothing at the end.
[[nodiscard]] Result<std::optional<SpanRecord>> neighbourSpan(const ProfileDatabase& database, RunId run,
                                                              LaneId lane, Cycles start, bool isForward);
/// The span of the lane that holds `time`.
[[nodiscard]] Result<std::optional<SpanRecord>> spanAt(const ProfileDatabase& database, RunId run,
                                                       LaneId lane, Cycles time);

/// The slots of an update and the times that bound them, from the compute lanes.
struct SlotTime {
    std::int64_t slot = 0;
    Cycles start;
    Cycles end;
    /// Some IPU does forward or backward work.
    bool hasWork = false;
};
[[nodiscard]] Result<std::vector<SlotTime>> loadSlots(const ProfileDatabase& database, RunId run);

} // namespace core
