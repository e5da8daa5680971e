// Layers that networks define for themselves: those of keras.applications, and what add_weight makes.
#include "simulator/compiler/lowering/layer_lowering.h"

namespace simulator {
namespace {

using core::TensorId;

Lowered lowerLayerScale(LoweringCall& call) {
    return std::vector{call.build.binary(BinaryFunction::Multiply, call.input(), call.weight("gamma"))};
}

/// A copy: what reads it may be on another stage than the weight.
Lowered lowerVariable(LoweringCall& call) {
    const TensorId value = call.weight("value");
    return std::vector{call.build.add(Unary{UnaryFunction::Identity}, {value}, "")};
}

/// One decision for each sample.
Lowered lowerStochasticDepth(LoweringCall& call) {
    const double rate = call.attributes.number("drop_path_rate");
    if (!call.isTraining() || rate <= 0)
        return std::vector{call.input()};
    Extents noise(call.extents().size(), 1);
    noise.front() = call.extents().front();
    return std::vector{
        call.build.add(Dropout{rate, std::move(noise), call.seed(), call.nextStream()}, {call.input()}, "")};
}

Lowered lowerScaledSum(LoweringCall& call) {
    const TensorId scaled = call.build.scaleShift(call.input(1), call.attributes.number("scale"));
    return std::vector{call.build.binary(BinaryFunction::Add, call.input(0), scaled)};
}

constexpr LoweringEntry applicationLayers[]{
    {"Variable", lowerVariable},
    {"LayerScale", lowerLayerScale},
    {"StochasticDepth", lowerStochasticDepth},
    {"CustomScaleLayer", lowerScaledSum},
};

} // namespace

std::span<const LoweringEntry> applicationLowerings() {
    return applicationLayers;
}

} // namespace simulator
