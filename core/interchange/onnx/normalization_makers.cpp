// Normalization.
#include "core/interchange/onnx/onnx_import.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>

namespace core {

namespace {

bool batchNormalization(OnnxImport& onnx, const OnnxNode& node) {
    if (!onnx.isTensor(node, 0) || node.integer("training_mode", 0) != 0)
        return false;
    constexpr std::array names{"gamma", "beta", "moving_mean", "moving_variance"};
    for (std::size_t i = 0; i < names.size(); ++i) {
        if (onnx.constant(node, i + 1) == nullptr)
            return false;
    }
    const Json made = onnx.add(
        onnxLabel(node), "BatchNormalization",
        {{"axis", 1}, {"momentum", node.number("momentum", 0.9)}, {"epsilon", node.number("epsilon", 1e-5)}},
        {onnx.tensor(node)});
    for (std::size_t i = 0; i < names.size(); ++i)
        onnx.keep(made, names[i], *onnx.constant(node, i + 1));
    return onnx.bind(node, made);
}

/// Scale and shift of a normalization: inputs 1 and 2.
bool bindScaled(OnnxImport& onnx, const OnnxNode& node, const char* className, Json config) {
    const OnnxTensor* shift = onnx.constant(node, 2);
    config["epsilon"] = node.number("epsilon", 1e-5);
    config["center"] = shift != nullptr;
    const Json made = onnx.add(onnxLabel(node), className, std::move(config), {onnx.tensor(node)});
    onnx.keep(made, "gamma", *onnx.constant(node, 1));
    if (shift != nullptr)
        onnx.keep(made, "beta", *shift);
    return onnx.bind(node, made);
}

bool layerNormalization(OnnxImport& onnx, const OnnxNode& node) {
    const OnnxTensor* scale = onnx.constant(node, 1);
    const std::int64_t axis = node.integer("axis", -1);
    const std::int64_t rank = onnx.rank(node);
    if (!onnx.isTensor(node, 0) || scale == nullptr || node.hasOutput(1) ||
        (node.hasInput(2) && onnx.constant(node, 2) == nullptr))
        return false;
    // The scale has the extents of the normalized axes.
    const auto count = static_cast<std::int64_t>(scale->extents.size());
    if (axis < 0 ? count != -axis : (rank >= 0 && count != rank - axis))
        return false;
    Json axes = Json::array();
    for (std::size_t i = scale->extents.size(); i > 0; --i)
        axes.push_back(-static_cast<std::int64_t>(i));
    return bindScaled(onnx, node, "LayerNormalization", {{"axis", axes}});
}

bool channelNormalization(OnnxImport& onnx, const OnnxNode& node) {
    const OnnxTensor* scale = onnx.constant(node, 1);
    if (!onnx.isTensor(node, 0) || scale == nullptr || onnx.constant(node, 2) == nullptr)
        return false;
    if (node.operation == "InstanceNormalization")
        return bindScaled(onnx, node, "InstanceNormalization", {{"channels_axis", 1}});
    // Before operator set 21 the scale was one of each group, which Keras has no weight for.
    if (onnx.opset() < 21 && scale->elements() != 1)
        return false;
    return bindScaled(onnx, node, "GroupNormalization",
                      {{"groups", node.integer("num_groups", 1)},
                       {"channels_axis", 1},
                       {"strided_channel_grouping", false}});
}

constexpr OnnxMakerRow normalizationRows[]{
    {"BatchNormalization", batchNormalization},
    {"GroupNormalization", channelNormalization},
    {"InstanceNormalization", channelNormalization},
    {"LayerNormalization", layerNormalization},
};

} // namespace

std::span<const OnnxMakerRow> normalMakers() {
    return normalizationRows;
}

} // namespace core
