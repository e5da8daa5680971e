// Layers that networks define for themselves: those of keras.applications, and what add_weight makes.
#include "core/model/layers/attribute_groups.h"
#include "core/model/layers/layer_families.h"
#include "core/model/layers/layer_row.h"
#include "core/model/layers/shape_rules.h"

#include <fmt/format.h>

namespace core {

namespace {

using namespace attribute;

/// ConvNeXt: a factor for every channel.
RuleResult<CallFacts> describeLayerScale(const LayerCall& call) {
    const std::int64_t channels = call.attributes.integer("projection_dim");
    const Shape shape = call.shape();
    if (shape.rank() == 0 || shape[shape.rank() - 1].value_or(channels) != channels)
        return tl::unexpected(
            RuleError{fmt::format("has factors for {} channels, got {}", channels, toText(shape)),
                      "set projection_dim to the number of channels", "projection_dim"});
    CallFacts facts = output(call, call.shape());
    facts.weights.push_back(weight(call, "gamma", Shape{channels}, "", "constant"));
    facts.weights.back().initializer = {{"class_name", "Constant"},
                                        {"config", {{"value", call.attributes.number("init_values")}}}};
    facts.flops = elements(call.shape());
    return facts;
}

RuleResult<CallFacts> describeVariable(const LayerCall& call) {
    Shape shape;
    for (const std::int64_t extent : call.attributes.integers("shape"))
        shape.dimensions.emplace_back(extent);
    CallFacts facts = output(call, shape);
    facts.weights.push_back(weight(call, "value", shape, "initializer"));
    return facts;
}

RuleResult<CallFacts> describeStochasticDepth(const LayerCall& call) {
    return output(call, call.shape());
}

/// Inception-ResNet: the shortcut plus the scaled branch.
RuleResult<CallFacts> describeScaledSum(const LayerCall& call) {
    const auto shape = broadcastShapes(call.shape(0), call.shape(1));
    if (!shape)
        return tl::unexpected(shape.error());
    CallFacts facts = output(call, *shape);
    facts.flops = elements(*shape) * 2;
    return facts;
}

LayerDefinition applicationRow(std::string className, LayerCategory category, std::string documentation,
                               Attributes attributes, LayerRule rule) {
    return layerRow(std::move(className), category, std::move(documentation), std::move(attributes), rule);
}

} // namespace

LayerFamily applicationLayers() {
    LayerFamily family{
        applicationRow(
            "Variable", LayerCategory::Core,
            "A weight by itself, as add_weight makes it: every call gives the whole tensor. The input only "
            "says where it is.",
            {any(AttributeKind::Shape, "shape", "Extents of the weight.").required(Json::array({1})),
             initializer("initializer", "glorot_uniform", "How the weight starts."),
             regularizer("regularizer", "Penalty on the weight."),
             constraint("constraint", "Projection of the weight after each update.")},
            describeVariable),
        applicationRow("LayerScale", LayerCategory::Regularization,
                       "A learnt factor for every channel (ConvNeXt).",
                       {number("init_values", "What the factors start with.").required(1e-6),
                        integer("projection_dim", "Number of channels.").required(96)},
                       describeLayerScale),
        applicationRow("StochasticDepth", LayerCategory::Regularization,
                       "Drops whole samples of a branch at random during training (ConvNeXt).",
                       {rate("drop_path_rate", "Share of the samples dropped.").required(0.1)},
                       describeStochasticDepth),
        applicationRow("CustomScaleLayer", LayerCategory::Merging,
                       "The first input plus the second times a constant (Inception-ResNet).",
                       {number("scale", "The constant.").required(0.1)}, describeScaledSum),
    };
    family.back().minimumInputs = 2;
    family.back().maximumInputs = 2;
    return family;
}

} // namespace core
