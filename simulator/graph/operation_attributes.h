#pragma once

#include "core/model/data_type.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace simulator {

// Each struct below is one kind of operation: its fields, then in the comment its inputs → outputs.
// Shapes are channels last; N is the micro-batch axis. Gradient operations take what their forward operation
// needs.

/// left [..., M, K], right [K, N] or [..., K, N] → [..., M, N]; a transposed operand is stored with its last
/// two axes swapped.
struct MatMul {
    bool transposeLeft = false;
    bool transposeRight = false;
    bool operator==(const MatMul&) const = default;
};

/// Sliding windows over 1 to 3 field axes. All vectors have one entry per field axis.
struct WindowGeometry {
    std::vector<std::int64_t> kernel;
    std::vector<std::int64_t> stride;
    std::vector<std::int64_t> dilation;
    std::vector<std::int64_t> paddingLow;
    std::vector<std::int64_t> paddingHigh;
    bool operator==(const WindowGeometry&) const = default;
};

enum class ConvolutionPass : std::uint8_t { Forward, InputGradient, WeightGradient };

/// Forward: input [N, field…, inC], kernel [k…, inC / groups, outC] → [N, field…, outC].
/// InputGradient: dOut, kernel → dIn [inputExtents]. WeightGradient: input, dOut → dKernel.
/// A transposed convolution's forward pass is an InputGradient and the other way round.
struct Convolution {
    WindowGeometry window;
    std::int64_t groups = 1;
    ConvolutionPass pass = ConvolutionPass::Forward;
    bool operator==(const Convolution&) const = default;
};

enum class UnaryFunction : std::uint8_t {
    Identity,
    Negate,
    Absolute,
    Sign,
    Square,
    SquareRoot,
    ReciprocalSquareRoot,
    Reciprocal,
    Exponential,
    ExponentialMinusOne,
    Logarithm,
    LogarithmPlusOne,
    Sine,
    Cosine,
    Tangent,
    ArcSine,
    ArcCosine,
    ArcTangent,
    HyperbolicSine,
    HyperbolicCosine,
    ErrorFunction,
    Floor,
    Ceiling,
    Round,
    LogicalNot,
    IsNan,
    IsInfinite,
    Relu,
    Relu6,
    LeakyRelu,
    ThresholdedRelu,
    Elu,
    Selu,
    Sigmoid,
    HardSigmoid,
    Tanh,
    Softplus,
    Softsign,
    Swish,
    GeluErf,
    GeluTanh,
    Mish,
    Clip,
};

/// x → f(x). `alpha`, `beta`: slope, bounds or scale where the function has them (LeakyRelu alpha; Clip
/// alpha..beta; HardSigmoid clip(alpha·x + beta, 0, 1); ThresholdedRelu alpha; Elu alpha).
struct Unary {
    UnaryFunction function = UnaryFunction::Identity;
    double alpha = 0;
    double beta = 0;
    bool operator==(const Unary&) const = default;
};
/// x, y = f(x), dy → dx. Kernels use whichever of x and y the function needs.
struct UnaryGradient {
    UnaryFunction function = UnaryFunction::Identity;
    double alpha = 0;
    double beta = 0;
    bool operator==(const UnaryGradient&) const = default;
};

enum class BinaryFunction : std::uint8_t {
    Add,
    Subtract,
    Multiply,
    Divide,
    Maximum,
    Minimum,
    Power,
    Modulo,
    Remainder,
    SquaredDifference,
    Atan2,
    Equal,
    NotEqual,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    LogicalAnd,
    LogicalOr,
    LogicalXor,
};

/// a, b → f(a, b) with NumPy broadcasting.
struct Binary {
    BinaryFunction function = BinaryFunction::Add;
    bool operator==(const Binary&) const = default;
};
/// condition, a, b → condition ? a : b, with broadcasting.
struct Select {
    bool operator==(const Select&) const = default;
};

enum class ReduceFunction : std::uint8_t {
    Sum,
    Mean,
    Product,
    Maximum,
    Minimum,
    SumOfSquares,
    LogSumExp,
    Any,
    All
};

/// x → reduced over `axes`.
struct Reduce {
    ReduceFunction function = ReduceFunction::Sum;
    std::vector<std::int64_t> axes;
    bool keepAxes = false;
    bool operator==(const Reduce&) const = default;
};
/// x → `extents` by NumPy broadcasting (the gradient of a sum).
struct Broadcast {
    std::vector<std::int64_t> extents;
    bool operator==(const Broadcast&) const = default;
};

/// x → softmax over `axis` (log of it when `logarithm`).
struct Softmax {
    std::int64_t axis = -1;
    bool logarithm = false;
    bool operator==(const Softmax&) const = default;
};
/// y, dy → dx.
struct SoftmaxGradient {
    std::int64_t axis = -1;
    bool logarithm = false;
    bool operator==(const SoftmaxGradient&) const = default;
};

enum class PoolFunction : std::uint8_t { Maximum, Average };

/// x [N, field…, C] → [N, field…, C]. Average counts only elements inside the input unless `countPadding`.
struct Pool {
    PoolFunction function = PoolFunction::Maximum;
    WindowGeometry window;
    bool countPadding = false;
    bool operator==(const Pool&) const = default;
};
/// x, y, dy → dx.
struct PoolGradient {
    PoolFunction function = PoolFunction::Maximum;
    WindowGeometry window;
    bool countPadding = false;
    bool operator==(const PoolGradient&) const = default;
};

enum class NormalizationKind : std::uint8_t { Batch, Layer, Group, Instance };

/// Training or per-sample statistics: x, gamma, beta → y, mean, inverse standard deviation.
/// Batch normalisation at inference (`useMovingStatistics`): x, gamma, beta, moving mean, moving variance →
/// y. gamma and beta are always given (ones and zeros as constants where the layer has none).
struct Normalization {
    NormalizationKind kind = NormalizationKind::Batch;
    /// Axes the statistics run over for Layer; channel axis is the last for the others.
    std::vector<std::int64_t> axes;
    std::int64_t groups = 1;
    /// Channels of one group are strided over the channel axis (the IPU default), not neighbours.
    bool stridedGroups = true;
    double epsilon = 1e-3;
    bool useMovingStatistics = false;
    bool stableStatistics = false;
    /// Replicas that share statistics (distributed batch norm).
    std::int64_t replicaGroup = 1;
    bool operator==(const Normalization&) const = default;
};
/// x, gamma, mean, inverse standard deviation, dy → dx, dgamma, dbeta.
struct NormalizationGradient {
    NormalizationKind kind = NormalizationKind::Batch;
    std::vector<std::int64_t> axes;
    std::int64_t groups = 1;
    bool stridedGroups = true;
    double epsilon = 1e-3;
    bool useMovingStatistics = false;
    bool stableStatistics = false;
    std::int64_t replicaGroup = 1;
    bool operator==(const NormalizationGradient&) const = default;
};
/// moving, batch statistic → moving' = moving·momentum + statistic·(1 − momentum), in place.
/// `fromInverseDeviation`: the statistic is an inverse standard deviation and the population variance is
/// recovered from it.
struct MovingAverage {
    double momentum = 0.99;
    bool fromInverseDeviation = false;
    double epsilon = 1e-3;
    bool operator==(const MovingAverage&) const = default;
};

/// table [R, D…], indices [...] → [..., D…].
struct Gather {
    std::int64_t axis = 0;
    std::int64_t serialization = 1;
    bool operator==(const Gather&) const = default;
};
/// indices, dy → dTable [R, D…].
struct GatherGradient {
    std::int64_t axis = 0;
    std::int64_t rows = 0;
    std::int64_t serialization = 1;
    bool operator==(const GatherGradient&) const = default;
};

enum class RecurrentCell : std::uint8_t { Simple, Lstm, Gru };

/// x [N, T, I], kernel [I, G·U], recurrent kernel [U, G·U], bias ([G·U], GRU reset_after [2, G·U]; may be
/// absent), then initial states → y [N, T, U] (or [N, U] without `returnSequences`), final states…, reserve
/// (what the backward pass needs). Gate order is Keras': LSTM i, f, c, o; GRU z, r, h.
struct Recurrent {
    RecurrentCell cell = RecurrentCell::Lstm;
    UnaryFunction activation = UnaryFunction::Tanh;
    UnaryFunction recurrentActivation = UnaryFunction::Sigmoid;
    bool useBias = true;
    bool returnSequences = false;
    bool goBackwards = false;
    bool resetAfter = true;
    /// Attention-update GRU: takes attention scores [N, T] as a further input.
    bool attentionUpdate = false;
    /// Takes sequence lengths [N] as a further input.
    bool sequenceLengths = false;
    bool operator==(const Recurrent&) const = default;
};
/// The inputs of `Recurrent`, y, reserve, dy → dx, dkernel, drecurrent, dbias, dinitial states….
struct RecurrentGradient {
    Recurrent forward;
    bool operator==(const RecurrentGradient&) const = default;
};

/// x → y, mask. `noiseExtents` empty: an own decision per element. `seed` nothing: from the run's seed.
struct Dropout {
    double rate = 0.5;
    std::vector<std::int64_t> noiseExtents;
    std::uint64_t seed = 0;
    bool operator==(const Dropout&) const = default;
};
/// mask, dy → dx.
struct DropoutGradient {
    double rate = 0.5;
    bool operator==(const DropoutGradient&) const = default;
};

/// x → the same elements in the output's extents. Free on the device when the mapping allows.
struct Reshape {
    bool operator==(const Reshape&) const = default;
};
struct Transpose {
    std::vector<std::int64_t> permutation;
    bool operator==(const Transpose&) const = default;
};
/// a, b, … → joined along `axis`.
struct Concatenate {
    std::int64_t axis = -1;
    bool operator==(const Concatenate&) const = default;
};
/// x → x[begin : begin + extent·stride : stride] per axis; a stride may be negative.
struct Slice {
    std::vector<std::int64_t> begin;
    std::vector<std::int64_t> stride;
    bool operator==(const Slice&) const = default;
};
enum class PadMode : std::uint8_t { Constant, Reflect, Edge };
/// x → padded; a negative amount crops.
struct Pad {
    std::vector<std::int64_t> low;
    std::vector<std::int64_t> high;
    PadMode mode = PadMode::Constant;
    double value = 0;
    bool operator==(const Pad&) const = default;
};
enum class Interpolation : std::uint8_t { Nearest, Linear };
/// x [N, field…, C] → field axes scaled by `factors`.
struct Upsample {
    std::vector<std::int64_t> factors;
    Interpolation interpolation = Interpolation::Nearest;
    bool operator==(const Upsample&) const = default;
};
/// dy → dx of Upsample.
struct UpsampleGradient {
    std::vector<std::int64_t> factors;
    Interpolation interpolation = Interpolation::Nearest;
    bool operator==(const UpsampleGradient&) const = default;
};
struct Cast {
    core::DataType to = core::DataType::Float32;
    bool operator==(const Cast&) const = default;
};
/// x → the same tensor elsewhere or in another layout.
struct Copy {
    bool operator==(const Copy&) const = default;
};
/// → a tensor filled with `value`.
struct Fill {
    double value = 0;
    bool operator==(const Fill&) const = default;
};

/// Keras' loss `className` (for example "SparseCategoricalCrossentropy"): prediction, target (, sample
/// weight) → scalar mean over the micro-batch.
struct Loss {
    std::string className;
    bool fromLogits = false;
    double labelSmoothing = 0;
    /// delta of Huber, …
    double parameter = 1;
    std::int64_t axis = -1;
    bool operator==(const Loss&) const = default;
};
/// prediction, target (, sample weight) → dPrediction of the mean.
struct LossGradient {
    Loss forward;
    bool operator==(const LossGradient&) const = default;
};
/// Keras' metric `className`: prediction, target → scalar over the micro-batch.
struct Metric {
    std::string className;
    /// threshold of BinaryAccuracy, k of TopKCategoricalAccuracy, …
    double parameter = 0;
    bool operator==(const Metric&) const = default;
};

enum class Accumulation : std::uint8_t { Sum, Mean, RunningMean };

/// gradient, accumulator → accumulator in place. Mean adds gradient / count; RunningMean scales by the number
/// of micro-batches seen so far.
struct AccumulateGradient {
    Accumulation reduction = Accumulation::Sum;
    std::int64_t count = 1;
    bool operator==(const AccumulateGradient&) const = default;
};
/// Keras' optimizer `className` (OptimizerV2 formulas): gradient, parameter, slots… → parameter and slots in
/// place. `hyperparameters` in the order the optimizer catalogue gives them.
struct OptimizerUpdate {
    std::string className;
    std::vector<double> hyperparameters;
    bool operator==(const OptimizerUpdate&) const = default;
};

enum class CollectiveKind : std::uint8_t { AllReduce, ReduceScatter, AllGather, AllToAll };
enum class CollectiveFunction : std::uint8_t {
    Add,
    Mean,
    Multiply,
    Minimum,
    Maximum,
    LogicalAnd,
    LogicalOr,
    SquareAdd,
    Local
};
/// One tensor of every replica → combined over groups of `groupSize` replicas (0: all).
struct Collective {
    CollectiveKind kind = CollectiveKind::AllReduce;
    CollectiveFunction function = CollectiveFunction::Add;
    std::int64_t groupSize = 0;
    bool operator==(const Collective&) const = default;
};
/// x on one IPU → x on another of the same replica.
struct InterIpuCopy {
    bool operator==(const InterIpuCopy&) const = default;
};
enum class StreamDirection : std::uint8_t { HostToDevice, DeviceToHost, RemoteToDevice, DeviceToRemote };
/// x ↔ the host or streaming memory.
struct StreamCopy {
    StreamDirection direction = StreamDirection::HostToDevice;
    bool operator==(const StreamCopy&) const = default;
};

/// Declared cost of a layer the catalogue does not know: x… → y…; has no kernel.
struct Opaque {
    std::int64_t flops = 0;
    bool operator==(const Opaque&) const = default;
};

/// What an operation computes. The order of the alternatives is the order of the operation catalogue.
using OperationAttributes =
    std::variant<MatMul, Convolution, Unary, UnaryGradient, Binary, Select, Reduce, Broadcast, Softmax,
                 SoftmaxGradient, Pool, PoolGradient, Normalization, NormalizationGradient, MovingAverage,
                 Gather, GatherGradient, Recurrent, RecurrentGradient, Dropout, DropoutGradient, Reshape,
                 Transpose, Concatenate, Slice, Pad, Upsample, UpsampleGradient, Cast, Copy, Fill, Loss,
                 LossGradient, Metric, AccumulateGradient, OptimizerUpdate, Collective, InterIpuCopy,
                 StreamCopy, Opaque>;

/// "MatMul", "Convolution", …: the name of the alternative.
[[nodiscard]] std::string_view kindName(const OperationAttributes& attributes);

} // namespace simulator
