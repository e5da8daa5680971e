#include "simulator/planner/bounds/copy_bound.h"

#include "simulator/target/link_topology.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <numeric>

namespace simulator {

namespace {

/// Bytes by the layer before which a stage ends.
struct CutBytes {
    std::vector<std::int64_t> forward;
    std::vector<std::int64_t> backward;
    std::vector<std::int64_t> landing;
};

/// The reader that a value travels to the farthest, past those that a shortcut serves.
std::size_t farthest(const CrossingValue& value, const WrappedStages& wrapped) {
    std::size_t reader = value.home;
    for (const std::size_t layer : value.readers) {
        const bool isShort = value.isForward ? value.home < wrapped.firstEnd && layer >= wrapped.lastBegin
                                             : value.home >= wrapped.lastBegin && layer < wrapped.firstEnd;
        if (!isShort)
            reader = value.isForward ? std::max(reader, layer) : std::min(reader, layer);
    }
    return reader;
}

/// The same bytes for every end of a range, which are added up at the end.
void addTo(std::vector<std::int64_t>& steps, std::size_t first, std::size_t last, std::int64_t bytes) {
    if (last < first)
        return;
    steps[first] += bytes;
    steps[last + 1] -= bytes;
}

CutBytes cutBytes(const ChainBounds& chain, const WrappedStages& wrapped) {
    const std::size_t size = chain.layers.size() + 2;
    CutBytes bytes{std::vector<std::int64_t>(size, 0), std::vector<std::int64_t>(size, 0),
                   std::vector<std::int64_t>(size, 0)};
    struct Landing {
        std::size_t home = 0;
        std::size_t reader = 0;
        std::int64_t bytes = 0;
    };
    std::map<std::size_t, Landing> landings;
    for (const CrossingValue& value : chain.crossing) {
        const std::size_t reader = farthest(value, wrapped);
        if (!value.isForward) {
            addTo(bytes.backward, reader + 1, value.home, value.bytes);
            continue;
        }
        addTo(bytes.forward, value.home + 1, reader, value.bytes);
        Landing& landing = landings.try_emplace(value.storage, value.home, reader, value.bytes).first->second;
        landing.home = std::min(landing.home, value.home);
        landing.reader = std::max(landing.reader, reader);
    }
    // A view is made of what has arrived: views and their storage land in one piece, one layer after another.
    for (const auto& [storage, landing] : landings)
        addTo(bytes.landing, landing.home + 1, landing.reader, landing.bytes);
    for (auto* steps : {&bytes.forward, &bytes.backward, &bytes.landing})
        std::partial_sum(steps->begin(), steps->end(), steps->begin());
    return bytes;
}

} // namespace

CopyBound::CopyBound(const ChainBounds& chain, const IpuSystem& system,
                     std::span<const std::int64_t> ipuOfStage, WrappedStages wrapped)
    : m_sync(2 * globalSync(system.target, system.ipusPerReplica).value()) {
    CutBytes bytes = cutBytes(chain, wrapped);
    std::vector<Route> routes;
    for (std::size_t stage = 0; stage + 1 < ipuOfStage.size(); ++stage) {
        const Route route = routeInReplica(system, ipuOfStage[stage], ipuOfStage[stage + 1]);
        auto known = std::ranges::find(routes, route);
        if (known == routes.end()) {
            known = routes.insert(routes.end(), route);
            const auto cyclesOf = [&](std::int64_t count) -> std::int64_t {
                const bool isNone = count == 0 || route.level == LinkLevel::Same;
                return isNone
                           ? 0
                           : ipuCopyCycles(system, ipuOfStage[stage], ipuOfStage[stage + 1], count).value();
            };
            for (auto [from, to] : {std::pair(&bytes.forward, &m_forward), {&bytes.backward, &m_backward}})
                std::ranges::transform(*from, std::back_inserter(to->emplace_back()), cyclesOf);
        }
        m_routeOf.push_back(static_cast<std::size_t>(known - routes.begin()));
    }
    m_landing = std::move(bytes.landing);
}

} // namespace simulator
