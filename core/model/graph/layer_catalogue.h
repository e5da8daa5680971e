#pragma once

#include "core/model/layer_definition.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace core {

/// Every layer class this program knows, in the order of the palette.
[[nodiscard]] std::span<const LayerDefinition> layerCatalogue();

/// By class name or alias; null when the class is unknown (the layer is then opaque). A package in front of
/// the name ("Custom>", "Addons>") is looked through where the class itself is known.
[[nodiscard]] const LayerDefinition* findLayerDefinition(std::string_view className);

/// The known class that an unknown one most likely extends: the longest catalogue name that ends its name,
/// when `config` carries every required attribute of that class, rightly typed, and there is at least one
/// ("BinaryDense" with "units" → Dense). Null when nothing fits.
[[nodiscard]] const LayerDefinition* findBaseDefinition(std::string_view className, const Json& config);

/// The nearest known class name, for hints.
[[nodiscard]] std::optional<std::string> nearestClassName(std::string_view className);

/// "Sequential", "Functional", "Model" and their relatives: a nested model, not a layer.
[[nodiscard]] bool isModelClass(std::string_view className);

/// Everything wrong with the attributes of one layer, each with the pointer of the attribute below `pointer`.
/// Code "layer/attribute". Unknown attributes are no finding.
[[nodiscard]] Diagnostics checkAttributes(const LayerDefinition& definition, const Json& config,
                                          std::string_view file, std::string_view pointer);

/// `config` of a new layer: name, trainable, dtype, the required attributes at what they start with, then
/// `attributes` on top. What is left out has Keras' default, whichever edition reads it.
[[nodiscard]] Json newLayerConfig(const LayerDefinition& definition, std::string_view name,
                                  const Json& attributes = Json::object());

/// `arguments` with a {"$input": k} for each of `inputCount` inputs after the first that a call of this class
/// passes by name; unchanged for other classes.
[[nodiscard]] Json withNamedInputs(const LayerDefinition& definition, std::size_t inputCount, Json arguments);

/// What a call of a layer gives. The class may be unknown: then `findBaseDefinition` is tried, and failing
/// that the outputs are the inputs. Refuses when an input count, an attribute or a shape is wrong, or when a
/// tensor or weight exceeds 2^40 elements. `model`: the inner model of a wrapper, or null.
[[nodiscard]] RuleResult<CallFacts> describeCall(std::string_view className, const Json& config,
                                                 std::span<const TensorSpec> inputs, const Json& arguments,
                                                 const PrecisionPolicy& precision,
                                                 const ModelGraph* model = nullptr);

} // namespace core
