#include "simulator/graph/operation.h"

#include <array>
#include <functional>
#include <numeric>

namespace simulator {

std::int64_t elementCount(const Extents& extents) {
    return std::accumulate(extents.begin(), extents.end(), std::int64_t{1}, std::multiplies<>());
}

std::span<const core::TensorId> hostTables(const Operation& operation) {
    if (std::holds_alternative<HostLookup>(operation.attributes))
        return std::span(operation.inputs).first(1);
    // Behind the tables stand the indices and the gradient.
    if (std::holds_alternative<HostUpdate>(operation.attributes))
        return std::span(operation.inputs).first(operation.inputs.size() - 2);
    return {};
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
        "Cumulative",
        "ArgReduce",
        "TopK",
        "OneHot",
        "Broadcast",
        "Softmax",
        "SoftmaxGradient",
        "Pool",
        "PoolGradient",
        "ExtractPatches",
        "ExtractPatchesGradient",
        "Normalization",
        "NormalizationGradient",
        "MovingAverage",
        "Gather",
        "GatherGradient",
        "Recurrent",
        "RecurrentGradient",
        "Dropout",
        "DropoutGradient",
        "Random",
        "Reshape",
        "Transpose",
        "Concatenate",
        "Slice",
        "Pad",
        "Upsample",
        "UpsampleGradient",
        "Cast",
        "RecomputationCheckpoint",
        "Copy",
        "Fill",
        "Loss",
        "LossGradient",
        "Metric",
        "CtcLoss",
        "CtcBeamSearch",
        "Histogram",
        "SequenceSlice",
        "AccumulateGradient",
        "OptimizerUpdate",
        "Collective",
        "InterIpuCopy",
        "StreamCopy",
        "Opaque",
        "UserOperation",
        "ReplicationIndex",
        "HostLookup",
        "HostUpdate"};
    return names[attributes.index()];
}

std::string_view toString(UnaryFunction function) {
    static constexpr std::array<std::string_view, 44> names{"Identity",
                                                            "Negate",
                                                            "Absolute",
                                                            "Sign",
                                                            "Square",
                                                            "SquareRoot",
                                                            "ReciprocalSquareRoot",
                                                            "Reciprocal",
                                                            "Exponential",
                                                            "ExponentialMinusOne",
                                                            "Logarithm",
                                                            "LogarithmPlusOne",
                                                            "Sine",
                                                            "Cosine",
                                                            "Tangent",
                                                            "ArcSine",
                                                            "ArcCosine",
                                                            "ArcTangent",
                                                            "HyperbolicSine",
                                                            "HyperbolicCosine",
                                                            "ErrorFunction",
                                                            "Floor",
                                                            "Ceiling",
                                                            "Round",
                                                            "LogicalNot",
                                                            "IsNan",
                                                            "IsInfinite",
                                                            "Relu",
                                                            "Relu6",
                                                            "LeakyRelu",
                                                            "ThresholdedRelu",
                                                            "Elu",
                                                            "Selu",
                                                            "Sigmoid",
                                                            "HardSigmoid",
                                                            "Tanh",
                                                            "Softplus",
                                                            "Softsign",
                                                            "Swish",
                                                            "GeluErf",
                                                            "GeluTanh",
                                                            "Mish",
                                                            "Clip",
                                                            "ScaleShift"};
    return names[static_cast<std::size_t>(function)];
}

std::string_view toString(BinaryFunction function) {
    static constexpr std::array<std::string_view, 20> names{
        "Add",       "Subtract",  "Multiply",          "Divide",     "Maximum",   "Minimum",   "Power",
        "Modulo",    "Remainder", "SquaredDifference", "Atan2",      "Equal",     "NotEqual",  "Less",
        "LessEqual", "Greater",   "GreaterEqual",      "LogicalAnd", "LogicalOr", "LogicalXor"};
    return names[static_cast<std::size_t>(function)];
}

} // namespace simulator
