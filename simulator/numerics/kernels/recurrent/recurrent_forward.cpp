#include "simulator/numerics/kernels/recurrent/recurrent_block.h"

namespace simulator::KERNEL_VARIANT {
namespace {

/// One block of samples through the steps.
class ForwardWalk {
public:
    ForwardWalk(const RecurrentMap& map, std::int64_t begin, std::int64_t end, float* scratch)
        : m_map(map)
        , m_block(map, begin, end, scratch)
        , m_begin(begin)
        , m_count(end - begin)
        , m_units(map.units)
        , m_scratch(m_block.scratch) {}

    void forward() {
        const bool hasReserve = m_map.reserve != nullptr;
        if (hasReserve) {
            // The inputs' share of every step at once.
            multiply(m_map, m_count * m_map.steps, m_map.x + m_begin * m_map.steps * m_map.inputs,
                     m_map.inputs, m_map.inputs, m_map.kernel, m_block.gateValues(), m_block.gateValues(),
                     m_block.values(0, 0), m_block.stepValues, m_map.bias, false, m_scratch.product);
        }
        setStates(m_map.initialH, m_map.initialC);
        for (std::int64_t t = 0; t < m_map.steps; ++t) {
            if (!hasReserve) {
                multiply(m_map, m_count,
                         m_map.x + (m_begin * m_map.steps + m_block.inputStep(t)) * m_map.inputs,
                         m_map.steps * m_map.inputs, m_map.inputs, m_map.kernel, m_block.gateValues(),
                         m_block.gateValues(), m_block.values(0, t), m_block.sampleStride(), m_map.bias,
                         false, m_scratch.product);
            }
            forwardStep(t);
        }
        copyFinal();
    }

private:
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
                 m_block.gateValues(), count * m_units,
                 m_block.values(0, m_block.inputStep(t)) + first * m_units, m_block.sampleStride(), bias,
                 true, m_scratch.product);
    }

    /// Puts the gates [first, first + count) through their function.
    void activateGates(const GateFunction& function, float* v, std::int64_t first, std::int64_t count) const {
        if (float* sums = sumsOf(m_map, v)) {
            for (std::int64_t i = first * m_units; i < (first + count) * m_units; ++i)
                sums[i] = v[i];
        }
        activate(function, v + first * m_units, count * m_units, m_units);
    }

    void simpleStep(std::int64_t t) {
        addRecurrent(t, m_scratch.hidden, 0, 1, nullptr);
        for (std::int64_t n = 0; n < m_count; ++n)
            activateGates(m_map.attributes.activation, m_block.values(n, m_block.inputStep(t)), 0, 1);
    }

    void lstmStep(std::int64_t t) {
        addRecurrent(t, m_scratch.hidden, 0, 4, nullptr);
        const Recurrent& attributes = m_map.attributes;
        for (std::int64_t n = 0; n < m_count; ++n) {
            float* v = m_block.values(n, m_block.inputStep(t));
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
            activate(attributes.activation, h, m_units, m_units);
#pragma GCC ivdep
            for (std::int64_t u = 0; u < m_units; ++u)
                h[u] *= v[3 * m_units + u];
        }
    }

    void gruStep(std::int64_t t) {
        const Recurrent& attributes = m_map.attributes;
        const bool after = attributes.resetAfter;
        const float* recurrentBias =
            after && m_map.bias != nullptr ? m_map.bias + m_block.gateValues() : nullptr;
        addRecurrent(t, m_scratch.hidden, 0, 2, recurrentBias);
        for (std::int64_t n = 0; n < m_count; ++n)
            activateGates(attributes.recurrentActivation, m_block.values(n, m_block.inputStep(t)), 0, 2);
        if (after) {
            multiply(m_map, m_count, m_scratch.hidden, m_units, m_units, m_map.recurrentKernel + 2 * m_units,
                     m_block.gateValues(), m_units, m_block.values(0, m_block.inputStep(t)) + 4 * m_units,
                     m_block.sampleStride(), recurrentBias == nullptr ? nullptr : recurrentBias + 2 * m_units,
                     false, m_scratch.product);
        } else {
            for (std::int64_t n = 0; n < m_count; ++n) {
                const float* v = m_block.values(n, m_block.inputStep(t));
                for (std::int64_t u = 0; u < m_units; ++u)
                    m_scratch.part[n * m_units + u] = v[m_units + u] * m_scratch.hidden[n * m_units + u];
            }
            addRecurrent(t, m_scratch.part, 2, 1, nullptr);
        }
        for (std::int64_t n = 0; n < m_count; ++n)
            gruOutput(n, t, after);
    }

    void gruOutput(std::int64_t n, std::int64_t t, bool after) {
        float* v = m_block.values(n, m_block.inputStep(t));
        float* candidate = v + 2 * m_units;
        for (std::int64_t u = 0; after && u < m_units; ++u)
            candidate[u] += v[m_units + u] * v[4 * m_units + u];
        activateGates(m_map.attributes.activation, v, 2, 1);
        const float keep = m_block.updateShare(n, t);
        const float* previous = m_scratch.hidden + n * m_units;
        float* h = v + 3 * m_units;
#pragma GCC ivdep
        for (std::int64_t u = 0; u < m_units; ++u) {
            const float z = v[u] * keep;
            h[u] = z * previous[u] + (1.0F - z) * candidate[u];
        }
    }

    /// Keeps the state of samples that are off, then makes the step's h and c the state and writes y.
    void finishStep(std::int64_t t) {
        const bool isLstm = m_map.attributes.cell == RecurrentCell::Lstm;
        for (std::int64_t n = 0; n < m_count; ++n) {
            float* v = m_block.values(n, m_block.inputStep(t));
            float* h = v + hiddenAt(m_map) * m_units;
            float* state = m_scratch.dHidden + n * m_units;
            float* cell = m_scratch.cell + n * m_units;
            const bool off = m_block.isOff(n, t);
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
                    y[u] = m_block.isPastEnd(n, t) ? 0.0F : h[u];
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

    const RecurrentMap& m_map;
    RecurrentBlock m_block;
    std::int64_t m_begin;
    std::int64_t m_count;
    std::int64_t m_units;
    RecurrentScratch& m_scratch;
};

std::int64_t scratch(const RecurrentMap& map) {
    return RecurrentScratch::floats(map);
}
void forward(const RecurrentMap& map, std::int64_t begin, std::int64_t end, float* memory) {
    ForwardWalk(map, begin, end, memory).forward();
}

} // namespace

const RecurrentKernels& recurrentKernels() {
    static constexpr RecurrentKernels kernels{scratch, forward, recurrentBackward};
    return kernels;
}

} // namespace simulator::KERNEL_VARIANT
