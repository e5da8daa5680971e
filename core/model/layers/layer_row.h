#pragma once

#include "core/model/layer_definition.h"
#include "core/model/layers/attribute_groups.h"

#include <string>

namespace core {

/// What every layer of the catalogue states; the rest of its definition has the defaults of LayerDefinition.
[[nodiscard]] LayerDefinition layerRow(std::string className, LayerCategory category,
                                       std::string documentation, Attributes attributes, LayerRule rule);

} // namespace core
