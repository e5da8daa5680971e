#include "simulator/graph/operation.h"

#include <array>
#include <functional>
#include <numeric>

namespace simulator {

std::int64_t elementCount(const Extents& extents) {
    return std::accumulate(extents.begin(), extents.end(), std::int64_t{1}, std::multiplies<>());
}

std::string_view kindName(const OperationAttributes& attributes) {
    static constexpr std::array<std::string_view, std::variant_size_v<OperationAttributes>> names{
        "MatMul",
        "Convolution",
        "Unary",
        "UnaryGradient",
        "Binary",
        "Select",
        "Reduce",
        "Broadcast",
        "Softmax",
        "SoftmaxGradient",
        "Pool",
        "PoolGradient",
        "Normalization",
        "NormalizationGradient",
        "MovingAverage",
        "Gather",
        "GatherGradient",
        "Recurrent",
        "RecurrentGradient",
        "Dropout",
        "DropoutGradient",
        "Reshape",
        "Transpose",
        "Concatenate",
        "Slice",
        "Pad",
        "Upsample",
        "UpsampleGradient",
        "Cast",
        "Copy",
        "Fill",
        "Loss",
        "LossGradient",
        "Metric",
        "AccumulateGradient",
        "OptimizerUpdate",
        "Collective",
        "InterIpuCopy",
        "StreamCopy",
        "Opaque"};
    return names[attributes.index()];
}

} // namespace simulator
