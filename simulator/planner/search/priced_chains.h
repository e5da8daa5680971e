#pragma once

#include "simulator/planner/bounds/chain_table.h"
#include "simulator/planner/search/plan_search.h"

#include <map>
#include <memory>
#include <tuple>
#include <vector>

namespace simulator {

/// The chain of a project by what its prices depend on: micro-batch, memory proportion, and whether
/// gradients accumulate. Priced when first asked for.
class PricedChains {
public:
    PricedChains(const PlanSearchRequest& request, CompilationCache& cache)
        : m_request(request)
        , m_cache(cache) {}

    /// Errors: those of `validate` and of pricing; "plan/too-many-layers". Valid as long as this.
    [[nodiscard]] core::Result<const ChainTable*> of(const PlanChoice& choice);
    /// Whether the memory proportion of a choice changes nothing: every operation is planned as with the
    /// project's own. Both are priced.
    [[nodiscard]] bool isAsOwn(const PlanChoice& choice) const;
    /// The target, known once a chain is priced.
    [[nodiscard]] const IpuTarget& target() const { return *m_target; }
    /// Bytes of an IPU that a plan may take.
    [[nodiscard]] std::int64_t memoryLimit() const;

private:
    using Key = std::tuple<std::int64_t, std::optional<double>, bool>;
    struct Priced {
        ChainTable table;
        std::vector<OperationPlan> plans;
    };
    [[nodiscard]] static Key keyOf(const PlanChoice& choice);
    /// What is priced already and differs from a key in the memory proportion alone, with these plans; null
    /// where nothing is.
    [[nodiscard]] std::shared_ptr<const Priced> samePlans(const Key& key,
                                                          const std::vector<OperationPlan>& plans) const;

    const PlanSearchRequest& m_request;
    CompilationCache& m_cache;
    std::optional<IpuTarget> m_target;
    /// Memory proportions that change no plan share what they have: a large model takes megabytes.
    std::map<Key, std::shared_ptr<const Priced>> m_chains;
};

} // namespace simulator
