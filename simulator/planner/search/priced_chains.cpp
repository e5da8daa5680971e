#include "simulator/planner/search/priced_chains.h"

#include "core/project/validate.h"
#include "simulator/planner/stage_plan.h"

#include <algorithm>

namespace simulator {

core::Result<const ChainTable*> PricedChains::of(const PlanChoice& choice) {
    const bool accumulates = choice.stages > 1 || choice.accumulation > 1;
    const Key key{choice.batchSize, choice.memoryProportion, accumulates};
    if (const auto known = m_chains.find(key); known != m_chains.end())
        return known->second.get();
    PlanChoice priced = choice;
    priced.stages = 1;
    priced.replicas = 1;
    priced.accumulation = accumulates ? 2 : 1;
    auto project = withPlanChoice(m_request.project, priced, {}, {});
    if (!project)
        return core::failure(std::move(project.error()));
    const auto validated =
        core::validate(projectForPricing(std::move(*project)), core::RunMode::Train, {}, m_request.file);
    if (!validated)
        return core::failure(validated.error());
    const auto source = partitionSource(*validated, m_cache, m_request.folder);
    if (!source)
        return core::failure(source.error());
    m_target = source->system.target;
    auto table = std::make_unique<const ChainTable>(chainBounds(*source));
    return m_chains.emplace(key, std::move(table)).first->second.get();
}

std::int64_t PricedChains::memoryLimit() const {
    const std::int64_t whole = m_target->memoryBytes();
    return std::min(whole, m_request.memoryLimit.value_or(whole));
}

} // namespace simulator
