#include "core/profile/exports/trace_content.h"

#include "core/profile/queries/program_queries.h"
#include "core/profile/queries/run_queries.h"
#include "core/profile/queries/timeline_queries.h"

#include <algorithm>

namespace core {

Cycles TraceContent::end() const {
    Cycles end;
    for (const SpanRecord& span : spans)
        end = std::max(end, span.start + span.duration);
    return end;
}

Result<TraceContent> loadTrace(const ProfileDatabase& database, RunId run) {
    auto provenance = loadProvenance(database, run);
    if (!provenance)
        return failure(provenance.error());
    auto lanes = loadLanes(database, run);
    if (!lanes)
        return failure(lanes.error());
    if (lanes->empty())
        return failure(withoutTimeline(run));
    auto spans = loadSpans(database, run);
    if (!spans)
        return failure(spans.error());
    return TraceContent{*std::move(provenance), *std::move(lanes), *std::move(spans)};
}

std::vector<TraceArgument> traceArguments(const SpanRecord& span) {
    std::vector<TraceArgument> arguments{{"start_cycles", span.start.value()},
                                         {"duration_cycles", span.duration.value()}};
    const auto add = [&](std::string_view name, std::int64_t value) {
        if (value >= 0)
            arguments.push_back({name, value});
    };
    if (span.stage.isValid())
        add("stage", span.stage.value());
    add("micro_batch", span.microBatch);
    add("slot", span.slot);
    if (span.bytes.value() > 0)
        add("bytes", span.bytes.value());
    if (span.kind == SpanKind::Idle) {
        arguments.push_back({"cause", toString(span.cause)});
        if (span.blame.isValid())
            add("waits_for_stage", span.blame.value());
    }
    return arguments;
}

std::vector<MicroBatchFlow> microBatchFlows(const TraceContent& content) {
    std::map<LaneId, LaneKind> kinds;
    for (const LaneRecord& lane : content.lanes)
        kinds[lane.id] = lane.kind;
    std::map<std::int64_t, std::vector<const SpanRecord*>> byMicroBatch;
    for (const SpanRecord& span : content.spans) {
        if (span.microBatch >= 0 && (span.kind == SpanKind::Forward || span.kind == SpanKind::Backward) &&
            kinds[span.lane] == LaneKind::Compute)
            byMicroBatch[span.microBatch].push_back(&span);
    }
    std::vector<MicroBatchFlow> flows;
    for (auto& [microBatch, spans] : byMicroBatch) {
        if (spans.size() < 2)
            continue;
        std::ranges::stable_sort(spans, {}, &SpanRecord::start);
        flows.push_back({microBatch, std::move(spans)});
    }
    return flows;
}

std::optional<ProgramLiveness> leastInFlight(const std::vector<ProgramLiveness>& rows) {
    std::optional<ProgramLiveness> least;
    for (const ProgramLiveness& row : rows)
        if (row.phase != ProgramPhase::WeightUpdate && (!least || row.live < least->live))
            least = row;
    return least;
}

Result<std::map<IpuId, TraceMemory>> loadTraceMemory(const ProfileDatabase& database,
                                                     const TraceContent& content, RunId run) {
    std::map<IpuId, TraceMemory> memory;
    for (const LaneRecord& lane : content.lanes)
        memory.try_emplace(lane.ipu);
    for (auto& [ipu, ofIpu] : memory) {
        const auto curve = livenessCurve(database, run, ipu, 1);
        if (!curve)
            return failure(curve.error());
        ofIpu.alwaysLive = curve->alwaysLive;
        auto rows = programLiveness(database, run, ipu);
        if (!rows)
            return failure(rows.error());
        const std::optional<ProgramLiveness> least = leastInFlight(*rows);
        ofIpu.inFlight = least ? least->live : ofIpu.alwaysLive;
        std::ranges::stable_sort(*rows, {}, &ProgramLiveness::from);
        for (const ProgramLiveness& row : *rows)
            ofIpu.programs[{row.stage, row.phase}].push_back(row);
    }
    return memory;
}

Result<std::map<TraceProgram, std::vector<TraceOperation>>>
loadTraceOperations(const ProfileDatabase& database, RunId run) {
    const auto operations = loadOperations(database, run);
    if (!operations)
        return failure(operations.error());
    const auto steps = loadProgram(database, run);
    if (!steps)
        return failure(steps.error());
    std::map<OperationId, const OperationRecord*> byId;
    for (const OperationRecord& operation : *operations)
        byId[operation.id] = &operation;
    std::map<TraceProgram, std::vector<TraceOperation>> programs;
    for (const ProgramStepRecord& step : *steps) {
        const auto found = byId.find(step.operation);
        if (found == byId.end() || !step.phase)
            continue;
        // Not the operation's own phase: what is recomputed runs in other programs as well.
        const OperationRecord& operation = *found->second;
        programs[{step.stage, *step.phase}].push_back(
            {operation.name, operation.layer, step.kind, step.start, step.duration});
    }
    for (auto& [program, inTime] : programs)
        std::ranges::stable_sort(inTime, {}, &TraceOperation::start);
    return programs;
}

} // namespace core
