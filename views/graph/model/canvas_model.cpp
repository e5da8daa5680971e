#include "views/graph/model/canvas_model.h"

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
