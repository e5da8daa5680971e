#include "views/graph/canvas/quick_add.h"

#include "core/model/graph/layer_catalogue.h"
#include "views/common/text/layer_texts.h"
#include "views/common/text/number_text.h"

namespace views {

namespace {

bool takes(const core::LayerDefinition& definition, const core::TensorSpec& tensor) {
    if (definition.minimumInputs > 1)
        return definition.maximumInputs > 1; // the other inputs come later
    const std::array<core::TensorSpec, 1> inputs{tensor};
    return core::describeCall(definition.className, core::newLayerConfig(definition, "new"), inputs,
                              core::Json::object(), {})
        .has_value();
}

} // namespace

std::vector<SearchEntry> layerEntries(const std::optional<core::TensorSpec>& tensor) {
    std::vector<SearchEntry> entries;
    for (const core::LayerDefinition& definition : core::layerCatalogue()) {
        if (tensor && (definition.maximumInputs == 0 || !takes(definition, *tensor)))
            continue;
        const QString name = toQString(definition.className);
        entries.push_back({name,
                           name,
                           toQString(core::toString(definition.category)),
                           layerIcon(definition.className),
                           {},
                           true});
    }
    return entries;
}

std::vector<SearchEntry> sourceEntries(const CanvasModel& model, int reader) {
    std::vector<bool> depends(model.nodes.size(), false);
    depends[std::size_t(reader)] = true;
    std::vector<int> waiting{reader};
    while (!waiting.empty()) {
        const auto node = std::size_t(waiting.back());
        waiting.pop_back();
        for (const int edge : model.outgoing[node]) {
            const int next = model.edges[std::size_t(edge)].to;
            if (!depends[std::size_t(next)]) {
                depends[std::size_t(next)] = true;
                waiting.push_back(next);
            }
        }
    }
    std::vector<SearchEntry> entries;
    for (std::size_t i = model.nodes.size(); i-- > 0;) {
        const CanvasNode& node = model.nodes[i];
        const bool isNested = node.key.path.find('/') != std::string::npos;
        if (depends[i] || isNested)
            continue;
        entries.push_back({QString::number(i), toQString(node.key.path), node.className,
                           layerIcon(node.className.toStdString()),
                           node.outputShapes.empty() ? QString() : node.outputShapes.front(), true});
    }
    return entries;
}

} // namespace views
