#include "simulator/numerics/kernels/recurrent.h"

#include "simulator/graph/output_rules.h"
#include "simulator/numerics/kernels/functions.h"
#include "simulator/numerics/kernels/kernel_table.h"

namespace simulator::KERNEL_VARIANT {
namespace {

std::int64_t gatesOf(const RecurrentMap& map) {
    return gateCount(map.attributes.cell);
}
std::int64_t reserveOf(const RecurrentMap& map) {
    return reserveValues(map.attributes);
}
/// Position of h among the values of a step.
std::int64_t hiddenAt(const RecurrentMap& map) {
    return map.attributes.cell == RecurrentCell::Simple
               ? 0
               : (map.attributes.cell == RecurrentCell::Lstm ? 5 : 3);
}

/// Scratch of one block of samples.
struct Scratch {
    float* hidden;  // [block, units]: h before the step, times the recurrent factors
    float* cell;    // [block, units]: c before the step, or activation(c)
    float* part;    // [block, units]
    float* dHidden; // [block, units]
    float* dCell;   // [block, units]
    float* step;    // [block, values · units]: the values of a step without a reserve
    float* product; // scratch of the matrix product

    Scratch(const RecurrentMap& map, float* memory) {
        const std::int64_t size = recurrentBlock * map.units;
        hidden = memory;
        cell = hidden + size;
        part = cell + size;
        dHidden = part + size;
        dCell = dHidden + size;
        step = dCell + size;
        product = step + size * reserveOf(map);
    }
    static std::int64_t floats(const RecurrentMap& map) {
        return recurrentBlock * map.units * (5 + reserveOf(map)) + matrixKernels().productScratch();
    }
};

void multiply(const RecurrentMap& map, std::int64_t rows, const float* left, std::int64_t leftRow,
              std::int64_t inner, const float* right, std::int64_t rightRow, std::int64_t columns, float* out,
              std::int64_t outRow, const float* bias, bool accumulate, float* scratch) {
    MatrixProduct product;
    product.partials = map.partials;
    product.rows = rows;
    product.columns = columns;
    product.inner = inner;
    product.left = left;
    product.leftRow = leftRow;
    product.right = right;
    product.rightRow = rightRow;
    product.out = out;
    product.outRow = outRow;
    product.bias = bias;
    product.accumulate = accumulate;
    matrixKernels().product(product, 0, rows, 0, columns, scratch);
}

void activate(UnaryFunction function, float* values, std::int64_t count) {
    if (function == UnaryFunction::Identity)
        return;
    // Keras' hard sigmoid; the other functions of cells read neither constant, but for ELU's 1.
    const bool isHard = function == UnaryFunction::HardSigmoid;
    const UnaryMap map{values, values, isHard ? 0.2F : (function == UnaryFunction::Elu ? 1.0F : 0.0F),
                       isHard ? 0.5F : 0.0F};
    elementwiseKernels().unary(function)(map, 0, count);
}

/// gradient *= slope of `function` where its output is `values`, and its input `sums` if it needs that.
void applySlope(UnaryFunction function, const float* sums, const float* values, float* gradient,
                std::int64_t count) {
    if (function == UnaryFunction::Identity)
        return;
    if (function == UnaryFunction::HardSigmoid) {
        // Its gradient is told from the input elsewhere; gates have their outputs, which do as well.
        for (std::int64_t i = 0; i < count; ++i)
            gradient[i] *= values[i] > 0 && values[i] < 1 ? 0.2F : 0.0F;
        return;
    }
    const UnaryGradientMap map{gradientNeeds(function).input ? sums : nullptr, values, gradient, gradient,
                               function == UnaryFunction::Elu ? 1.0F : 0.0F,   0.0F};
    elementwiseKernels().unaryGradient(function)(map, 0, count);
}

/// Where the gates' sums before their functions are kept among the values of a step; null when they are not.
template <class Value>
Value* sumsOf(const RecurrentMap& map, Value* values) {
    return keepsGateSums(map.attributes) ? values + (reserveOf(map) - gatesOf(map)) * map.units : nullptr;
}

/// The walk of one block of samples through the steps.
class Walk {
public:
    Walk(const RecurrentMap& map, std::int64_t begin, std::int64_t end, float* scratch)
        : m_map(map)
        , m_begin(begin)
        , m_count(end - begin)
        , m_units(map.units)
        , m_values(reserveOf(map) * map.units)
        , m_scratch(map, scratch) {}

    void forward() {
        const bool hasReserve = m_map.reserve != nullptr;
        if (hasReserve) {
            // The inputs' share of every step at once.
            multiply(m_map, m_count * m_map.steps, m_map.x + m_begin * m_map.steps * m_map.inputs,
                     m_map.inputs, m_map.inputs, m_map.kernel, gateValues(), gateValues(), values(0, 0),
                     m_values, m_map.bias, false, m_scratch.product);
        }
        setStates(m_map.initialH, m_map.initialC);
        for (std::int64_t t = 0; t < m_map.steps; ++t) {
            if (!hasReserve) {
                multiply(m_map, m_count, m_map.x + (m_begin * m_map.steps + inputStep(t)) * m_map.inputs,
                         m_map.steps * m_map.inputs, m_map.inputs, m_map.kernel, gateValues(), gateValues(),
                         values(0, t), sampleStride(), m_map.bias, false, m_scratch.product);
            }
            forwardStep(t);
        }
        copyFinal();
    }

private:
    [[nodiscard]] std::int64_t gateValues() const { return gatesOf(m_map) * m_units; }
    /// The position in x of processing step t.
    [[nodiscard]] std::int64_t inputStep(std::int64_t t) const {
        return m_map.attributes.goBackwards ? m_map.steps - 1 - t : t;
    }
    [[nodiscard]] std::int64_t sampleStride() const {
        return m_map.reserve != nullptr ? m_map.steps * m_values : m_values;
    }
    /// Values of local sample n at step t. The reserve is indexed by the position of x.
    [[nodiscard]] float* values(std::int64_t n, std::int64_t position) const {
        if (m_map.reserve == nullptr)
            return m_scratch.step + n * m_values;
        return m_map.reserve + ((m_begin + n) * m_map.steps + position) * m_values;
    }
    [[nodiscard]] bool isOff(std::int64_t n, std::int64_t t) const {
        const std::int64_t sample = m_begin + n;
        if (m_map.mask != nullptr && m_map.mask[sample * m_map.steps + inputStep(t)] == 0)
            return true;
        return isPastEnd(n, t);
    }
    [[nodiscard]] bool isPastEnd(std::int64_t n, std::int64_t t) const {
        return m_map.lengths != nullptr && t >= m_map.lengths[m_begin + n];
    }

    void setStates(const float* h, const float* c) {
        for (std::int64_t i = 0; i < m_count * m_units; ++i)
            m_scratch.dHidden[i] = h[m_begin * m_units + i];
        for (std::int64_t i = 0; c != nullptr && i < m_count * m_units; ++i)
            m_scratch.cell[i] = c[m_begin * m_units + i];
    }

    // In the forward pass dHidden holds the state h itself and `hidden` its product with the factors.
    void forwardStep(std::int64_t t) {
        for (std::int64_t i = 0; i < m_count * m_units; ++i) {
            const float factor = m_map.factors == nullptr ? 1.0F : m_map.factors[m_begin * m_units + i];
            m_scratch.hidden[i] = m_scratch.dHidden[i] * factor;
        }
        switch (m_map.attributes.cell) {
        case RecurrentCell::Simple:
            simpleStep(t);
            break;
        case RecurrentCell::Lstm:
            lstmStep(t);
            break;
        case RecurrentCell::Gru:
            gruStep(t);
            break;
        }
        finishStep(t);
    }

    /// gates [first, first + count)·units of every sample += left × the recurrent kernel's columns.
    void addRecurrent(std::int64_t t, const float* left, std::int64_t first, std::int64_t count,
                      const float* bias) const {
        multiply(m_map, m_count, left, m_units, m_units, m_map.recurrentKernel + first * m_units,
                 gateValues(), count * m_units, values(0, inputStep(t)) + first * m_units, sampleStride(),
                 bias, true, m_scratch.product);
    }

    /// Puts the gates [first, first + count) through their function.
    void activateGates(UnaryFunction function, float* v, std::int64_t first, std::int64_t count) const {
        if (float* sums = sumsOf(m_map, v)) {
            for (std::int64_t i = first * m_units; i < (first + count) * m_units; ++i)
                sums[i] = v[i];
        }
        activate(function, v + first * m_units, count * m_units);
    }

    void simpleStep(std::int64_t t) {
        addRecurrent(t, m_scratch.hidden, 0, 1, nullptr);
        for (std::int64_t n = 0; n < m_count; ++n)
            activateGates(m_map.attributes.activation, values(n, inputStep(t)), 0, 1);
    }

    void lstmStep(std::int64_t t) {
        addRecurrent(t, m_scratch.hidden, 0, 4, nullptr);
        const Recurrent& attributes = m_map.attributes;
        for (std::int64_t n = 0; n < m_count; ++n) {
            float* v = values(n, inputStep(t));
            activateGates(attributes.recurrentActivation, v, 0, 2);
            activateGates(attributes.activation, v, 2, 1);
            activateGates(attributes.recurrentActivation, v, 3, 1);
            const float* previous = m_scratch.cell + n * m_units;
            float* c = v + 4 * m_units;
            float* h = v + 5 * m_units;
#pragma GCC ivdep
            for (std::int64_t u = 0; u < m_units; ++u) {
                c[u] = v[m_units + u] * previous[u] + v[u] * v[2 * m_units + u];
                h[u] = c[u];
            }
            activate(attributes.activation, h, m_units);
#pragma GCC ivdep
            for (std::int64_t u = 0; u < m_units; ++u)
                h[u] *= v[3 * m_units + u];
        }
    }

    void gruStep(std::int64_t t) {
        const Recurrent& attributes = m_map.attributes;
        const bool after = attributes.resetAfter;
        const float* recurrentBias = after && m_map.bias != nullptr ? m_map.bias + gateValues() : nullptr;
        addRecurrent(t, m_scratch.hidden, 0, 2, recurrentBias);
        for (std::int64_t n = 0; n < m_count; ++n)
            activateGates(attributes.recurrentActivation, values(n, inputStep(t)), 0, 2);
        if (after) {
            multiply(m_map, m_count, m_scratch.hidden, m_units, m_units, m_map.recurrentKernel + 2 * m_units,
                     gateValues(), m_units, values(0, inputStep(t)) + 4 * m_units, sampleStride(),
                     recurrentBias == nullptr ? nullptr : recurrentBias + 2 * m_units, false,
                     m_scratch.product);
        } else {
            for (std::int64_t n = 0; n < m_count; ++n) {
                const float* v = values(n, inputStep(t));
                for (std::int64_t u = 0; u < m_units; ++u)
                    m_scratch.part[n * m_units + u] = v[m_units + u] * m_scratch.hidden[n * m_units + u];
            }
            addRecurrent(t, m_scratch.part, 2, 1, nullptr);
        }
        for (std::int64_t n = 0; n < m_count; ++n)
            gruOutput(n, t, after);
    }

    void gruOutput(std::int64_t n, std::int64_t t, bool after) {
        float* v = values(n, inputStep(t));
        float* candidate = v + 2 * m_units;
        for (std::int64_t u = 0; after && u < m_units; ++u)
            candidate[u] += v[m_units + u] * v[4 * m_units + u];
        activateGates(m_map.attributes.activation, v, 2, 1);
        const float keep = updateShare(n, t);
        const float* previous = m_scratch.hidden + n * m_units;
        float* h = v + 3 * m_units;
#pragma GCC ivdep
        for (std::int64_t u = 0; u < m_units; ++u) {
            const float z = v[u] * keep;
            h[u] = z * previous[u] + (1.0F - z) * candidate[u];
        }
    }

    /// Factor on the update gate: 1 − attention score.
    [[nodiscard]] float updateShare(std::int64_t n, std::int64_t t) const {
        if (m_map.attention == nullptr)
            return 1.0F;
        return 1.0F - m_map.attention[(m_begin + n) * m_map.steps + inputStep(t)];
    }

    /// Keeps the state of samples that are off, then makes the step's h and c the state and writes y.
    void finishStep(std::int64_t t) {
        const bool isLstm = m_map.attributes.cell == RecurrentCell::Lstm;
        for (std::int64_t n = 0; n < m_count; ++n) {
            float* v = values(n, inputStep(t));
            float* h = v + hiddenAt(m_map) * m_units;
            float* state = m_scratch.dHidden + n * m_units;
            float* cell = m_scratch.cell + n * m_units;
            const bool off = isOff(n, t);
            for (std::int64_t u = 0; u < m_units; ++u) {
                if (off) {
                    h[u] = state[u];
                    if (isLstm)
                        v[4 * m_units + u] = cell[u];
                }
                state[u] = h[u];
                if (isLstm)
                    cell[u] = v[4 * m_units + u];
            }
            if (m_map.attributes.returnSequences) {
                float* y = m_map.y + ((m_begin + n) * m_map.steps + t) * m_units;
                for (std::int64_t u = 0; u < m_units; ++u)
                    y[u] = isPastEnd(n, t) ? 0.0F : h[u];
            }
        }
    }

    void copyFinal() {
        for (std::int64_t i = 0; i < m_count * m_units; ++i) {
            const std::int64_t at = m_begin * m_units + i;
            if (!m_map.attributes.returnSequences)
                m_map.y[at] = m_scratch.dHidden[i];
            m_map.finalH[at] = m_scratch.dHidden[i];
            if (m_map.finalC != nullptr)
                m_map.finalC[at] = m_scratch.cell[i];
        }
    }

    friend class BackwardWalk;

    const RecurrentMap& m_map;
    std::int64_t m_begin;
    std::int64_t m_count;
    std::int64_t m_units;
    std::int64_t m_values;
    Scratch m_scratch;
};

/// The same steps backwards. dHidden and dCell carry the gradients of the state.
class BackwardWalk {
public:
    BackwardWalk(const RecurrentGradientMap& map, std::int64_t begin, std::int64_t end, float* scratch)
        : m_gradient(map)
        , m_walk(map.forward, begin, end, scratch)
        , m_map(map.forward)
        , m_units(map.forward.units) {}

    void run() {
        const std::int64_t count = m_walk.m_count * m_units;
        const std::int64_t first = m_walk.m_begin * m_units;
        for (std::int64_t i = 0; i < count; ++i) {
            m_walk.m_scratch.dHidden[i] = m_gradient.dFinalH[first + i];
            if (!m_map.attributes.returnSequences)
                m_walk.m_scratch.dHidden[i] += m_gradient.dy[first + i];
            m_walk.m_scratch.dCell[i] = m_gradient.dFinalC == nullptr ? 0.0F : m_gradient.dFinalC[first + i];
        }
        for (std::int64_t t = m_map.steps - 1; t >= 0; --t)
            step(t);
        for (std::int64_t i = 0; i < count; ++i) {
            if (m_gradient.dInitialH != nullptr)
                m_gradient.dInitialH[first + i] = m_walk.m_scratch.dHidden[i];
            if (m_gradient.dInitialC != nullptr)
                m_gradient.dInitialC[first + i] = m_walk.m_scratch.dCell[i];
        }
    }

private:
    [[nodiscard]] std::int64_t row(std::int64_t n, std::int64_t t) const {
        return (m_walk.m_begin + n) * m_map.steps + m_walk.inputStep(t);
    }
    [[nodiscard]] float* dGates(std::int64_t n, std::int64_t t) const {
        return m_gradient.dGates + row(n, t) * m_walk.gateValues();
    }
    [[nodiscard]] const float* stateBefore(std::int64_t n, std::int64_t t, std::int64_t value,
                                           const float* initial) const {
        if (t == 0)
            return initial + (m_walk.m_begin + n) * m_units;
        return m_walk.values(n, m_walk.inputStep(t - 1)) + value * m_units;
    }

    void step(std::int64_t t) {
        Scratch& scratch = m_walk.m_scratch;
        for (std::int64_t n = 0; n < m_walk.m_count; ++n) {
            float* previous = m_gradient.previous + row(n, t) * m_units;
            const float* before = stateBefore(n, t, hiddenAt(m_map), m_map.initialH);
            float* dh = scratch.dHidden + n * m_units;
            const std::int64_t sample = (m_walk.m_begin + n) * m_units;
            const bool hasOutput = m_map.attributes.returnSequences && !m_walk.isPastEnd(n, t);
            const float* dy = m_gradient.dy + ((m_walk.m_begin + n) * m_map.steps + t) * m_units;
            for (std::int64_t u = 0; u < m_units; ++u) {
                previous[u] = before[u] * (m_map.factors == nullptr ? 1.0F : m_map.factors[sample + u]);
                if (hasOutput)
                    dh[u] += dy[u];
                // `part` collects d(loss)/d(h before the step); `hidden` the same through the factors.
                scratch.part[n * m_units + u] = 0;
                scratch.hidden[n * m_units + u] = 0;
            }
            if (m_walk.isOff(n, t))
                skip(n, t);
            else
                cellStep(n, t);
        }
        throughRecurrentKernel(t);
        for (std::int64_t n = 0; n < m_walk.m_count; ++n) {
            const std::int64_t sample = (m_walk.m_begin + n) * m_units;
            for (std::int64_t u = 0; u < m_units; ++u) {
                const float factor = m_map.factors == nullptr ? 1.0F : m_map.factors[sample + u];
                const std::int64_t i = n * m_units + u;
                scratch.dHidden[i] = scratch.part[i] + scratch.hidden[i] * factor;
            }
        }
    }

    /// A step that is off hands the gradient of the state on.
    void skip(std::int64_t n, std::int64_t t) {
        float* gates = dGates(n, t);
        for (std::int64_t i = 0; i < m_walk.gateValues(); ++i)
            gates[i] = 0;
        for (std::int64_t u = 0; u < m_units; ++u) {
            m_walk.m_scratch.part[n * m_units + u] = m_walk.m_scratch.dHidden[n * m_units + u];
            if (m_gradient.dRecurrentPart != nullptr)
                m_gradient.dRecurrentPart[row(n, t) * m_units + u] = 0;
        }
        if (m_gradient.dAttention != nullptr)
            m_gradient.dAttention[row(n, t)] = 0;
    }

    void cellStep(std::int64_t n, std::int64_t t) {
        switch (m_map.attributes.cell) {
        case RecurrentCell::Simple:
            simpleCell(n, t);
            break;
        case RecurrentCell::Lstm:
            lstmCell(n, t);
            break;
        case RecurrentCell::Gru:
            gruCell(n, t);
            break;
        }
    }

    /// The gradient of the gates [first, first + count) through their function.
    void throughGates(UnaryFunction function, const float* v, float* gates, std::int64_t first,
                      std::int64_t count) const {
        const float* sums = sumsOf(m_map, v);
        const std::int64_t at = first * m_units;
        applySlope(function, sums == nullptr ? nullptr : sums + at, v + at, gates + at, count * m_units);
    }

    void simpleCell(std::int64_t n, std::int64_t t) {
        float* gates = dGates(n, t);
        for (std::int64_t u = 0; u < m_units; ++u)
            gates[u] = m_walk.m_scratch.dHidden[n * m_units + u];
        throughGates(m_map.attributes.activation, m_walk.values(n, m_walk.inputStep(t)), gates, 0, 1);
    }

    void lstmCell(std::int64_t n, std::int64_t t) {
        const Recurrent& attributes = m_map.attributes;
        const float* v = m_walk.values(n, m_walk.inputStep(t));
        const float* before = stateBefore(n, t, 4, m_map.initialC);
        const float* dh = m_walk.m_scratch.dHidden + n * m_units;
        float* dc = m_walk.m_scratch.dCell + n * m_units;
        float* activated = m_walk.m_scratch.cell + n * m_units;
        float* through = m_walk.m_scratch.step + n * m_units;
        float* gates = dGates(n, t);
        for (std::int64_t u = 0; u < m_units; ++u)
            activated[u] = v[4 * m_units + u];
        activate(attributes.activation, activated, m_units);
        for (std::int64_t u = 0; u < m_units; ++u)
            through[u] = dh[u] * v[3 * m_units + u];
        applySlope(attributes.activation, v + 4 * m_units, activated, through, m_units);
#pragma GCC ivdep
        for (std::int64_t u = 0; u < m_units; ++u) {
            const float total = dc[u] + through[u];
            gates[u] = total * v[2 * m_units + u];
            gates[m_units + u] = total * before[u];
            gates[2 * m_units + u] = total * v[u];
            gates[3 * m_units + u] = dh[u] * activated[u];
            dc[u] = total * v[m_units + u];
        }
        throughGates(attributes.recurrentActivation, v, gates, 0, 2);
        throughGates(attributes.activation, v, gates, 2, 1);
        throughGates(attributes.recurrentActivation, v, gates, 3, 1);
    }

    void gruCell(std::int64_t n, std::int64_t t) {
        const Recurrent& attributes = m_map.attributes;
        const float* v = m_walk.values(n, m_walk.inputStep(t));
        const float* previous = m_gradient.previous + row(n, t) * m_units;
        const float* dh = m_walk.m_scratch.dHidden + n * m_units;
        const float keep = m_walk.updateShare(n, t);
        float* gates = dGates(n, t);
        float* direct = m_walk.m_scratch.hidden + n * m_units;
        float attention = 0;
        for (std::int64_t u = 0; u < m_units; ++u) {
            const float z = v[u] * keep;
            const float dz = dh[u] * (previous[u] - v[2 * m_units + u]);
            attention -= dz * v[u];
            gates[u] = dz * keep;
            gates[2 * m_units + u] = dh[u] * (1.0F - z);
            direct[u] = dh[u] * z;
        }
        if (m_gradient.dAttention != nullptr)
            m_gradient.dAttention[row(n, t)] = attention;
        throughGates(attributes.activation, v, gates, 2, 1);
        float* part = m_gradient.dRecurrentPart + row(n, t) * m_units;
        if (attributes.resetAfter) {
            for (std::int64_t u = 0; u < m_units; ++u) {
                gates[m_units + u] = gates[2 * m_units + u] * v[4 * m_units + u];
                part[u] = gates[2 * m_units + u] * v[m_units + u];
            }
        } else {
            // d(r·h) needs the recurrent kernel of this sample before the reset gate's gradient is known.
            multiply(m_map, 1, gates + 2 * m_units, m_units, m_units,
                     m_gradient.transposedRecurrent + 2 * m_units * m_units, m_units, m_units, part, m_units,
                     nullptr, false, m_walk.m_scratch.product);
            for (std::int64_t u = 0; u < m_units; ++u) {
                const float dProduct = part[u];
                gates[m_units + u] = dProduct * previous[u];
                direct[u] += dProduct * v[m_units + u];
                // From here on: the left factor of the candidate's share of the kernel gradient.
                part[u] = v[m_units + u] * previous[u];
            }
        }
        throughGates(attributes.recurrentActivation, v, gates, 0, 2);
    }

    /// d(h before) through the recurrent kernel, all samples at once.
    void throughRecurrentKernel(std::int64_t t) {
        const bool isGru = m_map.attributes.cell == RecurrentCell::Gru;
        const std::int64_t gates = isGru ? 2 : gatesOf(m_map);
        const std::int64_t stride = m_map.steps * m_walk.gateValues();
        multiply(m_map, m_walk.m_count, dGates(0, t), stride, gates * m_units, m_gradient.transposedRecurrent,
                 m_units, m_units, m_walk.m_scratch.hidden, m_units, nullptr, true, m_walk.m_scratch.product);
        if (isGru && m_map.attributes.resetAfter) {
            multiply(m_map, m_walk.m_count, m_gradient.dRecurrentPart + row(0, t) * m_units,
                     m_map.steps * m_units, m_units, m_gradient.transposedRecurrent + 2 * m_units * m_units,
                     m_units, m_units, m_walk.m_scratch.hidden, m_units, nullptr, true,
                     m_walk.m_scratch.product);
        }
    }

    const RecurrentGradientMap& m_gradient;
    Walk m_walk;
    const RecurrentMap& m_map;
    std::int64_t m_units;
};

std::int64_t scratch(const RecurrentMap& map) {
    return Scratch::floats(map);
}
void forward(const RecurrentMap& map, std::int64_t begin, std::int64_t end, float* memory) {
    Walk(map, begin, end, memory).forward();
}
void backward(const RecurrentGradientMap& map, std::int64_t begin, std::int64_t end, float* memory) {
    BackwardWalk(map, begin, end, memory).run();
}

} // namespace

const RecurrentKernels& recurrentKernels() {
    static constexpr RecurrentKernels kernels{scratch, forward, backward};
    return kernels;
}

} // namespace simulator::KERNEL_VARIANT
