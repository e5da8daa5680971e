#include "core/model/layers/attribute_groups.h"
#include "core/model/layers/layer_families.h"
#include "core/model/layers/layer_row.h"
#include "core/model/layers/shape_rules.h"

namespace core {

namespace {

using namespace attribute;

RuleResult<CallFacts> describeAugmentation(const LayerCall& call) {
    if (auto error = requireMinimumRank(call, 4))
        return tl::unexpected(*error);
    return output(call, call.shape());
}

RuleResult<CallFacts> describeCrop(const LayerCall& call) {
    Shape shape = call.shape();
    if (shape.rank() != 3 && shape.rank() != 4)
        return tl::unexpected(*requireRank(call, 4));
    const std::size_t height = shape.rank() - (isChannelsFirst(call.attributes) ? 2 : 3);
    shape[height] = call.attributes.integer("height");
    shape[height + 1] = call.attributes.integer("width");
    return output(call, shape);
}

/// Height or width become unknown: they change from batch to batch.
template <std::size_t FromBack>
RuleResult<CallFacts> describeStretch(const LayerCall& call) {
    if (auto error = requireMinimumRank(call, 3))
        return tl::unexpected(*error);
    Shape shape = call.shape();
    shape[shape.rank() - FromBack] = std::nullopt;
    return output(call, shape);
}

LayerDefinition augmentationRow(std::string className, std::string documentation, Attributes attributes,
                                LayerRule rule = describeAugmentation) {
    return layerRow(std::move(className), LayerCategory::Preprocessing, std::move(documentation),
                    joined({std::move(attributes),
                            {json("fill_mode", "reflect", "What fills the border."),
                             json("interpolation", "bilinear", "How new elements are found."), seed(),
                             json("fill_value", 0.0, "The border's constant."), dataFormat(),
                             json("value_range", nullptr, "Smallest and largest value of a pixel.")}}),
                    rule);
}

} // namespace

LayerFamily augmentationLayers() {
    return {
        augmentationRow(
            "RandomFlip", "Flips images at random during training.",
            {choice("mode", {"horizontal_and_vertical", "horizontal", "vertical"}, "Which way.")}),
        augmentationRow(
            "RandomRotation", "Turns images at random during training.",
            {json("factor", 0.1, "Largest turn as a share of a full one, or a pair.").required(0.1)}),
        augmentationRow("RandomZoom", "Zooms images at random during training.",
                        {json("height_factor", 0.1, "Bounds of the vertical zoom.").required(0.1),
                         json("width_factor", nullptr, "Bounds of the horizontal zoom; null for the same.")}),
        augmentationRow("RandomTranslation", "Moves images at random during training.",
                        {json("height_factor", 0.1, "Bounds of the vertical move.").required(0.1),
                         json("width_factor", 0.1, "Bounds of the horizontal move.").required(0.1)}),
        augmentationRow("RandomContrast", "Changes the contrast at random during training.",
                        {json("factor", 0.1, "Bounds of the change.").required(0.1)}),
        augmentationRow("RandomBrightness", "Changes the brightness at random during training.",
                        {json("factor", 0.1, "Bounds of the change.").required(0.1)}),
        augmentationRow("RandomCrop",
                        "Cuts a random window out of images during training, the middle otherwise.",
                        {integer("height", "Rows of the window.").required(224),
                         integer("width", "Columns of the window.").required(224)},
                        describeCrop),
        augmentationRow("RandomHeight", "Stretches the height at random during training.",
                        {json("factor", 0.1, "Bounds of the change.").required(0.1)}, describeStretch<3>),
        augmentationRow("RandomWidth", "Stretches the width at random during training.",
                        {json("factor", 0.1, "Bounds of the change.").required(0.1)}, describeStretch<2>),
        augmentationRow("RandomSaturation", "Changes the saturation at random during training.",
                        {json("factor", 0.1, "Bounds of the change.").required(0.1)}),
        augmentationRow("RandomHue", "Shifts the hue at random during training.",
                        {json("factor", 0.1, "Bounds of the shift.").required(0.1)}),
        augmentationRow("RandomSharpness", "Changes the sharpness at random during training.",
                        {json("factor", 0.1, "Bounds of the change.").required(0.1)}),
        augmentationRow("RandomShear", "Shears images at random during training.",
                        {json("x_factor", 0.0, "Bounds of the horizontal shear."),
                         json("y_factor", 0.0, "Bounds of the vertical shear.")}),
        augmentationRow("RandomColorDegeneration",
                        "Mixes images with their grey selves at random during training.",
                        {json("factor", 0.1, "Bounds of the mixture.").required(0.1)}),
        augmentationRow("RandomColorJitter",
                        "Changes brightness, contrast, saturation and hue at random during training.",
                        {json("brightness_factor", nullptr, "Bounds of the brightness."),
                         json("contrast_factor", nullptr, "Bounds of the contrast."),
                         json("saturation_factor", nullptr, "Bounds of the saturation."),
                         json("hue_factor", nullptr, "Bounds of the hue.")}),
        augmentationRow("RandomGaussianBlur", "Blurs images at random during training.",
                        {json("factor", 1.0, "Bounds of the chance."),
                         json("kernel_size", 3, "Extent of the kernel."),
                         json("sigma", 1.0, "Bounds of the width.")}),
        augmentationRow("RandomGrayscale", "Turns images grey at random during training.",
                        {json("factor", 0.5, "The chance.")}),
        augmentationRow("RandomInvert", "Inverts images at random during training.",
                        {json("factor", 1.0, "Bounds of the chance.")}),
        augmentationRow("RandomPosterization", "Reduces the bits of each colour at random during training.",
                        {json("factor", 4, "Bits kept.").required(4)}),
        augmentationRow(
            "RandomErasing", "Covers patches of images at random during training.",
            {json("factor", 1.0, "Bounds of the chance."), json("scale", nullptr, "Bounds of the area.")}),
        augmentationRow("RandomElasticTransform", "Warps images at random during training.",
                        {json("factor", 1.0, "Bounds of the chance."), json("scale", 1.0, "Strength."),
                         json("alpha", 1.0, "Strength."), json("sigma", 1.0, "Smoothness.")}),
        augmentationRow("RandomPerspective", "Changes the perspective at random during training.",
                        {json("factor", 1.0, "Bounds of the chance."), json("scale", 1.0, "Strength."),
                         json("alpha", 1.0, "Strength.")}),
        augmentationRow("RandAugment",
                        "Applies random changes of images one after the other during training.",
                        {json("num_ops", 2, "Number of changes."), json("factor", 0.5, "Strength.")}),
        augmentationRow("AugMix", "Mixes chains of random changes of images during training.",
                        {json("num_chains", 3, "Number of chains."),
                         json("chain_depth", 3, "Length of a chain."), json("factor", 0.3, "Strength."),
                         json("alpha", 1.0, "Mixture.")}),
        augmentationRow("MixUp", "Mixes pairs of images during training.", {json("alpha", 0.2, "Mixture.")}),
        augmentationRow("CutMix", "Cuts patches from one image into another during training.",
                        {json("factor", 1.0, "Bounds of the patch.")}),
        augmentationRow("AutoContrast", "Stretches the contrast to the whole range.", {}),
        augmentationRow("Equalization", "Equalizes the histogram of each channel.",
                        {integer("bins", "Levels that are told apart.").between(2, 65536).defaults(256)}),
        augmentationRow("Solarization", "Inverts bright pixels at random during training.",
                        {json("addition_factor", 0.0, "Bounds of what is added."),
                         json("threshold_factor", 0.0, "Bounds of the threshold.")}),
    };
}

} // namespace core
