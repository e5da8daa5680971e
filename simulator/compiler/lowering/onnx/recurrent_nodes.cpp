// RNN, GRU and LSTM.
#include "simulator/compiler/lowering/onnx/onnx_call.h"

#include <algorithm>
#include <fmt/format.h>
#include <numeric>

namespace simulator {
namespace {

using core::DataType;
using core::TensorId;

struct Activation {
    std::string name;
    double alpha = 0;
    double beta = 0;
};

/// What a node says about its directions.
struct NodeCell {
    RecurrentCell cell = RecurrentCell::Lstm;
    std::int64_t gates = 4;
    std::int64_t units = 0;
    std::int64_t steps = 0;
    std::int64_t samples = 0;
    std::int64_t directions = 1;
    bool isBatchFirst = false;
    /// Of the direction at hand.
    std::vector<Activation> activations;
    bool isReverse = false;
    double clip = 0;
    bool couplesForget = false;
    bool resetsAfter = false;
};

/// Operands of one direction. x is [N, T, I]; weights as ONNX has them, gates along rows.
struct DirectionOperands {
    TensorId x;
    TensorId weights;
    TensorId recurrentWeights;
    TensorId weightBias;
    TensorId recurrentBias;
    TensorId lengths;
    TensorId hidden;
    TensorId memory;
    TensorId peepholes;
};
/// y [N, T, H] and the final states [N, H].
struct DirectionResult {
    TensorId y;
    TensorId hidden;
    TensorId memory;
};

/// The one activation of ONNX's cells that is no function of the catalogue: alpha · tanh(beta · x).
constexpr core::OnnxGate scaledTanh{"ScaledTanh", 2, 1, 1};

/// What an activation is called and takes; an unknown one takes nothing.
core::OnnxGate gateCalled(std::string_view name) {
    if (name == scaledTanh.name)
        return scaledTanh;
    const core::UnaryDefinition* function = core::unaryOfOnnxGate(name);
    return function == nullptr ? core::OnnxGate{} : function->onnxGate;
}

/// The activations of every direction, one after the other.
std::vector<Activation> activationsOf(const OnnxCall& call, const NodeCell& cell) {
    const core::OnnxAttribute* names = call.node.attribute("activations");
    std::vector<std::string> list = names == nullptr ? std::vector<std::string>{} : names->texts;
    if (list.empty()) {
        for (std::int64_t i = 0; i < cell.directions; ++i) {
            if (cell.cell != RecurrentCell::Simple)
                list.emplace_back("Sigmoid");
            list.emplace_back("Tanh");
            if (cell.cell == RecurrentCell::Lstm)
                list.emplace_back("Tanh");
        }
    }
    const core::OnnxAttribute* alpha = call.node.attribute("activation_alpha");
    const core::OnnxAttribute* beta = call.node.attribute("activation_beta");
    std::vector<Activation> activations;
    std::size_t nextAlpha = 0;
    std::size_t nextBeta = 0;
    const auto take = [](const core::OnnxAttribute* from, std::size_t& next, double byDefault) {
        return from != nullptr && next < from->numbers.size() ? from->numbers[next++] : byDefault;
    };
    // Only activations that have parameters take numbers from the lists.
    for (const std::string& name : list) {
        const core::OnnxGate gate = gateCalled(name);
        activations.push_back({name, gate.parameters > 0 ? take(alpha, nextAlpha, gate.alpha) : 0,
                               gate.parameters > 1 ? take(beta, nextBeta, gate.beta) : 0});
    }
    return activations;
}

core::Result<TensorId> activate(GraphBuilder& build, const Activation& activation, TensorId x) {
    if (activation.name == scaledTanh.name)
        return build.scaleShift(build.unary(UnaryFunction::Tanh, build.scaleShift(x, activation.beta)),
                                activation.alpha);
    if (const core::UnaryDefinition* row = core::unaryOfOnnxGate(activation.name))
        return build.unary(row->function, x, activation.alpha, activation.beta);
    return refuseOnnx(fmt::format("there is no activation \"{}\"", activation.name.substr(0, 40)));
}

// ---- the fast way: one operation for all steps ----------------------------------------------------------

bool hasStandardActivations(const NodeCell& cell) {
    if (cell.cell == RecurrentCell::Simple)
        return cell.activations[0].name == "Tanh" || cell.activations[0].name == "Relu";
    return std::ranges::all_of(cell.activations, [&](const Activation& activation) {
        return activation.name == (&activation == cell.activations.data() ? "Sigmoid" : "Tanh");
    });
}

/// Rows [G·U, K] of an LSTM, i o f c, in Keras' order i f c o; others stay.
TensorId inKerasOrder(GraphBuilder& build, TensorId rows, const NodeCell& cell, std::int64_t axis) {
    if (cell.cell != RecurrentCell::Lstm)
        return rows;
    const auto gate = [&](std::int64_t index) {
        return build.slice(rows, axis, index * cell.units, cell.units);
    };
    return build.concatenate({gate(0), gate(2), gate(3), gate(1)}, axis);
}

DirectionResult runAtOnce(GraphBuilder& build, const NodeCell& cell, const DirectionOperands& operands) {
    Recurrent attributes;
    attributes.cell = cell.cell;
    attributes.activation =
        cell.activations.back().name == "Relu" ? UnaryFunction::Relu : UnaryFunction::Tanh;
    attributes.recurrentActivation = UnaryFunction::Sigmoid;
    attributes.useBias = operands.weightBias.isValid();
    attributes.returnSequences = true;
    attributes.goBackwards = cell.isReverse;
    attributes.resetAfter = cell.resetsAfter;
    attributes.sequenceLengths = operands.lengths.isValid();
    std::vector<TensorId> inputs{
        operands.x, build.transpose(inKerasOrder(build, operands.weights, cell, 0), {1, 0}),
        build.transpose(inKerasOrder(build, operands.recurrentWeights, cell, 0), {1, 0})};
    if (attributes.useBias) {
        if (cell.cell == RecurrentCell::Gru && cell.resetsAfter) {
            const Extents row{1, cell.gates * cell.units};
            inputs.push_back(build.concatenate(
                {build.reshape(operands.weightBias, row), build.reshape(operands.recurrentBias, row)}, 0));
        } else {
            const TensorId sum =
                build.binary(BinaryFunction::Add, operands.weightBias, operands.recurrentBias);
            inputs.push_back(inKerasOrder(build, sum, cell, 0));
        }
    }
    inputs.push_back(operands.hidden);
    if (cell.cell == RecurrentCell::Lstm)
        inputs.push_back(operands.memory);
    if (operands.lengths.isValid())
        inputs.push_back(operands.lengths);
    const auto outputs = build.addAll(attributes, std::move(inputs), "");
    // Backwards the first output belongs to the last step.
    const TensorId y =
        cell.isReverse ? build.slice(outputs[0], 1, cell.steps - 1, cell.steps, -1) : outputs[0];
    return {y, outputs[1], cell.cell == RecurrentCell::Lstm ? outputs[2] : TensorId{}};
}

// ---- the general way: step by step ----------------------------------------------------------------------

/// Runs a cell with whatever ONNX allows: other activations, clipping, peepholes, lengths backwards.
class StepByStep {
public:
    StepByStep(GraphBuilder& build, const NodeCell& cell, const DirectionOperands& operands)
        : m_build(build)
        , m_cell(cell)
        , m_operands(operands) {}

    core::Result<DirectionResult> run() {
        m_projected = product(m_operands.x, m_operands.weights, m_operands.weightBias);
        m_hidden = m_operands.hidden;
        m_memory = m_operands.memory;
        std::vector<TensorId> outputs(static_cast<std::size_t>(m_cell.steps));
        for (std::int64_t i = 0; i < m_cell.steps; ++i) {
            const std::int64_t step = m_cell.isReverse ? m_cell.steps - 1 - i : i;
            const auto y = runStep(step);
            if (!y)
                return core::failure(y.error());
            outputs[static_cast<std::size_t>(step)] = m_build.reshape(*y, {m_cell.samples, 1, m_cell.units});
        }
        return DirectionResult{m_build.concatenate(std::move(outputs), 1), m_hidden, m_memory};
    }

private:
    /// x·wᵀ + bias.
    TensorId product(TensorId x, TensorId weights, TensorId bias) {
        const Extents extents = m_build.extents(x);
        const std::int64_t rows = elementCount(extents) / std::max<std::int64_t>(extents.back(), 1);
        TensorId y =
            m_build.add(MatMul{false, true}, {m_build.reshape(x, {rows, extents.back()}), weights}, "");
        if (bias.isValid())
            y = m_build.binary(BinaryFunction::Add, y, bias);
        Extents result = extents;
        result.back() = m_build.extents(weights)[0];
        return m_build.reshape(y, std::move(result));
    }

    TensorId gate(TensorId gates, std::int64_t index) {
        return m_build.slice(gates, 1, index * m_cell.units, m_cell.units);
    }
    TensorId add(TensorId a, TensorId b) { return m_build.binary(BinaryFunction::Add, a, b); }
    TensorId multiply(TensorId a, TensorId b) { return m_build.binary(BinaryFunction::Multiply, a, b); }

    core::Result<TensorId> apply(std::size_t index, TensorId x) {
        if (m_cell.clip > 0)
            x = m_build.unary(UnaryFunction::Clip, x, -m_cell.clip, m_cell.clip);
        return activate(m_build, m_cell.activations[index], x);
    }

    /// x + p·c of a gate's peephole.
    TensorId peep(TensorId x, std::int64_t index, TensorId memory) {
        if (!m_operands.peepholes.isValid())
            return x;
        const TensorId weights = m_build.slice(m_operands.peepholes, 0, index * m_cell.units, m_cell.units);
        return add(x, multiply(memory, weights));
    }

    core::Result<void> simple(TensorId projected) {
        const auto h = apply(
            0, add(projected, product(m_hidden, m_operands.recurrentWeights, m_operands.recurrentBias)));
        if (!h)
            return core::failure(h.error());
        m_newHidden = *h;
        return {};
    }

    core::Result<void> gated(TensorId projected) {
        const TensorId recurrent = product(m_hidden, m_operands.recurrentWeights, m_operands.recurrentBias);
        const auto update = apply(0, add(gate(projected, 0), gate(recurrent, 0)));
        const auto reset = apply(0, add(gate(projected, 1), gate(recurrent, 1)));
        if (!update || !reset)
            return core::failure(update ? reset.error() : update.error());
        TensorId inner = multiply(*reset, gate(recurrent, 2));
        if (!m_cell.resetsAfter) {
            const TensorId own =
                m_build.slice(m_operands.recurrentWeights, 0, 2 * m_cell.units, m_cell.units);
            const TensorId bias =
                m_operands.recurrentBias.isValid()
                    ? m_build.slice(m_operands.recurrentBias, 0, 2 * m_cell.units, m_cell.units)
                    : TensorId{};
            inner = product(multiply(*reset, m_hidden), own, bias);
        }
        const auto candidate = apply(1, add(gate(projected, 2), inner));
        if (!candidate)
            return core::failure(candidate.error());
        const TensorId rest = m_build.scaleShift(*update, -1, 1);
        m_newHidden = add(multiply(rest, *candidate), multiply(*update, m_hidden));
        return {};
    }

    core::Result<void> longShortTerm(TensorId projected) {
        const TensorId gates =
            add(projected, product(m_hidden, m_operands.recurrentWeights, m_operands.recurrentBias));
        const auto in = apply(0, peep(gate(gates, 0), 0, m_memory));
        auto forget = apply(0, peep(gate(gates, 2), 2, m_memory));
        const auto candidate = apply(1, gate(gates, 3));
        if (!in || !forget || !candidate)
            return core::failure(!in ? in.error() : !forget ? forget.error() : candidate.error());
        if (m_cell.couplesForget)
            forget = m_build.scaleShift(*in, -1, 1);
        m_newMemory = add(multiply(*forget, m_memory), multiply(*in, *candidate));
        const auto out = apply(0, peep(gate(gates, 1), 1, m_newMemory));
        const auto squashed = activate(m_build, m_cell.activations[2], m_newMemory);
        if (!out || !squashed)
            return core::failure(out ? squashed.error() : out.error());
        m_newHidden = multiply(*out, *squashed);
        return {};
    }

    /// Answers the step's output and moves the states on, except past a sequence's end.
    core::Result<TensorId> runStep(std::int64_t step) {
        const TensorId projected = m_build.reshape(m_build.slice(m_projected, 1, step, 1),
                                                   {m_cell.samples, m_cell.gates * m_cell.units});
        const auto done = m_cell.cell == RecurrentCell::Simple ? simple(projected)
                          : m_cell.cell == RecurrentCell::Gru  ? gated(projected)
                                                               : longShortTerm(projected);
        if (!done)
            return core::failure(done.error());
        if (!m_operands.lengths.isValid()) {
            m_hidden = m_newHidden;
            m_memory = m_newMemory;
            return m_hidden;
        }
        const TensorId isInside =
            m_build.reshape(m_build.binary(BinaryFunction::Greater, m_operands.lengths,
                                           m_build.constant(static_cast<double>(step), {}, DataType::Int32)),
                            {m_cell.samples, 1});
        const auto pick = [&](TensorId a, TensorId b) { return m_build.add(Select{}, {isInside, a, b}, ""); };
        m_hidden = pick(m_newHidden, m_hidden);
        if (m_newMemory.isValid())
            m_memory = pick(m_newMemory, m_memory);
        return pick(m_newHidden, m_build.constant(0, {}, m_build.type(m_newHidden)));
    }

    GraphBuilder& m_build;
    const NodeCell& m_cell;
    const DirectionOperands& m_operands;
    TensorId m_projected;
    TensorId m_hidden;
    TensorId m_memory;
    TensorId m_newHidden;
    TensorId m_newMemory;
};

core::Result<DirectionResult> runDirection(GraphBuilder& build, const NodeCell& cell,
                                           const DirectionOperands& operands) {
    const bool isStandard = hasStandardActivations(cell) && cell.clip == 0 && !cell.couplesForget &&
                            !operands.peepholes.isValid() && !(cell.isReverse && operands.lengths.isValid());
    if (isStandard)
        return runAtOnce(build, cell, operands);
    constexpr std::int64_t mostSteps = 4096;
    if (cell.steps > mostSteps)
        return refuseOnnx(fmt::format("has {} steps that must be computed one by one", cell.steps),
                          "use the standard activations");
    return StepByStep(build, cell, operands).run();
}

// ---- the node -------------------------------------------------------------------------------------------

core::Result<NodeCell> cellOf(const OnnxCall& call, RecurrentCell kind) {
    NodeCell cell;
    cell.cell = kind;
    cell.gates = gateCount(kind);
    const bool areMatrices = call.rank(0) == 3 && call.rank(1) == 3 && call.rank(2) == 3;
    if (!areMatrices)
        return refuseOnnx("X, W and R have three axes each");
    cell.isBatchFirst = call.node.integer("layout", 0) == 1;
    cell.steps = call.extents()[cell.isBatchFirst ? 1 : 0];
    cell.samples = call.extents()[cell.isBatchFirst ? 0 : 1];
    cell.units = call.extents(2)[2];
    cell.directions = call.node.text("direction", "forward") == "bidirectional" ? 2 : 1;
    const std::int64_t rows = cell.gates * cell.units;
    const Extents weights{cell.directions, rows, call.extents()[2]};
    const Extents recurrent{cell.directions, rows, cell.units};
    if (call.extents(1) != weights || call.extents(2) != recurrent || cell.steps < 1 || cell.units < 1 ||
        (call.has(3) && call.extents(3) != Extents{cell.directions, 2 * rows}) ||
        (call.has(4) && call.extents(4) != Extents{cell.samples}))
        return refuseOnnx("its weights do not fit one another");
    const Extents states = cell.isBatchFirst ? Extents{cell.samples, cell.directions, cell.units}
                                             : Extents{cell.directions, cell.samples, cell.units};
    for (std::size_t i = 5; i <= 6; ++i) {
        if (call.has(i) && call.extents(i) != states)
            return refuseOnnx("its initial states do not fit");
    }
    if (call.has(7) && call.extents(7) != Extents{cell.directions, 3 * cell.units})
        return refuseOnnx("its peepholes do not fit");
    cell.clip = call.node.number("clip", 0);
    cell.couplesForget = call.node.integer("input_forget", 0) != 0;
    cell.resetsAfter = call.node.integer("linear_before_reset", 0) != 0;
    return cell;
}

DirectionOperands operandsOf(OnnxCall& call, const NodeCell& cell, TensorId x, std::int64_t direction) {
    GraphBuilder& build = call.build;
    const std::int64_t rows = cell.gates * cell.units;
    const auto part = [&](std::size_t position, Extents extents) {
        return build.reshape(build.slice(call.input(position), 0, direction, 1), std::move(extents));
    };
    DirectionOperands operands;
    operands.x = x;
    operands.weights = part(1, {rows, call.extents()[2]});
    operands.recurrentWeights = part(2, {rows, cell.units});
    if (call.has(3)) {
        const TensorId bias = part(3, {2 * rows});
        operands.weightBias = build.slice(bias, 0, 0, rows);
        operands.recurrentBias = build.slice(bias, 0, rows, rows);
    }
    if (call.has(4))
        operands.lengths = build.cast(call.input(4), DataType::Int32);
    const Extents state{cell.samples, cell.units};
    const auto initial = [&](std::size_t position) {
        if (!call.has(position))
            return build.constant(0, state, call.type());
        return build.reshape(build.slice(call.input(position), cell.isBatchFirst ? 1 : 0, direction, 1),
                             state);
    };
    operands.hidden = initial(5);
    if (cell.cell == RecurrentCell::Lstm)
        operands.memory = initial(6);
    if (call.has(7) && cell.cell == RecurrentCell::Lstm)
        operands.peepholes = part(7, {3 * cell.units});
    return operands;
}

OnnxOutputs recur(OnnxCall& call, RecurrentCell kind) {
    GraphBuilder& build = call.build;
    auto cell = cellOf(call, kind);
    if (!cell)
        return core::failure(cell.error());
    const std::vector<Activation> all = activationsOf(call, *cell);
    const std::size_t perDirection = kind == RecurrentCell::Simple ? 1 : kind == RecurrentCell::Gru ? 2 : 3;
    if (all.size() != perDirection * static_cast<std::size_t>(cell->directions))
        return refuseOnnx("has too few or too many activations");
    const TensorId x = cell->isBatchFirst ? call.input() : build.transpose(call.input(), {1, 0, 2});
    // Directions are beside one another: y [N, T, D, H], states [N, D, H].
    std::vector<TensorId> ys;
    std::vector<TensorId> hidden;
    std::vector<TensorId> memory;
    for (std::int64_t d = 0; d < cell->directions; ++d) {
        const auto first = all.begin() + d * static_cast<std::ptrdiff_t>(perDirection);
        cell->activations.assign(first, first + static_cast<std::ptrdiff_t>(perDirection));
        cell->isReverse = d == 1 || call.node.text("direction", "forward") == "reverse";
        const auto result = runDirection(build, *cell, operandsOf(call, *cell, x, d));
        if (!result)
            return core::failure(result.error());
        ys.push_back(build.reshape(result->y, {cell->samples, cell->steps, 1, cell->units}));
        hidden.push_back(build.reshape(result->hidden, {cell->samples, 1, cell->units}));
        if (result->memory.isValid())
            memory.push_back(build.reshape(result->memory, {cell->samples, 1, cell->units}));
    }
    const auto ofStates = [&](std::vector<TensorId> parts) {
        const TensorId joined = build.concatenate(std::move(parts), 1);
        return cell->isBatchFirst ? joined : build.transpose(joined, {1, 0, 2});
    };
    TensorId y = build.concatenate(std::move(ys), 2);
    if (!cell->isBatchFirst)
        y = build.transpose(y, {1, 2, 0, 3});
    std::vector<TensorId> outputs{y, ofStates(std::move(hidden))};
    if (!memory.empty())
        outputs.push_back(ofStates(std::move(memory)));
    return outputs;
}

OnnxOutputs simple(OnnxCall& call) {
    return recur(call, RecurrentCell::Simple);
}
OnnxOutputs gated(OnnxCall& call) {
    return recur(call, RecurrentCell::Gru);
}
OnnxOutputs longShortTerm(OnnxCall& call) {
    return recur(call, RecurrentCell::Lstm);
}

constexpr OnnxEntry recurrentNodes[]{
    {"GRU", gated},
    {"LSTM", longShortTerm},
    {"RNN", simple},
};

} // namespace

std::span<const OnnxEntry> onnxRecurrences() {
    return recurrentNodes;
}

} // namespace simulator
