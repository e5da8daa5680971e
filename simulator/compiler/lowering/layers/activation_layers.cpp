// Activation layers.
#include "simulator/compiler/lowering/activation_functions.h"
#include "simulator/compiler/lowering/layer_lowering.h"

namespace simulator {
namespace {

using core::TensorId;

Lowered lowerActivation(LoweringCall& call) {
    return withActivation(call, call.input());
}

Lowered lowerRelu(LoweringCall& call) {
    const double slope = call.attributes.number("negative_slope");
    const double threshold = call.attributes.number("threshold");
    const double highest = call.attributes.isNull("max_value") ? 0 : call.attributes.number("max_value");
    GraphBuilder& build = call.build;
    if (threshold == 0)
        return std::vector{build.unary(UnaryFunction::Relu, call.input(), slope, highest)};
    // x above the threshold, slope·(x − threshold) below.
    const TensorId bound = build.constant(threshold, {}, build.type(call.input()));
    const TensorId isAbove = build.binary(BinaryFunction::GreaterEqual, call.input(), bound);
    TensorId kept = call.input();
    if (highest > 0)
        kept = build.unary(UnaryFunction::Clip, kept, -3.4e38, highest);
    const TensorId below = build.scaleShift(call.input(), slope, -slope * threshold);
    return std::vector{build.add(Select{}, {isAbove, kept, below}, "")};
}

Lowered lowerPrelu(LoweringCall& call) {
    GraphBuilder& build = call.build;
    const TensorId positive = build.unary(UnaryFunction::Relu, call.input());
    const TensorId negative = build.binary(BinaryFunction::Subtract, call.input(), positive);
    const TensorId scaled = build.binary(BinaryFunction::Multiply, negative, call.weight("alpha"));
    return std::vector{build.binary(BinaryFunction::Add, positive, scaled)};
}

Lowered lowerLeakyRelu(LoweringCall& call) {
    return std::vector{
        call.build.unary(UnaryFunction::LeakyRelu, call.input(), call.attributes.number("alpha"))};
}
Lowered lowerElu(LoweringCall& call) {
    return std::vector{call.build.unary(UnaryFunction::Elu, call.input(), call.attributes.number("alpha"))};
}
Lowered lowerThresholdedRelu(LoweringCall& call) {
    return std::vector{
        call.build.unary(UnaryFunction::ThresholdedRelu, call.input(), call.attributes.number("theta"))};
}

Lowered lowerSoftmax(LoweringCall& call) {
    GraphBuilder& build = call.build;
    const std::vector<std::int64_t> axes = call.attributes.axes("axis");
    if (axes.size() == 1)
        return std::vector{build.add(Softmax{axes[0], false}, {call.input()}, "")};
    // Several axes at once: exp(x − log of the sum of exp).
    const TensorId total = build.reduce(ReduceFunction::LogSumExp, call.input(), axes, true);
    return std::vector{
        build.unary(UnaryFunction::Exponential, build.binary(BinaryFunction::Subtract, call.input(), total))};
}

Lowered lowerMaxout(LoweringCall& call) {
    Extents extents = call.extents();
    const auto rank = static_cast<std::int64_t>(extents.size());
    const std::int64_t axis = (call.attributes.integer("axis") + rank) % rank;
    const auto place = extents.begin() + static_cast<std::ptrdiff_t>(axis);
    const std::int64_t units = call.attributes.integer("num_units");
    const std::int64_t groupSize = *place / units;
    *place = units;
    extents.insert(place, groupSize);
    const TensorId groups = call.build.reshape(call.input(), std::move(extents));
    return std::vector{call.build.reduce(ReduceFunction::Maximum, groups, {axis}, false)};
}

constexpr LoweringEntry activationLayers[]{
    {"Activation", lowerActivation, true},
    {"ReLU", lowerRelu, true},
    {"LeakyReLU", lowerLeakyRelu, true},
    {"PReLU", lowerPrelu, true},
    {"ELU", lowerElu, true},
    {"ThresholdedReLU", lowerThresholdedRelu, true},
    {"Softmax", lowerSoftmax, true},
    {"Maxout", lowerMaxout},
};

} // namespace

std::span<const LoweringEntry> activationLowerings() {
    return activationLayers;
}

} // namespace simulator
