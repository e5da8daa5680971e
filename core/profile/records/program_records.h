#pragma once

#include "core/base/ids.h"
#include "core/base/quantity.h"
#include "core/base/shared_text.h"
#include "core/profile/records/program_phase.h"

#include <optional>
#include <string_view>

namespace core {

// What a run tells of its program. All times are cycles of the tile clock, all sizes bytes.

/// An operation of the training graph with its plan. Cycles of one execution of it.
struct OperationRecord {
    OperationId id;
    SharedText name;
    /// Operation kind ("MatMul").
    SharedText kind;
    /// Path of the layer it comes from; empty for loss and optimizer.
    SharedText layer;
    StageId stage;
    ProgramPhase phase = ProgramPhase::Forward;
    Cycles compute;
    Cycles exchange;
    Cycles sync;
    Flops flops;
    std::int64_t tilesUsed = 0;
    Bytes exchangeBytes;
    Bytes temporaryPerTile;
    Bytes outputBytes;
    /// The split in PopLibs' words, "inChanParallelSplit=4 …".
    SharedText plan;
    /// "float16" or "float32": how wide the numbers are that it computes with. Empty where an older program
    /// did not say, as is the peak.
    SharedText precision;
    /// What the matrix units of one IPU do at most in a cycle at this precision.
    Flops peakPerCycle;

    bool operator==(const OperationRecord&) const = default;
};

/// Poplar's names for what a program is made of.
enum class StepKind : std::uint8_t {
    Sequence,
    Repeat,
    Switch,
    Call,
    OnTileExecute,
    DoExchange,
    GlobalExchange,
    StreamCopy,
    Sync,
};
inline constexpr std::size_t stepKindCount = 9;

/// A node of the program tree. Children follow their parent, in order. Leaf steps of a stage program have a
/// start relative to the start of that program.
struct ProgramStepRecord {
    ProgramStepId id;
    ProgramStepId parent;
    StepKind kind = StepKind::Sequence;
    SharedText label;
    /// Times a Repeat runs its children.
    std::int64_t count = 1;
    StageId stage;
    std::optional<ProgramPhase> phase;
    OperationId operation;
    Cycles start;
    Cycles duration;
    Bytes bytes;

    bool operator==(const ProgramStepRecord&) const = default;
};

/// A tensor that crosses between IPUs with every micro-batch.
struct TransferRecord {
    SharedText tensor;
    StageId from;
    StageId to;
    ProgramPhase phase = ProgramPhase::Forward;
    Bytes bytes;
    std::int64_t hops = 1;
    bool passThrough = false;

    bool operator==(const TransferRecord&) const = default;
};

[[nodiscard]] std::string_view toString(StepKind kind);

} // namespace core
