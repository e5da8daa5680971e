#include "simulator/planner/search/priced_chains.h"

#include "core/project/validate.h"
#include "simulator/planner/stage_plan.h"

#include <algorithm>
#include <fmt/format.h>

namespace simulator {

namespace {

/// The tables of a chain grow with the square of its length: at this one to some 400 MB.
constexpr std::size_t mostLayers = 2000;

} // namespace

PricedChains::Key PricedChains::keyOf(const PlanChoice& choice) {
    return {choice.batchSize, choice.memoryProportion, choice.stages > 1 || choice.accumulation > 1};
}

bool PricedChains::isAsOwn(const PlanChoice& choice) const {
    PlanChoice own = choice;
    own.memoryProportion = std::nullopt;
    const auto priced = m_chains.find(keyOf(choice));
    const auto ofProject = m_chains.find(keyOf(own));
    return choice.memoryProportion && priced != m_chains.end() && ofProject != m_chains.end() &&
           priced->second == ofProject->second;
}

core::Result<const ChainTable*> PricedChains::of(const PlanChoice& choice) {
    const Key key = keyOf(choice);
    const bool accumulates = std::get<bool>(key);
    if (const auto known = m_chains.find(key); known != m_chains.end())
        return &known->second->table;
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
    if (source->layers > mostLayers)
        return core::failure(
            core::makeError(core::Trouble::Input, "plan/too-many-layers", {m_request.file, "/model"},
                            fmt::format("the search takes models of up to {} layer calls; this one has {}",
                                        mostLayers, source->layers),
                            {"`plan --stages N` cuts larger models"}));
    m_target = source->system.target;
    std::shared_ptr<const Priced> chain = samePlans(key, source->plans);
    if (chain == nullptr)
        chain = std::make_shared<const Priced>(ChainTable(chainBounds(*source)), std::move(source->plans));
    return &m_chains.emplace(key, std::move(chain)).first->second->table;
}

std::shared_ptr<const PricedChains::Priced>
PricedChains::samePlans(const Key& key, const std::vector<OperationPlan>& plans) const {
    const auto isSame = [&](const auto& known) {
        return std::get<std::int64_t>(known.first) == std::get<std::int64_t>(key) &&
               std::get<bool>(known.first) == std::get<bool>(key) && known.second->plans == plans;
    };
    const auto same = std::ranges::find_if(m_chains, isSame);
    return same == m_chains.end() ? nullptr : same->second;
}

std::int64_t PricedChains::memoryLimit() const {
    const std::int64_t whole = m_target->memoryBytes();
    return std::min(whole, m_request.memoryLimit.value_or(whole));
}

} // namespace simulator
