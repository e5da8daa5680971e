#include "simulator/planner/timed_updates.h"

#include "simulator/engine/clock/executions.h"
#include "simulator/engine/clock/slot_pattern.h"

#include <algorithm>
#include <array>

namespace simulator {

namespace {

/// Of all updates together, eight bytes each, their slots and work items with them; and updates, a kilobyte
/// each.
constexpr std::size_t mostCalls = 4'000'000;
constexpr std::size_t mostUpdates = 20'000;
/// Depths of the host's queues that one update is known for.
constexpr std::size_t mostDepths = 256;

/// What each IPU works in an update, which work and idling fill: the sums of `computeLane`, without the lane.
std::vector<core::Cycles> busyCycles(const CompiledPipeline& pipeline) {
    // Items are many and programs few.
    std::array<std::vector<std::int64_t>, core::phaseCount> runs;
    for (std::vector<std::int64_t>& ofPhase : runs)
        ofPhase.resize(pipeline.stages.size());
    for (const WorkItem& item : pipeline.schedule.items)
        ++runs[static_cast<std::size_t>(item.phase)][item.stage.index()];
    std::vector<core::Cycles> busy(pipeline.ipuCount());
    for (std::size_t phase = 0; phase < runs.size(); ++phase)
        for (std::size_t stage = 0; stage < runs[phase].size(); ++stage)
            if (runs[phase][stage] > 0)
                busy[pipeline.ipus[stage].index()] +=
                    computeCycles(pipeline, static_cast<Phase>(phase), core::StageId(stage)) *
                    runs[phase][stage];
    for (std::size_t stage = 0; pipeline.schedule.weightUpdateAfterSlot && stage < pipeline.stages.size();
         ++stage)
        busy[pipeline.ipus[stage].index()] +=
            computeCycles(pipeline, Phase::WeightUpdate, core::StageId(stage));
    return busy;
}

std::pair<std::int64_t, std::int64_t> depthsOf(const CompiledPipeline& pipeline) {
    return {pipeline.execution.prefetchDepth, pipeline.execution.bufferDepth};
}

} // namespace

core::IpuEstimate memoryEstimate(const IpuMemoryPlan& memory) {
    const auto category = [&](core::MemoryCategory of) {
        return memory.summary.byCategory[static_cast<std::size_t>(of)];
    };
    core::IpuEstimate ipu;
    ipu.ipu = memory.ipu;
    ipu.limit = memory.summary.limit;
    ipu.peak = memory.summary.peak;
    ipu.alwaysLive = memory.summary.alwaysLive;
    ipu.stash = category(core::MemoryCategory::Stash);
    ipu.temporary = category(core::MemoryCategory::Temporary);
    ipu.worstTile = memory.summary.worstTile;
    ipu.worstTileBytes = memory.summary.worstTileBytes;
    return ipu;
}

std::size_t TimedUpdates::KeyHash::operator()(const Key& key) const {
    std::size_t hash = std::hash<std::uint64_t>()(key.programs);
    const auto add = [&](std::size_t value) {
        hash = hash * 0x9e3779b97f4a7c15ULL + (value ^ (hash >> 29U));
    };
    add(std::hash<const void*>()(key.schedule));
    for (const std::int64_t place : key.places)
        add(static_cast<std::size_t>(place));
    for (const double figure : {key.links.linkBytesPerSecond, key.links.linkEfficiency,
                                key.links.syncSecondsPerHop, key.links.furtherHopShare})
        add(std::hash<double>()(figure));
    return hash;
}

std::size_t
TimedUpdates::SlotsHash::operator()(const std::pair<std::uint64_t, const TracedSchedule*>& key) const {
    return std::hash<std::uint64_t>()(key.first) * 0x9e3779b97f4a7c15ULL +
           std::hash<const void*>()(key.second);
}

TimedUpdates::Slots TimedUpdates::makeSlots(const ProgramCache::Entry& entry, ProgramCache& programs) {
    const CompiledPipeline& pipeline = programs.withSlots(entry);
    Slots slots{entry.schedule, slotPattern(pipeline), {}, {}, busyCycles(pipeline)};
    slots.sums = updateSums(pipeline, slots.pattern);
    if (slots.sums)
        slots.pattern.kindOfSlot = {};
    else
        slots.repeats = core::slotRepeats(pipeline.schedule);
    return slots;
}

TimedUpdates::Known TimedUpdates::time(const ProgramCache::Entry& entry, ProgramCache& programs,
                                       Slots& slots) {
    const CompiledPipeline& pipeline = slots.sums ? entry.pipeline : programs.withSlots(entry);
    Known known;
    known.ofPrograms = &slots;
    placeAnew(slots.pattern, pipeline);
    if (slots.sums) {
        known.unhindered = unhinderedLength(pipeline, slots.pattern, *slots.sums);
        known.pauses = slots.sums->pauses;
    } else {
        const UnhinderedItems items = unhinderedItems(pipeline, slots.pattern, slots.repeats);
        known.unhindered = unhinderedLength(pipeline, slots.pattern, items);
        known.pauses = items.pauses;
    }
    known.update.calls.waits = true; // there is none yet that others could be asked with
    known.totals.clockHz = pipeline.system.target.clockHz;
    known.totals.fits = pipeline.memory.fits();
    for (std::size_t ipu = 0; ipu < pipeline.ipuCount(); ++ipu) {
        known.totals.ipus.push_back(memoryEstimate(pipeline.memory.ipus[ipu]));
        known.totals.ipus.back().busy = slots.busy[ipu];
        known.busy += slots.busy[ipu];
    }
    ++m_timed;
    return known;
}

core::Cycles TimedUpdates::lengthOf(Known& known, const ProgramCache::Entry& entry, ProgramCache& programs) {
    const CompiledPipeline& pipeline = entry.pipeline;
    if (hostKeepsUp(pipeline, known.pauses))
        return known.unhindered;
    if (hostKeepsUp(pipeline, known.update))
        return known.update.total;
    const auto depths = depthsOf(pipeline);
    const auto same = std::ranges::find(known.waiting, depths, &decltype(known.waiting)::value_type::first);
    if (same != known.waiting.end())
        return same->second;
    const CompiledPipeline& whole = programs.withSlots(entry);
    UpdateLength update = updateLength(whole, slotPattern(whole));
    // The first time belongs to the one without the host.
    const bool isFirst = known.update.total == core::Cycles() && known.waiting.empty();
    m_timed += isFirst ? 0 : 1;
    const core::Cycles total = update.total;
    if (!update.calls.waits) {
        m_calls += update.calls.takes.size() + update.calls.puts.size();
        known.update = std::move(update);
    } else if (known.waiting.size() < mostDepths) {
        known.waiting.emplace_back(depths, total);
    }
    return total;
}

core::PlanEstimate TimedUpdates::totals(const ProgramCache::Entry& entry, ProgramCache& programs) {
    const CompiledPipeline& pipeline = entry.pipeline;
    m_latest = entry.number;
    Slots ownSlots;
    Known own;
    Known* known = nullptr;
    if (entry.schedule == nullptr) {
        ownSlots = makeSlots(entry, programs);
        own = time(entry, programs, ownSlots);
        known = &own;
    } else {
        Key key{entry.number, entry.schedule.get(), pipeline.system.physicalIndex,
                linkFiguresOf(pipeline.system.target)};
        auto found = m_known.find(key);
        if (found == m_known.end()) {
            if (m_known.size() >= mostUpdates || m_calls >= mostCalls) {
                m_known.clear();
                m_slots.clear();
                m_calls = 0;
            }
            auto [slots, isNew] = m_slots.try_emplace({entry.number, entry.schedule.get()});
            if (isNew) {
                slots->second = makeSlots(entry, programs);
                m_calls += slots->second.pattern.kindOfSlot.size() + slots->second.repeats.size();
            }
            found = m_known.emplace(std::move(key), time(entry, programs, slots->second)).first;
            const HostCalls& calls = found->second.update.calls;
            m_calls += calls.takes.size() + calls.puts.size();
        }
        known = &found->second;
    }
    core::PlanEstimate result = known->totals;
    UpdateTiming timing;
    timing.total = lengthOf(*known, entry, programs);
    result.step = timing.total;
    result.samplesPerSecond = samplesPerSecond(pipeline, timing);
    const auto ipus = static_cast<std::int64_t>(pipeline.ipuCount());
    result.idleFraction = ratio(timing.total * ipus - known->busy, timing.total * ipus);
    return result;
}

} // namespace simulator
