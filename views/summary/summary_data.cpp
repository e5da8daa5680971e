#include "views/summary/summary_data.h"

#include "core/profile/queries/memory_queries.h"
#include "core/profile/queries/run_queries.h"
#include "views/common/text/unit_words.h"

#include <algorithm>

namespace views {

namespace {

constexpr std::size_t mostHolders = 8;
/// Spans of the small timeline are told apart where they are wider than this share of it.
constexpr std::int64_t timelineBins = 1000;

core::Result<void> addHolders(const core::ProfileDatabase& database, SummaryData& data) {
    const core::IpuMemorySummary* fullest = data.fullest();
    if (fullest == nullptr)
        return {};
    const auto steps = core::loadLivenessSteps(database, data.run, fullest->ipu);
    if (!steps)
        return core::failure(steps.error());
    auto ranges = core::liveRanges(database, data.run, fullest->ipu);
    if (!ranges)
        return core::failure(ranges.error());
    const auto peak = std::ranges::max_element(*steps, {}, &core::LivenessStepRecord::live);
    const std::int64_t step = peak == steps->end() ? 0 : peak->step;
    std::erase_if(*ranges, [step](const core::LiveRangeRecord& range) {
        return !range.alwaysLive && (step < range.firstStep || range.lastStep < step);
    });
    std::ranges::stable_sort(*ranges, std::greater(), &core::LiveRangeRecord::bytes);
    for (const core::LiveRangeRecord& range : *ranges) {
        if (data.holders.size() < mostHolders) {
            data.holders.push_back({range.name, range.layer, range.category, range.bytes});
        } else {
            ++data.otherBlocks;
            data.otherBytes += range.bytes;
        }
    }
    return {};
}

} // namespace

const core::IpuMemorySummary* SummaryData::fullest() const {
    const auto found = std::ranges::max_element(summary.memory, {}, [](const core::IpuMemorySummary& memory) {
        return ratio(memory.peak, memory.limit);
    });
    return found == summary.memory.end() ? nullptr : &*found;
}

core::Cycles SummaryData::idle(core::IdleCause cause) const {
    const auto at = static_cast<std::size_t>(cause);
    return at < summary.idleByCause.size() ? summary.idleByCause[at] : core::Cycles();
}

core::Cycles SummaryData::allTime() const {
    return summary.step * summary.provenance.ipusPerReplica;
}

core::Result<SummaryData> loadSummary(const core::ProfileDatabase& database, core::RunId run,
                                      const Units& units) {
    SummaryData data;
    data.run = run;
    auto summary = core::loadRun(database, run);
    if (!summary)
        return core::failure(summary.error());
    data.summary = *std::move(summary);
    auto verdict = core::loadRunVerdict(database, run, unitWords(units, data.summary.provenance.clockHz));
    if (!verdict)
        return core::failure(verdict.error());
    data.verdict = *std::move(verdict);
    auto lanes = core::areaStatistics(database, run, core::Cycles(), data.summary.step);
    if (!lanes)
        return core::failure(lanes.error());
    data.lanes = *std::move(lanes);
    if (auto added = addHolders(database, data); !added)
        return core::failure(added.error());
    auto timeline = loadMiniTimeline(database, run, timelineBins);
    if (!timeline)
        return core::failure(timeline.error());
    data.timeline = *std::move(timeline);
    return data;
}

} // namespace views
