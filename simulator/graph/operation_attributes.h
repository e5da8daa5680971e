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

/// Axes of a matrix product [M, K] × [K, N].
enum class MatMulAxis : std::uint8_t { Rows, Columns, Inner };

/// left [..., M, K], right [K, N] or [..., K, N] → [..., M, N]; a transposed operand is stored with its last
/// two axes swapped.
struct MatMul {
    bool transposeLeft = false;
    bool transposeRight = false;
    /// Run as `serialization` smaller products one after the other over this axis (serialized_matmul).
    MatMulAxis serializedAxis = MatMulAxis::Columns;
    std::int64_t serialization = 1;
    /// Sums of products are kept and added up as float16 (partialsType half).
    bool halfPartials = false;
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

/// Elements between two neighbours of the window are `dilation` apart; output element o covers the padded
/// input from o·stride on. Forward: input [N, field…, inC], kernel [k…, inC / groups, outC] → [N, field…,
/// outC]. InputGradient: dOut, kernel → dIn [inputExtents]. WeightGradient: input, dOut → dKernel. A
/// transposed convolution's forward pass is an InputGradient and the other way round.
struct Convolution {
    WindowGeometry window;
    std::int64_t groups = 1;
    ConvolutionPass pass = ConvolutionPass::Forward;
    /// Convolutions of one positive number run in parallel on disjoint tiles (multi_conv); 0: alone.
    std::int64_t parallelSet = 0;
    /// As those of MatMul.
    bool halfPartials = false;
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
    ScaleShift,
};

/// x → f(x). `alpha`, `beta`: slope, bounds or scale where the function has them (LeakyRelu alpha; Clip
/// alpha..beta; HardSigmoid clip(alpha·x + beta, 0, 1); ThresholdedRelu alpha; Elu alpha; Relu slope alpha
/// below 0 and upper bound beta, 0: none; ScaleShift alpha·x + beta).
struct Unary {
    UnaryFunction function = UnaryFunction::Identity;
    double alpha = 0;
    double beta = 0;
    bool operator==(const Unary&) const = default;
};
/// Those of x and y = f(x) that the function needs (see `gradientNeeds`), dy → dx.
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
/// x → running sums (products) along `axis`; `exclusive` leaves the own element out.
struct Cumulative {
    ReduceFunction function = ReduceFunction::Sum;
    std::int64_t axis = 0;
    bool exclusive = false;
    bool reverse = false;
    bool operator==(const Cumulative&) const = default;
};
/// x → position of the largest (smallest) element along `axis` as int32; the first of equals.
struct ArgReduce {
    bool minimum = false;
    std::int64_t axis = -1;
    bool keepAxis = false;
    bool operator==(const ArgReduce&) const = default;
};
/// x → the `count` largest of the last axis in falling order, their positions as int32.
struct TopK {
    std::int64_t count = 1;
    bool operator==(const TopK&) const = default;
};
/// indices → `on` at the index along a new last axis of `depth`, else `off`; an index outside gives all
/// `off`.
struct OneHot {
    std::int64_t depth = 0;
    double on = 1;
    double off = 0;
    bool operator==(const OneHot&) const = default;
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
/// Maximum: x, y, dy → dx. Average: dy → dx.
struct PoolGradient {
    PoolFunction function = PoolFunction::Maximum;
    WindowGeometry window;
    bool countPadding = false;
    bool operator==(const PoolGradient&) const = default;
};

/// x [N, field…, C] → [N, field…, kernel elements · C]: the window around each output position (im2col).
struct ExtractPatches {
    WindowGeometry window;
    bool operator==(const ExtractPatches&) const = default;
};
/// dy → dx of ExtractPatches.
struct ExtractPatchesGradient {
    WindowGeometry window;
    bool operator==(const ExtractPatchesGradient&) const = default;
};

enum class NormalizationKind : std::uint8_t { Batch, Layer, Group, Instance };

/// Training or per-sample statistics: x, gamma, beta → y, mean, inverse standard deviation. The statistics
/// are [C] for Batch, [N · groups] (sample-major) for Group and Instance, the extents of the other axes for
/// Layer; variance is the population variance. Batch normalisation at inference (`useMovingStatistics`): x,
/// gamma, beta, moving mean, moving variance → y. gamma and beta are always given (ones and zeros as
/// constants where the layer has none); they have the extents of the channel axis, for Layer of the
/// normalised axes.
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
/// x, gamma, mean, inverse standard deviation (with `useMovingStatistics`: moving mean, moving variance), dy
/// → dx, dgamma, dbeta.
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

/// table [R, D…], indices [...] → [..., D…]; with another `axis` the indices' axes stand in its place.
struct Gather {
    std::int64_t axis = 0;
    std::int64_t serialization = 1;
    bool operator==(const Gather&) const = default;
};
/// indices, dy → dTable: dy added up over equal indices, `rows` long along `axis`.
struct GatherGradient {
    std::int64_t axis = 0;
    std::int64_t rows = 0;
    std::int64_t serialization = 1;
    bool operator==(const GatherGradient&) const = default;
};

/// Which axis of a host embedding's table is split over the replicas when it lies in remote buffers.
enum class EmbeddingPartition : std::uint8_t { Token, Encoding };
/// Where the rows of a host embedding are.
struct HostTable {
    /// In remote buffers of the IPUs instead of the host program's memory.
    bool remoteBuffer = false;
    EmbeddingPartition partition = EmbeddingPartition::Token;
    bool operator==(const HostTable&) const = default;
};
/// table [R, D] that is not on the device, indices [...] → [..., D]. Indices outside the table are moved to
/// its first or last row when `clipIndices`, else their rows are zero.
struct HostLookup {
    HostTable table;
    bool clipIndices = true;
    bool operator==(const HostLookup&) const = default;
};
/// table [R, D], indices [...], dRows [..., D] → table − learningRate · dRows added up over equal indices, in
/// place. With `accumulation` above 1 also accumulator [R, D] and count [], before the indices and rewritten
/// too: gradients are summed over that many micro-batches, then applied. Replicas share one table: the
/// gradients of all are applied.
struct HostUpdate {
    HostTable table;
    double learningRate = 0.01;
    std::int64_t accumulation = 1;
    bool clipIndices = true;
    bool operator==(const HostUpdate&) const = default;
};

enum class RecurrentCell : std::uint8_t { Simple, Lstm, Gru };

/// x [N, T, I], kernel [I, G·U], recurrent kernel [U, G·U], bias (only with `useBias`: [G·U], GRU with
/// `resetAfter` [2, G·U]), initial states (h [N, U]; LSTM also c [N, U]), then those of the optional inputs
/// below that are switched on, in their order → y [N, T, U] (or [N, U] without `returnSequences`), final
/// states, and with `keepReserve` the reserve (what the backward pass needs). Gate order is Keras': LSTM i,
/// f, c, o; GRU z, r, h.
struct Recurrent {
    RecurrentCell cell = RecurrentCell::Lstm;
    UnaryFunction activation = UnaryFunction::Tanh;
    UnaryFunction recurrentActivation = UnaryFunction::Sigmoid;
    bool useBias = true;
    bool returnSequences = false;
    bool goBackwards = false;
    bool resetAfter = true;
    /// Optional input: attention scores [N, T]; the update gate z becomes (1 − score)·z (AUGRU).
    bool attentionUpdate = false;
    /// Optional input: lengths [N] (int32); later steps keep the state and give zeros (DynamicGRU).
    bool sequenceLengths = false;
    /// Optional input: mask [N, T] (bool); a step that is off keeps state and output (Keras' masks).
    bool masked = false;
    /// Optional input: factors [N, U] on the previous output (Keras' recurrent dropout).
    bool recurrentFactors = false;
    bool keepReserve = true;
    /// As those of MatMul.
    bool halfPartials = false;
    bool operator==(const Recurrent&) const = default;
};
/// The inputs of `Recurrent`, its y, its reserve, dy, d(final states)… → dx, dkernel, drecurrent kernel,
/// dbias (with `useBias`), d(initial states)…, d(attention scores) (with `attentionUpdate`).
struct RecurrentGradient {
    Recurrent forward;
    bool operator==(const RecurrentGradient&) const = default;
};

/// x → y, mask (the factor 0 or 1 / (1 − rate) of every element of the noise). `noiseExtents` empty: an own
/// decision per element; else broadcast. The numbers depend on `seed` (0: the run's seed), `stream`
/// (different for each random operation of a graph) and the micro-batch, so recomputing gives the same.
struct Dropout {
    double rate = 0.5;
    std::vector<std::int64_t> noiseExtents;
    std::uint64_t seed = 0;
    std::uint64_t stream = 0;
    bool operator==(const Dropout&) const = default;
};
enum class RandomDistribution : std::uint8_t {
    Uniform,
    Normal,
    TruncatedNormal,
    Bernoulli,
    LogUniformClasses
};
/// → random numbers, seeded as Dropout: Uniform in [a, b), Normal and TruncatedNormal of mean a and deviation
/// b, Bernoulli 1 with probability a, LogUniformClasses different int32 classes below a (Zipfian candidate
/// sampler).
struct Random {
    RandomDistribution distribution = RandomDistribution::Uniform;
    double a = 0;
    double b = 1;
    std::uint64_t seed = 0;
    std::uint64_t stream = 0;
    bool operator==(const Random&) const = default;
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
/// Reflect mirrors at the outermost element, Symmetric at its outer edge, Edge repeats it.
enum class PadMode : std::uint8_t { Constant, Reflect, Edge, Symmetric };
/// x → padded; a negative amount crops. `interior` (empty: none) elements go between two neighbours.
struct Pad {
    std::vector<std::int64_t> low;
    std::vector<std::int64_t> high;
    std::vector<std::int64_t> interior;
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
/// x → x. A RecomputationCheckpoint layer: its output is kept where the rest of a stage is recomputed.
struct RecomputationCheckpoint {
    bool operator==(const RecomputationCheckpoint&) const = default;
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

/// How a loss of many values becomes one: their mean (Keras' SUM_OVER_BATCH_SIZE), their sum, or not at all.
enum class LossReduction : std::uint8_t { Mean, Sum, None };
/// Keras' loss `className` (for example "SparseCategoricalCrossentropy"): prediction, target (, sample
/// weight) → scalar over the micro-batch (one value per sample with LossReduction::None).
struct Loss {
    std::string className;
    bool fromLogits = false;
    double labelSmoothing = 0;
    /// delta of Huber, gamma of the focal losses, …
    double parameter = 1;
    /// alpha of the focal losses, …
    double secondParameter = 0;
    LossReduction reduction = LossReduction::Mean;
    bool weighted = false;
    bool operator==(const Loss&) const = default;
};
/// prediction, target (, sample weight), dLoss → dPrediction.
struct LossGradient {
    Loss forward;
    bool operator==(const LossGradient&) const = default;
};
/// Keras' metric `className`: prediction, target (, sample weight) → value over the micro-batch, a scalar or,
/// for metrics that are no mean over micro-batches, [1 + sums] (see metric_sums.h).
struct Metric {
    std::string className;
    /// threshold of BinaryAccuracy, k of TopKCategoricalAccuracy, …
    double parameter = 0;
    bool fromLogits = false;
    double labelSmoothing = 0;
    bool weighted = false;
    bool operator==(const Metric&) const = default;
};

/// Connectionist temporal classification: data [T, N, C] (logits, or log probabilities), labels [N, L], label
/// lengths [N], data lengths [N] → negative log likelihood [N], d(loss)/d(data) [T, N, C].
struct CtcLoss {
    std::int64_t blank = 0;
    bool fromLogits = true;
    bool operator==(const CtcLoss&) const = default;
};
/// data as for CtcLoss, data lengths [N] → log probabilities [N, paths], lengths [N, paths], labels
/// [N, paths, T] (blank behind the length).
struct CtcBeamSearch {
    std::int64_t blank = 0;
    bool fromLogits = true;
    std::int64_t beamWidth = 100;
    std::int64_t topPaths = 1;
    bool operator==(const CtcBeamSearch&) const = default;
};
/// x, levels [L] (, histogram with `update`) → counts [L + 1]; bin k counts levels[k−1] ≤ x < levels[k].
struct Histogram {
    bool absolute = false;
    bool update = false;
    bool operator==(const Histogram&) const = default;
};
/// destination [D, …], source [S, …], counts, source offsets, destination offsets (all [slices]) →
/// destination with the rows written. A row written twice holds the later slice.
struct SequenceSlice {
    /// Rows that no slice writes become zero.
    bool zeroUnused = false;
    /// Rows are added to what stands there (the gradient of rows read more than once).
    bool accumulates = false;
    bool operator==(const SequenceSlice&) const = default;
};

enum class Accumulation : std::uint8_t { Sum, Mean, RunningMean };

/// gradient, accumulator → accumulator in place. Mean adds gradient / count; RunningMean weights by the
/// number of micro-batches seen so far. A parameter used by several invocations has one of these for each;
/// only the one that runs first in a micro-batch (`scalesAccumulator`) scales what RunningMean has so far.
struct AccumulateGradient {
    Accumulation reduction = Accumulation::Sum;
    std::int64_t count = 1;
    bool scalesAccumulator = true;
    bool operator==(const AccumulateGradient&) const = default;
};
/// Keras' optimizer `className` (OptimizerV2 formulas): gradient, parameter, slots… → parameter and slots in
/// place. `hyperparameters` in the order the optimizer catalogue gives them; the learning rate of an update
/// comes from `TrainingGraph::learningRate`.
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
    /// A group holds replicas that are `groupSize` apart instead of neighbours.
    bool orthogonal = false;
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

/// x… → y… by a function of a shared library (see numerics/user_operation.h for its interface). The gradient
/// function gets the inputs, the outputs and the outputs' gradients, and answers the inputs' gradients.
struct UserOperation {
    std::string library;
    /// Name of the function; "_grad" behind it is that of its gradient.
    std::string entry;
    /// Text handed to the function.
    std::string attributes;
    bool isGradient = false;
    /// Declared arithmetic of one call, for the cost model.
    std::int64_t flops = 0;
    bool operator==(const UserOperation&) const = default;
};
/// → the number of the replica, an int32 scalar.
struct ReplicationIndex {
    bool operator==(const ReplicationIndex&) const = default;
};

/// What an operation computes. The order of the alternatives is the order of the operation catalogue.
using OperationAttributes =
    std::variant<MatMul, Convolution, Unary, UnaryGradient, Binary, Select, Reduce, Cumulative, ArgReduce,
                 TopK, OneHot, Broadcast, Softmax, SoftmaxGradient, Pool, PoolGradient, ExtractPatches,
                 ExtractPatchesGradient, Normalization, NormalizationGradient, MovingAverage, Gather,
                 GatherGradient, Recurrent, RecurrentGradient, Dropout, DropoutGradient, Random, Reshape,
                 Transpose, Concatenate, Slice, Pad, Upsample, UpsampleGradient, Cast,
                 RecomputationCheckpoint, Copy, Fill, Loss, LossGradient, Metric, CtcLoss, CtcBeamSearch,
                 Histogram, SequenceSlice, AccumulateGradient, OptimizerUpdate, Collective, InterIpuCopy,
                 StreamCopy, Opaque, UserOperation, ReplicationIndex, HostLookup, HostUpdate>;

/// "MatMul", "Convolution", …: the name of the alternative.
[[nodiscard]] std::string_view kindName(const OperationAttributes& attributes);
/// "Relu", "Add", …
[[nodiscard]] std::string_view toString(UnaryFunction function);
[[nodiscard]] std::string_view toString(BinaryFunction function);

} // namespace simulator
