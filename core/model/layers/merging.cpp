#include "core/model/layers/attribute_groups.h"
#include "core/model/layers/layer_families.h"
#include "core/model/layers/layer_row.h"
#include "core/model/layers/shape_rules.h"

#include <algorithm>
#include <fmt/format.h>

namespace core {

namespace {

using namespace attribute;

/// The widest of the inputs' element types: floating beats whole.
DataType commonType(const LayerCall& call) {
    for (std::size_t i = 0; i < call.inputs.size(); ++i) {
        if (isFloating(call.inputs[i].type))
            return call.precision.compute;
    }
    return call.inputs[0].type;
}

RuleResult<CallFacts> describeMerge(const LayerCall& call) {
    Shape shape = call.shape();
    for (std::size_t i = 1; i < call.inputs.size(); ++i) {
        const auto common = broadcastShapes(shape, call.shape(i));
        if (!common)
            return tl::unexpected(common.error());
        shape = *common;
    }
    CallFacts facts = output(shape, commonType(call));
    facts.flops = elements(shape) * static_cast<std::int64_t>(call.inputs.size() - 1);
    return facts;
}

RuleResult<CallFacts> describeConcatenate(const LayerCall& call) {
    Shape shape = call.shape();
    const auto axis = axisFromFront(call.attributes.integer("axis"), shape.rank());
    if (!axis)
        return tl::unexpected(axis.error());
    Count joined = shape[*axis];
    for (std::size_t i = 1; i < call.inputs.size(); ++i) {
        const Shape& other = call.shape(i);
        if (!agreeBut(shape, other, *axis))
            return refuse(fmt::format("cannot join {} and {} along axis {}", toText(call.shape()),
                                      toText(other), *axis),
                          "all extents but the joined one must be equal", "axis");
        for (std::size_t k = 0; k < shape.rank(); ++k)
            shape[k] = shape[k] ? shape[k] : other[k];
        joined += other[*axis];
    }
    shape[*axis] = joined.known();
    return output(shape, commonType(call));
}

/// Sums products along one axis of each input; the other axes of both stay, the batch axis once.
RuleResult<CallFacts> describeDot(const LayerCall& call) {
    std::vector<std::int64_t> given = call.attributes.axes("axes");
    if (given.size() == 1)
        given.push_back(given[0]);
    if (given.size() != 2)
        return refuse("needs one axis or two", "write one axis of each input", "axes");
    const auto first = axisFromFront(given[0], call.shape(0).rank());
    const auto second = axisFromFront(given[1], call.shape(1).rank());
    if (!first || !second || *first == 0 || *second == 0)
        return refuse(fmt::format("cannot sum along axes {} and {} of {} and {}", given[0], given[1],
                                  toText(call.shape(0)), toText(call.shape(1))),
                      "choose an axis after the batch axis of each input", "axes");
    const Dimension summed = call.shape(0)[*first] ? call.shape(0)[*first] : call.shape(1)[*second];
    if (call.shape(1)[*second] && summed != call.shape(1)[*second])
        return refuse(fmt::format("sums along extents {} and {}", *summed, *call.shape(1)[*second]),
                      "the summed extents must be equal", "axes");
    Shape shape{call.shape(0)[0]};
    for (std::size_t axis = 1; axis < call.shape(0).rank(); ++axis) {
        if (axis != *first)
            shape.dimensions.push_back(call.shape(0)[axis]);
    }
    for (std::size_t axis = 1; axis < call.shape(1).rank(); ++axis) {
        if (axis != *second)
            shape.dimensions.push_back(call.shape(1)[axis]);
    }
    const Count products = elements(shape);
    if (shape.rank() == 1)
        shape.dimensions.emplace_back(1);
    CallFacts facts = output(call, shape);
    facts.flops = Count(2) * products * Count(summed);
    return facts;
}

/// Labels, then predictions: one value for each position of the axes before the last.
RuleResult<CallFacts> describeLossValue(const LayerCall& call) {
    const Shape& predictions = call.shape(1);
    if (predictions.rank() < 2)
        return refuse("compares predictions without an axis behind that of the samples",
                      "give predictions of two axes or more", "loss");
    Shape shape = predictions;
    shape.dimensions.pop_back();
    const Count elementsCompared = elements(predictions);
    CallFacts facts = output(shape, DataType::Float32);
    constexpr std::int64_t perElement = 4; // difference, function, weight and sum
    facts.flops = Count(perElement) * elementsCompared;
    return facts;
}

LayerDefinition mergingRow(std::string className, std::string documentation, std::size_t maximumInputs,
                           Attributes attributes = {}, LayerRule rule = describeMerge) {
    LayerDefinition definition = layerRow(std::move(className), LayerCategory::Merging,
                                          std::move(documentation), std::move(attributes), rule);
    definition.minimumInputs = 2;
    definition.maximumInputs = maximumInputs;
    return definition;
}

} // namespace

LayerFamily mergingLayers() {
    LayerFamily family{
        mergingRow("Add", "Sum of the inputs, element by element.", anyNumberOfInputs),
        mergingRow("Subtract", "First input minus the second.", 2),
        mergingRow("Multiply", "Product of the inputs, element by element.", anyNumberOfInputs),
        mergingRow("Average", "Mean of the inputs, element by element.", anyNumberOfInputs),
        mergingRow("Maximum", "Largest of the inputs, element by element.", anyNumberOfInputs),
        mergingRow("Minimum", "Smallest of the inputs, element by element.", anyNumberOfInputs),
        mergingRow("Concatenate", "Joins the inputs along an axis.", anyNumberOfInputs,
                   {axes("axis", -1, "The axis.")}, describeConcatenate),
        mergingRow("Dot", "Products of two inputs summed along an axis of each.", 2,
                   {axes("axes", Json::array({-1, -1}), "The summed axis of each input.")
                        .required(Json::array({-1, -1})),
                    boolean("normalize", false,
                            "Whether vectors are scaled to length 1 first (cosine similarity).")},
                   describeDot),
        mergingRow(
            "LossValue",
            "A loss of Keras between labels and predictions, a value for each sample: a part of a loss "
            "function.",
            2, {json("loss", nullptr, "The loss as Keras writes it.").required("MeanSquaredError")},
            describeLossValue),
    };
    // A file may list a single input: Keras built such models.
    for (LayerDefinition& definition : family) {
        if (definition.className != "Dot" && definition.className != "Subtract" &&
            definition.className != "LossValue")
            definition.minimumInputs = 1;
    }
    return family;
}

} // namespace core
