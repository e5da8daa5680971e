// Layers that add noise or penalties while training.
#include "simulator/compiler/lowering/layer_lowering.h"
#include "simulator/compiler/lowering/regularizers.h"

#include <cmath>
#include <numeric>

namespace simulator {
namespace {

using core::TensorId;

Lowered addDropout(LoweringCall& call, Extents noise) {
    const double rate = call.attributes.number("rate");
    if (!call.isTraining() || rate <= 0)
        return std::vector{call.input()};
    if (noise == call.extents())
        noise.clear();
    return std::vector{
        call.build.add(Dropout{rate, std::move(noise), call.seed(), call.nextStream()}, {call.input()}, "")};
}

Lowered lowerDropout(LoweringCall& call) {
    const core::Json& shape = call.attributes.value("noise_shape");
    Extents noise;
    for (std::size_t i = 0; shape.is_array() && i < shape.size(); ++i)
        noise.push_back(shape[i].is_number_integer() ? shape[i].get<std::int64_t>() : call.extents()[i]);
    return addDropout(call, std::move(noise));
}

/// Whole channels are dropped.
Lowered lowerSpatialDropout(LoweringCall& call) {
    Extents noise(call.extents().size(), 1);
    noise.front() = call.extents().front();
    const bool isFirst = call.attributes.definition().findAttribute("data_format") != nullptr &&
                         call.attributes.value("data_format") == "channels_first";
    const std::size_t channels = isFirst ? 1 : noise.size() - 1;
    noise[channels] = call.extents()[channels];
    return addDropout(call, std::move(noise));
}

TensorId randomLikeInput(LoweringCall& call, RandomDistribution distribution, double a, double b) {
    return call.build.addAs(Random{distribution, a, b, call.seed(), call.nextStream()}, {}, "noise",
                            call.build.form(call.input()));
}

Lowered lowerGaussianNoise(LoweringCall& call) {
    const double deviation = call.attributes.number("stddev");
    if (!call.isTraining() || deviation <= 0)
        return std::vector{call.input()};
    return std::vector{call.build.binary(BinaryFunction::Add, call.input(),
                                         randomLikeInput(call, RandomDistribution::Normal, 0, deviation))};
}

Lowered lowerGaussianDropout(LoweringCall& call) {
    const double rate = call.attributes.number("rate");
    if (!call.isTraining() || rate <= 0 || rate >= 1)
        return std::vector{call.input()};
    const double deviation = std::sqrt(rate / (1 - rate));
    return std::vector{call.build.binary(BinaryFunction::Multiply, call.input(),
                                         randomLikeInput(call, RandomDistribution::Normal, 1, deviation))};
}

/// Dropped values become SELU's negative saturation; mean and variance stay.
Lowered lowerAlphaDropout(LoweringCall& call) {
    const double rate = call.attributes.number("rate");
    if (!call.isTraining() || rate <= 0 || rate >= 1)
        return std::vector{call.input()};
    constexpr double saturation = -1.7580993408473766;
    const double scale = 1 / std::sqrt((1 - rate) * (1 + rate * saturation * saturation));
    GraphBuilder& build = call.build;
    const TensorId kept = randomLikeInput(call, RandomDistribution::Bernoulli, 1 - rate, 0);
    const TensorId values = build.binary(BinaryFunction::Multiply, call.input(), kept);
    const TensorId mixed =
        build.binary(BinaryFunction::Add, values, build.scaleShift(kept, -saturation, saturation));
    return std::vector{build.scaleShift(mixed, scale, -scale * saturation * rate)};
}

Lowered lowerActivityRegularization(LoweringCall& call) {
    const Regularizer regularizer{call.attributes.number("l1"), call.attributes.number("l2")};
    if (!regularizer.isNothing() && call.attributes.isNull("activity_regularizer")) {
        const auto samples = static_cast<double>(call.extents().front());
        call.context.penalties.push_back(penalty(call.build, call.input(), regularizer, 1 / samples));
    }
    return std::vector{call.input()};
}

Lowered lowerAddLoss(LoweringCall& call) {
    std::vector<std::int64_t> axes(static_cast<std::size_t>(call.rank()));
    std::iota(axes.begin(), axes.end(), 0);
    const TensorId wide = call.build.cast(call.input(), core::DataType::Float32);
    call.context.penalties.push_back(
        axes.empty() ? wide : call.build.reduce(ReduceFunction::Mean, wide, std::move(axes), false));
    return std::vector{call.input()};
}

constexpr LoweringEntry regularizationLayers[]{
    {"Dropout", lowerDropout, true},
    {"SpatialDropout1D", lowerSpatialDropout, true},
    {"SpatialDropout2D", lowerSpatialDropout, true},
    {"SpatialDropout3D", lowerSpatialDropout, true},
    {"GaussianNoise", lowerGaussianNoise, true},
    {"GaussianDropout", lowerGaussianDropout, true},
    {"AlphaDropout", lowerAlphaDropout, true},
    {"ActivityRegularization", lowerActivityRegularization, true},
    {"AddLoss", lowerAddLoss, true},
};

} // namespace

std::span<const LoweringEntry> regularizationLowerings() {
    return regularizationLayers;
}

} // namespace simulator
