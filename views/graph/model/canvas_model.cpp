#include "views/graph/model/canvas_model.h"

#include <algorithm>
#include <tuple>

namespace views {

int CanvasModel::find(const InvocationKey& key) const {
    const auto found = m_byPath.find(key.path);
    if (found == m_byPath.end())
        return -1;
    for (const int node : found->second) {
        if (nodes[std::size_t(node)].key.call == key.call)
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
    m_byPath.clear();
    for (std::size_t i = 0; i < edges.size(); ++i) {
        outgoing[std::size_t(edges[i].from)].push_back(int(i));
        incoming[std::size_t(edges[i].to)].push_back(int(i));
    }
    for (std::size_t i = 0; i < nodes.size(); ++i)
        m_byPath[nodes[i].key.path].push_back(int(i));
}

} // namespace views
