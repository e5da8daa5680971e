#include "simulator/planner/search/priced_chains.h"

#include "core/config/ipu_config/ipu_config_values.h"
#include "core/project/validate.h"
#include "simulator/cost/communication.h"
#include "simulator/engine/clock/infeed_queue.h"
#include "simulator/planner/stage_plan.h"
#include "simulator/target/link_topology.h"

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

bool PricedChains::streamsInputs() const {
    return !m_request.project.training.syntheticData.infeed &&
           core::optionInteger(m_request.project.ipuConfig, "io_tiles.num_io_tiles") == 0;
}

namespace {

/// The slowest copy of a slot is at least that of the largest among as few bytes as the cuts can have.
std::int64_t leastExchange(const PricedChains& chains, const ChainTable& chain, const PlanChoice& choice) {
    const std::size_t merged = chain.bounds().sharedWeights.size();
    if (choice.stages < 2 + merged)
        return 0;
    std::vector<std::int64_t> cuts;
    for (std::size_t layer = 0; layer + 1 < chain.layers(); ++layer)
        cuts.push_back(chain.bounds().layers[layer].cutBytes);
    const auto least = cuts.begin() + static_cast<std::ptrdiff_t>(choice.stages - 2 - merged);
    std::ranges::nth_element(cuts, least);
    if (*least == 0)
        return 0;
    const IpuTarget& target = chains.target();
    const double seconds = static_cast<double>(*least) / routeBetween(target, 0, 1).bytesPerSecond;
    return target.cyclesIn(seconds).value() +
           2 * globalSync(target, ipusPerReplica(choice, chain.isTied())).value();
}

std::int64_t leastReduction(const PlanSearchRequest& request, const ChainTable& chain,
                            const PlanChoice& choice) {
    if (choice.replicas < 2 || request.project.training.distribution != core::TrainingOptions().distribution)
        return 0;
    const std::int64_t ipus = ipusPerReplica(choice, chain.isTied());
    core::SystemOptions options = request.project.system;
    options.ipus = ipus * choice.replicas;
    const auto system = makeSystem(options, ipus, choice.replicas, SelectionOrder::Zigzag, request.folder);
    if (!system)
        return 0;
    const auto used =
        static_cast<std::int64_t>(choice.stages) - (chain.isTied() && choice.stages > 1 ? 1 : 0);
    const std::vector<std::int64_t> bytes(static_cast<std::size_t>(used),
                                          chain.bounds().gradientBytes / used);
    return collectiveCost(*system, CollectiveKind::AllReduce, bytes).total().value();
}

} // namespace

std::int64_t commonCycles(const PlanSearchRequest& request, const PricedChains& chains,
                          const ChainTable& chain, const PlanChoice& choice,
                          const core::PipelineSchedule& schedule) {
    std::int64_t cycles = leastReduction(request, chain, choice);
    if (schedule.rampsCopyAll)
        cycles += static_cast<std::int64_t>(schedule.timeSlots.size()) * leastExchange(chains, chain, choice);
    if (chains.streamsInputs())
        cycles += choice.accumulation *
                  hostCopyCycles(chains.target(), core::Bytes(chain.bounds().hostBytes)).value();
    return cycles;
}

} // namespace simulator
