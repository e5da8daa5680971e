#include "simulator/planner/search/priced_chains.h"

#include "core/project/validate.h"
#include "simulator/planner/stage_plan.h"

#include <algorithm>

namespace simulator {

PricedChains::Key PricedChains::keyOf(const PlanChoice& choice) {
    return {choice.batchSize, choice.memoryProportion, choice.stages > 1 || choice.accumulation > 1};
}

bool PricedChains::isAsOwn(const PlanChoice& choice) const {
    PlanChoice own = choice;
    own.memoryProportion = std::nullopt;
    const auto priced = m_chains.find(keyOf(choice));
    const auto ofProject = m_chains.find(keyOf(own));
    return choice.memoryProportion && priced != m_chains.end() && ofProject != m_chains.end() &&
           priced->second.plans == ofProject->second.plans;
}

core::Result<const ChainTable*> PricedChains::of(const PlanChoice& choice) {
    const Key key = keyOf(choice);
    const bool accumulates = std::get<bool>(key);
    if (const auto known = m_chains.find(key); known != m_chains.end())
        return known->second.table.get();
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
    auto source = partitionSource(*validated, m_cache, m_request.folder);
    if (!source)
        return core::failure(source.error());
    m_target = source->system.target;
    auto table = std::make_unique<const ChainTable>(chainBounds(*source));
    return m_chains.emplace(key, Priced{std::move(table), std::move(source->plans)})
        .first->second.table.get();
}

std::int64_t PricedChains::memoryLimit() const {
    const std::int64_t whole = m_target->memoryBytes();
    return std::min(whole, m_request.memoryLimit.value_or(whole));
}

} // namespace simulator
