#pragma once

#include "core/profile/queries/timeline_queries.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace core {

enum class HitKind : std::uint8_t { Layer, Operation, Tensor, Event };
inline constexpr std::size_t hitKindCount = 4;

/// Something of a run that answers to what was typed, and where it is.
struct SearchHit {
    HitKind kind = HitKind::Event;
    /// Path of a layer, name of an operation or a block of memory; empty for an event.
    std::string name;
    /// That it belongs to; empty for none.
    std::string layer;
    StageId stage;
    std::optional<ProgramPhase> phase;
    IpuId ipu;
    /// Of a block of memory.
    Bytes bytes;
    /// The event; the first run of the stage program that holds the layer or operation, or that makes the
    /// block. Nothing for what is always in memory, and for what never runs.
    std::optional<SpanRecord> span;
    /// The hit itself, in the time of an update: a part of the span. Both 0 where there is none.
    Cycles from;
    Cycles to;
};

struct SearchHits {
    /// Layers, operations, the largest blocks, events in time.
    std::vector<SearchHit> hits;
    /// There are more of some kind than were wanted.
    bool isCut = false;
};

/// What of a run a text names, at most `limit` of each kind: "conv1" finds layers, operations, blocks of
/// memory and the stage programs that hold them; "conv1 backward" or "conv1 B3" those of a phase or a
/// micro-batch; "B3" or "drain" events alone (`parseSpanFilter`). Errors: those of the database.
[[nodiscard]] Result<SearchHits> searchRun(const ProfileDatabase& database, RunId run, std::string_view text,
                                           std::int64_t limit = 1000);

/// A stage program, or an operation in it.
struct ProgramPart {
    StageId stage;
    ProgramPhase phase = ProgramPhase::Forward;
    /// Invalid: the whole program.
    OperationId operation = {};
};

/// Where a part of a stage program runs first: an operation, or the event that is the program. Nothing where
/// it never runs, or without a timeline. Errors: those of the database.
[[nodiscard]] Result<std::optional<SearchHit>> firstRunOf(const ProfileDatabase& database, RunId run,
                                                          const ProgramPart& part);

/// "layer", "operation", "tensor", "event".
[[nodiscard]] std::string_view toString(HitKind kind);

} // namespace core
