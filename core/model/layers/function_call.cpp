#include "core/model/layer_naming.h"
#include "core/model/layers/attribute_groups.h"
#include "core/model/layers/function_shapes.h"
#include "core/model/layers/layer_families.h"
#include "core/model/layers/shape_rules.h"

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

std::optional<std::int64_t> bound(const Json& slice, const char* name) {
    const Json& fields = slice.contains("config") && slice["config"].is_object() ? slice["config"] : slice;
    const auto found = fields.find(name);
    return found == fields.end() ? std::nullopt : wholeNumber(*found);
}

/// Extent of a Python slice of an extent.
Dimension sliceExtent(const Dimension& extent, const Json& slice) {
    if (!extent)
        return {};
    const std::int64_t step = bound(slice, "step").value_or(1);
    if (step == 0)
        return {};
    const auto place = [&](std::optional<std::int64_t> given, std::int64_t fallback) {
        if (!given)
            return fallback;
        const std::int64_t low = step > 0 ? 0 : -1;
        const std::int64_t high = step > 0 ? *extent : *extent - 1;
        const std::int64_t index = *given < 0 ? *given + *extent : *given;
        return std::min(std::max(index, low), high);
    };
    const std::int64_t start = place(bound(slice, "start"), step > 0 ? 0 : *extent - 1);
    const std::int64_t stop = place(bound(slice, "stop"), step > 0 ? *extent : -1);
    const std::int64_t distance = step > 0 ? stop - start : start - stop;
    return distance <= 0 ? 0 : (distance + std::abs(step) - 1) / std::abs(step);
}

bool isEllipsis(const Json& entry) {
    return entry.is_object() && entry.contains("class_name") && entry["class_name"] == "__ellipsis__";
}

/// tensor[…]: each entry of slice_spec takes one axis, a number drops it, null adds one.
RuleResult<CallFacts> describeSlice(const LayerCall& call) {
    Json spec = nullptr;
    if (call.arguments.contains("slice_spec"))
        spec = call.arguments["slice_spec"];
    else if (call.arguments.contains("$args") && call.arguments["$args"].is_array() &&
             call.arguments["$args"].size() > 1)
        spec = call.arguments["$args"][1];
    if (!spec.is_array())
        spec = Json::array({spec});
    Shape shape;
    std::size_t axis = 0;
    for (std::size_t i = 0; i < spec.size(); ++i) {
        const Json& entry = spec[i];
        if (entry.is_null() && call.arguments.contains("slice_spec")) {
            shape.dimensions.emplace_back(1);
        } else if (isEllipsis(entry)) {
            const std::size_t rest = spec.size() - i - 1;
            while (axis + rest < call.shape().rank())
                shape.dimensions.push_back(call.shape()[axis++]);
        } else if (axis >= call.shape().rank()) {
            return refuse(fmt::format("takes more axes than {} has", toText(call.shape())));
        } else if (entry.is_object()) {
            shape.dimensions.push_back(sliceExtent(call.shape()[axis++], entry));
        } else {
            ++axis;
        }
    }
    while (axis < call.shape().rank())
        shape.dimensions.push_back(call.shape()[axis++]);
    return output(shape, call.inputType());
}

LayerDefinition row(std::string className, std::string documentation, Attributes attributes, LayerRule rule) {
    LayerDefinition definition;
    definition.className = std::move(className);
    definition.category = LayerCategory::Operation;
    definition.documentation = std::move(documentation);
    definition.attributes = std::move(attributes);
    definition.rule = rule;
    definition.maximumInputs = anyNumberOfInputs;
    return definition;
}

} // namespace

LayerFamily functionCallLayers() {
    LayerFamily family{
        row("TFOpLambda", "A TensorFlow function called on tensors of the model.",
            {text("function", "Name of the function, for example \"math.add\".").required("math.add")},
            describeFunction),
        row("Operation", "An operation of Keras 3 (keras.ops) called on tensors of the model.",
            {text("function", "Name of the operation's class, for example \"Multiply\".").required("Add")},
            describeFunction),
        row("SlicingOpLambda", "A part of a tensor, as Python's brackets take it.",
            {text("function", "Name of the function.").required("math.add")}, describeSlice),
        row("TensorFlowOpLayer", "A raw TensorFlow operation, as early editions of TensorFlow 2 saved it.",
            {json("node_def", nullptr, "The operation.").required(Json::object()),
             json("constants", nullptr, "Constant operands by their position.")},
            describeRawOperation),
        row("GetItem", "A part of a tensor, as Python's brackets take it.", {}, describeSlice),
        row("Lambda", "Python code. What it does is not known here: a run needs its shape and cost declared.",
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
        family.push_back(row(className, "Code of another library; a run needs its shape and cost declared.",
                             {},
                             [](const LayerCall& call) { return RuleResult<CallFacts>(sameAsInput(call)); }));
        family.back().isOpaque = true;
    }
    return family;
}

} // namespace core
