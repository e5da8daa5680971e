#include "core/model/layers/attribute_groups.h"
#include "core/model/layers/layer_families.h"
#include "core/model/layers/layer_row.h"
#include "core/model/layers/shape_rules.h"

#include <algorithm>
#include <fmt/format.h>

namespace core {

namespace {

using namespace attribute;

RuleResult<CallFacts> describeActivation(const LayerCall& call) {
    CallFacts facts = sameAsInput(call, 1);
    const std::string name = call.attributes.activation().name;
    Shape& shape = facts.outputs[0].shape;
    if (name == "crelu" && shape.rank() > 0 && shape[shape.rank() - 1])
        shape[shape.rank() - 1] = *shape[shape.rank() - 1] * 2;
    if (name == "glu" && shape.rank() > 0 && shape[shape.rank() - 1])
        shape[shape.rank() - 1] = *shape[shape.rank() - 1] / 2;
    if (name == "linear")
        facts.flops = 0;
    return facts;
}

RuleResult<CallFacts> describeElementwise(const LayerCall& call) {
    return sameAsInput(call, 1);
}

/// Exponential, sum and division for each element.
RuleResult<CallFacts> describeSoftmax(const LayerCall& call) {
    for (const std::int64_t axis : call.attributes.axes("axis")) {
        if (const auto index = axisFromFront(axis, call.shape().rank()); !index)
            return tl::unexpected(index.error());
    }
    return sameAsInput(call, 3);
}

/// `num_units` outputs along the axis, each the largest of every num_units-th input (Goodfellow et al. 2013).
RuleResult<CallFacts> describeMaxout(const LayerCall& call) {
    const auto axis = axisFromFront(call.attributes.integer("axis"), call.shape().rank());
    if (!axis)
        return tl::unexpected(axis.error());
    CallFacts facts = sameAsInput(call, 1);
    Dimension& extent = facts.outputs[0].shape[*axis];
    const std::int64_t units = call.attributes.integer("num_units");
    if (extent && *extent % units != 0)
        return refuse(
            fmt::format("cannot share out {} elements of axis {} among {} units", *extent, *axis, units),
            "choose a divisor of the elements", "num_units");
    extent = units;
    return facts;
}

/// A learned slope per element of a sample, shared along `shared_axes`.
RuleResult<CallFacts> describePrelu(const LayerCall& call) {
    Shape alpha(std::vector<Dimension>(call.shape().dimensions.begin() + (call.shape().rank() > 0 ? 1 : 0),
                                       call.shape().dimensions.end()));
    for (const std::int64_t axis : call.attributes.axes("shared_axes")) {
        if (axis < 1 || static_cast<std::size_t>(axis) > alpha.rank())
            return refuse("shared_axes counts from 1, the first axis after the batch axis",
                          "choose axes of the input", "shared_axes");
        alpha[static_cast<std::size_t>(axis) - 1] = 1;
    }
    for (std::size_t axis = 0; axis < alpha.rank(); ++axis) {
        if (const auto extent = requireExtent(alpha, axis); !extent)
            return tl::unexpected(extent.error());
    }
    CallFacts facts = sameAsInput(call, 1);
    facts.weights.push_back(weight(call, "alpha", alpha, "alpha_initializer"));
    return facts;
}

LayerDefinition activationRow(std::string className, std::string documentation, Attributes attributes,
                              LayerRule rule = describeElementwise) {
    return layerRow(std::move(className), LayerCategory::Activation, std::move(documentation),
                    std::move(attributes), rule);
}

} // namespace

LayerFamily activationLayers() {
    LayerFamily family{
        activationRow("Activation", "Applies an activation function to every element.",
                      {activation("activation", "linear", "The function.")}, describeActivation),
        activationRow(
            "ReLU", "max(x, 0), with an optional ceiling, slope and threshold.",
            {number("max_value", "Largest output; null for none.").between(0, 1e300).nullable(),
             number("negative_slope", "Slope below the threshold.").between(0, 1e300).defaults(0.0),
             number("threshold", "Inputs from here on pass unchanged.").between(0, 1e300).defaults(0.0)}),
        activationRow("LeakyReLU", "x where positive, else a small multiple of x.",
                      {number("alpha", "Slope for negative inputs.")
                           .between(0, 1e300)
                           .defaults(0.3)
                           .alias("negative_slope")}),
        activationRow(
            "PReLU", "x where positive, else a learned multiple of x.",
            {initializer("alpha_initializer", "zeros", "How the slopes start."),
             regularizer("alpha_regularizer", "Penalty on the slopes."),
             constraint("alpha_constraint", "Projection of the slopes after each update."),
             axes("shared_axes", nullptr, "Axes (from 1) along which one slope is shared; null for none.")
                 .between(1, 31)},
            describePrelu),
        activationRow("ELU", "x where positive, else alpha · (exp(x) − 1).",
                      {number("alpha", "Scale of the negative part.").between(0, 1e300).defaults(1.0)}),
        activationRow("ThresholdedReLU", "x where above theta, else 0.",
                      {number("theta", "The threshold.").between(0, 1e300).defaults(1.0)}),
        activationRow("Softmax", "exp(x) over its sum along an axis.",
                      {axes("axis", -1, "Axis or axes of the sum.")}, describeSoftmax),
        activationRow("Maxout", "The largest of each group of inputs along an axis (TensorFlow Addons).",
                      {integer("num_units", "Groups, the extent afterwards; divides the inputs.").required(1),
                       integer("axis", "The axis.").between(-31, 31).defaults(-1)},
                      describeMaxout),
    };
    family[0].attributes[0].required("relu");
    return family;
}

} // namespace core
