#include "core/model/layers/attribute_groups.h"
#include "core/model/layers/layer_families.h"
#include "core/model/layers/layer_row.h"
#include "core/model/layers/shape_rules.h"

#include <fmt/format.h>

namespace core {

namespace {

using namespace attribute;

/// Mean (1), variance (3), normalise (2), scale and shift (2) for each element.
constexpr std::int64_t sampleFlopsPerElement = 8;

void addScaleAndShift(const LayerCall& call, const Shape& shape, CallFacts& facts) {
    if (call.attributes.boolean("scale"))
        facts.weights.push_back(weight(call, "gamma", shape, "gamma_initializer", "ones"));
    if (call.attributes.boolean("center"))
        facts.weights.push_back(weight(call, "beta", shape, "beta_initializer", "zeros"));
}

/// Extents of the axes that `name` lists.
RuleResult<Shape> axisExtents(const LayerCall& call, std::string_view name) {
    Shape shape;
    for (const std::int64_t axis : call.attributes.axes(name)) {
        const auto index = axisFromFront(axis, call.shape().rank());
        if (!index)
            return tl::unexpected(index.error());
        const auto extent = requireExtent(call.shape(), *index);
        if (!extent)
            return tl::unexpected(extent.error());
        shape.dimensions.emplace_back(*extent);
    }
    return shape;
}

RuleResult<CallFacts> describeLayerNormalization(const LayerCall& call) {
    const auto shape = axisExtents(call, "axis");
    if (!shape)
        return tl::unexpected(shape.error());
    CallFacts facts = sameAsInput(call, sampleFlopsPerElement);
    addScaleAndShift(call, *shape, facts);
    if (call.attributes.boolean("rms_scaling") && facts.weights.size() == 2)
        facts.weights.pop_back(); // root mean square scaling has no shift
    return facts;
}

RuleResult<CallFacts> describeRootMeanSquare(const LayerCall& call) {
    const auto shape = axisExtents(call, "axis");
    if (!shape)
        return tl::unexpected(shape.error());
    CallFacts facts = sameAsInput(call, 4);
    facts.weights.push_back(weight(call, "scale", *shape, "", "ones"));
    return facts;
}

RuleResult<CallFacts> describeUnitNormalization(const LayerCall& call) {
    if (const auto shape = axisExtents(call, "axis"); !shape)
        return tl::unexpected(shape.error());
    return sameAsInput(call, 3);
}

RuleResult<CallFacts> describeGroupNormalization(const LayerCall& call) {
    const auto shape = axisExtents(call, "channels_axis");
    if (!shape)
        return tl::unexpected(shape.error());
    const std::int64_t channels = shape->rank() == 1 ? *(*shape)[0] : 0;
    // −1: a group for each channel.
    const std::int64_t groups = call.attributes.integer("groups");
    if (groups > 0 && (channels == 0 || channels % groups != 0))
        return refuse(fmt::format("{} channels do not divide into {} groups", channels, groups),
                      "choose a divisor of the channels", "groups");
    CallFacts facts = sameAsInput(call, sampleFlopsPerElement);
    addScaleAndShift(call, *shape, facts);
    return facts;
}

RuleResult<CallFacts> describeInstanceNormalization(const LayerCall& call) {
    const auto shape = axisExtents(call, "channels_axis");
    if (!shape)
        return tl::unexpected(shape.error());
    CallFacts facts = sameAsInput(call, sampleFlopsPerElement);
    addScaleAndShift(call, *shape, facts);
    return facts;
}

Attributes scaleAndShift(double epsilonByDefault) {
    return {
        epsilon(epsilonByDefault),
        boolean("center", true, "Whether a learned beta is added."),
        boolean("scale", true, "Whether a learned gamma multiplies."),
        initializer("beta_initializer", "zeros", "How beta starts."),
        initializer("gamma_initializer", "ones", "How gamma starts."),
        regularizer("beta_regularizer", "Penalty on beta."),
        regularizer("gamma_regularizer", "Penalty on gamma."),
        constraint("beta_constraint", "Projection of beta after each update."),
        constraint("gamma_constraint", "Projection of gamma after each update."),
    };
}

LayerDefinition sampleNormalizationRow(std::string className, std::string documentation,
                                       Attributes attributes, LayerRule rule) {
    return layerRow(std::move(className), LayerCategory::Normalization, std::move(documentation),
                    std::move(attributes), rule);
}

LayerDefinition groupNormalization() {
    return sampleNormalizationRow(
        "GroupNormalization",
        "Normalises groups of channels of each sample by themselves, then scales and shifts each channel.",
        joined(
            {{integer("groups", "Number of groups; −1 for one per channel.")
                  .between(-1, largestExtent)
                  .defaults(2)
                  .defaultsBeside("axis", 32),
              axes("channels_axis", -1, "The channel axis.").alias("axis"),
              boolean("strided_channel_grouping", true,
                      "Whether a group takes every n-th channel, as IPUs do it fastest, instead of "
                      "neighbours. Files of standard Keras, which name the axis \"axis\", mean neighbours.")
                  .defaultsBeside("axis", false)},
             scaleAndShift(1e-3)}),
        describeGroupNormalization);
}

} // namespace

LayerFamily sampleNormalizationLayers() {
    return {
        sampleNormalizationRow(
            "LayerNormalization", "Normalises each sample over the given axes, then scales and shifts it.",
            joined({{axes("axis", -1, "The axes to normalise over.")},
                    scaleAndShift(1e-3),
                    {boolean("rms_scaling", false, "Whether only the root mean square is taken out."),
                     json("fused", nullptr, "Bookkeeping.")}}),
            describeLayerNormalization),
        groupNormalization(),
        sampleNormalizationRow(
            "InstanceNormalization",
            "Normalises every channel of each sample by itself, then scales and shifts it.",
            joined({{axes("channels_axis", -1, "The channel axis.").alias("axis"),
                     json("groups", nullptr, "Bookkeeping."),
                     json("strided_channel_grouping", nullptr, "Bookkeeping.")},
                    scaleAndShift(1e-3)}),
            describeInstanceNormalization),
        sampleNormalizationRow("UnitNormalization", "Scales each vector along the axis to length 1.",
                               {axes("axis", -1, "The axis or axes of the vectors.")},
                               describeUnitNormalization),
        sampleNormalizationRow(
            "RMSNormalization", "Divides by the root mean square along the axis and scales.",
            {axes("axis", -1, "The axis of the vectors."), epsilon(1e-6)}, describeRootMeanSquare),
    };
}

} // namespace core
