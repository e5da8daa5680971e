#include "simulator/compiler/ordering/shortest_path.h"

#include <algorithm>
#include <limits>
#include <queue>

namespace simulator {

namespace {

/// Fewest edges from a node to one that nothing here uses.
std::vector<std::uint32_t> distancesToOutputs(const Computation& computation) {
    std::vector<std::uint32_t> distances(computation.size(), std::numeric_limits<std::uint32_t>::max());
    std::queue<std::uint32_t> frontier;
    for (std::uint32_t node = 0; node < computation.size(); ++node)
        if (computation.users[node].empty()) {
            distances[node] = 0;
            frontier.push(node);
        }
    for (; !frontier.empty(); frontier.pop())
        for (const std::uint32_t operand : computation.operands[frontier.front()])
            if (distances[operand] > distances[frontier.front()] + 1) {
                distances[operand] = distances[frontier.front()] + 1;
                frontier.push(operand);
            }
    return distances;
}

} // namespace

NodeOrder shortestPathOrder(const Computation& computation, const OrderingOptions&) {
    const std::vector<std::uint32_t> distances = distancesToOutputs(computation);
    std::vector<std::size_t> waitsFor(computation.size());
    using Candidate = std::pair<std::uint32_t, std::uint32_t>;
    std::priority_queue<Candidate, std::vector<Candidate>, std::greater<>> ready;
    for (std::uint32_t node = 0; node < computation.size(); ++node) {
        waitsFor[node] = computation.operands[node].size();
        if (waitsFor[node] == 0)
            ready.emplace(distances[node], node);
    }
    NodeOrder order;
    order.reserve(computation.size());
    while (!ready.empty()) {
        const std::uint32_t node = ready.top().second;
        ready.pop();
        order.push_back(node);
        for (const std::uint32_t user : computation.users[node])
            if (--waitsFor[user] == 0)
                ready.emplace(distances[user], user);
    }
    return order;
}

} // namespace simulator
