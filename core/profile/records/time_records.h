#pragma once

#include "core/base/ids.h"
#include "core/base/quantity.h"
#include "core/plan/plan_estimate.h"
#include "core/profile/records/program_phase.h"

#include <optional>

namespace core {

// What a run tells of its time. All times are cycles of the tile clock.
//
// Time has three levels. A run is a row of executions (one call of the compiled program by the host); an
// execution is a row of updates (training: one weight update each; inference: one pipeline execution each),
// all of the same length; spans are recorded once, relative to the start of an update. Replicas do the same
// at the same time, so lanes and spans are those of replica 0.

/// A horizontal track of the timeline.
/// Runs whose programs stream no remote memory have no lane for it.
enum class LaneKind : std::uint8_t { Compute, RemoteMemory, Exchange, Sync, Host };
inline constexpr std::size_t laneKindCount = 5;

struct LaneRecord {
    LaneId id;
    LaneKind kind = LaneKind::Compute;
    IpuId ipu;

    bool operator==(const LaneRecord&) const = default;
};

enum class SpanKind : std::uint8_t {
    Forward,
    Backward,
    Recompute,
    WeightUpdate, ///< compute lane
    Exchange,     ///< on chip, inside a stage program
    InterIpuCopy,
    AllReduce,
    RemoteMemory, ///< remote-memory lane (exchange lane in runs of older programs)
    Sync,         ///< sync lane
    Infeed,
    Outfeed,        ///< host lane
    Idle,           ///< compute lane: a gap, with its cause
    WeightGradient, ///< compute lane
};
inline constexpr std::size_t spanKindCount = 13;

/// Something that lasts. Spans of one lane do not overlap; compute lane: work and idle fill the update
/// exactly.
struct SpanRecord {
    LaneId lane;
    SpanKind kind = SpanKind::Forward;
    Cycles start;
    Cycles duration;
    StageId stage;
    /// −1 where none applies.
    std::int64_t microBatch = -1;
    std::int64_t slot = -1;
    /// Moved bytes of copies and streams.
    Bytes bytes;
    IdleCause cause = IdleCause::Imbalance;
    /// The stage that an idle gap waits for; invalid otherwise.
    StageId blame;
    /// A program that waits for remote memory or the host in its middle works in several spans: which of them
    /// this is, and how far into the program it begins. A gap in which the program itself moves data has the
    /// program's stage, too.
    std::int64_t part = 0;
    Cycles offset;

    bool operator==(const SpanRecord&) const = default;
};

/// One call of the compiled program by the host.
struct ExecutionRecord {
    std::int64_t index = 0;
    std::int64_t epoch = 0;
    Cycles start;
    Cycles duration;
    /// Waiting for the host before the first update and after the last.
    Cycles hostBefore;
    Cycles hostAfter;
    std::int64_t updates = 0;

    bool operator==(const ExecutionRecord&) const = default;
};

/// The program of a stage that runs in a span; nothing for copies, syncs, streams and gaps.
[[nodiscard]] std::optional<ProgramPhase> programPhaseOf(SpanKind kind);
[[nodiscard]] SpanKind spanKindOf(ProgramPhase phase);

/// Cycles of a clock as time, to the nearest nanosecond.
[[nodiscard]] std::int64_t nanoseconds(Cycles cycles, double clockHz);

[[nodiscard]] std::string_view toString(LaneKind kind);
[[nodiscard]] std::string_view toString(SpanKind kind);
[[nodiscard]] std::string_view toString(IdleCause cause);

} // namespace core
