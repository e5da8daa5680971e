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

} // namespace views
