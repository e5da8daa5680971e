#include "simulator/memory/blocks_by_step.h"

#include <numeric>

namespace simulator {

namespace {

template <class StepsOf, class Visit>
void forEachBlock(const IpuMemoryPlan& plan, StepsOf stepsOf, Visit visit) {
    for (std::uint32_t index = 0; index < plan.blocks.size(); ++index) {
        const MemoryBlock& block = plan.blocks[index];
        if (block.alwaysLive() || block.mapping.tileCount == 0)
            continue;
        const auto [inOrder, aroundEnd] = stepsOf(block.interval);
        visit(inOrder, index);
        if (block.interval.wraps())
            visit(aroundEnd, index);
    }
}

} // namespace

template <class StepsOf>
BlocksByStep::Lists::Lists(const IpuMemoryPlan& plan, StepsOf stepsOf)
    : m_first(plan.steps.size() + 1, 0) {
    forEachBlock(plan, stepsOf, [&](std::uint32_t step, std::uint32_t) { ++m_first[step + 1]; });
    std::partial_sum(m_first.begin(), m_first.end(), m_first.begin());
    m_blocks.resize(m_first.back());
    std::vector<std::uint32_t> next(m_first.begin(), m_first.end() - 1);
    forEachBlock(plan, stepsOf,
                 [&](std::uint32_t step, std::uint32_t block) { m_blocks[next[step]++] = block; });
}

BlocksByStep::BlocksByStep(const IpuMemoryPlan& plan)
    : m_begin(plan, [](LiveInterval interval) { return std::pair(interval.first, 0U); })
    , m_end(plan, [&](LiveInterval interval) { return std::pair(interval.last, plan.slotEnd); }) {}

} // namespace simulator
