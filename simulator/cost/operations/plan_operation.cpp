#include "simulator/cost/operations/plan_operation.h"

#include "simulator/cost/operations/operation_planners.h"
#include "simulator/target/link_figures.h"

#include <algorithm>
#include <functional>
#include <stdexcept>
#include <unordered_map>
#include <variant>

namespace simulator {

namespace {

/// Everything a plan depends on beside the target.
struct Signature {
    OperationAttributes attributes;
    PlanOptions options;
    std::size_t target = 0;
    std::size_t inputs = 0;
    /// Inputs first, then outputs.
    std::vector<std::pair<Extents, core::DataType>> tensors;

    bool operator==(const Signature&) const = default;
};

void mix(std::size_t& hash, std::size_t value) {
    // Boost's combination.
    hash ^= value + 0x9e3779b97f4a7c15ULL + (hash << 6U) + (hash >> 2U);
}

struct SignatureHash {
    std::size_t operator()(const Signature& signature) const {
        std::size_t hash = signature.attributes.index();
        mix(hash, signature.target);
        mix(hash, std::hash<double>{}(signature.options.availableMemoryProportion));
        for (const auto& [extents, type] : signature.tensors) {
            mix(hash, static_cast<std::size_t>(type));
            for (const std::int64_t extent : extents)
                mix(hash, static_cast<std::size_t>(extent));
        }
        return hash;
    }
};

Signature signatureOf(const PlanContext& context, std::size_t target) {
    Signature signature;
    signature.attributes = context.operation().attributes;
    signature.options = context.options();
    signature.target = target;
    signature.inputs = context.operation().inputs.size();
    for (std::size_t i = 0; i < context.operation().inputs.size(); ++i)
        signature.tensors.emplace_back(context.input(i).extents, context.input(i).type);
    for (std::size_t i = 0; i < context.operation().outputs.size(); ++i)
        signature.tensors.emplace_back(context.output(i).extents, context.output(i).type);
    return signature;
}

} // namespace

const PartTable<Planner>& planners() {
    static const PartTable<Planner> table{elementwisePlans(), embeddingPlans(), layoutPlans(),
                                          lossPlans(),        matrixPlans(),    normalizationPlans(),
                                          poolingPlans(),     recurrentPlans(), reductionPlans(),
                                          transferPlans(),    updatePlans()};
    return table;
}

namespace {

/// Whether the price of the operation depends on the links between IPUs.
bool dependsOnLinks(const OperationAttributes& attributes) {
    return std::holds_alternative<Collective>(attributes) ||
           std::holds_alternative<InterIpuCopy>(attributes) ||
           std::holds_alternative<HostLookup>(attributes) || std::holds_alternative<HostUpdate>(attributes);
}

} // namespace

struct PlanCache::Table {
    /// A target, and the first that is the same but for its links; indices into `targets`.
    struct KnownTarget {
        IpuTarget target;
        std::size_t sameButLinks = 0;
    };
    std::vector<KnownTarget> targets;
    std::size_t latest = 0;
    std::unordered_map<Signature, OperationPlan, SignatureHash> plans;

    std::size_t indexOf(const IpuTarget& target, bool withLinks) {
        if (targets.empty() || targets[latest].target != target)
            latest = remembered(target);
        return withLinks ? latest : targets[latest].sameButLinks;
    }

private:
    std::size_t remembered(const IpuTarget& target) {
        const auto found = std::ranges::find(targets, target, &KnownTarget::target);
        const auto index = static_cast<std::size_t>(found - targets.begin());
        if (found != targets.end())
            return index;
        const IpuTarget rest = withoutLinkFigures(target);
        const auto same = std::ranges::find_if(
            targets, [&](const KnownTarget& known) { return withoutLinkFigures(known.target) == rest; });
        targets.push_back({target, static_cast<std::size_t>(same - targets.begin())});
        return index;
    }
};

PlanCache::PlanCache()
    : m_table(std::make_unique<Table>()) {}
PlanCache::~PlanCache() = default;
PlanCache::PlanCache(PlanCache&&) noexcept = default;
PlanCache& PlanCache::operator=(PlanCache&&) noexcept = default;

std::size_t PlanCache::size() const {
    return m_table->plans.size();
}

OperationPlan planOperation(const Operation& operation, std::span<const Tensor> tensors,
                            const IpuTarget& target, const PlanOptions& options, PlanCache& cache) {
    const PlanContext context(operation, tensors, target, options);
    Signature signature =
        signatureOf(context, cache.m_table->indexOf(target, dependsOnLinks(operation.attributes)));
    const auto found = cache.m_table->plans.find(signature);
    if (found != cache.m_table->plans.end())
        return found->second;
    const Planner planner = planners().of(operation.attributes);
    if (planner == nullptr)
        throw std::logic_error(std::string(kindName(operation.attributes)) + " has no price");
    OperationPlan result = planner(context, operation.attributes);
    cache.m_table->plans.emplace(std::move(signature), result);
    return result;
}

} // namespace simulator
