#pragma once

#include "core/profile/queries/memory_queries.h"
#include "core/profile/records/program_records.h"
#include "core/profile/records/run_records.h"
#include "core/profile/records/time_records.h"
#include "core/profile/schema/profile_database.h"

#include <map>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace core {

/// What a trace is made of.
struct TraceContent {
    RunProvenance provenance;
    std::vector<LaneRecord> lanes;
    /// Of one update, in order of lane and time.
    std::vector<SpanRecord> spans;

    /// Where the last span ends.
    [[nodiscard]] Cycles end() const;
};

/// Errors: those of the database; "run/no-timeline" (Trouble::Input) where there is nothing to be traced.
[[nodiscard]] Result<TraceContent> loadTrace(const ProfileDatabase& database, RunId run);

/// What a trace says of a span beside its name, kind and time: exact cycles, stage, micro-batch, ….
struct TraceArgument {
    std::string_view name;
    std::variant<std::int64_t, std::string_view> value;
};
[[nodiscard]] std::vector<TraceArgument> traceArguments(const SpanRecord& span);

/// The way of a micro-batch through its stage programs: their spans on compute lanes, in time.
struct MicroBatchFlow {
    std::int64_t microBatch = 0;
    std::vector<const SpanRecord*> spans;
};
/// Of every micro-batch with at least two such spans, in order; they point into `content`.
[[nodiscard]] std::vector<MicroBatchFlow> microBatchFlows(const TraceContent& content);

/// A program of a stage, by the kind of span that it runs in.
using TraceProgram = std::pair<StageId, ProgramPhase>;

/// What is live while the programs of an IPU's stages run.
struct TraceMemory {
    /// Live outside of every program.
    Bytes alwaysLive;
    /// In the order of time, from the start of the program.
    std::map<TraceProgram, std::vector<ProgramLiveness>> programs;
    /// Between the programs while micro-batches are in flight.
    Bytes inFlight;
};
/// The least of the programs that work on micro-batches: no gap between them has less, for what is stashed
/// for those in flight stays. Nothing where no such program was recorded.
[[nodiscard]] std::optional<ProgramLiveness> leastInFlight(const std::vector<ProgramLiveness>& rows);
[[nodiscard]] Result<std::map<IpuId, TraceMemory>> loadTraceMemory(const ProfileDatabase& database,
                                                                   const TraceContent& content, RunId run);

/// A step of an operation inside a stage program.
struct TraceOperation {
    std::string name;
    std::string layer;
    StepKind kind = StepKind::OnTileExecute;
    /// From the start of the program.
    Cycles start;
    Cycles duration;
};
/// By the program that they belong to, in time.
[[nodiscard]] Result<std::map<TraceProgram, std::vector<TraceOperation>>>
loadTraceOperations(const ProfileDatabase& database, RunId run);

} // namespace core
