// Arithmetic of two tensors or of a tensor and constants, and reductions.
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

/// The elements as nested lists.
Json numbersJson(const OnnxTensor& tensor) {
    const std::vector<double> numbers = numbersOf(tensor);
    std::size_t next = 0;
    const bool isWhole = !isFloating(tensor.type);
    const auto build = [&](const auto& self, std::size_t axis) -> Json {
        if (axis == tensor.extents.size()) {
            const double number = next < numbers.size() ? numbers[next++] : 0;
            return isWhole ? Json(static_cast<std::int64_t>(number)) : Json(number);
        }
        Json list = Json::array();
        for (std::int64_t i = 0; i < tensor.extents[axis]; ++i)
            list.push_back(self(self, axis + 1));
        return list;
    };
    return build(build, 0);
}

/// A product and the bias behind it are one Dense layer.
bool joinBias(OnnxImport& onnx, const OnnxNode& node, std::size_t product, const OnnxTensor& bias) {
    const Json tensor = onnx.tensor(node, product);
    Json* last = onnx.lastLayer(tensor);
    if (last == nullptr || onnx.uses(node.inputs[product]) != 1)
        return false;
    Json& layer = *last;
    if (layer["class_name"] != "Dense" || layer["config"]["use_bias"] != false ||
        bias.extents != std::vector<std::int64_t>{layer["config"]["units"].get<std::int64_t>()})
        return false;
    layer["config"]["use_bias"] = true;
    onnx.keep(tensor, "bias", bias);
    return onnx.bind(node, tensor);
}

/// What Keras calls an operator of several tensors.
struct MergeNames {
    /// Of the layer that merges tensors; empty where there is none.
    std::string layer;
    /// Of the function of two operands; empty where there is none.
    std::string function;
    bool isArithmetic = true;
};

MergeNames mergeNames(const std::string& operation) {
    static const std::map<std::string_view, MergeNames> further{{"Add", {"Add", "__operators__.add"}},
                                                                {"Sum", {"Add", "__operators__.add"}},
                                                                {"Max", {"Maximum", "math.maximum"}},
                                                                {"Min", {"Minimum", "math.minimum"}},
                                                                {"Mean", {"Average", ""}},
                                                                {"Div", {"", "math.truediv"}}};
    if (const auto found = further.find(operation); found != further.end())
        return found->second;
    const BinaryDefinition& function = *binaryOfOnnx(operation);
    const bool hasLayer =
        function.function == BinaryFunction::Multiply || function.function == BinaryFunction::Subtract;
    return {hasLayer ? std::string(function.name) : std::string(),
            "math." + std::string(firstCall(function.calls)), !function.answersBool};
}

bool merge(OnnxImport& onnx, const OnnxNode& node) {
    const MergeNames names = mergeNames(node.operation);
    const std::string& functionName = names.function;
    std::vector<Json> tensors;
    const bool isArithmetic = names.isArithmetic;
    for (std::size_t i = 0; i < node.inputs.size(); ++i) {
        if (onnx.isTensor(node, i))
            tensors.push_back(onnx.tensor(node, i));
        // Keras divides whole numbers into real ones, and casts what it merges.
        if (isArithmetic && onnx.isTensor(node, i) && !onnx.isReal(node, i))
            return false;
    }
    if (tensors.size() == node.inputs.size() && !names.layer.empty() && tensors.size() > 1)
        return onnx.bind(node, onnx.add(onnxLabel(node), names.layer, Json::object(), tensors));
    if (node.inputs.size() != 2 || functionName.empty() || tensors.empty())
        return false;
    if (tensors.size() == 2)
        return onnx.bind(node, onnx.function(node, functionName, tensors[0], {{"y", tensors[1]}}));
    const std::size_t which = onnx.isTensor(node, 0) ? 1 : 0;
    const OnnxTensor* other = onnx.constant(node, which);
    if (other == nullptr)
        return false;
    if (node.operation == "Add" && joinBias(onnx, node, 1 - which, *other))
        return true;
    static const std::map<std::string, const char*, std::less<>> reversed{
        {"Sub", "__operators__.rsub"}, {"Div", "__operators__.rtruediv"}, {"Pow", "__operators__.rpow"}};
    const auto turned = reversed.find(node.operation);
    const bool isTurned = which == 0 && turned != reversed.end();
    // Single numbers are constants of the formula, everything else is learned.
    const bool isLearned = !onnx.isLiteral(node, which) && other->elements() > 1;
    if (isFloating(other->type) && (isLearned || other->elements() > longestConstant)) {
        Json learned = onnx.variable(node, which, tensors[0]);
        return onnx.bind(node, onnx.function(node, isTurned ? std::string(turned->second) : functionName,
                                             tensors[0], {{"y", std::move(learned)}}));
    }
    const bool isFinite =
        std::ranges::all_of(numbersOf(*other), [](double number) { return std::isfinite(number); });
    if (other->elements() > longestConstant || !isFinite)
        return false;
    return onnx.bind(node, onnx.function(node, isTurned ? std::string(turned->second) : functionName,
                                         tensors[0], {{"y", numbersJson(*other)}}));
}

bool reduce(OnnxImport& onnx, const OnnxNode& node) {
    static const std::map<std::string, const char*, std::less<>> names{
        {"ReduceMean", "math.reduce_mean"},    {"ReduceSum", "math.reduce_sum"},
        {"ReduceMax", "math.reduce_max"},      {"ReduceMin", "math.reduce_min"},
        {"ReduceProd", "math.reduce_prod"},    {"ReduceLogSumExp", "math.reduce_logsumexp"},
        {"ReduceL1", "math.reduce_sum"},       {"ReduceL2", "math.reduce_sum"},
        {"ReduceSumSquare", "math.reduce_sum"}};
    const auto axes = onnx.integers(node, "axes", 1);
    if (!onnx.isTensor(node, 0) || !axes || (axes->empty() && node.integer("noop_with_empty_axes", 0) != 0))
        return false;
    const bool keeps = node.integer("keepdims", 1) != 0;
    Json x = onnx.tensor(node);
    if (node.operation == "ReduceL1")
        x = onnx.function(node, "math.abs", x, Json::object());
    if (node.operation == "ReduceL2" || node.operation == "ReduceSumSquare")
        x = onnx.function(node, "math.square", x, Json::object());
    x = onnx.function(node, names.at(node.operation), x,
                      {{"axis", axes->empty() ? Json() : Json(*axes)}, {"keepdims", keeps}});
    if (node.operation == "ReduceL2")
        x = onnx.function(node, "math.sqrt", x, Json::object());
    return onnx.bind(node, x);
}

/// Operators that are more than one function of the catalogue.
constexpr OnnxMakerRow furtherArithmetic[]{
    {"Div", merge},
    {"Max", merge},
    {"Mean", merge},
    {"Min", merge},
    {"ReduceL1", reduce},
    {"ReduceL2", reduce},
    {"ReduceLogSumExp", reduce},
    {"ReduceMax", reduce},
    {"ReduceMean", reduce},
    {"ReduceMin", reduce},
    {"ReduceProd", reduce},
    {"ReduceSum", reduce},
    {"ReduceSumSquare", reduce},
    {"Sum", merge},
};

} // namespace

std::span<const OnnxMakerRow> arithmeticMakers() {
    static const std::vector<OnnxMakerRow> rows = [] {
        std::vector<OnnxMakerRow> all(std::begin(furtherArithmetic), std::end(furtherArithmetic));
        for (const BinaryDefinition& function : binaryDefinitions())
            if (!function.onnx.empty())
                all.push_back({function.onnx, merge});
        return all;
    }();
    return rows;
}

} // namespace core
