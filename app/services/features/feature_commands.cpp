#include "app/services/features/feature_commands.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace app {

namespace {

std::string endsOf(const std::vector<std::string_view>& names) {
    std::vector<std::string> ends;
    for (const std::string_view name : names)
        ends.push_back(fmt::format(R"(["{}", 0, 0])", name));
    return fmt::format("[{}]", fmt::join(ends, ", "));
}

/// "shared:1" is what the second call of the layer gives.
std::string sourceText(std::string_view source) {
    const auto colon = source.find(':');
    const std::string_view call = colon == std::string_view::npos ? "0" : source.substr(colon + 1);
    return fmt::format(R"(["{}", {}, 0, {{}}])", source.substr(0, colon), call);
}

} // namespace

std::string layerText(std::string_view className, std::string_view name, std::string_view attributes) {
    return fmt::format(R"({{"class_name": "{}", "config": {{"name": "{}"{}{}}}}})", className, name,
                       attributes.empty() ? "" : ", ", attributes);
}

std::string modelSetting(std::string_view input, std::string_view type,
                         const std::vector<std::string>& layers) {
    return fmt::format(
        R"(--set 'model={{"class_name": "Sequential", "config": {{"name": "m", "layers": [{}, {}]}}}}')",
        layerText("InputLayer", "in",
                  fmt::format(R"("batch_input_shape": [null, {}], "dtype": "{}")", input, type)),
        fmt::join(layers, ", "));
}

std::string functionalSetting(const std::vector<std::string>& layers,
                              const std::vector<std::string_view>& inputs,
                              const std::vector<std::string_view>& outputs) {
    return fmt::format(
        R"(--set 'model={{"class_name": "Functional", "config": {{"name": "m", "layers": [{}], "input_layers": {}, "output_layers": {}}}}}')",
        fmt::join(layers, ", "), endsOf(inputs), endsOf(outputs));
}

std::string calledLayer(std::string_view className, std::string_view name, std::string_view attributes,
                        const std::vector<std::vector<std::string_view>>& calls) {
    std::vector<std::string> nodes;
    for (const auto& sources : calls) {
        std::vector<std::string> texts;
        for (const std::string_view source : sources)
            texts.push_back(sourceText(source));
        nodes.push_back(fmt::format("[{}]", fmt::join(texts, ", ")));
    }
    std::string text = layerText(className, name, attributes);
    text.pop_back();
    return fmt::format(R"({}, "name": "{}", "inbound_nodes": [{}]}})", text, name, fmt::join(nodes, ", "));
}

} // namespace app
