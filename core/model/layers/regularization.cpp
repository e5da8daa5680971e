#include "core/model/layers/attribute_groups.h"
#include "core/model/layers/layer_families.h"
#include "core/model/layers/layer_row.h"
#include "core/model/layers/shape_rules.h"

namespace core {

namespace {

using namespace attribute;

RuleResult<CallFacts> describeDropout(const LayerCall& call) {
    return sameAsInput(call);
}

template <std::size_t Rank>
RuleResult<CallFacts> describeSpatial(const LayerCall& call) {
    if (auto error = requireRank(call, Rank))
        return tl::unexpected(*error);
    return sameAsInput(call);
}

LayerDefinition regularizationRow(std::string className, std::string documentation, Attributes attributes,
                                  LayerRule rule = describeDropout) {
    return layerRow(std::move(className), LayerCategory::Regularization, std::move(documentation),
                    std::move(attributes), rule);
}

AttributeDefinition dropRate() {
    return rate("rate", "Share of the inputs that are set to 0 during training.").required(0.5).alias("p");
}

AttributeDefinition noiseShape() {
    return any(AttributeKind::Shape, "noise_shape",
               "Extents of the random mask; 1 shares a decision along an axis, null takes the input's "
               "extent.")
        .between(0, largestExtent)
        .nullable();
}

} // namespace

LayerFamily regularizationLayers() {
    return {
        regularizationRow(
            "Dropout",
            "Sets inputs to 0 at random during training and scales the others up, so that the expected sum "
            "stays.",
            {dropRate(), noiseShape(), seed()}),
        regularizationRow("SpatialDropout1D", "Dropout of whole channels of a sequence.",
                          {dropRate(), noiseShape(), seed()}, describeSpatial<3>),
        regularizationRow("SpatialDropout2D", "Dropout of whole channels of an image.",
                          {dropRate(), noiseShape(), seed(), dataFormat()}, describeSpatial<4>),
        regularizationRow("SpatialDropout3D", "Dropout of whole channels of a volume.",
                          {dropRate(), noiseShape(), seed(), dataFormat()}, describeSpatial<5>),
        regularizationRow(
            "GaussianNoise", "Adds normal noise during training.",
            {number("stddev", "Standard deviation of the noise.").between(0, 1e300).required(0.1), seed()}),
        regularizationRow("GaussianDropout", "Multiplies by normal noise around 1 during training.",
                          {rate("rate", "Share that dropout would drop; the noise has the same variance.")
                               .required(0.5)
                               .alias("p"),
                           seed()}),
        regularizationRow("AlphaDropout", "Dropout that keeps mean and variance of selu networks.",
                          {dropRate(), noiseShape(), seed()}),
        regularizationRow(
            "ActivityRegularization", "Passes its input on and adds a penalty on it to the loss.",
            {number("l1", "Factor of the sum of absolute values.").between(0, 1e300).defaults(0.0),
             number("l2", "Factor of the sum of squares.").between(0, 1e300).defaults(0.0),
             json("activity_regularizer", nullptr, "The penalty as an object; bookkeeping.")}),
        // What add_loss() of a functional model leaves in it.
        regularizationRow("AddLoss", "Passes its input on and adds the mean of it to the loss.",
                          {boolean("unconditional", false, "Whether it depends on no input; bookkeeping.")}),
    };
}

} // namespace core
