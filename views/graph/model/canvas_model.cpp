#include "views/graph/model/canvas_model.h"

#include <algorithm>
#include <functional>
#include <tuple>
#include <utility>

namespace views {

int CanvasModel::find(std::string_view path, std::uint32_t call) const {
    if (m_buckets.empty())
        return -1;
    const std::size_t bucket = std::hash<std::string_view>()(path) % m_buckets.size();
    for (int node = m_buckets[bucket]; node >= 0; node = m_next[std::size_t(node)]) {
        const InvocationKey& key = nodes[std::size_t(node)].key;
        if (key.call == call && key.path == path)
            return node;
    }
    return -1;
}

bool CanvasModel::isPlacedLike(const CanvasModel& other) const {
    const auto places = [](const CanvasNode& node) {
        return std::tie(node.key, node.name, node.drawn, node.stage, node.isFollower, node.isInput,
                        node.modelOutputs, node.outputShapes, node.inputCount, node.outputCount);
    };
    return stageCount == other.stageCount && edges == other.edges && groupOf == other.groupOf &&
           groups == other.groups &&
           std::ranges::equal(nodes, other.nodes, std::ranges::equal_to(), places, places);
}

void CanvasModel::index() {
    outgoing.assign(nodes.size(), {});
    incoming.assign(nodes.size(), {});
    for (std::size_t i = 0; i < edges.size(); ++i) {
        outgoing[std::size_t(edges[i].from)].push_back(int(i));
        incoming[std::size_t(edges[i].to)].push_back(int(i));
    }
    m_buckets.assign(2 * nodes.size() + 1, -1);
    m_next.assign(nodes.size(), -1);
    for (std::size_t i = nodes.size(); i-- > 0;) {
        int& first = m_buckets[std::hash<std::string_view>()(nodes[i].key.path) % m_buckets.size()];
        m_next[i] = std::exchange(first, int(i));
    }
}

} // namespace views
