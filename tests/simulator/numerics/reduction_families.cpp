// Reductions, normalisations, softmax and selections along an axis.
#include "tests/simulator/numerics/gradient_families.h"

namespace tests {
namespace {

using namespace simulator;

std::vector<std::int64_t> someAxes(RandomOperands& random, std::size_t rank) {
    std::vector<std::int64_t> axes;
    for (std::size_t i = 0; i < rank; ++i) {
        if (random.coin())
            axes.push_back(random.coin() ? static_cast<std::int64_t>(i)
                                         : static_cast<std::int64_t>(i) - static_cast<std::int64_t>(rank));
    }
    return axes;
}

GradientCase reduceCase(RandomOperands& random) {
    using enum ReduceFunction;
    const ReduceFunction function =
        random.pick(std::vector{Sum, Mean, Product, Maximum, Minimum, SumOfSquares, LogSumExp});
    const auto rank = static_cast<std::size_t>(random.integer(0, 4));
    // The extreme of nothing has no gradient worth the name.
    const bool needsElements = function == Maximum || function == Minimum || function == LogSumExp;
    const Extents extents = random.extents(rank, needsElements);
    return {Reduce{function, someAxes(random, rank), random.coin()}, {smooth(random, extents)}};
}

/// One or more factors are zero.
GradientCase zeroProductCase(RandomOperands& random) {
    const Extents extents = random.extents(2, true);
    TestOperand x = smooth(random, extents);
    x.values[static_cast<std::size_t>(random.integer(0, elementCount(extents) - 1))] = 0;
    x.values[static_cast<std::size_t>(random.integer(0, elementCount(extents) - 1))] = 0;
    return {Reduce{ReduceFunction::Product, someAxes(random, 2), random.coin()}, {x}};
}

GradientCase cumulativeCase(RandomOperands& random) {
    const Extents extents = random.extents(3);
    return {Cumulative{random.coin() ? ReduceFunction::Sum : ReduceFunction::Product, random.integer(-3, 2),
                       random.coin(), random.coin()},
            {smooth(random, extents)}};
}

GradientCase topKCase(RandomOperands& random) {
    const Extents extents = random.extents(2, true);
    return {TopK{random.integer(1, extents.back())}, {smooth(random, extents)}};
}

GradientCase broadcastCase(RandomOperands& random) {
    const Extents wide = random.extents(3);
    return {Broadcast{wide}, {smooth(random, random.broadcastable(wide))}};
}

GradientCase softmaxCase(RandomOperands& random) {
    const Extents extents = random.extents(3);
    return {Softmax{random.integer(-3, 2), random.coin()}, {smooth(random, extents)}};
}

TestOperand scale(RandomOperands& random, const Extents& extents) {
    return within(random, extents, 0.5, 1.5);
}

GradientCase normalizationCase(RandomOperands& random) {
    using enum NormalizationKind;
    Normalization attributes;
    attributes.kind = random.pick(std::vector{Batch, Layer, Group, Instance});
    attributes.epsilon = 0.01;
    const auto rank = static_cast<std::size_t>(random.integer(2, 4));
    Extents extents = random.extents(rank);
    Extents weights{extents.back()};
    if (attributes.kind == Layer) {
        attributes.axes = {-1};
        if (rank > 2 && random.coin()) {
            attributes.axes = {1, static_cast<std::int64_t>(rank) - 1};
            weights = {extents[1], extents.back()};
        }
    } else if (attributes.kind == Group) {
        attributes.groups = random.integer(1, 3);
        extents.back() = attributes.groups * random.integer(1, 3);
        attributes.stridedGroups = random.coin();
        weights = {extents.back()};
    } else if (attributes.kind == Instance) {
        attributes.groups = extents.back();
    }
    GradientCase one{attributes,
                     {smooth(random, extents), scale(random, weights), smooth(random, weights, 2)}};
    // A statistic of one value is steep around it.
    one.tolerance = 1e-2;
    return one;
}

GradientCase inferenceNormalizationCase(RandomOperands& random) {
    Normalization attributes;
    attributes.useMovingStatistics = true;
    const Extents extents = random.extents(static_cast<std::size_t>(random.integer(2, 4)));
    const Extents weights{extents.back()};
    TestOperand mean = smooth(random, weights, 3);
    TestOperand variance = within(random, weights, 0.5, 2, false);
    mean.isChecked = false;
    return {attributes,
            {smooth(random, extents), scale(random, weights), smooth(random, weights, 2), std::move(mean),
             std::move(variance)}};
}

constexpr GradientFamily reductionCases[]{
    {"reduce", reduceCase},
    {"product with zeros", zeroProductCase},
    {"cumulative", cumulativeCase},
    {"top k", topKCase},
    {"broadcast", broadcastCase},
    {"softmax", softmaxCase},
    {"normalization", normalizationCase},
    {"normalization at inference", inferenceNormalizationCase},
};

} // namespace

std::span<const GradientFamily> reductionFamilies() {
    return reductionCases;
}

} // namespace tests
