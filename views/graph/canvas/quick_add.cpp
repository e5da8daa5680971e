#include "views/graph/canvas/quick_add.h"

#include "core/model/graph/layer_catalogue.h"
#include "views/common/text/layer_texts.h"
#include "views/common/text/number_text.h"
#include "views/graph/scene/canvas_scene.h"

#include <algorithm>
#include <array>

namespace views {

namespace {

/// A refusal as short as a row of the list: what the tensor is like stands on its line. "expects an input of
/// 3 axes, got (1, 8)" → "expects 3 axes".
QString shortRefusal(const QString& message) {
    return message.section(QStringLiteral(", got "), 0, 0)
        .replace(QStringLiteral("expects an input of"), QStringLiteral("expects"));
}

/// Why a class does not take a tensor as its one input; empty where it does.
QString refusalOf(const core::LayerDefinition& definition, const core::TensorSpec& tensor) {
    if (definition.minimumInputs > 1) // the other inputs come later
        return definition.maximumInputs > 1 ? QString() : CanvasScene::tr("reads several layers");
    const std::array<core::TensorSpec, 1> inputs{tensor};
    const auto call = core::describeCall(definition.className, core::newLayerConfig(definition, "new"),
                                         inputs, core::Json::object(), {});
    return call ? QString() : shortRefusal(toQString(call.error().message));
}

} // namespace

std::vector<SearchEntry> layerEntries(const std::optional<core::TensorSpec>& tensor) {
    std::vector<SearchEntry> entries;
    for (const core::LayerDefinition& definition : core::layerCatalogue()) {
        if (tensor && definition.maximumInputs == 0)
            continue;
        const QString name = toQString(definition.className);
        const QString refusal = tensor ? refusalOf(definition, *tensor) : QString();
        entries.push_back({name,
                           name,
                           refusal.isEmpty() ? toQString(core::toString(definition.category)) : refusal,
                           layerIcon(definition.className),
                           {},
                           refusal.isEmpty()});
    }
    std::ranges::stable_partition(entries, &SearchEntry::isEnabled);
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
