#include "core/profile/analysis/compared/range_division.h"

#include "core/profile/queries/timeline_queries.h"

#include <algorithm>
#include <cctype>
#include <cmath>

namespace core {

namespace {

/// Kinds, then causes in place of the kind Idle, then what was not recorded.
constexpr std::size_t partCount = spanKindCount + idleCauseCount + 1;

/// "Weight update" of "weight_update".
std::string labelOf(SpanKind kind) {
    std::string label(toString(kind));
    std::ranges::replace(label, '_', ' ');
    label.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(label.front())));
    return label;
}

ComparedStepPart partOf(std::size_t part) {
    if (part < spanKindCount) {
        const auto kind = static_cast<SpanKind>(part);
        return {std::string(toString(kind)), labelOf(kind), {}};
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
        const double hz = summary.provenance.clockHz;
        const bool isOtherClock = hz != baseHz && hz > 0 && baseHz > 0;
        const std::int64_t length = (to - from).value();
        divisions.push_back(
            apportioned(sumsOf(lanes), isOtherClock ? std::llround(real(length) * baseHz / hz) : length));
    }
    std::vector<ComparedStepPart> parts;
    for (std::size_t part = 0; part < partCount; ++part) {
        ComparedStepPart compared = partOf(part);
        for (const std::vector<std::int64_t>& division : divisions)
            compared.cycles.emplace_back(division[part]);
        if (std::ranges::any_of(compared.cycles, [](Cycles cycles) { return cycles.value() != 0; }))
            parts.push_back(std::move(compared));
    }
    return parts;
}

} // namespace core
