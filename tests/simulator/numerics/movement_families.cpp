// Operations that move, copy or repeat elements.
#include "tests/simulator/numerics/gradient_families.h"

#include <algorithm>
#include <numeric>

namespace tests {
namespace {

using namespace simulator;

GradientCase transposeCase(RandomOperands& random) {
    const auto rank = static_cast<std::size_t>(random.integer(1, 5));
    std::vector<std::int64_t> permutation(rank);
    std::iota(permutation.begin(), permutation.end(), 0);
    for (std::size_t i = rank; i > 1; --i)
        std::swap(permutation[i - 1],
                  permutation[static_cast<std::size_t>(random.integer(0, static_cast<std::int64_t>(i) - 1))]);
    return {Transpose{permutation}, {smooth(random, random.extents(rank))}};
}

GradientCase reshapeCase(RandomOperands& random) {
    const Extents extents = random.extents(3);
    return {Reshape{},
            {smooth(random, extents)},
            TensorForm{{extents[0] * extents[1], extents[2]}, core::DataType::Float32}};
}

GradientCase concatenateCase(RandomOperands& random) {
    const auto rank = static_cast<std::size_t>(random.integer(1, 4));
    const std::int64_t axis =
        random.integer(-static_cast<std::int64_t>(rank), static_cast<std::int64_t>(rank) - 1);
    Extents extents = random.extents(rank);
    GradientCase one{Concatenate{axis}, {}};
    const auto parts = static_cast<int>(random.integer(1, 4));
    for (int part = 0; part < parts; ++part) {
        extents[normalizedAxis(axis, rank)] = random.extent();
        one.operands.push_back(smooth(random, extents, part));
    }
    return one;
}

GradientCase sliceCase(RandomOperands& random) {
    const Extents whole = random.extents(static_cast<std::size_t>(random.integer(1, 4)));
    Slice slice;
    Extents taken;
    for (const std::int64_t extent : whole) {
        const std::int64_t stride = random.pick(std::vector<std::int64_t>{1, 1, 2, 3, -1, -2});
        const std::int64_t begin = extent == 0 ? 0 : random.integer(0, extent - 1);
        const std::int64_t span =
            extent == 0 ? 0 : (stride > 0 ? extent - 1 - begin : begin) / std::abs(stride) + 1;
        slice.begin.push_back(begin);
        slice.stride.push_back(stride);
        taken.push_back(
            random.integer(random.integer(0, 4) == 0 ? 0 : std::min<std::int64_t>(span, 1), span));
    }
    return {slice, {smooth(random, whole)}, TensorForm{taken, core::DataType::Float32}};
}

GradientCase padCase(RandomOperands& random) {
    Pad pad;
    pad.mode = random.pick(std::vector{PadMode::Constant, PadMode::Constant, PadMode::Reflect, PadMode::Edge,
                                       PadMode::Symmetric});
    // An edge of nothing cannot be repeated.
    const Extents extents =
        random.extents(static_cast<std::size_t>(random.integer(1, 4)), pad.mode != PadMode::Constant);
    pad.value = 0.5;
    const bool hasGaps = pad.mode == PadMode::Constant && random.coin();
    for (const std::int64_t extent : extents) {
        const std::int64_t most = pad.mode == PadMode::Reflect ? extent - 1 : 3;
        const std::int64_t least = pad.mode == PadMode::Constant ? -(extent / 2) : 0;
        pad.low.push_back(random.integer(least, most));
        pad.high.push_back(random.integer(least, most));
        if (hasGaps)
            pad.interior.push_back(random.integer(0, 2));
    }
    return {pad, {smooth(random, extents)}};
}

GradientCase upsampleCase(RandomOperands& random) {
    const auto fields = static_cast<std::size_t>(random.integer(1, 3));
    Upsample upsample;
    upsample.interpolation = random.coin() ? Interpolation::Nearest : Interpolation::Linear;
    for (std::size_t i = 0; i < fields; ++i)
        upsample.factors.push_back(random.integer(1, 3));
    return {upsample, {smooth(random, random.extents(fields + 2))}};
}

GradientCase gatherCase(RandomOperands& random) {
    const auto rank = static_cast<std::size_t>(random.integer(1, 3));
    Extents table = random.extents(rank);
    Gather gather;
    gather.axis = random.integer(0, static_cast<std::int64_t>(rank) - 1);
    std::int64_t& rows = table[static_cast<std::size_t>(gather.axis)];
    rows = std::max<std::int64_t>(rows, 1);
    const Extents indices = random.extents(static_cast<std::size_t>(random.integer(0, 2)));
    TestOperand choice = integers(indices, random.integers(elementCount(indices), 0, rows - 1));
    return {gather, {smooth(random, table), std::move(choice)}};
}

GradientCase sequenceSliceCase(RandomOperands& random) {
    const std::int64_t width = random.extent();
    const std::int64_t slices = random.integer(1, 3);
    // Slices of up to two rows into separate places of the destination, from any places of the source.
    const Extents destination{slices * 3, width};
    const Extents source{random.integer(2, 5), width};
    std::vector<float> places;
    for (std::int64_t i = 0; i < slices; ++i)
        places.push_back(static_cast<float>(i * 3 + random.integer(0, 1)));
    return {SequenceSlice{random.coin()},
            {smooth(random, destination), smooth(random, source, 1),
             integers({slices}, random.integers(slices, 0, 2)),
             integers({slices}, random.integers(slices, 0, source[0] - 2)), integers({slices}, places)}};
}

GradientCase copyCase(RandomOperands& random) {
    TestOperand x = smooth(random, random.extents(2));
    if (random.coin())
        return {Copy{}, {std::move(x)}};
    return {RecomputationCheckpoint{}, {std::move(x)}};
}

constexpr GradientFamily movementCases[]{
    {"transpose", transposeCase},
    {"reshape", reshapeCase},
    {"concatenate", concatenateCase},
    {"slice", sliceCase},
    {"pad", padCase},
    {"upsample", upsampleCase},
    {"gather", gatherCase},
    {"sequence slice", sequenceSliceCase},
    {"copy", copyCase},
};

} // namespace

std::span<const GradientFamily> movementFamilies() {
    return movementCases;
}

} // namespace tests
