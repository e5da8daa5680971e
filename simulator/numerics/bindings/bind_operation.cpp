#include "simulator/numerics/bindings/bind_operation.h"

#include "simulator/graph/output_rules.h"
#include "simulator/numerics/bindings/conversion.h"
#include "simulator/numerics/bindings/user_library.h"

#include <algorithm>
#include <deque>
#include <optional>

namespace simulator {
namespace {

using core::DataType;

struct BinderTable {
    Binder operator()(const MatMul&) const { return bindMatMul; }
    Binder operator()(const Convolution&) const { return bindConvolution; }
    Binder operator()(const Unary&) const { return bindUnary; }
    Binder operator()(const UnaryGradient&) const { return bindUnaryGradient; }
    Binder operator()(const Binary&) const { return bindBinary; }
    Binder operator()(const Select&) const { return bindSelect; }
    Binder operator()(const Reduce&) const { return bindReduce; }
    Binder operator()(const Cumulative&) const { return bindCumulative; }
    Binder operator()(const ArgReduce&) const { return bindArgReduce; }
    Binder operator()(const TopK&) const { return bindTopK; }
    Binder operator()(const OneHot&) const { return bindOneHot; }
    Binder operator()(const Broadcast&) const { return bindBroadcast; }
    Binder operator()(const Softmax&) const { return bindSoftmax; }
    Binder operator()(const SoftmaxGradient&) const { return bindSoftmaxGradient; }
    Binder operator()(const Pool&) const { return bindPool; }
    Binder operator()(const PoolGradient&) const { return bindPoolGradient; }
    Binder operator()(const ExtractPatches&) const { return bindExtractPatches; }
    Binder operator()(const ExtractPatchesGradient&) const { return bindExtractPatchesGradient; }
    Binder operator()(const Normalization&) const { return bindNormalization; }
    Binder operator()(const NormalizationGradient&) const { return bindNormalizationGradient; }
    Binder operator()(const MovingAverage&) const { return bindMovingAverage; }
    Binder operator()(const Gather&) const { return bindGather; }
    Binder operator()(const GatherGradient&) const { return bindGatherGradient; }
    Binder operator()(const Recurrent&) const { return bindRecurrent; }
    Binder operator()(const RecurrentGradient&) const { return bindRecurrentGradient; }
    Binder operator()(const Dropout&) const { return bindDropout; }
    Binder operator()(const DropoutGradient&) const { return bindDropoutGradient; }
    Binder operator()(const Random&) const { return bindRandom; }
    Binder operator()(const Reshape&) const { return bindCopy; }
    Binder operator()(const Transpose&) const { return bindTranspose; }
    Binder operator()(const Concatenate&) const { return bindConcatenate; }
    Binder operator()(const Slice&) const { return bindSlice; }
    Binder operator()(const Pad&) const { return bindPad; }
    Binder operator()(const Upsample&) const { return bindUpsample; }
    Binder operator()(const UpsampleGradient&) const { return bindUpsampleGradient; }
    Binder operator()(const Cast&) const { return bindCast; }
    Binder operator()(const RecomputationCheckpoint&) const { return bindCopy; }
    Binder operator()(const Copy&) const { return bindCopy; }
    Binder operator()(const Fill&) const { return bindFill; }
    Binder operator()(const Loss&) const { return bindLoss; }
    Binder operator()(const LossGradient&) const { return bindLossGradient; }
    Binder operator()(const Metric&) const { return bindMetric; }
    Binder operator()(const CtcLoss&) const { return bindCtcLoss; }
    Binder operator()(const CtcBeamSearch&) const { return bindCtcBeamSearch; }
    Binder operator()(const Histogram&) const { return bindHistogram; }
    Binder operator()(const SequenceSlice&) const { return bindSequenceSlice; }
    Binder operator()(const AccumulateGradient&) const { return bindAccumulateGradient; }
    Binder operator()(const OptimizerUpdate&) const { return bindOptimizerUpdate; }
    Binder operator()(const InterIpuCopy&) const { return bindCopy; }
    Binder operator()(const Collective&) const { return bindCollective; }
    Binder operator()(const ReplicationIndex&) const { return bindReplicationIndex; }
    Binder operator()(const UserOperation&) const { return bindUserOperation; }
    Binder operator()(const HostLookup&) const { return bindHostLookup; }
    Binder operator()(const HostUpdate&) const { return bindHostUpdate; }
    // Streams join the host: sessions carry them out.
    template <class Other>
    Binder operator()(const Other&) const {
        return nullptr;
    }
};

/// The types the kernels of one operation want; nothing where any type will do.
struct OperandTypes {
    std::vector<std::optional<DataType>> inputs;
    std::vector<std::optional<DataType>> outputs;
};

bool movesElements(const OperationAttributes& attributes) {
    return std::holds_alternative<Reshape>(attributes) || std::holds_alternative<Transpose>(attributes) ||
           std::holds_alternative<Concatenate>(attributes) || std::holds_alternative<Slice>(attributes) ||
           std::holds_alternative<Broadcast>(attributes) || std::holds_alternative<Cast>(attributes) ||
           std::holds_alternative<Copy>(attributes) ||
           std::holds_alternative<RecomputationCheckpoint>(attributes) ||
           std::holds_alternative<InterIpuCopy>(attributes);
}

/// Positions of Recurrent's optional inputs that are not floats: the lengths and the mask.
void setRecurrentTypes(const Recurrent& recurrent, OperandTypes& types) {
    std::size_t next = 3U + (recurrent.useBias ? 1U : 0U) +
                       (recurrent.cell == RecurrentCell::Lstm ? 2U : 1U) +
                       (recurrent.attentionUpdate ? 1U : 0U);
    if (recurrent.sequenceLengths)
        types.inputs[next++] = DataType::Int32;
    if (recurrent.masked)
        types.inputs[next++] = DataType::Bool;
}

/// Kernels compute in float32, but for what the table below says.
struct TypeTable {
    OperandTypes& types;

    void setInputs(std::initializer_list<std::size_t> positions, DataType type) const {
        for (const std::size_t position : positions) {
            if (position < types.inputs.size())
                types.inputs[position] = type;
        }
    }
    void operator()(const Unary& unary) const {
        if (unary.function == UnaryFunction::LogicalNot || unary.function == UnaryFunction::IsNan ||
            unary.function == UnaryFunction::IsInfinite)
            types.outputs[0] = DataType::Bool;
    }
    void operator()(const Binary& binary) const {
        if (answersBool(binary.function))
            types.outputs[0] = DataType::Bool;
    }
    void operator()(const Select&) const { setInputs({0}, DataType::Bool); }
    void operator()(const ArgReduce&) const { types.outputs[0] = DataType::Int32; }
    void operator()(const TopK&) const { types.outputs[1] = DataType::Int32; }
    void operator()(const OneHot&) const { setInputs({0}, DataType::Int32); }
    void operator()(const Gather&) const { setInputs({1}, DataType::Int32); }
    void operator()(const GatherGradient&) const { setInputs({0}, DataType::Int32); }
    void operator()(const HostLookup&) const { setInputs({1}, DataType::Int32); }
    void operator()(const HostUpdate&) const { setInputs({types.inputs.size() - 2}, DataType::Int32); }
    void operator()(const Recurrent& recurrent) const { setRecurrentTypes(recurrent, types); }
    void operator()(const RecurrentGradient& gradient) const { setRecurrentTypes(gradient.forward, types); }
    void operator()(const ReplicationIndex&) const { types.outputs[0] = DataType::Int32; }
    void operator()(const Random& random) const {
        if (random.distribution == RandomDistribution::LogUniformClasses)
            types.outputs[0] = DataType::Int32;
    }
    void operator()(const CtcLoss&) const { setInputs({1, 2, 3}, DataType::Int32); }
    void operator()(const CtcBeamSearch&) const {
        setInputs({1}, DataType::Int32);
        types.outputs[1] = DataType::Int32;
        types.outputs[2] = DataType::Int32;
    }
    void operator()(const SequenceSlice&) const { setInputs({2, 3, 4}, DataType::Int32); }
    template <class Other>
    void operator()(const Other&) const {}
};

OperandTypes operandTypes(const BindRequest& request) {
    const OperationAttributes& attributes = request.operation->attributes;
    OperandTypes types{std::vector<std::optional<DataType>>(request.inputs.size(), DataType::Float32),
                       std::vector<std::optional<DataType>>(request.outputs.size(), DataType::Float32)};
    if (movesElements(attributes)) {
        std::ranges::fill(types.inputs, std::nullopt);
        std::ranges::fill(types.outputs, std::nullopt);
    }
    std::visit(TypeTable{types}, attributes);
    const bool compares = std::holds_alternative<Loss>(attributes) ||
                          std::holds_alternative<LossGradient>(attributes) ||
                          std::holds_alternative<Metric>(attributes);
    // Class numbers stay whole.
    if (compares && !core::isFloating(request.inputs[1].tensor->type))
        types.inputs[1] = DataType::Int32;
    return types;
}

/// Puts operands of the wanted types in the place of others, in shared scratch.
class Conversions {
public:
    Conversions(BindRequest& request, BoundOperation& bound)
        : m_request(request)
        , m_bound(bound)
        , m_types(operandTypes(request)) {}

    void before() {
        for (std::size_t i = 0; i < m_request.inputs.size(); ++i) {
            Operand& operand = m_request.inputs[i];
            if (!needsConversion(operand, m_types.inputs[i]))
                continue;
            const Operand original = operand;
            operand = converted(original, *m_types.inputs[i]);
            m_bound.phases.push_back(convertPhase(m_request, original.tensor->type, operand.tensor->type,
                                                  original.data, operand.data, original.elements()));
        }
        for (std::size_t i = 0; i < m_request.outputs.size(); ++i) {
            Operand& operand = m_request.outputs[i];
            if (!needsConversion(operand, m_types.outputs[i]))
                continue;
            m_finished.push_back(operand);
            // An output that rewrites an input shares the input's converted copy.
            const auto& ids = m_request.operation->inputs;
            const auto rewritten = std::ranges::find(ids, operand.tensor->id);
            operand = rewritten == ids.end()
                          ? converted(operand, *m_types.outputs[i])
                          : m_request.inputs[static_cast<std::size_t>(rewritten - ids.begin())];
            m_computed.push_back(operand);
        }
    }

    void after() {
        for (std::size_t i = 0; i < m_finished.size(); ++i) {
            m_bound.phases.push_back(convertPhase(m_request, m_computed[i].tensor->type,
                                                  m_finished[i].tensor->type, m_computed[i].data,
                                                  m_finished[i].data, m_finished[i].elements()));
        }
    }

private:
    static bool needsConversion(const Operand& operand, const std::optional<DataType>& wanted) {
        return wanted && *wanted != operand.tensor->type;
    }
    Operand converted(const Operand& operand, DataType type) {
        Tensor& tensor = m_tensors.emplace_back(*operand.tensor);
        tensor.type = type;
        return {&tensor, m_request.takeScratch(static_cast<std::size_t>(tensor.bytes()))};
    }

    BindRequest& m_request;
    BoundOperation& m_bound;
    OperandTypes m_types;
    // Binders read extents and types while they bind, not later.
    std::deque<Tensor> m_tensors;
    std::vector<Operand> m_finished;
    std::vector<Operand> m_computed;
};

} // namespace

std::byte* BindRequest::takeScratch(std::size_t bytes) {
    constexpr std::size_t alignment = 64;
    std::byte* taken = sharedScratch == nullptr ? nullptr : sharedScratch + sharedScratchUsed;
    sharedScratchUsed += (bytes + alignment - 1) / alignment * alignment;
    return taken;
}

WorkPartition rowPartition(std::int64_t rows, std::int64_t rowElements) {
    constexpr std::int64_t wantedElements = 32768;
    return {rows, std::max<std::int64_t>(1, wantedElements / std::max<std::int64_t>(1, rowElements))};
}

core::Result<BoundOperation> bindOperation(BindRequest& request) {
    const Binder binder = std::visit(BinderTable{}, request.operation->attributes);
    if (binder == nullptr) {
        core::Diagnostic diagnostic;
        diagnostic.code = "numerics/no-kernel";
        diagnostic.location.place = request.operation->name;
        diagnostic.message =
            std::string(kindName(request.operation->attributes)) + " cannot be computed, only priced";
        diagnostic.hints.push_back("run with --no-numerics to have its time and memory");
        return core::failure(std::move(diagnostic));
    }
    BoundOperation bound;
    bound.operation = request.operation->id;
    Conversions conversions(request, bound);
    conversions.before();
    if (std::holds_alternative<UserOperation>(request.operation->attributes)) {
        if (const auto function = loadUserFunction(request); !function)
            return core::failure(function.error());
    }
    binder(request, bound);
    conversions.after();
    std::erase_if(bound.phases, [](const BoundPhase& phase) { return phase.parts == 0; });
    return bound;
}

bool isAlias(const Operation& operation) {
    return std::holds_alternative<Reshape>(operation.attributes) ||
           std::holds_alternative<RecomputationCheckpoint>(operation.attributes) ||
           std::holds_alternative<Copy>(operation.attributes);
}

bool allowsInPlace(const Operation& operation, std::size_t index) {
    if (std::holds_alternative<Unary>(operation.attributes))
        return index == 0;
    if (std::holds_alternative<UnaryGradient>(operation.attributes))
        return index + 1 == operation.inputs.size();
    return std::holds_alternative<Binary>(operation.attributes);
}

} // namespace simulator
