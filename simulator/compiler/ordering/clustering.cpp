#include "simulator/compiler/ordering/clustering.h"

#include <queue>

namespace simulator {

namespace {

struct Cluster {
    std::vector<std::uint32_t> nodes;
    /// Bytes that running it frees, roughly.
    std::int64_t value = 0;
    std::uint32_t waitsFor = 0;
};

std::int64_t valueOf(const Computation& computation, std::uint32_t node) {
    std::int64_t value = 0;
    for (const std::uint32_t buffer : computation.reads[node])
        value += computation.bufferBytes[buffer];
    for (const std::uint32_t buffer : computation.defines[node])
        value -= computation.bufferBytes[buffer];
    return value;
}

struct Clusters {
    std::vector<Cluster> clusters;
    std::vector<std::uint32_t> clusterOf;
};

Clusters makeClusters(const Computation& computation) {
    constexpr std::uint32_t none = UINT32_MAX;
    Clusters result{{}, std::vector<std::uint32_t>(computation.size(), none)};
    for (std::uint32_t start = 0; start < computation.size(); ++start) {
        if (result.clusterOf[start] != none)
            continue;
        Cluster cluster;
        for (std::uint32_t node = start;;) {
            result.clusterOf[node] = static_cast<std::uint32_t>(result.clusters.size());
            cluster.nodes.push_back(node);
            cluster.value += valueOf(computation, node);
            const auto users = computation.users[node];
            if (users.size() != 1 || result.clusterOf[users.front()] != none)
                break;
            node = users.front();
        }
        result.clusters.push_back(std::move(cluster));
    }
    for (std::uint32_t node = 0; node < computation.size(); ++node)
        for (const std::uint32_t operand : computation.operands[node])
            if (result.clusterOf[operand] != result.clusterOf[node])
                ++result.clusters[result.clusterOf[node]].waitsFor;
    return result;
}

} // namespace

NodeOrder clusteringOrder(const Computation& computation, const OrderingOptions&) {
    auto [clusters, clusterOf] = makeClusters(computation);
    const auto goesLater = [&](std::uint32_t a, std::uint32_t b) {
        return std::pair(clusters[a].value, clusters[a].nodes.front()) <
               std::pair(clusters[b].value, clusters[b].nodes.front());
    };
    std::priority_queue<std::uint32_t, std::vector<std::uint32_t>, decltype(goesLater)> ready(goesLater);
    for (std::uint32_t cluster = 0; cluster < clusters.size(); ++cluster)
        if (clusters[cluster].waitsFor == 0)
            ready.push(cluster);
    NodeOrder order;
    order.reserve(computation.size());
    while (!ready.empty()) {
        const std::uint32_t next = ready.top();
        ready.pop();
        for (const std::uint32_t node : clusters[next].nodes) {
            order.push_back(node);
            for (const std::uint32_t user : computation.users[node])
                if (const std::uint32_t other = clusterOf[user];
                    other != next && --clusters[other].waitsFor == 0)
                    ready.push(other);
        }
    }
    return order;
}

} // namespace simulator
