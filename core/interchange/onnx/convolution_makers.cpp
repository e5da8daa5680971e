// Convolutions and pools.
#include "core/interchange/onnx/onnx_import.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>

namespace core {

namespace {

/// The tensor padded where the node asks for it; `same` when Keras' own padding does.
bool padded(OnnxImport& onnx, const OnnxNode& node, std::size_t size, double value, Json& tensor,
            std::string& mode) {
    const std::string automatic = node.text("auto_pad", "NOTSET");
    mode = automatic == "SAME_UPPER" ? "same" : "valid";
    if (automatic == "SAME_LOWER")
        return false;
    const std::vector<std::int64_t> pads = node.integers("pads");
    const bool pads0 = std::ranges::all_of(pads, [](std::int64_t pad) { return pad == 0; });
    if (automatic != "NOTSET" || pads0)
        return true;
    if (pads.size() != 2 * size)
        return false;
    Json amounts = Json::array({Json::array({0, 0}), Json::array({0, 0})});
    for (std::size_t i = 0; i < size; ++i)
        amounts.push_back(Json::array({pads[i], pads[size + i]}));
    tensor = onnx.add(onnxLabel(node) + "_pad", "TFOpLambda",
                      {{"trainable", true}, {"dtype", "float32"}, {"function", "pad"}}, {tensor},
                      {{"paddings", std::move(amounts)}, {"constant_values", value}});
    return true;
}

Json orOnes(std::vector<std::int64_t> list, std::size_t size) {
    if (list.size() != size)
        list.assign(size, 1);
    return list;
}

bool convolution(OnnxImport& onnx, const OnnxNode& node) {
    const OnnxTensor* weights = onnx.constant(node, 1);
    if (weights == nullptr || weights->extents.size() < 3 || weights->extents.size() > 5 ||
        !onnx.isTensor(node, 0))
        return false;
    const std::size_t size = weights->extents.size() - 2;
    const bool isTransposed = node.operation == "ConvTranspose";
    const std::int64_t groups = node.integer("group", 1);
    const bool hasShape = !node.integers("output_shape").empty() || !node.integers("output_padding").empty();
    const std::vector<std::int64_t> pads = node.integers("pads");
    const OnnxTensor* bias = onnx.constant(node, 2);
    if ((isTransposed &&
         (groups != 1 || hasShape || std::ranges::any_of(pads, [](std::int64_t pad) { return pad != 0; }))) ||
        (node.hasInput(2) && bias == nullptr))
        return false;
    Json tensor = onnx.tensor(node);
    std::string mode;
    if (!padded(onnx, node, size, 0.0, tensor, mode))
        return false;
    Json config{
        {"filters", weights->extents[isTransposed ? 1 : 0]},
        {"kernel_size", std::vector<std::int64_t>(weights->extents.begin() + 2, weights->extents.end())},
        {"strides", orOnes(node.integers("strides"), size)},
        {"padding", mode},
        {"data_format", "channels_first"},
        {"dilation_rate", orOnes(node.integers("dilations"), size)},
        {"use_bias", node.hasInput(2)}};
    if (!isTransposed)
        config["groups"] = groups;
    const std::string className = fmt::format("Conv{}D{}", size, isTransposed ? "Transpose" : "");
    const Json made = onnx.add(onnxLabel(node), className.c_str(), std::move(config), {tensor});
    onnx.keep(made, "kernel", [&] { return convolutionKernel(*weights); });
    if (bias != nullptr)
        onnx.keep(made, "bias", *bias);
    return onnx.bind(node, made);
}

bool pool(OnnxImport& onnx, const OnnxNode& node) {
    const std::vector<std::int64_t> kernel = node.integers("kernel_shape");
    const bool isMaximum = node.operation == "MaxPool";
    const std::vector<std::int64_t> dilations = node.integers("dilations");
    const bool isDilated =
        std::ranges::any_of(dilations, [](std::int64_t dilation) { return dilation != 1; });
    if (!onnx.isTensor(node, 0) || kernel.empty() || kernel.size() > 3 || isDilated || node.hasOutput(1) ||
        node.integer("ceil_mode", 0) != 0)
        return false;
    const std::vector<std::int64_t> pads = node.integers("pads");
    const bool hasPads = std::ranges::any_of(pads, [](std::int64_t pad) { return pad != 0; });
    if (!isMaximum && hasPads && node.integer("count_include_pad", 0) == 0)
        return false;
    Json tensor = onnx.tensor(node);
    std::string mode;
    constexpr double lowest = -3.4e38;
    if (!padded(onnx, node, kernel.size(), isMaximum ? lowest : 0.0, tensor, mode))
        return false;
    const std::string className = fmt::format("{}Pooling{}D", isMaximum ? "Max" : "Average", kernel.size());
    return onnx.bind(node, onnx.add(onnxLabel(node), className.c_str(),
                                    {{"pool_size", kernel},
                                     {"strides", orOnes(node.integers("strides"), kernel.size())},
                                     {"padding", mode},
                                     {"data_format", "channels_first"}},
                                    {tensor}));
}

bool globalPool(OnnxImport& onnx, const OnnxNode& node) {
    const std::int64_t rank = onnx.rank(node);
    if (!onnx.isTensor(node, 0) || rank < 3 || rank > 5)
        return false;
    const std::string className =
        fmt::format("Global{}Pooling{}D", node.operation == "GlobalMaxPool" ? "Max" : "Average", rank - 2);
    return onnx.bind(node,
                     onnx.add(onnxLabel(node), className.c_str(),
                              {{"data_format", "channels_first"}, {"keepdims", true}}, {onnx.tensor(node)}));
}

constexpr OnnxMakerRow convolutionRows[]{
    {"AveragePool", pool},          {"Conv", convolution},
    {"ConvTranspose", convolution}, {"GlobalAveragePool", globalPool},
    {"GlobalMaxPool", globalPool},  {"MaxPool", pool},
};

} // namespace

std::span<const OnnxMakerRow> convolutionMakers() {
    return convolutionRows;
}

} // namespace core
