// Normalisation, and the optimizers of the set ai.onnx.preview.training.
#include "core/model/onnx/onnx_operator.h"

#include <fmt/format.h>

namespace core {

namespace {

using Call = OnnxOperatorCall;
using Facts = RuleResult<OnnxFacts>;

constexpr std::int64_t flopsOfNormal = 8;

tl::unexpected<RuleError> wrongChannels() {
    return refuse("has a scale, bias or statistics that do not fit its channels",
                  "give one element for each channel");
}

bool isPerChannel(const Call& call, std::size_t last) {
    if (call.rank() < 2)
        return false;
    for (std::size_t i = 1; i <= last; ++i) {
        if (!call.has(i) || call.extents(i) != OnnxExtents{call.extents()[1]})
            return false;
    }
    return true;
}

/// The values, then the statistics as the batch moves them.
Facts batchNormal(const Call& call) {
    if (!isPerChannel(call, 4))
        return wrongChannels();
    const OnnxForm statistics{{call.extents()[1]}, call.type(3)};
    return OnnxFacts{{{call.extents(), call.type()}, statistics, statistics},
                     elementsOf(call.extents()) * flopsOfNormal};
}

Facts instanceNormal(const Call& call) {
    if (!isPerChannel(call, 2))
        return wrongChannels();
    return onnxOutput(call.extents(), call.type(), flopsOfNormal);
}

Facts groupNormal(const Call& call) {
    const std::int64_t groups = call.node.integer("num_groups", 1);
    if (call.rank() < 2 || groups < 1 || call.extents()[1] % groups != 0)
        return refuse("has channels that do not divide into its groups", "change num_groups", "attributes");
    for (const std::size_t i : {std::size_t{1}, std::size_t{2}}) {
        const bool fits = call.has(i) && (call.extents(i) == OnnxExtents{call.extents()[1]} ||
                                          call.extents(i) == OnnxExtents{groups});
        if (!fits)
            return wrongChannels();
    }
    return onnxOutput(call.extents(), call.type(), flopsOfNormal);
}

/// The values, the mean and the inverse deviation.
Facts layerNormal(const Call& call) {
    const auto axis = onnxAxisOf(call.node.integer("axis", -1), call.rank());
    if (!axis)
        return tl::unexpected(axis.error());
    const OnnxExtents own(call.extents().begin() + static_cast<std::ptrdiff_t>(*axis), call.extents().end());
    for (std::size_t i = 1; i < call.inputs.size(); ++i) {
        if (!call.has(i))
            continue;
        if (const auto common = onnxBroadcast(call.extents(i), own); !common || *common != own)
            return refuse("has a scale or bias that does not fit the normalised axes",
                          "give one element for each of their elements");
    }
    OnnxExtents statistics = call.extents();
    for (std::size_t i = *axis; i < statistics.size(); ++i)
        statistics[i] = 1;
    return OnnxFacts{{{call.extents(), call.type()}, {statistics, call.type()}, {statistics, call.type()}},
                     elementsOf(call.extents()) * flopsOfNormal};
}

Facts axisNormal(const Call& call) {
    if (const auto axis = onnxAxisOf(call.node.integer("axis", -1), call.rank()); !axis)
        return tl::unexpected(axis.error());
    return onnxOutput(call.extents(), call.type(), flopsOfNormal);
}

Facts axesNormal(const Call& call) {
    std::vector<std::int64_t> given = call.node.integers("axes");
    if (given.empty())
        given = {0, 2, 3};
    if (const auto axes = onnxAxesOf(given, call.rank()); !axes)
        return tl::unexpected(axes.error());
    return onnxOutput(call.extents(), call.type(), flopsOfNormal);
}

Facts neighbourNormal(const Call& call) {
    if (call.rank() < 2)
        return refuse("takes a batch of channels", "give [samples, channels, …]");
    const std::int64_t size = call.node.integer("size", 1);
    if (size < 1 || size > 4096)
        return refuse("has a size that is no number of channels", "give 1 to 4096", "attributes");
    return onnxOutput(call.extents(), call.type(), 2 * size);
}

/// Rate, step, then for all tensors values, gradients and `States` states: new values and states.
template <std::size_t States>
Facts optimized(const Call& call) {
    const std::size_t each = 2 + States;
    if (call.inputs.size() < 2 + each || (call.inputs.size() - 2) % each != 0)
        return refuse("has another number of inputs than its weights need",
                      "give rate, step, then values, gradients and states of all weights", "operands");
    const std::size_t count = (call.inputs.size() - 2) / each;
    OnnxFacts facts;
    for (std::size_t kind = 0; kind < each; ++kind) {
        for (std::size_t i = 0; i < count && kind != 1; ++i) {
            const std::size_t position = 2 + kind * count + i;
            if (!call.has(position))
                return refuse("lacks an input", "give it all its inputs", "operands");
            facts.outputs.push_back(*call.inputs[position]);
            facts.flops += elementsOf(call.extents(position)) * 4;
        }
    }
    return facts;
}

constexpr OnnxOperator normalRows[]{
    {"Adagrad", optimized<1>, 5},
    {"Adam", optimized<2>, 6},
    {"BatchNormalization", batchNormal, 5, 0, inputsAt({3, 4})},
    {"GroupNormalization", groupNormal, 3},
    {"InstanceNormalization", instanceNormal, 3},
    {"LRN", neighbourNormal},
    {"LayerNormalization", layerNormal, 2},
    {"LpNormalization", axisNormal},
    {"MeanVarianceNormalization", axesNormal},
    {"Momentum", optimized<1>, 5},
    {"RMSNormalization", axisNormal, 2},
};

} // namespace

std::span<const OnnxOperator> normalOnnxOperators() {
    return normalRows;
}

} // namespace core
