// Reductions, softmax and sums along an axis.
#include "simulator/compiler/lowering/onnx/onnx_call.h"

#include <numeric>

namespace simulator {
namespace {

using core::TensorId;

std::vector<std::int64_t> allAxes(std::int64_t rank) {
    std::vector<std::int64_t> axes(static_cast<std::size_t>(rank));
    std::iota(axes.begin(), axes.end(), 0);
    return axes;
}

/// Applies `reduce` over the axes that the node names; nothing to do where it asks for none.
template <class Apply>
OnnxOutputs reduceBy(OnnxCall& call, Apply apply) {
    const auto given = call.setting("axes", 1);
    if (!given)
        return refuseUnknown(call, "axes");
    if (given->empty() && call.node.integer("noop_with_empty_axes", 0) != 0)
        return one(call.input());
    const auto axes = given->empty() ? std::optional(allAxes(call.rank())) : onnxAxes(*given, call.rank());
    if (!axes)
        return refuseOnnx("an axis lies outside the tensor");
    return one(apply(call.input(), *axes, call.node.integer("keepdims", 1) != 0));
}

template <ReduceFunction Function>
OnnxOutputs reduce(OnnxCall& call) {
    return reduceBy(call, [&](TensorId x, const std::vector<std::int64_t>& axes, bool keeps) {
        return call.build.reduce(Function, x, axes, keeps);
    });
}

/// f(reduce(g(x))).
template <ReduceFunction Function, UnaryFunction Before, UnaryFunction After>
OnnxOutputs reduceBetween(OnnxCall& call) {
    return reduceBy(call, [&](TensorId x, const std::vector<std::int64_t>& axes, bool keeps) {
        const TensorId before = call.build.unary(Before, x);
        return call.build.unary(After, call.build.reduce(Function, before, axes, keeps));
    });
}

OnnxOutputs argReduce(OnnxCall& call, bool isMinimum) {
    GraphBuilder& build = call.build;
    const auto axis = onnxAxis(call.node.integer("axis", 0), call.rank());
    if (!axis)
        return refuseOnnx("its axis lies outside the tensor");
    const std::int64_t extent = call.extents()[static_cast<std::size_t>(*axis)];
    const bool takesLast = call.node.integer("select_last_index", 0) != 0;
    const TensorId x = takesLast ? build.slice(call.input(), *axis, extent - 1, extent, -1) : call.input();
    const TensorId position =
        build.add(ArgReduce{isMinimum, *axis, call.node.integer("keepdims", 1) != 0}, {x}, "");
    return one(takesLast ? build.scaleShift(position, -1, static_cast<double>(extent - 1)) : position);
}
OnnxOutputs argMaximum(OnnxCall& call) {
    return argReduce(call, false);
}
OnnxOutputs argMinimum(OnnxCall& call) {
    return argReduce(call, true);
}

/// Before operator set 13 softmax ran over everything from the axis on.
template <class Apply>
OnnxOutputs alongAxis(OnnxCall& call, Apply apply) {
    GraphBuilder& build = call.build;
    const bool isFlat = call.opset < 13;
    const std::int64_t given = call.node.integer("axis", isFlat ? 1 : -1);
    const auto axis = isFlat && given == call.rank() ? std::optional(given) : onnxAxis(given, call.rank());
    if (!axis)
        return refuseOnnx("its axis lies outside the tensor");
    if (!isFlat)
        return one(apply(call.input(), *axis));
    const Extents extents = call.extents();
    std::int64_t rows = 1;
    for (std::int64_t i = 0; i < *axis; ++i)
        rows *= extents[static_cast<std::size_t>(i)];
    const std::int64_t columns = rows == 0 ? 0 : elementCount(extents) / rows;
    return one(build.reshape(apply(build.reshape(call.input(), {rows, columns}), 1), extents));
}
OnnxOutputs softmax(OnnxCall& call) {
    return alongAxis(call,
                     [&](TensorId x, std::int64_t axis) { return call.build.add(Softmax{axis}, {x}, ""); });
}
OnnxOutputs logSoftmax(OnnxCall& call) {
    return alongAxis(call, [&](TensorId x, std::int64_t axis) {
        return call.build.add(Softmax{axis, true}, {x}, "");
    });
}
/// 1 at the first largest element, else 0.
OnnxOutputs hardmax(OnnxCall& call) {
    return alongAxis(call, [&](TensorId x, std::int64_t axis) {
        GraphBuilder& build = call.build;
        const std::int64_t depth = build.extents(x)[static_cast<std::size_t>(axis)];
        const TensorId hot = build.cast(
            build.add(OneHot{depth}, {build.add(ArgReduce{false, axis, false}, {x}, "")}, ""), build.type(x));
        // The new axis is the last one.
        std::vector<std::int64_t> permutation(build.rank(x));
        std::iota(permutation.begin(), permutation.end(), 0);
        permutation.pop_back();
        permutation.insert(permutation.begin() + axis, static_cast<std::int64_t>(permutation.size()));
        return build.transpose(hot, std::move(permutation));
    });
}

OnnxOutputs cumulate(OnnxCall& call) {
    const auto axes = call.integers(1);
    if (!axes || axes->size() != 1)
        return refuseUnknown(call, "axis");
    const auto axis = onnxAxis(axes->front(), call.rank());
    if (!axis)
        return refuseOnnx("its axis lies outside the tensor");
    return one(call.build.add(Cumulative{ReduceFunction::Sum, *axis, call.node.integer("exclusive", 0) != 0,
                                         call.node.integer("reverse", 0) != 0},
                              {call.input()}, ""));
}

constexpr auto nothing = UnaryFunction::Identity;

constexpr OnnxEntry reductionNodes[]{
    {"ArgMax", argMaximum},
    {"ArgMin", argMinimum},
    {"CumSum", cumulate},
    {"Hardmax", hardmax},
    {"LogSoftmax", logSoftmax},
    {"ReduceL1", reduceBetween<ReduceFunction::Sum, UnaryFunction::Absolute, nothing>},
    {"ReduceL2", reduceBetween<ReduceFunction::Sum, UnaryFunction::Square, UnaryFunction::SquareRoot>},
    {"ReduceLogSum", reduceBetween<ReduceFunction::Sum, nothing, UnaryFunction::Logarithm>},
    {"ReduceLogSumExp", reduce<ReduceFunction::LogSumExp>},
    {"ReduceMax", reduce<ReduceFunction::Maximum>},
    {"ReduceMean", reduce<ReduceFunction::Mean>},
    {"ReduceMin", reduce<ReduceFunction::Minimum>},
    {"ReduceProd", reduce<ReduceFunction::Product>},
    {"ReduceSum", reduce<ReduceFunction::Sum>},
    {"ReduceSumSquare", reduceBetween<ReduceFunction::Sum, UnaryFunction::Square, nothing>},
    {"Softmax", softmax},
};

} // namespace

std::span<const OnnxEntry> onnxReductions() {
    return reductionNodes;
}

} // namespace simulator
