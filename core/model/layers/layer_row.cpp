#include "core/model/layers/layer_row.h"

#include <utility>

namespace core {

LayerDefinition layerRow(std::string className, LayerCategory category, std::string documentation,
                         Attributes attributes, LayerRule rule) {
    LayerDefinition definition;
    definition.className = std::move(className);
    definition.category = category;
    definition.documentation = std::move(documentation);
    definition.attributes = std::move(attributes);
    definition.rule = rule;
    return definition;
}

} // namespace core
