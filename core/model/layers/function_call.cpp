#include "core/model/layer_naming.h"
#include "core/model/layers/attribute_groups.h"
#include "core/model/layers/function_shapes.h"
#include "core/model/layers/layer_families.h"
#include "core/model/layers/layer_row.h"
#include "core/model/layers/shape_rules.h"
#include "core/model/tensor_indexing.h"

#include <fmt/format.h>

namespace core {

namespace {

using namespace attribute;

RuleResult<CallFacts> describeFunction(const LayerCall& call) {
    const std::string function = call.attributes.text("function");
    const bool isClass = call.attributes.definition().className == "Operation";
    const LayerRule rule = findFunctionRule(isClass ? snakeCase(function) : plainFunctionName(function));
    return rule != nullptr ? rule(call) : RuleResult<CallFacts>(sameAsInput(call));
}

/// A raw TensorFlow operation: its name and attributes in `node_def`, constant operands by position.
RuleResult<CallFacts> describeRawOperation(const LayerCall& call) {
    const Json& node = call.attributes.value("node_def");
    const Json& constants = call.attributes.value("constants");
    const bool hasName = node.is_object() && node.contains("op") && node["op"].is_string();
    const LayerRule rule = hasName ? findFunctionRule(snakeCase(node["op"].get<std::string>())) : nullptr;
    if (rule == nullptr)
        return sameAsInput(call);
    Json arguments = call.arguments;
    Json operands = Json::array({nullptr, nullptr, nullptr});
    for (std::size_t i = 0; i < operands.size(); ++i) {
        if (constants.is_object() && constants.contains(std::to_string(i)))
            operands[i] = constants[std::to_string(i)];
    }
    arguments["$args"] = operands;
    const Json* keep = &node;
    for (const char* key : {"attr", "keep_dims", "b"})
        keep = keep != nullptr && keep->contains(key) ? &(*keep)[key] : nullptr;
    if (keep != nullptr && *keep == true)
        arguments["keepdims"] = true;
    return rule(
        LayerCall{call.attributes, call.inputs, arguments, call.precision, call.globalPrecision, nullptr});
}

/// The function is Python code: its output shape is what the file says, else its input's.
RuleResult<CallFacts> describeLambda(const LayerCall& call) {
    const Json& declared = call.attributes.value("output_shape");
    if (!declared.is_array() || call.shape().rank() == 0)
        return sameAsInput(call);
    Shape shape{call.shape()[0]};
    for (const Json& extent : declared)
        shape.dimensions.push_back(wholeNumber(extent));
    return output(shape, call.inputType());
}

/// `tensor[…]`: its entries are `slice_spec`, or the second operand of Keras 3's GetItem.
RuleResult<CallFacts> describeSlice(const LayerCall& call) {
    const auto axes = indexedAxes(functionSetting(call, {"slice_spec"}, 1), call.shape().rank());
    if (!axes)
        return tl::unexpected(axes.error());
    Shape shape;
    for (const IndexedAxis& axis : *axes) {
        const Dimension extent = axis.source ? call.shape()[*axis.source] : Dimension(1);
        if (!axis.index) {
            const bool isPart = extent && !axis.slice.is_null();
            shape.dimensions.push_back(isPart ? Dimension(AxisRange::of(axis.slice, *extent).count)
                                       : axis.slice.is_null() ? extent
                                                              : Dimension());
        } else if (extent && (*axis.index >= *extent || *axis.index < -*extent)) {
            return refuse(fmt::format("reads element {} of an axis of {}", *axis.index, *extent),
                          "choose an element of the axis");
        }
    }
    return output(shape, call.inputType());
}

LayerDefinition functionCallRow(std::string className, std::string documentation, Attributes attributes,
                                LayerRule rule) {
    LayerDefinition definition = layerRow(std::move(className), LayerCategory::Operation,
                                          std::move(documentation), std::move(attributes), rule);
    definition.maximumInputs = anyNumberOfInputs;
    return definition;
}

} // namespace

PrecisionPolicy callPrecision(const LayerDefinition& definition, const PrecisionPolicy& own,
                              std::span<const DataType> inputs) {
    const bool isFunction = definition.category == LayerCategory::Operation && !definition.isOpaque;
    std::optional<DataType> widest;
    for (const DataType type : inputs)
        if (isFloating(type) && (!widest || elementBytes(type) > elementBytes(*widest)))
            widest = type;
    return isFunction && widest ? PrecisionPolicy{*widest, own.variable} : own;
}

LayerFamily functionCallLayers() {
    LayerFamily family{
        functionCallRow(
            "TFOpLambda", "A TensorFlow function called on tensors of the model.",
            {text("function", "Name of the function, for example \"math.add\".").required("math.add")},
            describeFunction),
        functionCallRow(
            "Operation", "An operation of Keras 3 (keras.ops) called on tensors of the model.",
            {text("function", "Name of the operation's class, for example \"Multiply\".").required("Add")},
            describeFunction),
        functionCallRow("SlicingOpLambda", "A part of a tensor, as Python's brackets take it.",
                        {text("function", "Name of the function.").required("math.add")}, describeSlice),
        functionCallRow("TensorFlowOpLayer",
                        "A raw TensorFlow operation, as early editions of TensorFlow 2 saved it.",
                        {json("node_def", nullptr, "The operation.").required(Json::object()),
                         json("constants", nullptr, "Constant operands by their position.")},
                        describeRawOperation),
        functionCallRow("GetItem", "A part of a tensor, as Python's brackets take it.", {}, describeSlice),
        functionCallRow(
            "Lambda", "Python code. What it does is not known here: a run needs its shape and cost declared.",
            {json("function", nullptr, "The code.").required("math.add"),
             json("function_type", nullptr, "Form of the code."),
             json("module", nullptr, "Module of the code."),
             json("output_shape", nullptr, "Extents of the output without the batch axis."),
             json("output_shape_type", nullptr, "Form of output_shape."),
             json("output_shape_module", nullptr, "Module of output_shape."),
             json("arguments", nullptr, "Keyword arguments of the code."), json("mask", nullptr, "Mask.")},
            describeLambda),
    };
    family.back().isOpaque = true;
    // Layers around code of other libraries.
    for (const char* className :
         {"TFSMLayer", "TorchModuleWrapper", "JaxLayer", "FlaxLayer", "DenseFeatures", "SequenceFeatures"}) {
        family.push_back(functionCallRow(
            className, "Code of another library; a run needs its shape and cost declared.", {},
            [](const LayerCall& call) { return RuleResult<CallFacts>(sameAsInput(call)); }));
        family.back().isOpaque = true;
    }
    return family;
}

} // namespace core
