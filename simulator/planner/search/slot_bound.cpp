#include "simulator/planner/search/slot_bound.h"

#include <algorithm>
#include <map>
#include <set>

namespace simulator {

SlotBound::SlotBound(const core::PipelineSchedule& schedule, bool recompute, bool wraps)
    : m_stages(schedule.shape.stages)
    , m_factors(m_stages) {
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
        m_groups.push_back({count, items});
        if (items.empty())
            continue;
        if (items == all) {
            m_fullSlots += count;
            continue;
        }
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
}

std::size_t SlotBound::ipusIn(const std::vector<Item>& items, bool wraps) const {
    std::set<std::size_t> stages;
    for (const Item& item : items)
        stages.insert(wraps && item.stage + 1 == m_stages ? 0 : item.stage);
    return stages.size();
}

std::int64_t SlotBound::workOf(const Item& item, const StageWork& work) {
    switch (item.phase) {
    case core::Phase::Forward:
        return work.forward;
    case core::Phase::Backward:
        return work.backward;
    case core::Phase::Recompute:
        return work.recompute;
    default:
        return 0;
    }
}

double SlotBound::share(std::size_t stage, const StageWork& work) const {
    const Factors& factors = m_factors[stage];
    return factors.forward * static_cast<double>(work.forward) +
           factors.backward * static_cast<double>(work.backward) +
           factors.recompute * static_cast<double>(work.recompute) +
           factors.update * static_cast<double>(work.update);
}

std::int64_t SlotBound::cycles(std::span<const StageWork> work, std::span<const std::size_t> ipus) const {
    std::int64_t total = 0;
    std::vector<std::int64_t> ofIpu(m_stages);
    for (const SlotGroup& group : m_groups) {
        std::ranges::fill(ofIpu, 0);
        for (const Item& item : group.items)
            ofIpu[ipus[item.stage]] += workOf(item, work[item.stage]);
        total += group.count * *std::ranges::max_element(ofIpu);
    }
    std::ranges::fill(ofIpu, 0);
    for (std::size_t stage = 0; stage < m_stages; ++stage)
        ofIpu[ipus[stage]] += work[stage].update;
    return total + *std::ranges::max_element(ofIpu);
}

} // namespace simulator
