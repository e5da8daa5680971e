#include "simulator/graph/output_rules.h"

#include "simulator/graph/metric_sums.h"

#include <algorithm>
#include <cassert>

namespace simulator {
namespace {

using core::DataType;
using Inputs = std::span<const TensorForm>;
using Outputs = std::vector<OutputForm>;

Outputs one(Extents extents, DataType type) {
    return {{"", {std::move(extents), type}}};
}
Outputs same(const TensorForm& form) {
    return {{"", form}};
}

Outputs rule(const MatMul& matMul, Inputs inputs) {
    const Extents& left = inputs[0].extents;
    const Extents& right = inputs[1].extents;
    const std::size_t leftRank = left.size();
    const std::size_t rightRank = right.size();
    const std::int64_t rows = left[leftRank - (matMul.transposeLeft ? 1 : 2)];
    const std::int64_t columns = right[rightRank - (matMul.transposeRight ? 2 : 1)];
    Extents extents = broadcastExtents({left.begin(), left.end() - 2}, {right.begin(), right.end() - 2});
    extents.push_back(rows);
    extents.push_back(columns);
    return one(std::move(extents), inputs[0].type);
}

Extents windowed(const WindowGeometry& window, const Extents& input, std::int64_t channels) {
    Extents extents{input.front()};
    for (std::size_t axis = 0; axis < window.kernel.size(); ++axis)
        extents.push_back(windowOutputs(window, axis, input[axis + 1]));
    extents.push_back(channels);
    return extents;
}

Outputs rule(const Convolution& convolution, Inputs inputs) {
    if (convolution.pass != ConvolutionPass::Forward)
        return {};
    return one(windowed(convolution.window, inputs[0].extents, inputs[1].extents.back()), inputs[0].type);
}
Outputs rule(const Pool& pool, Inputs inputs) {
    return one(windowed(pool.window, inputs[0].extents, inputs[0].extents.back()), inputs[0].type);
}
Outputs rule(const ExtractPatches& patches, Inputs inputs) {
    const std::int64_t channels = elementCount(patches.window.kernel) * inputs[0].extents.back();
    return one(windowed(patches.window, inputs[0].extents, channels), inputs[0].type);
}

Outputs rule(const Unary& unary, Inputs inputs) {
    const bool isTest = unary.function == UnaryFunction::LogicalNot ||
                        unary.function == UnaryFunction::IsNan || unary.function == UnaryFunction::IsInfinite;
    return one(inputs[0].extents, isTest ? DataType::Bool : inputs[0].type);
}
Outputs rule(const UnaryGradient&, Inputs inputs) {
    return same(inputs.back());
}
Outputs rule(const Binary& binary, Inputs inputs) {
    return one(broadcastExtents(inputs[0].extents, inputs[1].extents),
               answersBool(binary.function) ? DataType::Bool : inputs[0].type);
}
Outputs rule(const Select&, Inputs inputs) {
    const Extents values = broadcastExtents(inputs[1].extents, inputs[2].extents);
    return one(broadcastExtents(inputs[0].extents, values), inputs[1].type);
}

Extents withoutAxes(const Extents& extents, const std::vector<std::int64_t>& axes, bool keep) {
    std::vector<bool> isReduced(extents.size(), false);
    for (const std::int64_t axis : axes)
        isReduced[normalizedAxis(axis, extents.size())] = true;
    Extents result;
    for (std::size_t i = 0; i < extents.size(); ++i) {
        if (!isReduced[i])
            result.push_back(extents[i]);
        else if (keep)
            result.push_back(1);
    }
    return result;
}

Outputs rule(const Reduce& reduce, Inputs inputs) {
    return one(withoutAxes(inputs[0].extents, reduce.axes, reduce.keepAxes), inputs[0].type);
}
Outputs rule(const Cumulative&, Inputs inputs) {
    return same(inputs[0]);
}
Outputs rule(const ArgReduce& reduce, Inputs inputs) {
    return one(withoutAxes(inputs[0].extents, {reduce.axis}, reduce.keepAxis), DataType::Int32);
}
Outputs rule(const TopK& top, Inputs inputs) {
    Extents extents = inputs[0].extents;
    extents.back() = top.count;
    return {{"", {extents, inputs[0].type}}, {"indices", {extents, DataType::Int32}}};
}
Outputs rule(const OneHot& oneHot, Inputs inputs) {
    Extents extents = inputs[0].extents;
    extents.push_back(oneHot.depth);
    return one(std::move(extents), DataType::Float32);
}
Outputs rule(const Broadcast& broadcast, Inputs inputs) {
    return one(broadcast.extents, inputs[0].type);
}
Outputs rule(const Softmax&, Inputs inputs) {
    return same(inputs[0]);
}
Outputs rule(const SoftmaxGradient&, Inputs inputs) {
    return same(inputs[0]);
}
Outputs rule(const PoolGradient&, Inputs inputs) {
    return same(inputs[0]);
}

Outputs rule(const Normalization& normalization, Inputs inputs) {
    Outputs outputs = same(inputs[0]);
    if (normalization.useMovingStatistics)
        return outputs;
    const Extents& extents = inputs[0].extents;
    Extents statistics;
    if (normalization.kind == NormalizationKind::Batch)
        statistics = {extents.back()};
    else if (normalization.kind == NormalizationKind::Layer)
        statistics = withoutAxes(extents, normalization.axes, false);
    else
        statistics = {extents.front() * normalization.groups};
    // Statistics stay in float32 whatever the activations are, as on the device.
    outputs.push_back({"mean", {statistics, DataType::Float32}});
    outputs.push_back({"inverse_deviation", {statistics, DataType::Float32}});
    return outputs;
}
Outputs rule(const NormalizationGradient&, Inputs inputs) {
    return {{"", inputs[0]}, {"gamma", inputs[1]}, {"beta", inputs[1]}};
}
Outputs rule(const MovingAverage&, Inputs inputs) {
    return same(inputs[0]);
}

Extents gathered(const Extents& table, std::size_t axis, const Extents& indices) {
    Extents extents(table.begin(), table.begin() + static_cast<std::ptrdiff_t>(axis));
    extents.insert(extents.end(), indices.begin(), indices.end());
    extents.insert(extents.end(), table.begin() + static_cast<std::ptrdiff_t>(axis) + 1, table.end());
    return extents;
}

Outputs rule(const Gather& gather, Inputs inputs) {
    const std::size_t axis = normalizedAxis(gather.axis, inputs[0].extents.size());
    return one(gathered(inputs[0].extents, axis, inputs[1].extents), inputs[0].type);
}
Outputs rule(const GatherGradient& gather, Inputs inputs) {
    const Extents& gradient = inputs[1].extents;
    const std::size_t indexRank = inputs[0].extents.size();
    const auto axis = static_cast<std::ptrdiff_t>(gather.axis);
    Extents extents(gradient.begin(), gradient.begin() + axis);
    extents.push_back(gather.rows);
    extents.insert(extents.end(), gradient.begin() + axis + static_cast<std::ptrdiff_t>(indexRank),
                   gradient.end());
    return one(std::move(extents), inputs[1].type);
}

Outputs rule(const Recurrent& recurrent, Inputs inputs) {
    const std::int64_t samples = inputs[0].extents[0];
    const std::int64_t steps = inputs[0].extents[1];
    const std::int64_t units = inputs[2].extents[0];
    const DataType type = inputs[0].type;
    Outputs outputs;
    if (recurrent.returnSequences)
        outputs.push_back({"", {{samples, steps, units}, type}});
    else
        outputs.push_back({"", {{samples, units}, type}});
    outputs.push_back({"state_h", {{samples, units}, type}});
    if (recurrent.cell == RecurrentCell::Lstm)
        outputs.push_back({"state_c", {{samples, units}, type}});
    if (recurrent.keepReserve)
        outputs.push_back({"reserve", {{samples, steps, reserveValues(recurrent) * units}, type}});
    return outputs;
}

Outputs rule(const RecurrentGradient& gradient, Inputs inputs) {
    const Recurrent& forward = gradient.forward;
    Outputs outputs{{"", inputs[0]}, {"kernel", inputs[1]}, {"recurrent_kernel", inputs[2]}};
    std::size_t next = 3;
    if (forward.useBias)
        outputs.push_back({"bias", inputs[next++]});
    outputs.push_back({"initial_h", inputs[next++]});
    if (forward.cell == RecurrentCell::Lstm)
        outputs.push_back({"initial_c", inputs[next++]});
    if (forward.attentionUpdate)
        outputs.push_back({"attention", inputs[next++]});
    return outputs;
}

Outputs rule(const Dropout& dropout, Inputs inputs) {
    Outputs outputs = same(inputs[0]);
    const bool isWhole = dropout.noiseExtents.empty();
    outputs.push_back({"mask", {isWhole ? inputs[0].extents : dropout.noiseExtents, inputs[0].type}});
    return outputs;
}
Outputs rule(const DropoutGradient&, Inputs inputs) {
    return same(inputs[1]);
}

Outputs rule(const Transpose& transpose, Inputs inputs) {
    Extents extents;
    for (const std::int64_t axis : transpose.permutation)
        extents.push_back(inputs[0].extents[static_cast<std::size_t>(axis)]);
    return one(std::move(extents), inputs[0].type);
}
Outputs rule(const Concatenate& concatenate, Inputs inputs) {
    Extents extents = inputs[0].extents;
    const std::size_t axis = normalizedAxis(concatenate.axis, extents.size());
    extents[axis] = 0;
    for (const TensorForm& input : inputs)
        extents[axis] += input.extents[axis];
    return one(std::move(extents), inputs[0].type);
}
Outputs rule(const Pad& pad, Inputs inputs) {
    Extents extents = inputs[0].extents;
    for (std::size_t i = 0; i < extents.size(); ++i) {
        const std::int64_t gaps =
            pad.interior.empty() ? 0 : pad.interior[i] * std::max<std::int64_t>(extents[i] - 1, 0);
        extents[i] += gaps + pad.low[i] + pad.high[i];
    }
    return one(std::move(extents), inputs[0].type);
}
Outputs rule(const Upsample& upsample, Inputs inputs) {
    Extents extents = inputs[0].extents;
    for (std::size_t i = 0; i < upsample.factors.size(); ++i)
        extents[i + 1] *= upsample.factors[i];
    return one(std::move(extents), inputs[0].type);
}
Outputs rule(const UpsampleGradient& upsample, Inputs inputs) {
    Extents extents = inputs[0].extents;
    for (std::size_t i = 0; i < upsample.factors.size(); ++i)
        extents[i + 1] /= upsample.factors[i];
    return one(std::move(extents), inputs[0].type);
}
Outputs rule(const Cast& cast, Inputs inputs) {
    return one(inputs[0].extents, cast.to);
}
Outputs rule(const RecomputationCheckpoint&, Inputs inputs) {
    return same(inputs[0]);
}
Outputs rule(const Copy&, Inputs inputs) {
    return same(inputs[0]);
}

Outputs rule(const Loss& loss, Inputs inputs) {
    if (loss.reduction != LossReduction::None)
        return one({}, DataType::Float32);
    Extents extents = inputs[0].extents;
    if (!extents.empty())
        extents.pop_back();
    return one(std::move(extents), DataType::Float32);
}
Outputs rule(const LossGradient&, Inputs inputs) {
    return same(inputs[0]);
}
/// The value, then the sums that it follows from.
Outputs rule(const Metric& metric, Inputs inputs) {
    const std::int64_t sums = metricSums(metric, inputs[0].extents);
    return one(sums == 0 ? Extents{} : Extents{1 + sums}, DataType::Float32);
}
Outputs rule(const CtcLoss&, Inputs inputs) {
    return {{"", {{inputs[0].extents[1]}, DataType::Float32}}, {"data_gradient", inputs[0]}};
}
Outputs rule(const CtcBeamSearch& search, Inputs inputs) {
    const std::int64_t steps = inputs[0].extents[0];
    const std::int64_t samples = inputs[0].extents[1];
    return {{"", {{samples, search.topPaths}, DataType::Float32}},
            {"lengths", {{samples, search.topPaths}, DataType::Int32}},
            {"labels", {{samples, search.topPaths, steps}, DataType::Int32}}};
}
Outputs rule(const Histogram&, Inputs inputs) {
    return one({inputs[1].extents[0] + 1}, DataType::Float32);
}
Outputs rule(const SequenceSlice&, Inputs inputs) {
    return same(inputs[0]);
}
Outputs rule(const InterIpuCopy&, Inputs inputs) {
    return same(inputs[0]);
}
Outputs rule(const ReplicationIndex&, Inputs) {
    return one({}, DataType::Int32);
}
Outputs rule(const Collective& collective, Inputs inputs) {
    return collective.kind == CollectiveKind::AllReduce ? same(inputs[0]) : Outputs{};
}

// Made with explicit outputs: the extents are a choice of the maker, or the outputs are rewritten inputs.
template <class Attributes>
Outputs rule(const Attributes&, Inputs) {
    return {};
}

} // namespace

std::vector<OutputForm> outputForms(const OperationAttributes& attributes,
                                    std::span<const TensorForm> inputs) {
    return std::visit([&](const auto& kind) { return rule(kind, inputs); }, attributes);
}

Extents broadcastExtents(const Extents& a, const Extents& b) {
    Extents result = a.size() >= b.size() ? a : b;
    const Extents& shorter = a.size() >= b.size() ? b : a;
    const std::size_t offset = result.size() - shorter.size();
    for (std::size_t i = 0; i < shorter.size(); ++i) {
        std::int64_t& extent = result[offset + i];
        assert(extent == shorter[i] || extent == 1 || shorter[i] == 1);
        if (extent == 1)
            extent = shorter[i];
    }
    return result;
}

std::size_t normalizedAxis(std::int64_t axis, std::size_t rank) {
    const std::int64_t normalized = axis < 0 ? axis + static_cast<std::int64_t>(rank) : axis;
    assert(normalized >= 0 && normalized < static_cast<std::int64_t>(rank));
    return static_cast<std::size_t>(normalized);
}

std::int64_t windowOutputs(const WindowGeometry& window, std::size_t axis, std::int64_t input) {
    const std::int64_t padded = input + window.paddingLow[axis] + window.paddingHigh[axis];
    const std::int64_t span = (window.kernel[axis] - 1) * window.dilation[axis] + 1;
    return padded < span ? 0 : (padded - span) / window.stride[axis] + 1;
}

std::int64_t paddedPosition(PadMode mode, std::int64_t position, std::int64_t extent) {
    if (mode == PadMode::Edge)
        return std::clamp<std::int64_t>(position, 0, extent - 1);
    if (mode == PadMode::Symmetric) {
        const std::int64_t at = (position % (2 * extent) + 2 * extent) % (2 * extent);
        return at < extent ? at : 2 * extent - 1 - at;
    }
    const std::int64_t period = std::max<std::int64_t>(1, 2 * (extent - 1));
    const std::int64_t at = std::abs(position) % period;
    return at < extent ? at : period - at;
}

std::int64_t gateCount(RecurrentCell cell) {
    switch (cell) {
    case RecurrentCell::Simple:
        return 1;
    case RecurrentCell::Lstm:
        return 4;
    case RecurrentCell::Gru:
        return 3;
    }
    return 1;
}

bool keepsGateSums(const Recurrent& recurrent) {
    const auto needsInput = [](UnaryFunction function) {
        return gradientNeeds(function).input && function != UnaryFunction::HardSigmoid;
    };
    return needsInput(recurrent.activation) ||
           (recurrent.cell != RecurrentCell::Simple && needsInput(recurrent.recurrentActivation));
}

std::int64_t reserveValues(const Recurrent& recurrent) {
    const std::int64_t sums = keepsGateSums(recurrent) ? gateCount(recurrent.cell) : 0;
    switch (recurrent.cell) {
    case RecurrentCell::Simple:
        return 1 + sums;
    case RecurrentCell::Lstm:
        return 6 + sums;
    case RecurrentCell::Gru:
        return (recurrent.resetAfter ? 5 : 4) + sums;
    }
    return 1;
}

UnaryGradientNeeds gradientNeeds(UnaryFunction function) {
    constexpr UnaryGradientNeeds none{false, false, false};
    constexpr UnaryGradientNeeds input{true, false, false};
    constexpr UnaryGradientNeeds output{false, true, false};
    constexpr UnaryGradientNeeds flat{false, false, true};
    switch (function) {
    case UnaryFunction::Identity:
    case UnaryFunction::Negate:
    case UnaryFunction::ScaleShift:
        return none;
    case UnaryFunction::Sign:
    case UnaryFunction::Floor:
    case UnaryFunction::Ceiling:
    case UnaryFunction::Round:
    case UnaryFunction::LogicalNot:
    case UnaryFunction::IsNan:
    case UnaryFunction::IsInfinite:
        return flat;
    case UnaryFunction::SquareRoot:
    case UnaryFunction::ReciprocalSquareRoot:
    case UnaryFunction::Reciprocal:
    case UnaryFunction::Exponential:
    case UnaryFunction::ExponentialMinusOne:
    case UnaryFunction::Tangent:
    case UnaryFunction::Relu:
    case UnaryFunction::Relu6:
    case UnaryFunction::LeakyRelu:
    case UnaryFunction::ThresholdedRelu:
    case UnaryFunction::Elu:
    case UnaryFunction::Selu:
    case UnaryFunction::Sigmoid:
    case UnaryFunction::Tanh:
    case UnaryFunction::Softplus:
    case UnaryFunction::Softsign:
        return output;
    default:
        return input;
    }
}

bool answersBool(BinaryFunction function) {
    return function >= BinaryFunction::Equal;
}

} // namespace simulator
