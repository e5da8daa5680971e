#include "core/model/layer_naming.h"

#include <fmt/format.h>
#include <unordered_set>

namespace core {

namespace {

std::string numbered(const ModelGraph& graph, const std::string& stem, std::size_t first) {
    std::unordered_set<std::string> taken;
    for (const Layer& layer : graph.layers)
        taken.insert(layer.name);
    for (std::size_t number = first;; ++number) {
        std::string name = number == 0 ? stem : fmt::format("{}_{}", stem, number);
        if (!taken.contains(name))
            return name;
    }
}

} // namespace

std::string newLayerName(const ModelGraph& graph, std::string_view className) {
    return className == "InputLayer" ? numbered(graph, "input", 1) : numbered(graph, snakeCase(className), 0);
}

std::string uniqueLayerName(const ModelGraph& graph, std::string_view wanted) {
    return numbered(graph, std::string(wanted), 0);
}

} // namespace core
