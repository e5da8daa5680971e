// Recurrent layers.
#include "simulator/graph/output_rules.h"
#include "simulator/numerics/bindings/bind_operation.h"
#include "simulator/numerics/kernel_choice.h"
#include "simulator/numerics/kernels/kernel_table.h"

#include <algorithm>

namespace simulator {
namespace {

/// Reads the operands of `Recurrent` in their order; answers how many there were.
std::size_t readOperands(const std::vector<Operand>& inputs, RecurrentMap& map) {
    const Recurrent& attributes = map.attributes;
    std::size_t next = 0;
    const auto take = [&](bool isThere) { return isThere ? &inputs[next++] : nullptr; };
    const auto floats = [](const Operand* operand) { return operand == nullptr ? nullptr : operand->as(); };
    const Operand& x = *take(true);
    map.samples = x.extents()[0];
    map.steps = x.extents()[1];
    map.inputs = x.extents()[2];
    map.x = x.as();
    map.kernel = floats(take(true));
    const Operand& recurrent = *take(true);
    map.units = recurrent.extents()[0];
    map.recurrentKernel = recurrent.as();
    map.bias = floats(take(attributes.useBias));
    map.initialH = floats(take(true));
    map.initialC = floats(take(attributes.cell == RecurrentCell::Lstm));
    map.attention = floats(take(attributes.attentionUpdate));
    const Operand* lengths = take(attributes.sequenceLengths);
    map.lengths = lengths == nullptr ? nullptr : lengths->as<std::int32_t>();
    const Operand* mask = take(attributes.masked);
    map.mask = mask == nullptr ? nullptr : mask->as<std::uint8_t>();
    map.factors = floats(take(attributes.recurrentFactors));
    return next;
}

std::size_t scratchBytes(const RecurrentMap& map) {
    return static_cast<std::size_t>(kernels().recurrent.scratch(map)) * sizeof(float);
}

/// left^T × right over all samples and steps, cut by the rows of the result.
void addWeightProduct(BoundOperation& bound, const PartialSums& partials, const float* left,
                      std::int64_t rows, const float* right, std::int64_t rightRow, std::int64_t columns,
                      std::int64_t inner, float* out, std::int64_t outRow) {
    MatrixProduct product;
    product.rows = rows;
    product.columns = columns;
    product.inner = inner;
    product.left = left;
    product.leftRow = 1;
    product.leftColumn = rows;
    product.right = right;
    product.rightRow = rightRow;
    product.out = out;
    product.outRow = outRow;
    product.partials = partials;
    const MatrixKernels& kernel = kernels().matrix;
    bound.phases.push_back(
        rangePhase(WorkPartition{rows, 64}, [product, &kernel](const StepState&, std::int64_t begin,
                                                               std::int64_t end, std::byte* scratch) {
            kernel.product(product, begin, end, 0, product.columns, reinterpret_cast<float*>(scratch));
        }));
}

void addColumnSums(BoundOperation& bound, const float* x, std::int64_t rows, std::int64_t columns,
                   float* out) {
    Reduction reduction;
    reduction.extents[reductionAxes - 2] = rows;
    reduction.isReduced[reductionAxes - 2] = true;
    reduction.extents[reductionAxes - 1] = columns;
    reduction.x = x;
    reduction.out = out;
    const auto sum = kernels().reduction.rows(ReduceFunction::Sum);
    bound.phases.push_back(
        {1, [reduction, sum](const StepState&, std::int64_t, std::byte*) { sum(reduction, 0, 1); }});
}

/// What the walk through the steps leaves for the weights: products over all samples and steps.
void addWeightGradients(BindRequest& request, BoundOperation& bound, const RecurrentGradientMap& map) {
    const RecurrentMap& forward = map.forward;
    const std::int64_t units = forward.units;
    const std::int64_t gates = gateCount(forward.attributes.cell) * units;
    const std::int64_t rows = forward.samples * forward.steps;
    addWeightProduct(bound, forward.partials, forward.x, forward.inputs, map.dGates, gates, gates, rows,
                     request.outputs[1].as(), gates);
    float* dRecurrent = request.outputs[2].as();
    const bool isGru = forward.attributes.cell == RecurrentCell::Gru;
    const std::int64_t plain = isGru ? 2 * units : gates;
    addWeightProduct(bound, forward.partials, map.previous, units, map.dGates, gates, plain, rows, dRecurrent,
                     gates);
    if (isGru && forward.attributes.resetAfter) {
        addWeightProduct(bound, forward.partials, map.previous, units, map.dRecurrentPart, units, units, rows,
                         dRecurrent + 2 * units, gates);
    } else if (isGru) {
        addWeightProduct(bound, forward.partials, map.dRecurrentPart, units, map.dGates + 2 * units, gates,
                         units, rows, dRecurrent + 2 * units, gates);
    }
    if (!forward.attributes.useBias)
        return;
    float* dBias = request.outputs[3].as();
    addColumnSums(bound, map.dGates, rows, gates, dBias);
    if (isGru && forward.attributes.resetAfter) {
        bound.phases.push_back({1, [=](const StepState&, std::int64_t, std::byte*) {
                                    std::copy_n(dBias, 2 * units, dBias + gates);
                                }});
        addColumnSums(bound, map.dRecurrentPart, rows, units, dBias + gates + 2 * units);
    }
}

/// dx = dGates × kernel^T.
void addInputGradient(BoundOperation& bound, const RecurrentGradientMap& map, float* dx) {
    const RecurrentMap& forward = map.forward;
    MatrixProduct product;
    product.rows = forward.samples * forward.steps;
    product.columns = forward.inputs;
    product.inner = gateCount(forward.attributes.cell) * forward.units;
    product.left = map.dGates;
    product.leftRow = product.inner;
    product.right = forward.kernel;
    product.rightRow = 1;
    product.rightColumn = product.inner;
    product.out = dx;
    product.outRow = product.columns;
    product.partials = forward.partials;
    const MatrixKernels& kernel = kernels().matrix;
    bound.phases.push_back(rangePhase(
        WorkPartition{product.rows, 512},
        [product, &kernel](const StepState&, std::int64_t begin, std::int64_t end, std::byte* scratch) {
            kernel.product(product, begin, end, 0, product.columns, reinterpret_cast<float*>(scratch));
        }));
}

} // namespace

static void bindRecurrent(BindRequest& request, BoundOperation& bound) {
    RecurrentMap map;
    map.attributes = request.attributes<Recurrent>();
    map.partials = request.partials(map.attributes.halfPartials);
    readOperands(request.inputs, map);
    const bool isLstm = map.attributes.cell == RecurrentCell::Lstm;
    map.y = request.outputs[0].as();
    map.finalH = request.outputs[1].as();
    map.finalC = isLstm ? request.outputs[2].as() : nullptr;
    map.reserve = map.attributes.keepReserve ? request.outputs[isLstm ? 3 : 2].as() : nullptr;
    bound.threadScratch = std::max(bound.threadScratch, scratchBytes(map));
    const RecurrentKernels& kernel = kernels().recurrent;
    bound.phases.push_back(rangePhase(
        WorkPartition{map.samples, recurrentBlock},
        [map, &kernel](const StepState&, std::int64_t begin, std::int64_t end, std::byte* scratch) {
            kernel.forward(map, begin, end, reinterpret_cast<float*>(scratch));
        }));
}

static void bindRecurrentGradient(BindRequest& request, BoundOperation& bound) {
    RecurrentGradientMap map;
    RecurrentMap& forward = map.forward;
    forward.attributes = request.attributes<RecurrentGradient>().forward;
    forward.partials = request.partials(forward.attributes.halfPartials);
    std::size_t next = readOperands(request.inputs, forward);
    const bool isLstm = forward.attributes.cell == RecurrentCell::Lstm;
    const bool isGru = forward.attributes.cell == RecurrentCell::Gru;
    ++next; // y: all that is needed of it lies in the reserve
    forward.reserve = request.inputs[next++].as();
    map.dy = request.inputs[next++].as();
    map.dFinalH = request.inputs[next++].as();
    map.dFinalC = isLstm ? request.inputs[next++].as() : nullptr;
    const std::int64_t units = forward.units;
    const std::int64_t gates = gateCount(forward.attributes.cell) * units;
    const std::int64_t rows = forward.samples * forward.steps;
    float* transposed = request.takeFloats(gates * units);
    map.transposedRecurrent = transposed;
    map.dGates = request.takeFloats(rows * gates);
    map.previous = request.takeFloats(rows * units);
    map.dRecurrentPart = isGru ? request.takeFloats(rows * units) : nullptr;
    std::size_t output = forward.attributes.useBias ? 4 : 3;
    map.dInitialH = request.outputs[output++].as();
    map.dInitialC = isLstm ? request.outputs[output++].as() : nullptr;
    map.dAttention = forward.attributes.attentionUpdate ? request.outputs[output++].as() : nullptr;
    bound.threadScratch = std::max(bound.threadScratch, scratchBytes(forward));
    StridedMove transpose;
    transpose.extents[movementAxes - 2] = gates;
    transpose.extents[movementAxes - 1] = units;
    transpose.fromStrides[movementAxes - 2] = 1;
    transpose.fromStrides[movementAxes - 1] = gates;
    transpose.toStrides[movementAxes - 2] = units;
    transpose.toStrides[movementAxes - 1] = 1;
    transpose.from = forward.recurrentKernel;
    transpose.to = transposed;
    const auto move = kernels().movement.move(sizeof(float));
    bound.phases.push_back({1, [transpose, move, gates](const StepState&, std::int64_t, std::byte*) {
                                move(transpose, 0, gates);
                            }});
    const RecurrentKernels& kernel = kernels().recurrent;
    bound.phases.push_back(rangePhase(
        WorkPartition{forward.samples, recurrentBlock},
        [map, &kernel](const StepState&, std::int64_t begin, std::int64_t end, std::byte* scratch) {
            kernel.backward(map, begin, end, reinterpret_cast<float*>(scratch));
        }));
    addWeightGradients(request, bound, map);
    addInputGradient(bound, map, request.outputs[0].as());
}

namespace {

/// Recurrent's optional inputs that are not floats: the lengths and the mask.
void setOptionalTypes(const Recurrent& recurrent, OperandTypes& types) {
    std::size_t next = 3U + (recurrent.useBias ? 1U : 0U) +
                       (recurrent.cell == RecurrentCell::Lstm ? 2U : 1U) +
                       (recurrent.attentionUpdate ? 1U : 0U);
    if (recurrent.sequenceLengths)
        types.inputs[next++] = core::DataType::Int32;
    if (recurrent.masked)
        types.inputs[next++] = core::DataType::Bool;
}
template <class Kind>
void setSequenceTypes(const BindRequest& request, OperandTypes& types) {
    if constexpr (std::is_same_v<Kind, Recurrent>)
        setOptionalTypes(request.attributes<Recurrent>(), types);
    else
        setOptionalTypes(request.attributes<Kind>().forward, types);
}

} // namespace

std::span<const PartRow<Binding>> recurrentsBindings() {
    static constexpr PartRow<Binding> rows[]{
        {kindIndex<Recurrent>(), {bindRecurrent, setSequenceTypes<Recurrent>}},
        {kindIndex<RecurrentGradient>(), {bindRecurrentGradient, setSequenceTypes<RecurrentGradient>}}};
    return rows;
}

} // namespace simulator
