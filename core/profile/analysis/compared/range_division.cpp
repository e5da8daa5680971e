#include "core/profile/analysis/compared/range_division.h"

#include "core/profile/queries/timeline_queries.h"
#include "core/profile/records/span_label.h"

#include <algorithm>

namespace core {

namespace {

/// Kinds, then causes in place of the kind Idle, then what was not recorded.
constexpr std::size_t partCount = spanKindCount + idleCauseCount + 1;

ComparedStepPart partOf(std::size_t part) {
    if (part < spanKindCount) {
        const auto kind = static_cast<SpanKind>(part);
        return {std::string(toString(kind)), std::string(spanKindLabel(kind)), {}};
    }
    // Those of a step stand behind each other, too.
    const std::size_t idle = static_cast<std::size_t>(StepPart::FirstIdle) + part - spanKindCount;
    return {stepPartName(idle), stepPartLabel(idle), {}};
}

std::vector<std::int64_t> sumsOf(const std::vector<LaneStatistics>& lanes) {
    std::vector<std::int64_t> sums(partCount);
    for (const LaneStatistics& lane : lanes) {
        for (std::size_t kind = 0; kind < spanKindCount; ++kind)
            if (static_cast<SpanKind>(kind) != SpanKind::Idle)
                sums[kind] += lane.byKind[kind].value();
        for (std::size_t cause = 0; cause < idleCauseCount; ++cause)
            sums[spanKindCount + cause] += lane.idleByCause[cause].value();
        sums.back() += lane.unrecorded.value();
    }
    return sums;
}

} // namespace

Result<std::vector<ComparedStepPart>> compareRanges(const ProfileDatabase& database,
                                                    const RunComparison& comparison,
                                                    std::span<const CycleRange> ranges) {
    const double baseHz = comparison.summaries[comparison.baseline].provenance.clockHz;
    std::vector<std::vector<std::int64_t>> divisions;
    for (std::size_t run = 0; run < comparison.runs.size(); ++run) {
        const RunSummary& summary = comparison.summaries[run];
        const Cycles from = std::clamp(ranges[run].from, Cycles(), summary.step);
        const Cycles to = std::clamp(ranges[run].to, from, summary.step);
        std::vector<LaneStatistics> lanes;
        if (to > from) {
            auto statistics = areaStatistics(database, comparison.runs[run], from, to);
            if (!statistics)
                return failure(statistics.error());
            if (statistics->empty())
                return std::vector<ComparedStepPart>();
            lanes = *std::move(statistics);
        }
        const Cycles length = inOtherClock(to - from, summary.provenance.clockHz, baseHz);
        divisions.push_back(apportioned(sumsOf(lanes), length.value()));
    }
    return comparedParts(divisions, partOf);
}

} // namespace core
