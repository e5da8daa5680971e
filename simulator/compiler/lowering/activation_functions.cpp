#include "simulator/compiler/lowering/activation_functions.h"

#include "core/catalogue/functions.h"
#include "simulator/compiler/lowering/layer_lowering.h"

#include <algorithm>
#include <array>

namespace simulator {
namespace {

using core::TensorId;

/// Constants and operations on x of one activation.
struct Composer {
    GraphBuilder& build;
    TensorId x;
    const core::Json& config;

    TensorId value(double number) const { return build.constant(number, {}, build.type(x)); }
    TensorId times(TensorId a, TensorId b) const { return build.binary(BinaryFunction::Multiply, a, b); }
    TensorId minus(TensorId a, TensorId b) const { return build.binary(BinaryFunction::Subtract, a, b); }
    TensorId plus(TensorId a, TensorId b) const { return build.binary(BinaryFunction::Add, a, b); }
    TensorId select(TensorId condition, TensorId a, TensorId b) const {
        return build.add(Select{}, {condition, a, b}, "");
    }
    TensorId isAbove(TensorId a, double bound) const {
        return build.binary(BinaryFunction::Greater, a, value(bound));
    }
    /// Half of the channels: 0 the first, 1 the second.
    TensorId half(std::int64_t index) const {
        const std::int64_t width = build.extents(x).back() / 2;
        return build.slice(x, -1, index * width, width);
    }
};

TensorId softmax(const Composer& c) {
    return c.build.add(Softmax{static_cast<std::int64_t>(core::numberOr(c.config, "axis", -1)), false}, {c.x},
                       "");
}
TensorId logSoftmax(const Composer& c) {
    return c.build.add(Softmax{static_cast<std::int64_t>(core::numberOr(c.config, "axis", -1)), true}, {c.x},
                       "");
}
TensorId logSigmoid(const Composer& c) {
    return c.build.scaleShift(c.build.unary(UnaryFunction::Softplus, c.build.scaleShift(c.x, -1)), -1);
}
TensorId hardSwish(const Composer& c) {
    return c.build.scaleShift(
        c.times(c.x, c.build.unary(UnaryFunction::Relu6, c.build.scaleShift(c.x, 1, 3))), 1.0 / 6);
}
TensorId celu(const Composer& c) {
    const double alpha = core::numberOr(c.config, "alpha", 1);
    const TensorId scaled = c.build.unary(UnaryFunction::Elu, c.build.scaleShift(c.x, 1 / alpha), 1);
    return c.select(c.isAbove(c.x, 0), c.x, c.build.scaleShift(scaled, alpha));
}
TensorId crelu(const Composer& c) {
    const TensorId both = c.build.concatenate({c.x, c.build.scaleShift(c.x, -1)}, -1);
    return c.build.unary(UnaryFunction::Relu, both);
}
TensorId glu(const Composer& c) {
    return c.times(c.half(0), c.build.unary(UnaryFunction::Sigmoid, c.half(1)));
}
TensorId hardShrink(const Composer& c) {
    const double threshold = core::numberOr(c.config, "threshold", 0.5);
    return c.select(c.isAbove(c.build.unary(UnaryFunction::Absolute, c.x), threshold), c.x, c.value(0));
}
TensorId softShrink(const Composer& c) {
    const double threshold = core::numberOr(c.config, "threshold", 0.5);
    return c.minus(c.x, c.build.unary(UnaryFunction::Clip, c.x, -threshold, threshold));
}
TensorId tanhShrink(const Composer& c) {
    return c.minus(c.x, c.build.unary(UnaryFunction::Tanh, c.x));
}
TensorId threshold(const Composer& c) {
    return c.select(c.isAbove(c.x, core::numberOr(c.config, "threshold", 0)), c.x,
                    c.value(core::numberOr(c.config, "default_value", core::numberOr(c.config, "value", 0))));
}
TensorId squareplus(const Composer& c) {
    const TensorId shifted =
        c.build.scaleShift(c.build.unary(UnaryFunction::Square, c.x), 1, core::numberOr(c.config, "b", 4));
    return c.build.scaleShift(c.plus(c.x, c.build.unary(UnaryFunction::SquareRoot, shifted)), 0.5);
}
TensorId sparsePlus(const Composer& c) {
    // 0 up to −1, (x + 1)² / 4 between, x from 1 on.
    const TensorId cut = c.build.unary(UnaryFunction::Clip, c.x, -1, 1);
    const TensorId middle =
        c.build.scaleShift(c.build.unary(UnaryFunction::Square, c.build.scaleShift(cut, 1, 1)), 0.25);
    return c.plus(middle, c.build.unary(UnaryFunction::Relu, c.build.scaleShift(c.x, 1, -1)));
}
TensorId sparseSigmoid(const Composer& c) {
    return c.build.unary(UnaryFunction::HardSigmoid, c.x, 0.5, 0.5);
}
TensorId sparsemax(const Composer& c) {
    // max(x − τ, 0): τ is the largest (sum of the k highest − 1) / k over k.
    GraphBuilder& build = c.build;
    const std::int64_t count = build.extents(c.x).back();
    const TensorId sorted = build.add(TopK{count}, {c.x}, "sort");
    const TensorId sums = build.add(Cumulative{ReduceFunction::Sum, -1, false, false}, {sorted}, "");
    std::vector<double> reciprocal;
    for (std::int64_t k = 1; k <= count; ++k)
        reciprocal.push_back(1.0 / static_cast<double>(k));
    const TensorId shares = build.constant("shares", std::move(reciprocal), {{count}, build.type(c.x)});
    const TensorId candidates = c.times(build.scaleShift(sums, 1, -1), shares);
    const TensorId tau = build.reduce(ReduceFunction::Maximum, candidates, {-1}, true);
    return build.unary(UnaryFunction::Relu, c.minus(c.x, tau));
}

struct ComposedActivation {
    std::string_view name;
    TensorId (*compose)(const Composer&);
};

constexpr std::array composedActivations{
    ComposedActivation{"softmax", softmax},
    ComposedActivation{"log_softmax", logSoftmax},
    ComposedActivation{"log_sigmoid", logSigmoid},
    ComposedActivation{"hard_swish", hardSwish},
    ComposedActivation{"celu", celu},
    ComposedActivation{"crelu", crelu},
    ComposedActivation{"glu", glu},
    ComposedActivation{"hard_shrink", hardShrink},
    ComposedActivation{"soft_shrink", softShrink},
    ComposedActivation{"tanh_shrink", tanhShrink},
    ComposedActivation{"threshold", threshold},
    ComposedActivation{"squareplus", squareplus},
    ComposedActivation{"sparse_plus", sparsePlus},
    ComposedActivation{"sparse_sigmoid", sparseSigmoid},
    ComposedActivation{"sparsemax", sparsemax},
};

} // namespace

std::optional<ElementwiseActivation> elementwiseActivation(const core::ActivationSpec& activation) {
    const core::Json& config = activation.config;
    if (activation.name == "relu")
        return ElementwiseActivation{
            UnaryFunction::Relu, core::numberOr(config, "negative_slope", core::numberOr(config, "alpha", 0)),
            core::numberOr(config, "max_value", 0)};
    if (activation.name == "leaky_relu")
        return ElementwiseActivation{
            UnaryFunction::LeakyRelu,
            core::numberOr(config, "negative_slope", core::numberOr(config, "alpha", 0.2))};
    if (activation.name == "elu")
        return ElementwiseActivation{UnaryFunction::Elu, core::numberOr(config, "alpha", 1)};
    if (activation.name == "thresholded_relu")
        return ElementwiseActivation{UnaryFunction::ThresholdedRelu, core::numberOr(config, "theta", 1)};
    if (activation.name == "gelu" && config.value("approximate", false))
        return ElementwiseActivation{UnaryFunction::GeluTanh};
    if (activation.name == "hard_tanh")
        return ElementwiseActivation{UnaryFunction::Clip, -1, 1};
    static constexpr auto rows = core::unaryDefinitions();
    const auto row = std::ranges::find(rows, activation.name, &core::UnaryDefinition::activation);
    if (activation.name.empty() || row == rows.end())
        return std::nullopt;
    return ElementwiseActivation{row->function, row->alpha, row->beta};
}

core::Result<TensorId> addActivation(GraphBuilder& build, TensorId x,
                                     const core::ActivationSpec& activation) {
    if (const auto elementwise = elementwiseActivation(activation))
        return build.unary(elementwise->function, x, elementwise->alpha, elementwise->beta);
    const auto it = std::ranges::find(composedActivations, activation.name, &ComposedActivation::name);
    if (it == composedActivations.end())
        return cannotLower("the activation \"" + activation.name + "\" cannot be computed",
                           "choose one that the inspector lists");
    return it->compose({build, x, activation.config});
}

Lowered withActivation(LoweringCall& call, TensorId x) {
    auto y = addActivation(call.build, x, call.attributes.activation());
    if (!y)
        return core::failure(y.error());
    return std::vector{*y};
}

} // namespace simulator
