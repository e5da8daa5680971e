#include "simulator/numerics/kernels/recurrent/recurrent_block.h"

namespace simulator::KERNEL_VARIANT {
namespace {

/// The same steps backwards. dHidden and dCell carry the gradients of the state.
class BackwardWalk {
public:
    BackwardWalk(const RecurrentGradientMap& map, std::int64_t begin, std::int64_t end, float* scratch)
        : m_gradient(map)
        , m_block(map.forward, begin, end, scratch)
        , m_map(map.forward)
        , m_units(map.forward.units) {}

    void run() {
        const std::int64_t count = m_block.count * m_units;
        const std::int64_t first = m_block.begin * m_units;
        for (std::int64_t i = 0; i < count; ++i) {
            m_block.scratch.dHidden[i] = m_gradient.dFinalH[first + i];
            if (!m_map.attributes.returnSequences)
                m_block.scratch.dHidden[i] += m_gradient.dy[first + i];
            m_block.scratch.dCell[i] = m_gradient.dFinalC == nullptr ? 0.0F : m_gradient.dFinalC[first + i];
        }
        for (std::int64_t t = m_map.steps - 1; t >= 0; --t)
            step(t);
        for (std::int64_t i = 0; i < count; ++i) {
            if (m_gradient.dInitialH != nullptr)
                m_gradient.dInitialH[first + i] = m_block.scratch.dHidden[i];
            if (m_gradient.dInitialC != nullptr)
                m_gradient.dInitialC[first + i] = m_block.scratch.dCell[i];
        }
    }

private:
    [[nodiscard]] std::int64_t row(std::int64_t n, std::int64_t t) const {
        return (m_block.begin + n) * m_map.steps + m_block.inputStep(t);
    }
    [[nodiscard]] float* dGates(std::int64_t n, std::int64_t t) const {
        return m_gradient.dGates + row(n, t) * m_block.gateValues();
    }
    [[nodiscard]] const float* stateBefore(std::int64_t n, std::int64_t t, std::int64_t value,
                                           const float* initial) const {
        if (t == 0)
            return initial + (m_block.begin + n) * m_units;
        return m_block.values(n, m_block.inputStep(t - 1)) + value * m_units;
    }

    void step(std::int64_t t) {
        RecurrentScratch& scratch = m_block.scratch;
        for (std::int64_t n = 0; n < m_block.count; ++n) {
            float* previous = m_gradient.previous + row(n, t) * m_units;
            const float* before = stateBefore(n, t, hiddenAt(m_map), m_map.initialH);
            float* dh = scratch.dHidden + n * m_units;
            const std::int64_t sample = (m_block.begin + n) * m_units;
            const bool hasOutput = m_map.attributes.returnSequences && !m_block.isPastEnd(n, t);
            const float* dy = m_gradient.dy + ((m_block.begin + n) * m_map.steps + t) * m_units;
            for (std::int64_t u = 0; u < m_units; ++u) {
                previous[u] = before[u] * (m_map.factors == nullptr ? 1.0F : m_map.factors[sample + u]);
                if (hasOutput)
                    dh[u] += dy[u];
                // `part` collects d(loss)/d(h before the step); `hidden` the same through the factors.
                scratch.part[n * m_units + u] = 0;
                scratch.hidden[n * m_units + u] = 0;
            }
            if (m_block.isOff(n, t))
                skip(n, t);
            else
                cellStep(n, t);
        }
        throughRecurrentKernel(t);
        for (std::int64_t n = 0; n < m_block.count; ++n) {
            const std::int64_t sample = (m_block.begin + n) * m_units;
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
        for (std::int64_t i = 0; i < m_block.gateValues(); ++i)
            gates[i] = 0;
        for (std::int64_t u = 0; u < m_units; ++u) {
            m_block.scratch.part[n * m_units + u] = m_block.scratch.dHidden[n * m_units + u];
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
    void throughGates(const GateFunction& function, const float* v, float* gates, std::int64_t first,
                      std::int64_t count) const {
        const float* sums = sumsOf(m_map, v);
        const std::int64_t at = first * m_units;
        applySlope(function, sums == nullptr ? nullptr : sums + at, v + at, gates + at, count * m_units,
                   m_units);
    }

    void simpleCell(std::int64_t n, std::int64_t t) {
        float* gates = dGates(n, t);
        for (std::int64_t u = 0; u < m_units; ++u)
            gates[u] = m_block.scratch.dHidden[n * m_units + u];
        throughGates(m_map.attributes.activation, m_block.values(n, m_block.inputStep(t)), gates, 0, 1);
    }

    void lstmCell(std::int64_t n, std::int64_t t) {
        const Recurrent& attributes = m_map.attributes;
        const float* v = m_block.values(n, m_block.inputStep(t));
        const float* before = stateBefore(n, t, 4, m_map.initialC);
        const float* dh = m_block.scratch.dHidden + n * m_units;
        float* dc = m_block.scratch.dCell + n * m_units;
        float* activated = m_block.scratch.cell + n * m_units;
        float* through = m_block.scratch.step + n * m_units;
        float* gates = dGates(n, t);
        for (std::int64_t u = 0; u < m_units; ++u)
            activated[u] = v[4 * m_units + u];
        activate(attributes.activation, activated, m_units, m_units);
        for (std::int64_t u = 0; u < m_units; ++u)
            through[u] = dh[u] * v[3 * m_units + u];
        applySlope(attributes.activation, v + 4 * m_units, activated, through, m_units, m_units);
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
        const float* v = m_block.values(n, m_block.inputStep(t));
        const float* previous = m_gradient.previous + row(n, t) * m_units;
        const float* dh = m_block.scratch.dHidden + n * m_units;
        const float keep = m_block.updateShare(n, t);
        float* gates = dGates(n, t);
        float* direct = m_block.scratch.hidden + n * m_units;
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
                     nullptr, false, m_block.scratch.product);
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
        const std::int64_t stride = m_map.steps * m_block.gateValues();
        multiply(m_map, m_block.count, dGates(0, t), stride, gates * m_units, m_gradient.transposedRecurrent,
                 m_units, m_units, m_block.scratch.hidden, m_units, nullptr, true, m_block.scratch.product);
        if (isGru && m_map.attributes.resetAfter) {
            multiply(m_map, m_block.count, m_gradient.dRecurrentPart + row(0, t) * m_units,
                     m_map.steps * m_units, m_units, m_gradient.transposedRecurrent + 2 * m_units * m_units,
                     m_units, m_units, m_block.scratch.hidden, m_units, nullptr, true,
                     m_block.scratch.product);
        }
    }

    const RecurrentGradientMap& m_gradient;
    RecurrentBlock m_block;
    const RecurrentMap& m_map;
    std::int64_t m_units;
};

} // namespace

void recurrentBackward(const RecurrentGradientMap& map, std::int64_t begin, std::int64_t end, float* memory) {
    BackwardWalk(map, begin, end, memory).run();
}

} // namespace simulator::KERNEL_VARIANT
