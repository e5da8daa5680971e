#include "core/model/layer_naming.h"

#include <cctype>
#include <fmt/format.h>
#include <unordered_set>

namespace core {

namespace {

bool isUpper(char c) {
    return c >= 'A' && c <= 'Z';
}
bool isLower(char c) {
    return c >= 'a' && c <= 'z';
}
bool isDigit(char c) {
    return c >= '0' && c <= '9';
}

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

std::string snakeCase(std::string_view name) {
    // A break before an upper-case letter that starts a word of lower-case letters or digits, or that follows
    // a lower-case letter.
    std::string snake;
    for (std::size_t i = 0; i < name.size(); ++i) {
        const char c = name[i];
        if (i > 0 && isUpper(c)) {
            const bool startsWord = i + 1 < name.size() && (isLower(name[i + 1]) || isDigit(name[i + 1]));
            if (startsWord ? name[i - 1] != '_' : isLower(name[i - 1]))
                snake += '_';
        }
        snake += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    }
    return snake;
}

std::string newLayerName(const ModelGraph& graph, std::string_view className) {
    return className == "InputLayer" ? numbered(graph, "input", 1) : numbered(graph, snakeCase(className), 0);
}

std::string uniqueLayerName(const ModelGraph& graph, std::string_view wanted) {
    return numbered(graph, std::string(wanted), 0);
}

} // namespace core
