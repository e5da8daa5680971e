// Recurrences.
#include "core/interchange/onnx/onnx_import.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>

namespace core {

namespace {

bool recurrent(OnnxImport& onnx, const OnnxNode& node) {
    const OnnxTensor* kernel = onnx.constant(node, 1);
    const OnnxTensor* recurrentKernel = onnx.constant(node, 2);
    const OnnxTensor* bias = onnx.constant(node, 3);
    const bool isLstm = node.operation == "LSTM";
    const std::string direction = node.text("direction", "forward");
    const std::size_t directions = direction == "bidirectional" ? 2 : 1;
    const std::int64_t gates = isLstm ? 4 : node.operation == "GRU" ? 3 : 1;
    const auto hasForm = [&](const OnnxTensor* tensor, std::size_t rank, std::int64_t width) {
        return tensor != nullptr && tensor->extents.size() == rank &&
               tensor->extents[0] == static_cast<std::int64_t>(directions) && tensor->extents[1] == width;
    };
    if (!onnx.isTensor(node, 0) || recurrentKernel == nullptr || recurrentKernel->extents.size() != 3)
        return false;
    const std::int64_t units = recurrentKernel->extents[2];
    constexpr std::int64_t mostUnits = 1 << 24;
    if (units <= 0 || units > mostUnits || !hasForm(kernel, 3, gates * units) ||
        !hasForm(recurrentKernel, 3, gates * units) ||
        (node.hasInput(3) && !hasForm(bias, 2, 2 * gates * units)) ||
        node.attribute("activations") != nullptr || node.attribute("clip") != nullptr ||
        node.integer("input_forget", 0) != 0 || node.hasInput(4) || !onnx.isZero(node, 5) ||
        !onnx.isZero(node, 6) || node.hasInput(7))
        return false;
    const bool isTimeMajor = node.integer("layout", 0) == 0;
    const bool hasReset = node.operation == "GRU" && node.integer("linear_before_reset", 0) != 0;
    using Bias = OnnxRecurrence::Bias;
    const Bias kind = bias == nullptr ? Bias::None : hasReset ? Bias::Separate : Bias::Joint;
    const char* className = isLstm ? "LSTM" : node.operation == "GRU" ? "GRU" : "SimpleRNN";
    const std::size_t outputs = isLstm ? 3 : 2;
    // Outputs have an axis for the directions.
    std::vector<std::vector<Json>> parts(outputs);
    for (std::size_t which = 0; which < directions; ++which) {
        const bool isBackward = direction == "reverse" || which == 1;
        Json config{{"units", units},
                    {"return_sequences", true},
                    {"return_state", true},
                    {"time_major", isTimeMajor},
                    {"use_bias", node.hasInput(3)},
                    {"go_backwards", isBackward}};
        if (node.operation == "GRU")
            config["reset_after"] = hasReset;
        Json made = onnx.add(onnxLabel(node), className, std::move(config), {onnx.tensor(node)});
        if (onnx.keepsValues()) {
            const OnnxRecurrence weights =
                recurrenceWeights(node.operation, which, *kernel, *recurrentKernel, bias, kind);
            onnx.keep(made, "kernel", [&] { return weights.kernel; });
            onnx.keep(made, "recurrent_kernel", [&] { return weights.recurrentKernel; });
            if (bias != nullptr)
                onnx.keep(made, "bias", [&] { return weights.bias; });
        }
        for (std::size_t i = 0; i < outputs; ++i) {
            if (!node.hasOutput(i) || onnx.uses(node.outputs[i]) == 0)
                continue;
            made[2] = i;
            Json part = made;
            // What runs backwards gives its last step first.
            if (i == 0 && isBackward)
                part = onnx.function(node, "reverse", part, {{"axis", Json::array({isTimeMajor ? 0 : 1})}});
            const std::int64_t axis = i == 0 ? (isTimeMajor ? 1 : 2) : (isTimeMajor ? 0 : 1);
            parts[i].push_back(onnx.function(node, "expand_dims", part, {{"axis", axis}}));
        }
    }
    for (std::size_t i = 0; i < outputs; ++i) {
        const std::int64_t axis = i == 0 ? (isTimeMajor ? 1 : 2) : (isTimeMajor ? 0 : 1);
        if (parts[i].size() == 2)
            parts[i] = {onnx.add(onnxLabel(node), "Concatenate", {{"axis", axis}}, parts[i])};
        if (!parts[i].empty())
            onnx.bind(node, parts[i].front(), i);
    }
    return true;
}

constexpr OnnxMakerRow recurrentRows[]{
    {"GRU", recurrent},
    {"LSTM", recurrent},
    {"RNN", recurrent},
};

} // namespace

std::span<const OnnxMakerRow> recurrentMakers() {
    return recurrentRows;
}

} // namespace core
