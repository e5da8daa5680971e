// Losses.
#include "simulator/compiler/lowering/onnx/onnx_call.h"

#include <numeric>

namespace simulator {
namespace {

using core::DataType;
using core::TensorId;

/// [N, C, d…] with the classes last.
TensorId classesLast(GraphBuilder& build, TensorId x) {
    std::vector<std::int64_t> permutation(build.rank(x));
    std::iota(permutation.begin(), permutation.end(), 0);
    permutation.erase(permutation.begin() + 1);
    permutation.push_back(1);
    return build.transpose(x, std::move(permutation));
}

/// −Σ log p of the target classes, weighted, ignored classes left out.
core::Result<TensorId> negativeLikelihood(OnnxCall& call, TensorId logarithms) {
    GraphBuilder& build = call.build;
    const Extents extents = call.extents();
    Extents samples = extents;
    if (extents.size() < 2)
        return refuseOnnx("takes a batch of classes");
    samples.erase(samples.begin() + 1);
    if (call.extents(1) != samples || (call.has(2) && call.extents(2) != Extents{extents[1]}))
        return refuseOnnx("its targets or weights do not fit");
    TensorId target = build.cast(call.input(1), DataType::Int32);
    TensorId counts; // whether a sample is not ignored
    if (call.node.attribute("ignore_index") != nullptr) {
        const auto ignored = static_cast<double>(call.node.integer("ignore_index", 0));
        counts = build.binary(BinaryFunction::NotEqual, target, build.constant(ignored, {}, DataType::Int32));
        // The ignored number need not be that of a class.
        target = build.add(Select{}, {counts, target, build.constant(0, {}, DataType::Int32)}, "");
    }
    const TensorId hot = build.cast(build.add(OneHot{extents[1]}, {target}, ""), build.type(logarithms));
    const auto last = static_cast<std::int64_t>(extents.size()) - 1;
    // A logarithm of −∞ that is not asked for counts nothing.
    const TensorId isHot =
        build.binary(BinaryFunction::NotEqual, hot, build.constant(0, {}, build.type(hot)));
    const TensorId picked = build.add(
        Select{}, {isHot, classesLast(build, logarithms), build.constant(0, {}, build.type(hot))}, "");
    TensorId loss =
        build.unary(UnaryFunction::Negate, build.reduce(ReduceFunction::Sum, picked, {last}, false));
    TensorId weight = call.has(2) ? build.binary(BinaryFunction::Multiply, hot, call.input(2)) : hot;
    weight = build.reduce(ReduceFunction::Sum, weight, {last}, false);
    if (counts.isValid())
        weight = build.binary(BinaryFunction::Multiply, weight, build.cast(counts, build.type(weight)));
    loss = build.binary(BinaryFunction::Multiply, loss, weight);
    const std::string reduction = call.node.text("reduction", "mean");
    if (reduction == "none")
        return loss;
    std::vector<std::int64_t> axes(samples.size());
    std::iota(axes.begin(), axes.end(), 0);
    const TensorId sum = build.reduce(ReduceFunction::Sum, loss, axes, false);
    if (reduction == "sum")
        return sum;
    return build.binary(BinaryFunction::Divide, sum, build.reduce(ReduceFunction::Sum, weight, axes, false));
}

OnnxOutputs crossEntropy(OnnxCall& call) {
    if (call.rank() < 2)
        return refuseOnnx("takes a batch of classes");
    const TensorId logarithms = call.build.add(Softmax{1, true}, {call.input()}, "log_softmax");
    const auto loss = negativeLikelihood(call, logarithms);
    if (!loss)
        return core::failure(loss.error());
    return std::vector{*loss, logarithms};
}

OnnxOutputs logLikelihood(OnnxCall& call) {
    const auto loss = negativeLikelihood(call, call.input());
    if (!loss)
        return core::failure(loss.error());
    return std::vector{*loss};
}

constexpr OnnxEntry lossNodes[]{
    {"NegativeLogLikelihoodLoss", logLikelihood},
    {"SoftmaxCrossEntropyLoss", crossEntropy},
};

} // namespace

std::span<const OnnxEntry> onnxLosses() {
    return lossNodes;
}

} // namespace simulator
