#include "core/profile/analysis/run_search.h"

#include "core/profile/queries/memory_queries.h"
#include "core/profile/queries/program_queries.h"
#include "core/profile/queries/run_queries.h"
#include "core/profile/records/span_label.h"
#include "core/profile/schema/database_trouble.h"
#include "core/profile/schema/row_reader.h"
#include "core/profile/spans/span_reader.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <map>
#include <tuple>

namespace core {

namespace {

using StagePhase = std::pair<StageId, ProgramPhase>;

std::string lowered(std::string_view text) {
    std::string lower(text);
    std::ranges::transform(lower, lower.begin(),
                           [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return lower;
}

bool names(std::string_view name, const std::string& needle) {
    return lowered(name).find(needle) != std::string::npos;
}

/// A part of a stage program, from its start.
struct Extent {
    Cycles from;
    Cycles to;
};

/// Collects what a text names, kind by kind.
class RunSearch {
public:
    RunSearch(const ProfileDatabase& database, RunId run, SpanFilter filter, std::int64_t limit)
        : m_database(database)
        , m_run(run)
        , m_filter(std::move(filter))
        , m_limit(static_cast<std::size_t>(std::max<std::int64_t>(limit, 0))) {}

    Result<SearchHits> search() {
        if (!m_filter.operation.empty()) {
            if (auto loaded = loadPrograms(); !loaded)
                return failure(loaded.error());
            addLayers();
            addOperations();
            if (auto added = addTensors(); !added)
                return failure(added.error());
        }
        const auto events = findSpans(m_database, m_run, m_filter, static_cast<std::int64_t>(m_limit) + 1);
        if (!events)
            return failure(events.error());
        std::vector<SearchHit> hits;
        for (const SpanRecord& span : *events) {
            SearchHit& hit = hits.emplace_back();
            hit.stage = span.stage;
            hit.phase = programPhaseOf(span.kind);
            hit.span = span;
            hit.from = span.start;
            hit.to = span.start + span.duration;
        }
        take(std::move(hits));
        return std::move(m_result);
    }

    /// The filter is that of the program.
    Result<std::optional<SearchHit>> firstRun(const ProgramPart& part) {
        if (auto loaded = loadPrograms(); !loaded)
            return failure(loaded.error());
        const StagePhase program{part.stage, part.phase};
        SearchHit hit;
        hit.stage = part.stage;
        hit.phase = part.phase;
        if (!part.operation.isValid()) {
            const auto runs = m_firstRuns.find(program);
            if (runs == m_firstRuns.end())
                return std::nullopt;
            hit.span = runs->second.front();
            hit.from = hit.span->start;
            hit.to = hit.span->start + hit.span->duration;
            return hit;
        }
        const auto operation = std::ranges::find(m_operations, part.operation, &OperationRecord::id);
        if (operation == m_operations.end())
            return std::nullopt;
        hit.kind = HitKind::Operation;
        hit.name = operation->name;
        hit.layer = operation->layer;
        return place(hit, program, extentIn(program, part.operation)) ? std::optional(std::move(hit))
                                                                      : std::nullopt;
    }

private:
    Result<void> loadPrograms() {
        auto operations = loadOperations(m_database, m_run);
        if (!operations)
            return failure(operations.error());
        m_operations = *std::move(operations);
        const auto steps = loadProgram(m_database, m_run);
        if (!steps)
            return failure(steps.error());
        for (const ProgramStepRecord& step : *steps) {
            if (!step.operation.isValid() || !step.phase)
                continue;
            const auto [place, isNew] = m_extents[step.operation].try_emplace(
                {step.stage, *step.phase}, Extent{step.start, step.start + step.duration});
            if (!isNew) {
                place->second.from = std::min(place->second.from, step.start);
                place->second.to = std::max(place->second.to, step.start + step.duration);
            }
        }
        return loadFirstRuns();
    }

    /// The first run of every stage program that the rest of the filter admits.
    Result<void> loadFirstRuns() {
        return guarded(m_database, [&]() -> Result<void> {
            SpanReader reader(m_database, m_run);
            std::vector<char> isAdmitted;
            for (const ReadShape& shape : reader.shapes()) {
                const SpanRecord& span = shape.record;
                isAdmitted.push_back(
                    programPhaseOf(span.kind) && (!m_filter.kind || span.kind == *m_filter.kind) &&
                    (!m_filter.stage || span.stage == *m_filter.stage) &&
                    (!m_filter.microBatch || shape.hasMicroBatch) && (!m_filter.slot || shape.hasSlot));
            }
            // The first of each part of each program.
            std::map<std::tuple<StageId, SpanKind, std::int64_t>, SpanRecord> firsts;
            const auto add = [&](const SpanBlock& block, const PackedSpan& span) {
                const TurnRange turns = turnsWith(block, span, m_filter.microBatch, m_filter.slot);
                if (turns.first >= turns.last)
                    return;
                const SpanRecord record = reader.record(block, span, turns.first);
                const auto [first, isNew] =
                    firsts.try_emplace({record.stage, record.kind, record.part}, record);
                if (!isNew && record.start < first->second.start)
                    first->second = record;
            };
            for (const LaneId lane : reader.computeLanes())
                reader.forEachBlock(lane, [&](const SpanBlock& block, const std::vector<PackedSpan>& spans) {
                    for (const PackedSpan& span : spans)
                        if (isAdmitted[span.shape] != 0)
                            add(block, span);
                });
            std::vector<SpanRecord> inTime;
            for (const auto& [key, span] : firsts)
                inTime.push_back(span);
            std::ranges::stable_sort(inTime, {}, &SpanRecord::start);
            for (const SpanRecord& span : inTime)
                m_firstRuns[{span.stage, *programPhaseOf(span.kind)}].push_back(span);
            return {};
        });
    }

    /// Puts a part of a stage program on the time axis. False where the filter admits no run of it.
    bool place(SearchHit& hit, const StagePhase& program, const Extent& extent) const {
        const auto runs = m_firstRuns.find(program);
        if (runs == m_firstRuns.end())
            return false;
        // A program that a schedule runs in parts: the part that holds the beginning.
        const SpanRecord* span = &runs->second.front();
        for (const SpanRecord& one : runs->second)
            if (one.offset <= extent.from && extent.from < one.offset + one.duration) {
                span = &one;
                break;
            }
        const Cycles end = span->start + span->duration;
        hit.span = *span;
        hit.from = std::clamp(span->start + extent.from - span->offset, span->start, end);
        hit.to = std::clamp(span->start + extent.to - span->offset, hit.from, end);
        return true;
    }

    /// The programs that the operation runs in, several where it is recomputed, and where in each.
    [[nodiscard]] std::map<StagePhase, Extent> extentsOf(const OperationRecord& operation) const {
        const auto extents = m_extents.find(operation.id);
        return extents == m_extents.end()
                   ? std::map<StagePhase, Extent>{{{operation.stage, operation.phase}, Extent()}}
                   : extents->second;
    }

    [[nodiscard]] Extent extentIn(const StagePhase& program, OperationId operation) const {
        const auto extents = m_extents.find(operation);
        if (extents == m_extents.end())
            return {};
        const auto extent = extents->second.find(program);
        return extent == extents->second.end() ? Extent() : extent->second;
    }

    void addLayers() {
        std::vector<SearchHit> hits;
        std::map<std::pair<std::string, StagePhase>, std::size_t> places;
        std::vector<Extent> extents;
        for (const OperationRecord& operation : m_operations) {
            if (operation.layer.empty() || !names(operation.layer, m_filter.operation))
                continue;
            for (const auto& [program, extent] : extentsOf(operation)) {
                const auto [at, isNew] = places.try_emplace({operation.layer, program}, hits.size());
                if (isNew) {
                    SearchHit& hit = hits.emplace_back();
                    hit.kind = HitKind::Layer;
                    hit.name = hit.layer = operation.layer;
                    hit.stage = program.first;
                    hit.phase = program.second;
                    extents.push_back(extent);
                } else {
                    Extent& whole = extents[at->second];
                    whole.from = std::min(whole.from, extent.from);
                    whole.to = std::max(whole.to, extent.to);
                }
            }
        }
        std::vector<SearchHit> placed;
        for (std::size_t i = 0; i < hits.size(); ++i)
            if (place(hits[i], {hits[i].stage, *hits[i].phase}, extents[i]))
                placed.push_back(std::move(hits[i]));
        take(std::move(placed));
    }

    void addOperations() {
        std::vector<SearchHit> hits;
        for (const OperationRecord& operation : m_operations) {
            if (hits.size() > m_limit)
                break;
            if (!names(operation.name, m_filter.operation) && !names(operation.layer, m_filter.operation))
                continue;
            for (const auto& [program, extent] : extentsOf(operation)) {
                SearchHit hit;
                hit.kind = HitKind::Operation;
                hit.name = operation.name;
                hit.layer = operation.layer;
                hit.stage = program.first;
                hit.phase = program.second;
                if (place(hit, program, extent))
                    hits.push_back(std::move(hit));
            }
        }
        take(std::move(hits));
    }

    /// Blocks lie where the operation runs at whose step they begin.
    Result<void> addTensors() {
        // With a phase or a micro-batch one asks for events, and not for what lies in memory.
        if (m_filter.kind || m_filter.microBatch || m_filter.slot)
            return {};
        const auto summary = loadRun(m_database, m_run);
        if (!summary)
            return failure(summary.error());
        std::vector<SearchHit> hits;
        for (const IpuMemorySummary& memory : summary->memory) {
            const auto ranges = liveRanges(m_database, m_run, memory.ipu);
            if (!ranges)
                return failure(ranges.error());
            const auto steps = loadLivenessSteps(m_database, m_run, memory.ipu);
            if (!steps)
                return failure(steps.error());
            std::map<std::int64_t, const LivenessStepRecord*> byStep;
            for (const LivenessStepRecord& step : *steps)
                byStep[step.step] = &step;
            for (const LiveRangeRecord& range : *ranges) {
                if (!names(range.name, m_filter.operation) ||
                    (m_filter.stage && range.stage != *m_filter.stage))
                    continue;
                SearchHit& hit = hits.emplace_back();
                hit.kind = HitKind::Tensor;
                hit.name = range.name;
                hit.layer = range.layer;
                hit.stage = range.stage;
                hit.ipu = range.ipu;
                hit.bytes = range.bytes;
                const auto step = byStep.find(range.firstStep);
                if (!range.alwaysLive && step != byStep.end()) {
                    const StagePhase program{step->second->stage, step->second->phase};
                    place(hit, program, extentIn(program, step->second->operation));
                }
            }
        }
        std::ranges::stable_sort(hits, std::ranges::greater(), &SearchHit::bytes);
        take(std::move(hits));
        return {};
    }

    void take(std::vector<SearchHit> hits) {
        if (hits.size() > m_limit) {
            hits.resize(m_limit);
            m_result.isCut = true;
        }
        std::ranges::move(hits, std::back_inserter(m_result.hits));
    }

    const ProfileDatabase& m_database;
    RunId m_run;
    SpanFilter m_filter;
    std::size_t m_limit;
    std::vector<OperationRecord> m_operations;
    std::map<OperationId, std::map<StagePhase, Extent>> m_extents;
    std::map<StagePhase, std::vector<SpanRecord>> m_firstRuns;
    SearchHits m_result;
};

} // namespace

Result<SearchHits> searchRun(const ProfileDatabase& database, RunId run, std::string_view text,
                             std::int64_t limit) {
    return RunSearch(database, run, parseSpanFilter(text), limit).search();
}

Result<std::optional<SearchHit>> firstRunOf(const ProfileDatabase& database, RunId run,
                                            const ProgramPart& part) {
    SpanFilter filter;
    filter.kind = spanKindOf(part.phase);
    filter.stage = part.stage;
    return RunSearch(database, run, std::move(filter), 1).firstRun(part);
}

std::string_view toString(HitKind kind) {
    constexpr std::array<std::string_view, hitKindCount> texts{"layer", "operation", "tensor", "event"};
    return texts[static_cast<std::size_t>(kind)];
}

} // namespace core
