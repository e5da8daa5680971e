#pragma once

#include "core/base/diagnostic.h"
#include "core/base/ids.h"
#include "core/base/phase.h"
#include "core/base/quantity.h"
#include "core/config/training_options.h"
#include "core/plan/plan_estimate.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace core {

// What a run tells its recorder. All times are cycles of the tile clock, all sizes bytes.
//
// Time has three levels. A run is a row of executions (one call of the compiled program by the host); an
// execution is a row of updates (training: one weight update each; inference: one pipeline execution each),
// all of the same length; spans are recorded once, relative to the start of an update. Replicas do the same
// at the same time, so lanes and spans are those of replica 0.

/// A horizontal track of the timeline.
enum class LaneKind : std::uint8_t { Compute, Exchange, Sync, Host };
inline constexpr std::size_t laneKindCount = 4;

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
    RemoteMemory, ///< exchange lane
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

    bool operator==(const SpanRecord&) const = default;
};

using ProgramPhase = Phase;
inline constexpr std::size_t programPhaseCount = phaseCount;

/// An operation of the training graph with its plan. Cycles of one execution of it.
struct OperationRecord {
    OperationId id;
    std::string name;
    /// Operation kind ("MatMul").
    std::string kind;
    /// Path of the layer it comes from; empty for loss and optimizer.
    std::string layer;
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
    std::string plan;

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
    std::string label;
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

/// Order of display, bottom to top. Stash, activations and temporaries are not always live.
enum class MemoryCategory : std::uint8_t {
    VertexCode,
    VertexState,
    ExchangeCode,
    ControlCode,
    Constants,
    Stack,
    Weights,
    OptimizerState,
    Accumulators,
    Stash,
    HostIo,
    MessageBuffers,
    Activations,
    Temporary,
};
inline constexpr std::size_t memoryCategoryCount = 14;

/// One point of an IPU's program order. The order is that of a full slot: backward, forward, recompute, then
/// the update.
struct LivenessStepRecord {
    IpuId ipu;
    std::int64_t step = 0;
    StageId stage;
    ProgramPhase phase = ProgramPhase::Forward;
    OperationId operation;
    /// All tiles together, not always live.
    Bytes live;

    bool operator==(const LivenessStepRecord&) const = default;
};

/// A block of memory and the program steps over which it is live (both ends included). Always live: 0 … last
/// step.
struct LiveRangeRecord {
    IpuId ipu;
    std::string name;
    MemoryCategory category = MemoryCategory::Activations;
    bool alwaysLive = false;
    Bytes bytes;
    /// Offset in the IPU's memory as laid out by the planner, all tiles together.
    Bytes address;
    std::int64_t firstStep = 0;
    std::int64_t lastStep = 0;
    std::string layer;
    StageId stage;
    /// Text of the extents, "16×56×56×256"; empty for code.
    std::string shape;

    bool operator==(const LiveRangeRecord&) const = default;
};

/// Bytes of one IPU's tiles by category at the peak of the worst tile: `bytes[category][tile]`.
struct TileMemoryRecord {
    IpuId ipu;
    std::vector<std::vector<std::int32_t>> bytes;

    bool operator==(const TileMemoryRecord&) const = default;
};

/// A tensor that crosses between IPUs with every micro-batch.
struct TransferRecord {
    std::string tensor;
    StageId from;
    StageId to;
    ProgramPhase phase = ProgramPhase::Forward;
    Bytes bytes;
    std::int64_t hops = 1;
    bool passThrough = false;

    bool operator==(const TransferRecord&) const = default;
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

/// A value that arrived from the host queues.
struct MetricRecord {
    /// "loss", "accuracy", "val_loss", …
    std::string name;
    /// Weight updates before this value (training), or 0.
    std::int64_t update = 0;
    std::int64_t epoch = 0;
    double value = 0;

    bool operator==(const MetricRecord&) const = default;
};

/// Where a run comes from: enough to run it again and to tell why two differ.
struct RunProvenance {
    std::string projectName;
    /// The project file as it was run.
    std::string projectText;
    std::string projectHash;
    std::string programVersion;
    std::string costModelVersion;
    RunMode mode = RunMode::Train;
    std::uint64_t seed = 0;
    std::string targetName;
    std::int64_t tiles = 0;
    Bytes memoryPerTile;
    double clockHz = 0;
    std::int64_t ipus = 1;
    std::int64_t ipusPerReplica = 1;
    std::int64_t replicas = 1;
    std::int64_t microBatches = 1;
    std::int64_t batchSize = 1;
    std::string schedule;
    std::string profileLevel;
    /// ISO 8601 with zone, from the caller; not part of the result.
    std::string started;

    bool operator==(const RunProvenance&) const = default;
};

struct StageSummary {
    StageId stage;
    IpuId ipu;
    Cycles forward;
    Cycles backward;
    Cycles recompute;
    Cycles update;
    Bytes transfer;
    std::int64_t fifoDepth = 0;
    Bytes stash;

    bool operator==(const StageSummary&) const = default;
};

struct IpuMemorySummary {
    IpuId ipu;
    Bytes limit;
    Bytes peak;
    Bytes alwaysLive;
    Bytes notAlwaysLivePeak;
    std::int64_t worstTile = 0;
    Bytes worstTileBytes;
    /// Indexed by MemoryCategory: always-live bytes, and at the peak for the others.
    std::vector<Bytes> byCategory;

    bool operator==(const IpuMemorySummary&) const = default;
};

struct MetricSeries {
    std::string name;
    std::vector<double> values;

    bool operator==(const MetricSeries&) const = default;
};

/// The numbers of a finished run; the JSON of `run` and `show` says the same.
struct RunSummary {
    RunProvenance provenance;
    bool fits = true;
    std::int64_t effectiveBatch = 1;
    std::int64_t executions = 1;
    Cycles step;
    double samplesPerSecond = 0;
    double idleFraction = 0;
    double hostStallFraction = 0;
    std::vector<StageSummary> stages;
    std::vector<IpuMemorySummary> memory;
    /// Indexed by IdleCause: cycles over all IPUs and one update.
    std::vector<Cycles> idleByCause;
    std::vector<MetricSeries> metrics;
    Diagnostics diagnostics;

    bool operator==(const RunSummary&) const = default;
};

/// The program of a stage that runs in a span; nothing for copies, syncs, streams and gaps.
[[nodiscard]] std::optional<ProgramPhase> programPhaseOf(SpanKind kind);
[[nodiscard]] SpanKind spanKindOf(ProgramPhase phase);

[[nodiscard]] std::string_view toString(LaneKind kind);
[[nodiscard]] std::string_view toString(SpanKind kind);
[[nodiscard]] std::string_view toString(IdleCause cause);
[[nodiscard]] std::string_view toString(ProgramPhase phase);
[[nodiscard]] std::string_view toString(StepKind kind);
/// The key of `by_category` in the JSON of `run`: "weights", "vertex_code", ….
[[nodiscard]] std::string_view toString(MemoryCategory category);
[[nodiscard]] bool isAlwaysLive(MemoryCategory category);
/// "train", "evaluate", "predict".
[[nodiscard]] std::string_view toString(RunMode mode);
inline constexpr std::size_t runModeCount = 3;

} // namespace core
