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

std::string copiedLayerName(const ModelGraph& graph, const std::string& original) {
    if (!graph.findLayer(original))
        return original;
    const std::size_t end = original.find_last_not_of("0123456789");
    // A number of more digits is none that was counted to.
    constexpr std::size_t mostDigits = 6;
    const bool isNumbered = end != std::string::npos && end > 0 && original[end] == '_' &&
                            end + 1 < original.size() && original[end + 1] != '0' &&
                            original.size() - end - 1 <= mostDigits;
    if (!isNumbered)
        return numbered(graph, original, 1);
    return numbered(graph, original.substr(0, end), std::stoul(original.substr(end + 1)) + 1);
}

} // namespace core
