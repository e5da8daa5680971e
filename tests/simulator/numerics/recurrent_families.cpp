// Recurrent cells with every option.
#include "tests/simulator/numerics/gradient_families.h"

namespace tests {
namespace {

using namespace simulator;

GradientCase recurrentCase(RandomOperands& random) {
    using enum UnaryFunction;
    Recurrent cell;
    cell.cell = random.pick(std::vector{RecurrentCell::Simple, RecurrentCell::Lstm, RecurrentCell::Gru});
    cell.activation = random.pick(std::vector{Tanh, Softsign, Identity, Elu, Softplus, Swish, GeluErf, Mish});
    cell.recurrentActivation = random.pick(std::vector{Sigmoid, HardSigmoid, Tanh, Swish});
    if (random.integer(0, 3) == 0)
        cell.activation = GateFunction::softmax();
    if (random.integer(0, 3) == 0)
        cell.recurrentActivation = GateFunction::softmax();
    cell.useBias = random.coin();
    cell.returnSequences = random.coin();
    cell.goBackwards = random.coin();
    cell.resetAfter = random.coin();
    cell.attentionUpdate = cell.cell == RecurrentCell::Gru && random.coin();
    cell.sequenceLengths = random.integer(0, 3) == 0;
    cell.masked = !cell.sequenceLengths && random.integer(0, 3) == 0;
    cell.recurrentFactors = random.integer(0, 3) == 0;
    const std::int64_t samples = random.extent();
    const std::int64_t steps = random.extent();
    const std::int64_t features = random.extent();
    const std::int64_t units = random.extent(true);
    const std::int64_t width = gateCount(cell.cell) * units;
    GradientCase one{cell,
                     {smooth(random, {samples, steps, features}), smooth(random, {features, width}, 1),
                      smooth(random, {units, width}, 2, 0.8)}};
    if (cell.useBias) {
        const bool isDouble = cell.cell == RecurrentCell::Gru && cell.resetAfter;
        one.operands.push_back(smooth(random, isDouble ? Extents{2, width} : Extents{width}, 3, 0.7));
    }
    one.operands.push_back(smooth(random, {samples, units}, 4, 0.9));
    if (cell.cell == RecurrentCell::Lstm)
        one.operands.push_back(smooth(random, {samples, units}, 5, 0.9));
    if (cell.attentionUpdate)
        one.operands.push_back(within(random, {samples, steps}, 0.1, 0.9));
    if (cell.sequenceLengths)
        one.operands.push_back(integers({samples}, random.integers(samples, 0, steps)));
    if (cell.masked) {
        one.operands.push_back(integers({samples, steps}, random.integers(samples * steps, 0, 1)));
        one.operands.back().form.type = core::DataType::Bool;
    }
    if (cell.recurrentFactors)
        one.operands.push_back(within(random, {samples, units}, 0.5, 2, false));
    one.tolerance = 1e-2;
    return one;
}

constexpr GradientFamily recurrentCases[]{{"recurrent", recurrentCase}};

} // namespace

std::span<const GradientFamily> recurrentFamilies() {
    return recurrentCases;
}

} // namespace tests
