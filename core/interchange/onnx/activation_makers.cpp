// Functions of one tensor.
#include "core/catalogue/functions.h"
#include "core/interchange/onnx/onnx_import.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <iterator>
#include <map>

namespace core {

namespace {

/// PyTorch and Keras give one slope per channel, or one for all.
bool parametricRelu(OnnxImport& onnx, const OnnxNode& node) {
    const OnnxTensor* slope = onnx.constant(node, 1);
    const std::int64_t rank = onnx.rank(node);
    if (!onnx.isTensor(node, 0) || slope == nullptr || rank < 2 || slope->extents.empty() ||
        static_cast<std::int64_t>(slope->extents.size()) > rank)
        return false;
    std::vector<std::int64_t> extents = slope->extents;
    if (static_cast<std::int64_t>(extents.size()) == rank) {
        if (extents.front() != 1)
            return false;
        extents.erase(extents.begin());
    }
    extents.insert(extents.begin(), static_cast<std::size_t>(rank - 1) - extents.size(), 1);
    Json shared = Json::array();
    for (std::size_t i = 0; i < extents.size(); ++i) {
        if (extents[i] == 1)
            shared.push_back(i + 1);
    }
    const Json made =
        onnx.add(onnxLabel(node), "PReLU", {{"shared_axes", std::move(shared)}}, {onnx.tensor(node)});
    onnx.keep(made, "alpha", [&] { return OnnxWeight(*slope).reshaped(extents); });
    return onnx.bind(node, made);
}

bool activation(OnnxImport& onnx, const OnnxNode& node) {
    static const std::map<std::string_view, std::string_view> names{
        {"Gelu", "gelu"}, {"HardSwish", "hard_swish"}, {"Selu", "selu"}, {"HardSigmoid", "hard_sigmoid"}};
    if (!onnx.isTensor(node, 0))
        return false;
    const Json& x = onnx.tensor(node);
    const UnaryDefinition* function = unaryOfOnnx(node.operation);
    std::string name(function == nullptr            ? names.at(node.operation)
                     : function->activation.empty() ? function->key
                                                    : function->activation);
    if (node.operation == "Gelu" && node.text("approximate", "none") == "tanh")
        name = "gelu_tanh";
    constexpr double oneSixth = 1.0 / 6;
    const double slope = node.number("alpha", 0.2);
    const double offset = node.number("beta", 0.5);
    if (node.operation == "HardSigmoid" && (slope != 0.2 || offset != 0.5)) {
        const bool isSixth = std::abs(slope - oneSixth) < 1e-6;
        const Json scaled = onnx.function(node, "math.multiply", x, {{"y", isSixth ? oneSixth : slope}});
        const Json moved = onnx.function(node, "__operators__.add", scaled, {{"y", offset}});
        return onnx.bind(node, onnx.function(node, "clip_by_value", moved,
                                             {{"clip_value_min", 0.0}, {"clip_value_max", 1.0}}));
    }
    constexpr double seluAlpha = 1.67326319217681884765625;
    constexpr double seluGamma = 1.05070102214813232421875;
    if (node.operation == "Selu" && (std::abs(node.number("alpha", seluAlpha) - seluAlpha) > 1e-4 ||
                                     std::abs(node.number("gamma", seluGamma) - seluGamma) > 1e-4))
        return false;
    return onnx.bind(node, onnx.add(onnxLabel(node), "Activation", {{"activation", name}}, {x}));
}

bool slopedActivation(OnnxImport& onnx, const OnnxNode& node) {
    if (!onnx.isTensor(node, 0))
        return false;
    if (node.operation == "Elu")
        return onnx.bind(node, onnx.add(onnxLabel(node), "ELU", {{"alpha", node.number("alpha", 1)}},
                                        {onnx.tensor(node)}));
    return onnx.bind(node, onnx.add(onnxLabel(node), "LeakyReLU", {{"alpha", node.number("alpha", 0.01)}},
                                    {onnx.tensor(node)}));
}

bool softmax(OnnxImport& onnx, const OnnxNode& node) {
    if (!onnx.isTensor(node, 0))
        return false;
    const std::int64_t axis = node.integer("axis", onnx.opset() < 13 ? 1 : -1);
    const std::int64_t rank = onnx.rank(node);
    // Until operator set 13 it took everything from the axis on as one.
    if (onnx.opset() < 13 && axis != -1 && axis != rank - 1)
        return false;
    if (node.operation == "LogSoftmax")
        return onnx.bind(node, onnx.function(node, "nn.log_softmax", onnx.tensor(node), {{"axis", axis}}));
    return onnx.bind(node, onnx.add(onnxLabel(node), "Softmax", {{"axis", axis}}, {onnx.tensor(node)}));
}

bool dropout(OnnxImport& onnx, const OnnxNode& node) {
    if (!onnx.isTensor(node, 0) || (node.hasOutput(1) && onnx.uses(node.outputs[1]) > 0))
        return false;
    double rate = node.number("ratio", 0.5);
    if (const OnnxTensor* given = onnx.constant(node, 1); given != nullptr && given->elements() == 1)
        rate = numbersOf(*given).at(0);
    return onnx.bind(node, onnx.add(onnxLabel(node), "Dropout", {{"rate", rate}}, {onnx.tensor(node)}));
}

bool clip(OnnxImport& onnx, const OnnxNode& node) {
    const auto bound = [&](const char* name, std::size_t position, double byDefault) {
        const OnnxTensor* given = onnx.constant(node, position);
        return given != nullptr && given->elements() == 1 ? numbersOf(*given).at(0)
                                                          : node.number(name, byDefault);
    };
    const double low = bound("min", 1, -3.4e38);
    const double high = bound("max", 2, 3.4e38);
    if (!onnx.isTensor(node, 0))
        return false;
    if (low == 0)
        return onnx.bind(node,
                         onnx.add(onnxLabel(node), "ReLU", {{"max_value", high < 3e38 ? Json(high) : Json()}},
                                  {onnx.tensor(node)}));
    return onnx.bind(node, onnx.function(node, "clip_by_value", onnx.tensor(node),
                                         {{"clip_value_min", low}, {"clip_value_max", high}}));
}

bool castTo(OnnxImport& onnx, const OnnxNode& node) {
    const auto type = static_cast<OnnxType>(node.integer("to", 1));
    const char* name = type == OnnxType::Float || type == OnnxType::Double ? "float32"
                       : type == OnnxType::Float16                         ? "float16"
                       : type == OnnxType::Bool                            ? "bool"
                                                                           : "int32";
    return onnx.isTensor(node, 0) &&
           onnx.bind(node, onnx.function(node, "cast", onnx.tensor(node), {{"dtype", name}}));
}

/// A function of the catalogue: by its name in tf.math, or as an activation where it is one and nothing else.
bool unaryFunction(OnnxImport& onnx, const OnnxNode& node) {
    const UnaryDefinition& function = *unaryOfOnnx(node.operation);
    if (function.calls.empty())
        return activation(onnx, node);
    return onnx.isTensor(node, 0) &&
           onnx.bind(node, onnx.function(node, "math." + std::string(firstCall(function.calls)),
                                         onnx.tensor(node), Json::object()));
}

/// Operators that are more than one function of the catalogue, or have a better layer.
constexpr OnnxMakerRow furtherActivations[]{
    {"Cast", castTo},
    {"Clip", clip},
    {"Dropout", dropout},
    {"Elu", slopedActivation},
    {"Exp", activation},
    {"Gelu", activation},
    {"HardSigmoid", activation},
    {"HardSwish", activation},
    {"LeakyRelu", slopedActivation},
    {"LogSoftmax", softmax},
    {"PRelu", parametricRelu},
    {"Selu", activation},
    {"Softmax", softmax},
};

} // namespace

std::span<const OnnxMakerRow> activationMakers() {
    static const std::vector<OnnxMakerRow> rows = [] {
        std::vector<OnnxMakerRow> all(std::begin(furtherActivations), std::end(furtherActivations));
        for (const UnaryDefinition& function : unaryDefinitions())
            if (!function.onnx.empty() &&
                std::ranges::find(furtherActivations, function.onnx, &OnnxMakerRow::operation) ==
                    std::end(furtherActivations))
                all.push_back({function.onnx, unaryFunction});
        return all;
    }();
    return rows;
}

} // namespace core
