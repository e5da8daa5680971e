#include "core/model/layers/attribute_groups.h"
#include "core/model/layers/layer_families.h"
#include "core/model/layers/layer_row.h"
#include "core/model/layers/shape_rules.h"

#include <algorithm>

namespace core {

namespace {

using namespace attribute;

RuleResult<CallFacts> describeRescaling(const LayerCall& call) {
    CallFacts facts = output(call, call.shape());
    facts.flops = elements(call.shape()) * 2;
    return facts;
}

/// Sets the height and width of [batch, height, width, channels] (the batch axis may be missing).
RuleResult<CallFacts> describeImageSize(const LayerCall& call) {
    Shape shape = call.shape();
    if (shape.rank() != 3 && shape.rank() != 4)
        return tl::unexpected(*requireRank(call, 4));
    const std::size_t height = shape.rank() - (isChannelsFirst(call.attributes) ? 2 : 3);
    shape[height] = call.attributes.integer("height");
    shape[height + 1] = call.attributes.integer("width");
    return output(call, shape);
}

/// Adapted statistics per entry of the kept axes, and a count, unless they are given as attributes.
RuleResult<CallFacts> describeNormalization(const LayerCall& call) {
    CallFacts facts = output(call, call.shape());
    facts.flops = elements(call.shape()) * 2;
    if (call.attributes.isGiven("mean") && call.attributes.isGiven("variance"))
        return facts;
    Shape kept;
    for (const std::int64_t axis : call.attributes.axes("axis")) {
        const auto index = axisFromFront(axis, call.shape().rank());
        if (!index)
            return tl::unexpected(index.error());
        const auto extent = requireExtent(call.shape(), *index);
        if (!extent)
            return tl::unexpected(extent.error());
        kept.dimensions.emplace_back(*extent);
    }
    facts.weights.push_back(state(call, "mean", kept, "", "zeros"));
    facts.weights.push_back(state(call, "variance", kept, "", "ones"));
    facts.weights.push_back(state(call, "count", Shape{}, "", "zeros"));
    facts.weights.back().type = DataType::Int32;
    return facts;
}

/// "int" keeps the shape; the others spread each sample over num_tokens places.
RuleResult<CallFacts> describeCategoryEncoding(const LayerCall& call) {
    Shape shape = call.shape();
    const std::int64_t tokens = call.attributes.integer("num_tokens");
    const std::string mode = call.attributes.text("output_mode");
    if (mode != "one_hot" && shape.rank() > 1)
        shape.dimensions.pop_back();
    else if (mode == "one_hot" && shape.rank() > 1 && shape[shape.rank() - 1] == Dimension(1))
        shape.dimensions.pop_back();
    shape.dimensions.emplace_back(tokens);
    return output(call, shape);
}

RuleResult<CallFacts> describeDiscretization(const LayerCall& call) {
    return output(call.shape(), DataType::Int32);
}

LayerDefinition preprocessingRow(std::string className, std::string documentation, Attributes attributes,
                                 LayerRule rule) {
    return layerRow(std::move(className), LayerCategory::Preprocessing, std::move(documentation),
                    std::move(attributes), rule);
}

AttributeDefinition height() {
    return integer("height", "Rows of the result.").required(224);
}
AttributeDefinition width() {
    return integer("width", "Columns of the result.").required(224);
}
AttributeDefinition interpolation() {
    return choice(
        "interpolation",
        {"bilinear", "nearest", "bicubic", "area", "lanczos3", "lanczos5", "gaussian", "mitchellcubic"},
        "How new elements are found.");
}

} // namespace

LayerFamily preprocessingLayers() {
    AttributeDefinition kept = axes("axis", -1, "Axes with statistics of their own; null for one of all.");
    kept.isNullable = true;
    return {
        preprocessingRow("Rescaling", "x · scale + offset.",
                         {json("scale", 1.0, "Factor, or one per channel.").required(1.0),
                          json("offset", 0.0, "Summand, or one per channel.")},
                         describeRescaling),
        preprocessingRow(
            "Resizing", "Resizes images.",
            {height(), width(), interpolation(),
             boolean("crop_to_aspect_ratio", false, "Whether the proportions stay and the border is cut."),
             boolean("pad_to_aspect_ratio", false, "Whether the proportions stay and a border is added."),
             json("fill_mode", "constant", "What fills the border."),
             json("fill_value", 0.0, "The border's constant."),
             json("antialias", false, "Whether it smooths first."), dataFormat()},
            describeImageSize),
        preprocessingRow("CenterCrop", "Cuts the middle out of images.", {height(), width(), dataFormat()},
                         describeImageSize),
        preprocessingRow("Normalization",
                         "Brings each feature to mean 0 and variance 1 with statistics of the dataset.",
                         {kept, json("mean", nullptr, "The mean, where known."),
                          json("variance", nullptr, "The variance, where known."),
                          boolean("invert", false, "Whether it undoes the normalisation.")},
                         describeNormalization),
        preprocessingRow(
            "CategoryEncoding", "Turns indices into one-hot, multi-hot or count vectors.",
            {integer("num_tokens", "Length of the vectors.").required(10).alias("max_tokens"),
             choice("output_mode", {"multi_hot", "one_hot", "count", "binary"}, "Kind of vector."),
             json("sparse", false, "Bookkeeping.")},
            describeCategoryEncoding),
        preprocessingRow("Discretization", "Turns numbers into the index of their bin.",
                         {json("bin_boundaries", nullptr, "Borders of the bins."),
                          json("num_bins", nullptr, "Number of bins."),
                          json("epsilon", 0.01, "Accuracy of adapted borders."),
                          json("output_mode", "int", "Kind of output."),
                          json("sparse", false, "Bookkeeping.")},
                         describeDiscretization),
    };
}

} // namespace core
