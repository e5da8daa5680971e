#pragma once

#include "core/model/attribute_definition.h"
#include "core/model/count.h"
#include "core/model/layer_attributes.h"
#include "core/model/precision_policy.h"
#include "core/model/typed_graph.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

namespace core {

/// Shelf of the palette.
enum class LayerCategory : std::uint8_t {
    Core,
    Activation,
    Convolution,
    Pooling,
    Normalization,
    Regularization,
    Recurrent,
    Attention,
    Merging,
    Reshaping,
    Preprocessing,
    Wrapper,
    Operation,
    Ipu,
};
[[nodiscard]] std::string_view toString(LayerCategory category);
[[nodiscard]] std::span<const LayerCategory> layerCategories();

/// Why a layer refuses its inputs or its attributes; the caller knows where it is.
struct RuleError {
    std::string message;
    std::string hint;
    /// The attribute to correct; empty when it is none.
    std::string attribute;
};

template <class T>
using RuleResult = tl::expected<T, RuleError>;

/// `return refuse("message", "how to correct it");` from a rule.
[[nodiscard]] inline tl::unexpected<RuleError> refuse(std::string message, std::string hint,
                                                      std::string attribute = {}) {
    return tl::unexpected<RuleError>(RuleError{std::move(message), std::move(hint), std::move(attribute)});
}

/// What a layer's rule sees of one call.
struct LayerCall {
    const LayerAttributes& attributes;
    std::span<const TensorSpec> inputs;
    /// Keyword arguments of the call; a tensor among them is given as {"$input": index}.
    const Json& arguments;
    /// Element types after the layer's own `dtype` and the run's precision.
    PrecisionPolicy precision;
    /// The run's precision, for wrapped layers.
    PrecisionPolicy globalPrecision;
    /// The inner model when a wrapper holds one.
    const ModelGraph* model = nullptr;

    [[nodiscard]] const Shape& shape(std::size_t input = 0) const { return inputs[input].shape; }
    /// Element type of an input as the layer sees it: floating inputs are cast to the compute type.
    [[nodiscard]] DataType inputType(std::size_t input = 0) const {
        return isFloating(inputs[input].type) ? precision.compute : inputs[input].type;
    }
};

/// What a layer's rule says about one call.
struct CallFacts {
    std::vector<TensorSpec> outputs;
    /// In Keras' order; trainable says what Keras would when the layer is trainable.
    std::vector<WeightSpec> weights;
    /// Arithmetic of the forward pass over the whole batch: 2 per multiply-accumulate of matrix products and
    /// convolutions (their bias and activation not counted); for other layers one per arithmetic operation
    /// and element; 0 for layers that only move data.
    Count flops = 0;
};

using LayerRule = RuleResult<CallFacts> (*)(const LayerCall&);
/// A check across attributes; the rule of one attribute alone is in its definition.
using AttributeRule = std::optional<RuleError> (*)(const LayerAttributes&);

/// A class of layers: what the JSON reader, the validation, the palette and the inspector know about it.
struct LayerDefinition {
    std::string className;
    LayerCategory category = LayerCategory::Core;
    std::string documentation;
    /// Own attributes in Keras' order; `commonAttributes()` come before them.
    std::vector<AttributeDefinition> attributes;
    LayerRule rule = nullptr;
    AttributeRule attributeRule = nullptr;
    std::size_t minimumInputs = 1;
    std::size_t maximumInputs = 1;
    /// Names of the inputs where they differ in meaning ("query", "value", "key").
    std::vector<std::string> inputNames;
    /// Inputs after the first are keyword arguments of that name, not a list.
    bool passesInputsByName = false;
    /// Class names of other Keras editions and spellings.
    std::vector<std::string> aliases;
    /// The inputs are indices: an input that Keras adds by itself is int32.
    bool takesIndices = false;
    /// Known by name only: what it computes is code that is not in the file.
    bool isOpaque = false;

    /// Own or common attribute by name or alias; null when there is none.
    [[nodiscard]] const AttributeDefinition* findAttribute(std::string_view name) const;
};

/// As many inputs as one likes.
inline constexpr std::size_t anyNumberOfInputs = 1000000;

/// What every layer has: name, trainable, dtype, and bookkeeping of Keras editions.
[[nodiscard]] const std::vector<AttributeDefinition>& commonAttributes();

} // namespace core
