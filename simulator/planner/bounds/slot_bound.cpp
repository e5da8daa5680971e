#include "simulator/planner/bounds/slot_bound.h"

#include <algorithm>
#include <map>
#include <set>

namespace simulator {

namespace {

/// Of fewer stages the slowest is no better a bound than the mean of all.
constexpr std::size_t leastSuffix = 3;

} // namespace

SlotBound::SlotBound(const core::PipelineSchedule& schedule, bool recompute, bool wraps)
    : m_stages(schedule.shape.stages)
    , m_microBatches(schedule.shape.microBatches)
    , m_suffixSlots(m_stages, 0)
    , m_factors(m_stages) {
    m_prefixSlots.fill(std::vector<std::int64_t>(m_stages, 0));
    const bool hasRecomputeItems = std::ranges::any_of(
        schedule.items, [](const core::WorkItem& item) { return item.phase == core::Phase::Recompute; });
    const auto computes = [&](const core::WorkItem& item) { return schedule.computes(item); };
    std::map<std::vector<Item>, std::int64_t> counts;
    std::vector<Item> all;
    for (const core::Slot& slot : schedule.timeSlots) {
        std::vector<Item> items;
        for (const core::WorkItem& item : schedule.work(slot)) {
            const std::size_t stage = item.stage.index();
            if (!computes(item))
                continue;
            items.push_back({item.phase, stage});
            if (item.phase != core::Phase::Backward)
                continue;
            // The backward program of a merged stage holds its forward work, one without work items for it
            // the recomputation.
            if (schedule.lastForwardMerged && stage + 1 == m_stages)
                items.push_back({core::Phase::Forward, stage});
            if (recompute && !hasRecomputeItems)
                items.push_back({core::Phase::Recompute, stage});
        }
        std::ranges::sort(items);
        ++counts[items];
    }
    for (std::size_t stage = 0; stage < m_stages; ++stage) {
        all.push_back({core::Phase::Forward, stage});
        all.push_back({core::Phase::Backward, stage});
        // The last stage never recomputes.
        if (recompute && (stage + 1 < m_stages || !hasRecomputeItems))
            all.push_back({core::Phase::Recompute, stage});
    }
    std::ranges::sort(all);
    for (const auto& [items, count] : counts) {
        m_groups.push_back({count, items, programsOf(items)});
        if (items.empty())
            continue;
        if (items == all) {
            m_fullSlots += count;
            continue;
        }
        if (const std::size_t first = suffixOf(items, all); first + leastSuffix <= m_stages) {
            m_suffixSlots[first] += count;
            continue;
        }
        if (addPrefix(m_groups.back(), all))
            continue;
        const double share = static_cast<double>(count) / static_cast<double>(ipusIn(items, wraps));
        for (const Item& item : items) {
            Factors& factors = m_factors[item.stage];
            (item.phase == core::Phase::Forward    ? factors.forward
             : item.phase == core::Phase::Backward ? factors.backward
                                                   : factors.recompute) += share;
        }
    }
    if (schedule.weightUpdateAfterSlot)
        for (Factors& factors : m_factors)
            factors.update = 1.0 / static_cast<double>(m_stages - (wraps && m_stages > 1 ? 1 : 0));
    addCopies(schedule);
}

bool SlotBound::addPrefix(const SlotGroup& group, const std::vector<Item>& all) {
    const auto does = [&](core::Phase phase, std::size_t stage) {
        return std::ranges::binary_search(group.items, Item{phase, stage});
    };
    // A stage without recomputation has no such item anywhere.
    const auto doesBackward = [&](std::size_t stage) {
        return does(core::Phase::Backward, stage) &&
               (does(core::Phase::Recompute, stage) ||
                !std::ranges::binary_search(all, Item{core::Phase::Recompute, stage}));
    };
    const auto isDone = [&](PrefixWork kind, std::size_t stage) {
        return (kind == PrefixWork::Backward || does(core::Phase::Forward, stage)) &&
               (kind == PrefixWork::Forward || doesBackward(stage));
    };
    for (const PrefixWork kind : {PrefixWork::All, PrefixWork::Backward, PrefixWork::Forward}) {
        std::size_t stages = 0;
        while (stages < m_stages && isDone(kind, stages))
            ++stages;
        if (stages < leastSuffix)
            continue;
        m_prefixSlots[static_cast<std::size_t>(kind)][stages - 1] += group.count;
        return true;
    }
    return false;
}

/// The first of the stages that do all of their work up to the last one; the number of stages where there is
/// none.
std::size_t SlotBound::suffixOf(const std::vector<Item>& items, const std::vector<Item>& all) const {
    std::size_t first = m_stages;
    const auto isDone = [&](std::size_t stage) {
        return std::ranges::all_of(all, [&](const Item& item) {
            return item.stage != stage || std::ranges::binary_search(items, item);
        });
    };
    while (first > 0 && isDone(first - 1))
        --first;
    return first;
}

/// As `slotPattern` has it: in a pipeline whose ramps copy all, slots a cycle apart copy the same.
void SlotBound::addCopies(const core::PipelineSchedule& schedule) {
    if (schedule.isAsynchronous || m_stages < 2)
        return;
    const std::size_t classes = schedule.rampsCopyAll ? schedule.cycle : schedule.timeSlots.size();
    const CopyGroup none{0, std::vector<bool>(m_stages), std::vector<bool>(m_stages)};
    std::vector<CopyGroup> groups(classes, none);
    for (std::size_t slot = 0; slot < schedule.timeSlots.size(); ++slot) {
        CopyGroup& group = groups[slot % classes];
        ++group.count;
        for (const core::WorkItem& item : schedule.work(schedule.timeSlots[slot])) {
            const std::size_t stage = item.stage.index();
            if (item.phase == core::Phase::Forward && stage + 1 < m_stages)
                group.up[stage] = true;
            else if (item.phase == core::Phase::Backward && stage > 0)
                group.down[stage - 1] = true;
        }
    }
    for (const CopyGroup& group : groups) {
        const auto copies = std::ranges::count(group.up, true) + std::ranges::count(group.down, true);
        std::vector<CopyGroup>& known = copies > 1 ? m_copies : m_singleCopies;
        const auto same = std::ranges::find_if(
            known, [&](const CopyGroup& other) { return other.up == group.up && other.down == group.down; });
        if (same != known.end())
            same->count += group.count;
        else if (copies == 1 || (copies > 1 && known.size() < SlotCopies().size()))
            known.push_back(group);
    }
}

std::int64_t SlotBound::longestCopy(const CopyGroup& group, const CopyBound& copies, std::size_t stage,
                                    std::size_t end) {
    return std::max(group.up[stage] ? copies.forward(stage, end) : 0,
                    group.down[stage] ? copies.backward(stage, end) : 0);
}

std::int64_t SlotBound::copyCycles(const CopyBound& copies, std::size_t stage, std::size_t end) const {
    std::int64_t cycles = 0;
    for (const CopyGroup& group : m_singleCopies)
        if (const std::int64_t longest = longestCopy(group, copies, stage, end); longest > 0)
            cycles += group.count * (longest + copies.syncCycles());
    return cycles;
}

SlotCopies SlotBound::withCopies(SlotCopies known, const CopyBound& copies, std::size_t stage,
                                 std::size_t end) const {
    for (std::size_t kind = 0; kind < m_copies.size(); ++kind)
        known[kind] = std::max(known[kind], longestCopy(m_copies[kind], copies, stage, end));
    return known;
}

std::int64_t SlotBound::sharedCopyCycles(const CopyBound& copies, const SlotCopies& known,
                                         std::int64_t longest) const {
    std::int64_t cycles = 0;
    std::int64_t more = 0;
    for (std::size_t kind = 0; kind < m_copies.size(); ++kind) {
        const auto cyclesOf = [&](std::int64_t copy) {
            return copy > 0 ? m_copies[kind].count * (copy + copies.syncCycles()) : 0;
        };
        const std::int64_t least = cyclesOf(known[kind]);
        const std::int64_t withLongest = cyclesOf(std::max(known[kind], longest)) - least;
        cycles += least;
        more = kind == 0 ? withLongest : std::min(more, withLongest);
    }
    return cycles + more;
}

std::size_t SlotBound::ipusIn(const std::vector<Item>& items, bool wraps) const {
    std::set<std::size_t> stages;
    for (const Item& item : items)
        stages.insert(wraps && item.stage + 1 == m_stages ? 0 : item.stage);
    return stages.size();
}

std::vector<SlotBound::StagePrograms> SlotBound::programsOf(const std::vector<Item>& items) const {
    std::vector<StagePrograms> programs(m_stages);
    for (const Item& item : items) {
        StagePrograms& ofStage = programs[item.stage];
        ++(item.phase == core::Phase::Forward    ? ofStage.forward
           : item.phase == core::Phase::Backward ? ofStage.backward
                                                 : ofStage.recompute);
    }
    return programs;
}

std::int64_t SlotBound::workIn(std::size_t kind, std::size_t stage, const StageWork& work) const {
    if (kind == m_groups.size())
        return work.update;
    const StagePrograms& programs = m_groups[kind].programs[stage];
    return programs.forward * work.forward + programs.backward * work.backward +
           programs.recompute * work.recompute;
}

double SlotBound::share(std::size_t stage, const StageWork& work) const {
    const Factors& factors = m_factors[stage];
    return factors.forward * static_cast<double>(work.forward) +
           factors.backward * static_cast<double>(work.backward) +
           factors.recompute * static_cast<double>(work.recompute);
}

std::int64_t SlotBound::cycles(std::span<const StageWork> work, std::span<const std::size_t> ipus) const {
    std::int64_t total = 0;
    std::vector<std::int64_t> ofIpu(m_stages);
    for (std::size_t kind = 0; kind < kinds(); ++kind) {
        std::ranges::fill(ofIpu, 0);
        for (std::size_t stage = 0; stage < m_stages; ++stage)
            ofIpu[ipus[stage]] += workIn(kind, stage, work[stage]);
        total += slotsOf(kind) * *std::ranges::max_element(ofIpu);
    }
    return total;
}

} // namespace simulator
