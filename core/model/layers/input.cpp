#include "core/model/layers/attribute_groups.h"
#include "core/model/layers/layer_families.h"

#include <fmt/format.h>

namespace core {

namespace {

using namespace attribute;

/// The declared shape with its batch axis: Keras 2 batch_input_shape, Keras 3 batch_shape.
RuleResult<CallFacts> describeInput(const LayerCall& call) {
    const Json& declared = call.attributes.value("batch_input_shape");
    if (!declared.is_array())
        return refuse("has no shape", "give it a batch_input_shape such as [null, 784]", "batch_input_shape");
    if (declared.empty())
        return refuse("has a shape without a batch axis", "put null in front for the batch axis",
                      "batch_input_shape");
    Shape shape;
    for (const Json& extent : declared)
        shape.dimensions.push_back(wholeNumber(extent));
    // An input keeps its declared type under a mixed policy; a run in pure float16 feeds float16.
    const Json& dtype = call.attributes.value("dtype");
    const PrecisionPolicy declaredType = precisionFromJson(dtype).value_or(PrecisionPolicy{});
    const bool follows = declaredType == PrecisionPolicy{};
    return CallFacts{
        {TensorSpec{shape, follows ? call.globalPrecision.variable : declaredType.variable}}, {}, 0};
}

} // namespace

LayerFamily inputLayers() {
    LayerDefinition definition;
    definition.className = "InputLayer";
    definition.category = LayerCategory::Core;
    definition.documentation = "Where data enters the model.";
    definition.attributes = {
        boolean("sparse", false, "Whether the input is a sparse tensor; IPUs take dense ones only."),
        boolean("ragged", false, "Whether the input is a ragged tensor; IPUs take dense ones only."),
        json("optional", false, "Whether the input may be left out."),
        json("type_spec", nullptr, "Bookkeeping of old editions."),
    };
    definition.rule = describeInput;
    definition.minimumInputs = 0;
    definition.maximumInputs = 0;
    return {definition};
}

} // namespace core
