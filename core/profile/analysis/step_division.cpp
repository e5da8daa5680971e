#include "core/profile/analysis/step_division.h"

#include "core/profile/queries/program_queries.h"
#include "core/profile/queries/run_queries.h"
#include "core/profile/queries/timeline_queries.h"
#include "core/profile/records/span_label.h"
#include "core/profile/schema/database_trouble.h"
#include "core/profile/schema/row_reader.h"
#include "core/profile/spans/span_reader.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numeric>
#include <tuple>

namespace core {

namespace {

constexpr std::size_t firstIdle = static_cast<std::size_t>(StepPart::FirstIdle);
constexpr std::size_t unrecordedPart = stepPartCount - 1;
constexpr std::size_t workParts = firstIdle;

using SpanGroup = std::tuple<SpanKind, std::optional<IdleCause>, StageId>;

/// Cycles of the compute lanes, all together.
std::map<SpanGroup, Cycles> groupedSpans(const ProfileDatabase& database, RunId run) {
    SpanReader reader(database, run);
    std::map<SpanGroup, Cycles> groups;
    std::vector<Cycles*> groupOf; // by shape
    for (const ReadShape& shape : reader.shapes()) {
        const SpanRecord& span = shape.record;
        const auto cause = span.kind == SpanKind::Idle ? std::optional(span.cause) : std::nullopt;
        groupOf.push_back(&groups[{span.kind, cause, span.stage}]);
    }
    for (const LaneId lane : reader.computeLanes())
        reader.forEachBlock(lane, [&](const SpanBlock& block, const std::vector<PackedSpan>& spans) {
            for (const PackedSpan& span : spans)
                *groupOf[span.shape] += Cycles(span.duration) * block.turns;
        });
    std::erase_if(groups, [](const auto& group) { return group.second.value() == 0; });
    return groups;
}

/// Of one run of a stage program; all of it computing where nothing is known of its steps.
std::array<std::int64_t, workParts> workOf(const StageProgramMap& programs, StageId stage, SpanKind kind) {
    const auto phase = programPhaseOf(kind);
    const auto program = phase ? programs.find({stage, *phase}) : programs.end();
    std::array<std::int64_t, workParts> work{};
    if (program != programs.end()) {
        for (const LayerShare& layer : program->second.layers) {
            work[0] += layer.compute.value();
            work[1] += layer.exchange.value();
            work[2] += layer.sync.value();
        }
    }
    if (std::accumulate(work.begin(), work.end(), std::int64_t{0}) == 0)
        work[0] = 1;
    return work;
}

} // namespace

std::string stepPartName(std::size_t part) {
    if (part == unrecordedPart)
        return "unrecorded";
    if (part >= firstIdle)
        return "idle." + std::string(toString(static_cast<IdleCause>(part - firstIdle)));
    constexpr std::array<std::string_view, workParts> names{"compute", "exchange", "sync"};
    return std::string(names[part]);
}

std::string stepPartLabel(std::size_t part) {
    if (part == unrecordedPart)
        return "Not recorded";
    if (part >= firstIdle)
        return "Idle: " + idleCauseLabel(static_cast<IdleCause>(part - firstIdle));
    constexpr std::array<std::string_view, workParts> labels{"Compute", "Exchange on the chip", "Sync"};
    return std::string(labels[part]);
}

std::vector<std::int64_t> apportioned(std::span<const std::int64_t> parts, std::int64_t total) {
    std::vector<std::int64_t> result(parts.size());
    const std::int64_t sum = std::accumulate(parts.begin(), parts.end(), std::int64_t{0});
    if (sum <= 0)
        return result;
    // Rounded sums, so that what one part loses by rounding the next one gains.
    std::int64_t before = 0;
    std::int64_t given = 0;
    for (std::size_t i = 0; i < parts.size(); ++i) {
        before += parts[i];
        const std::int64_t upTo =
            before == sum
                ? total
                : (total / sum) * before + std::llround(real(total % sum) * (real(before) / real(sum)));
        result[i] = parts[i] == 0 ? 0 : upTo - given;
        given += result[i];
    }
    return result;
}

Result<std::vector<Cycles>> loadStepDivision(const ProfileDatabase& database, RunId run) {
    const Result<RunSummary> summary = loadRun(database, run);
    if (!summary)
        return failure(summary.error());
    const Result<std::vector<LaneRecord>> lanes = loadLanes(database, run);
    if (!lanes)
        return failure(lanes.error());
    const Result<StageProgramMap> programs = loadStagePrograms(database, run);
    if (!programs)
        return failure(programs.error());
    const std::int64_t ipus = std::count_if(
        lanes->begin(), lanes->end(), [](const LaneRecord& lane) { return lane.kind == LaneKind::Compute; });
    if (ipus == 0)
        return std::vector<Cycles>{};
    return guardedPart(database, timelineEvents, [&]() -> Result<std::vector<Cycles>> {
        std::vector<std::int64_t> sums(stepPartCount);
        std::int64_t recorded = 0;
        for (const auto& [group, cycles] : groupedSpans(database, run)) {
            const auto& [kind, cause, stage] = group;
            recorded += cycles.value();
            if (kind == SpanKind::Idle) {
                sums[cause ? firstIdle + static_cast<std::size_t>(*cause) : unrecordedPart] += cycles.value();
                continue;
            }
            const auto work = apportioned(workOf(*programs, stage, kind), cycles.value());
            for (std::size_t part = 0; part < workParts; ++part)
                sums[part] += work[part];
        }
        sums[unrecordedPart] += std::max<std::int64_t>(0, summary->step.value() * ipus - recorded);
        std::vector<Cycles> division;
        for (const std::int64_t part : apportioned(sums, summary->step.value()))
            division.emplace_back(part);
        return division;
    });
}

std::vector<ComparedStepPart> comparedParts(std::span<const std::vector<std::int64_t>> divisions,
                                            ComparedStepPart (*partOf)(std::size_t)) {
    std::vector<ComparedStepPart> parts;
    for (std::size_t part = 0; !divisions.empty() && part < divisions.front().size(); ++part) {
        ComparedStepPart compared = partOf(part);
        for (const std::vector<std::int64_t>& division : divisions)
            compared.cycles.emplace_back(division[part]);
        if (std::ranges::any_of(compared.cycles, [](Cycles cycles) { return cycles.value() != 0; }))
            parts.push_back(std::move(compared));
    }
    return parts;
}

Result<std::vector<ComparedStepPart>> compareSteps(const ProfileDatabase& database,
                                                   const RunComparison& comparison) {
    const double baseHz = comparison.summaries[comparison.baseline].provenance.clockHz;
    std::vector<std::vector<std::int64_t>> divisions;
    for (std::size_t run = 0; run < comparison.runs.size(); ++run) {
        const Result<std::vector<Cycles>> division = loadStepDivision(database, comparison.runs[run]);
        if (!division)
            return failure(division.error());
        if (division->empty())
            return std::vector<ComparedStepPart>{};
        std::vector<std::int64_t> cycles;
        for (const Cycles part : *division)
            cycles.push_back(part.value());
        const RunSummary& summary = comparison.summaries[run];
        const Cycles step = inOtherClock(summary.step, summary.provenance.clockHz, baseHz);
        divisions.push_back(apportioned(cycles, step.value()));
    }
    return comparedParts(divisions, [](std::size_t part) {
        return ComparedStepPart{stepPartName(part), stepPartLabel(part), {}};
    });
}

} // namespace core
