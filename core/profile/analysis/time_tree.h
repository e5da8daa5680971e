#pragma once

#include "core/base/ids.h"
#include "core/base/quantity.h"
#include "core/plan/plan_estimate.h"
#include "core/profile/analysis/step_division.h"
#include "core/profile/records/program_phase.h"
#include "core/profile/schema/profile_database.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace core {

/// A piece of the time of the IPUs of one replica, all its occurrences together, and what it went to.
struct TimePiece {
    IpuId ipu;
    /// The stage program that runs; of a gap, the stage that it waits for. Invalid where none applies.
    StageId stage;
    /// Nothing for gaps and for what nothing was recorded of.
    std::optional<ProgramPhase> phase;
    /// Of a gap.
    std::optional<IdleCause> cause;
    /// Index into `TimePieces::operations`; nothing for gaps and for a program whose steps were not recorded.
    std::optional<std::size_t> operation;
    /// Computing, exchanging or syncing; not said of gaps.
    StepPart part = StepPart::Compute;
    Cycles cycles;
    /// How often the program runs, or how many gaps these are.
    std::int64_t times = 0;
};

/// What a piece of a program belongs to.
struct TimedOperation {
    std::string name;
    /// "MatMul"; "Copy" for what only moves data on the tiles.
    std::string kind;
    /// Empty for loss, optimizer and copies.
    std::string layer;
};

/// The compute lanes of a run, taken apart. The pieces add up to the time looked at × IPUs exactly: programs
/// are divided in proportion to the steps of their operations, also where the range cuts one.
struct TimePieces {
    RunId run;
    double clockHz = 0;
    Cycles step;
    /// The range, from the start of an update; time beyond its end goes on with the next one.
    Cycles from;
    Cycles to;
    std::int64_t ipus = 0;
    std::vector<TimedOperation> operations;
    std::vector<TimePiece> pieces;

    /// Time of all IPUs.
    [[nodiscard]] Cycles total() const { return ipus * (to - from); }
};
struct CycleRange {
    Cycles from;
    Cycles to;

    bool operator==(const CycleRange&) const = default;
};
/// Of one update, or of a range of time. Errors: those of `loadRun`; "run/no-timeline" (Trouble::Input).
[[nodiscard]] Result<TimePieces> loadTimePieces(const ProfileDatabase& database, RunId run,
                                                std::optional<CycleRange> range = {});

/// What the first level of a tree is.
enum class TimeGrouping : std::uint8_t {
    Stage, ///< stage, phase, layer, operation, part
    Phase, ///< phase, stage, layer, operation, part
    Layer, ///< layer (by the parts of its path), phase, operation, part
    Kind,  ///< kind of operation, phase, layer, operation, part
    Ipu,   ///< IPU, stage, phase, layer, operation, part
};
inline constexpr std::size_t timeGroupingCount = 5;
[[nodiscard]] std::string_view toString(TimeGrouping grouping);

enum class TimeLevel : std::uint8_t {
    All,
    Ipu,
    Stage,
    Phase,
    Layer,
    Kind,
    Operation,
    Part,
    Idle,
    Cause,
    Unrecorded
};
inline constexpr std::size_t timeLevelCount = 11;
[[nodiscard]] std::string_view toString(TimeLevel level);

/// A piece of time with what it consists of. Children add up to their parent exactly, the longest first.
struct TimeNode {
    TimeLevel level = TimeLevel::All;
    std::string name;
    Cycles cycles;
    /// How often a program of it runs, or how many gaps these are; of inner nodes the most of their children.
    std::int64_t times = 0;
    // What everything below has in common.
    IpuId ipu;
    StageId stage;
    std::optional<ProgramPhase> phase;
    std::optional<IdleCause> cause;
    std::optional<StepPart> part;
    /// Path of a layer, or of what several layers share of their paths.
    std::string layer;
    /// Name of the operation.
    std::string operation;
    std::vector<TimeNode> children;
};

/// All IPUs of a replica, or of a range of time, as a tree.
[[nodiscard]] TimeNode timeTree(const TimePieces& pieces, TimeGrouping grouping);

/// Time that belongs to no layer.
inline constexpr std::string_view noLayerName = "Loss, optimizer and copies";

} // namespace core
