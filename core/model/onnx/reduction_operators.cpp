// Reductions, softmax, sums along an axis, losses.
#include "core/model/onnx/onnx_operator.h"

#include <algorithm>
#include <numeric>

namespace core {

namespace {

using Call = OnnxOperatorCall;
using Facts = RuleResult<OnnxFacts>;

Facts withoutAxes(const Call& call, const std::vector<std::size_t>& axes, bool keeps, DataType type) {
    OnnxExtents extents;
    for (std::size_t i = 0; i < call.extents().size(); ++i) {
        const bool isReduced = std::ranges::binary_search(axes, i);
        if (!isReduced || keeps)
            extents.push_back(isReduced ? 1 : call.extents()[i]);
    }
    return OnnxFacts{{{std::move(extents), type}}, elementsOf(call.extents())};
}

Facts reduced(const Call& call) {
    const auto given = call.setting("axes", 1);
    if (!given)
        return refuseUnknownValue(call, "axes");
    if (given->empty() && call.node.integer("noop_with_empty_axes", 0) != 0)
        return onnxOutput(call.extents(), call.type());
    std::vector<std::size_t> axes(call.extents().size());
    std::iota(axes.begin(), axes.end(), std::size_t{0});
    if (!given->empty()) {
        auto named = onnxAxesOf(*given, call.rank());
        if (!named)
            return tl::unexpected(named.error());
        axes = std::move(*named);
    }
    return withoutAxes(call, axes, call.node.integer("keepdims", 1) != 0, call.type());
}

Facts position(const Call& call) {
    const auto axis = onnxAxisOf(call.node.integer("axis", 0), call.rank());
    if (!axis)
        return tl::unexpected(axis.error());
    return withoutAxes(call, {*axis}, call.node.integer("keepdims", 1) != 0, DataType::Int32);
}

Facts alongAxis(const Call& call) {
    const bool isFlat = call.opset < 13;
    const std::int64_t given = call.node.integer("axis", isFlat ? 1 : -1);
    if (!isFlat || given != call.rank()) {
        if (const auto axis = onnxAxisOf(given, call.rank()); !axis)
            return tl::unexpected(axis.error());
    }
    return onnxOutput(call.extents(), call.type(), 4);
}

Facts cumulative(const Call& call) {
    const auto axes = call.integers(1);
    if (!axes || axes->size() != 1)
        return refuseUnknownValue(call, "axis");
    if (const auto axis = onnxAxisOf(axes->front(), call.rank()); !axis)
        return tl::unexpected(axis.error());
    return sameOnnxForm(call);
}

/// The loss, then the logarithms of the probabilities.
Facts likelihoodLoss(const Call& call) {
    OnnxExtents samples = call.extents();
    if (samples.size() < 2)
        return refuse("takes a batch of classes", "give [samples, classes, …]");
    const std::int64_t classes = samples[1];
    samples.erase(samples.begin() + 1);
    if (call.extents(1) != samples || (call.has(2) && call.extents(2) != OnnxExtents{classes}))
        return refuse("has targets or weights that do not fit", "give one target for each sample");
    const bool isWhole = call.node.text("reduction", "mean") == "none";
    return OnnxFacts{{{isWhole ? samples : OnnxExtents{}, call.type()}, {call.extents(), call.type()}},
                     elementsOf(call.extents()) * 6};
}

constexpr std::uint32_t axesInput = inputsAt({1});

constexpr OnnxOperator reductionRows[]{
    {"ArgMax", position},
    {"ArgMin", position},
    {"CumSum", cumulative, 2, axesInput},
    {"Hardmax", alongAxis},
    {"LogSoftmax", alongAxis},
    {"NegativeLogLikelihoodLoss", likelihoodLoss, 2, 0, inputsAt({2})},
    {"ReduceL1", reduced, 1, axesInput},
    {"ReduceL2", reduced, 1, axesInput},
    {"ReduceLogSum", reduced, 1, axesInput},
    {"ReduceLogSumExp", reduced, 1, axesInput},
    {"ReduceMax", reduced, 1, axesInput},
    {"ReduceMean", reduced, 1, axesInput},
    {"ReduceMin", reduced, 1, axesInput},
    {"ReduceProd", reduced, 1, axesInput},
    {"ReduceSum", reduced, 1, axesInput},
    {"ReduceSumSquare", reduced, 1, axesInput},
    {"Softmax", alongAxis},
    {"SoftmaxCrossEntropyLoss", likelihoodLoss, 2, 0, inputsAt({2})},
};

} // namespace

std::span<const OnnxOperator> reductionOnnxOperators() {
    return reductionRows;
}

} // namespace core
