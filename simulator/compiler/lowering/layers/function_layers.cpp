// TensorFlow functions called on tensors of a model (TFOpLambda) and Python's brackets.
#include "core/catalogue/functions.h"
#include "core/model/layer_naming.h"
#include "core/model/layers/function_shapes.h"
#include "core/model/tensor_indexing.h"
#include "simulator/compiler/lowering/activation_functions.h"
#include "simulator/compiler/lowering/function_call.h"
#include "simulator/compiler/lowering/layer_geometry.h"
#include "simulator/compiler/lowering/layer_lowering.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <numbers>
#include <numeric>

namespace simulator {
namespace {

using core::DataType;
using core::Json;
using core::TensorId;

/// Axes of a reduction: all where none are given.
std::vector<std::int64_t> reducedAxes(const LoweringCall& call) {
    const Json axis = setting(call, {"axis", "reduction_indices"}, 1);
    if (!axis.is_null())
        return integersOf(axis);
    std::vector<std::int64_t> all(static_cast<std::size_t>(call.rank()));
    std::iota(all.begin(), all.end(), 0);
    return all;
}

bool keepsAxes(const LoweringCall& call) {
    return setting(call, {"keepdims", "keep_dims"}, 2) == true;
}

struct NamedReduction {
    std::string_view names;
    ReduceFunction function;
};
constexpr std::array reductions{
    NamedReduction{" reduce_mean mean average ", ReduceFunction::Mean},
    NamedReduction{" reduce_sum sum ", ReduceFunction::Sum},
    NamedReduction{" reduce_max max amax ", ReduceFunction::Maximum},
    NamedReduction{" reduce_min min amin ", ReduceFunction::Minimum},
    NamedReduction{" reduce_prod prod ", ReduceFunction::Product},
    NamedReduction{" reduce_logsumexp logsumexp ", ReduceFunction::LogSumExp},
    NamedReduction{" reduce_any any ", ReduceFunction::Any},
    NamedReduction{" reduce_all all ", ReduceFunction::All},
};

/// The row of a table whose names, enclosed by blanks, hold `name`.
template <class Table>
auto findRow(const Table& table, const std::string& name) {
    const std::string wanted = " " + name + " ";
    return std::ranges::find_if(
        table, [&](const auto& row) { return row.names.find(wanted) != std::string_view::npos; });
}

Lowered lowerBinary(LoweringCall& call, BinaryFunction function, bool isSwapped) {
    TensorId a = call.input(0);
    TensorId b;
    if (call.inputs.size() > 1) {
        b = call.input(1);
    } else {
        // One operand is a constant: the named one, else the other position.
        const bool isFirst = call.arguments.contains("x") && !call.arguments["x"].is_object();
        const auto other = constantOf(call.build, setting(call, {isFirst ? "x" : "y", "bias", "value"}, 1),
                                      call.build.type(a));
        if (!other)
            return cannotLower("has an operand that cannot be read",
                               "make it an input, a weight or a constant of the model");
        b = *other;
        if (isFirst)
            std::swap(a, b);
    }
    if (isSwapped)
        std::swap(a, b);
    return one(call.build.binary(function, a, b));
}

Lowered lowerReduction(LoweringCall& call, ReduceFunction function) {
    return one(call.build.reduce(function, call.input(), reducedAxes(call), keepsAxes(call)));
}

TensorId variance(LoweringCall& call) {
    GraphBuilder& build = call.build;
    const TensorId mean = build.reduce(ReduceFunction::Mean, call.input(), reducedAxes(call), true);
    const TensorId squares = build.binary(BinaryFunction::SquaredDifference, call.input(), mean);
    return build.reduce(ReduceFunction::Mean, squares, reducedAxes(call), keepsAxes(call));
}
Lowered lowerVariance(LoweringCall& call) {
    return one(variance(call));
}
Lowered lowerDeviation(LoweringCall& call) {
    return one(call.build.unary(UnaryFunction::SquareRoot, variance(call)));
}

Lowered lowerArgReduce(LoweringCall& call, bool minimum) {
    const std::vector<std::int64_t> axes = integersOf(setting(call, {"axis", "dimension"}, 1));
    return one(
        call.build.add(ArgReduce{minimum, axes.empty() ? 0 : axes.front(), false}, {call.input()}, ""));
}
Lowered lowerArgMax(LoweringCall& call) {
    return lowerArgReduce(call, false);
}
Lowered lowerArgMin(LoweringCall& call) {
    return lowerArgReduce(call, true);
}

Lowered lowerReshape(LoweringCall& call) {
    const Json target = setting(call, {"shape", "newshape"}, 1);
    if (!target.is_array())
        return cannotLower("reshapes to extents that are not known", "give a list of numbers");
    Extents extents;
    std::int64_t known = 1;
    std::optional<std::size_t> open;
    const auto isOpen = [](const Json& entry) { return !entry.is_number() || entry.get<std::int64_t>() < 0; };
    const bool isBatchKept = std::ranges::count_if(target, isOpen) > 1;
    for (std::size_t i = 0; i < target.size(); ++i) {
        std::int64_t extent = isOpen(target[i]) ? -1 : target[i].get<std::int64_t>();
        if (extent < 0 && i == 0 && isBatchKept)
            extent = call.extents().front();
        if (extent < 0)
            open = i;
        else
            known *= extent;
        extents.push_back(extent);
    }
    if (open)
        extents[*open] =
            call.build.graph().tensor(call.input()).elements() / std::max<std::int64_t>(1, known);
    if (elementCount(extents) != call.build.graph().tensor(call.input()).elements())
        return cannotLower("reshapes to another number of elements", "choose extents with the same product");
    return one(call.build.reshape(call.input(), std::move(extents)));
}

Lowered lowerTranspose(LoweringCall& call) {
    std::vector<std::int64_t> order = integersOf(setting(call, {"perm", "axes"}, 1));
    for (std::int64_t axis = call.rank(); order.size() < static_cast<std::size_t>(call.rank());)
        order.push_back(--axis);
    for (std::int64_t& axis : order)
        axis = static_cast<std::int64_t>(normalizedAxis(axis, static_cast<std::size_t>(call.rank())));
    return one(call.build.transpose(call.input(), std::move(order)));
}

/// The input with the extents the shape rules found: for functions that only drop or add axes of extent 1.
Lowered lowerToKnownShape(LoweringCall& call) {
    Extents extents;
    for (const core::Dimension& extent : call.outputs.front().shape.dimensions)
        extents.push_back(extent.value_or(1));
    return one(call.build.reshape(call.input(), std::move(extents)));
}

Lowered lowerConcatenation(LoweringCall& call) {
    const std::vector<std::int64_t> axis = integersOf(setting(call, {"axis"}, 1));
    return one(call.build.concatenate(call.inputs, axis.empty() ? -1 : axis.front()));
}

Lowered lowerStack(LoweringCall& call) {
    const std::vector<std::int64_t> axes = integersOf(setting(call, {"axis"}, 1));
    const std::int64_t axis = static_cast<std::int64_t>(
        normalizedAxis(axes.empty() ? 0 : axes.front(), static_cast<std::size_t>(call.rank()) + 1));
    std::vector<TensorId> parts;
    for (const TensorId input : call.inputs)
        parts.push_back(expandAxes(call.build, input, {axis}));
    return one(call.build.concatenate(std::move(parts), axis));
}

Lowered lowerMatmul(LoweringCall& call) {
    const MatMul product{call.argumentFlag("transpose_a"), call.argumentFlag("transpose_b")};
    return one(call.build.add(product, {call.input(0), call.input(1)}, "matmul"));
}

Lowered lowerPad(LoweringCall& call) {
    const Json amounts = setting(call, {"paddings", "pad_width"}, 1);
    const Json mode = setting(call, {"mode"}, 2);
    Pad pad;
    for (std::size_t i = 0; i < static_cast<std::size_t>(call.rank()); ++i) {
        const std::vector<std::int64_t> pair =
            amounts.is_array() && i < amounts.size() ? integersOf(amounts[i]) : std::vector<std::int64_t>{};
        pad.low.push_back(pair.empty() ? 0 : pair.front());
        pad.high.push_back(pair.empty() ? 0 : pair.back());
    }
    if (mode == "REFLECT" || mode == "reflect")
        pad.mode = PadMode::Reflect;
    else if (mode == "SYMMETRIC" || mode == "symmetric")
        pad.mode = PadMode::Symmetric;
    else if (mode.is_string() && mode != "CONSTANT" && mode != "constant")
        return cannotLower("pads in a way that is not computed", "use CONSTANT, REFLECT or SYMMETRIC");
    const Json value = setting(call, {"constant_values"}, 3);
    pad.value = value.is_number() ? value.get<double>() : 0;
    return one(call.build.add(std::move(pad), {call.input()}, ""));
}

Lowered lowerCast(LoweringCall& call) {
    const core::TensorSpec& spec = call.outputs.front();
    return one(call.build.cast(call.input(), spec.type));
}

Lowered lowerClip(LoweringCall& call) {
    const auto bound = [&](std::initializer_list<const char*> names, std::size_t position, double preset) {
        const Json value = setting(call, names, position);
        return value.is_number() ? value.get<double>() : preset;
    };
    return one(call.build.unary(UnaryFunction::Clip, call.input(),
                                bound({"clip_value_min", "x_min", "min_value"}, 1, -3.4e38),
                                bound({"clip_value_max", "x_max", "max_value"}, 2, 3.4e38)));
}

Lowered lowerZeros(LoweringCall& call) {
    return one(call.build.constant(0, call.extents(), call.build.type(call.input())));
}
Lowered lowerOnes(LoweringCall& call) {
    return one(call.build.constant(1, call.extents(), call.build.type(call.input())));
}

template <ReduceFunction function>
Lowered lowerCumulative(LoweringCall& call) {
    const std::vector<std::int64_t> axis = integersOf(setting(call, {"axis"}, 1));
    const Cumulative cumulative{function, axis.empty() ? 0 : axis.front(), call.argumentFlag("exclusive"),
                                call.argumentFlag("reverse")};
    return one(call.build.add(cumulative, {call.input()}, ""));
}

Lowered lowerReverse(LoweringCall& call) {
    TensorId x = call.input();
    for (const std::int64_t axis : integersOf(setting(call, {"axis", "axes"}, 1))) {
        const std::size_t position = normalizedAxis(axis, static_cast<std::size_t>(call.rank()));
        const std::int64_t extent = call.extents()[position];
        x = call.build.slice(x, axis, extent - 1, extent, -1);
    }
    return one(x);
}

Lowered lowerUnitLength(LoweringCall& call) {
    GraphBuilder& build = call.build;
    const Json epsilon = setting(call, {"epsilon"}, 2);
    const TensorId squares = build.reduce(
        ReduceFunction::Sum, build.unary(UnaryFunction::Square, call.input()), reducedAxes(call), true);
    const double bound = epsilon.is_number() ? epsilon.get<double>() : 1e-12;
    const TensorId bounded =
        build.binary(BinaryFunction::Maximum, squares, build.constant(bound, {}, build.type(squares)));
    return one(build.binary(BinaryFunction::Multiply, call.input(),
                            build.unary(UnaryFunction::ReciprocalSquareRoot, bounded)));
}

Lowered lowerBinaryLogarithm(LoweringCall& call) {
    return one(
        call.build.scaleShift(call.build.unary(UnaryFunction::Logarithm, call.input()), std::numbers::log2e));
}
Lowered lowerDecimalLogarithm(LoweringCall& call) {
    return one(call.build.scaleShift(call.build.unary(UnaryFunction::Logarithm, call.input()),
                                     std::numbers::log10e));
}

Lowered lowerIsFinite(LoweringCall& call) {
    GraphBuilder& build = call.build;
    const TensorId isOdd =
        build.binary(BinaryFunction::LogicalOr, build.unary(UnaryFunction::IsNan, call.input()),
                     build.unary(UnaryFunction::IsInfinite, call.input()));
    return one(build.cast(build.unary(UnaryFunction::LogicalNot, isOdd), call.outputs.front().type));
}

Lowered lowerCountNonZero(LoweringCall& call) {
    GraphBuilder& build = call.build;
    const TensorId zero = build.constant(0, {}, build.type(call.input()));
    const TensorId isOther =
        build.cast(build.binary(BinaryFunction::NotEqual, call.input(), zero), DataType::Float32);
    const TensorId count = build.reduce(ReduceFunction::Sum, isOther, reducedAxes(call), keepsAxes(call));
    return one(build.cast(count, call.outputs.front().type));
}

/// The Euclidean norm; others are refused.
Lowered lowerNorm(LoweringCall& call) {
    const Json order = setting(call, {"ord"});
    if (!order.is_null() && order != 2 && order != "euclidean" && order != "fro")
        return cannotLower("takes a norm that is not computed", "use ord 2, or max(abs(x)), or sum(abs(x))");
    const TensorId squares = call.build.unary(UnaryFunction::Square, call.input());
    const TensorId sum = call.build.reduce(ReduceFunction::Sum, squares, reducedAxes(call), keepsAxes(call));
    return one(call.build.unary(UnaryFunction::SquareRoot, sum));
}

Lowered lowerIdentityFunction(LoweringCall& call) {
    return one(call.input());
}

Lowered lowerStoppedGradient(LoweringCall& call) {
    return one(
        call.build.addAs(Reshape{.stopsGradient = true}, {call.input()}, "", call.build.form(call.input())));
}

Lowered lowerDivideNoNan(LoweringCall& call) {
    GraphBuilder& build = call.build;
    if (call.inputs.size() < 2)
        return lowerBinary(call, BinaryFunction::Divide, false);
    const TensorId zero = build.constant(0, {}, build.type(call.input(1)));
    const TensorId one_ = build.constant(1, {}, build.type(call.input(1)));
    const TensorId isZero = build.binary(BinaryFunction::Equal, call.input(1), zero);
    const TensorId safe = build.add(Select{}, {isZero, one_, call.input(1)}, "");
    const TensorId quotient = build.binary(BinaryFunction::Divide, call.input(0), safe);
    return one(build.add(Select{}, {isZero, zero, quotient}, ""));
}

Lowered lowerFloorDivide(LoweringCall& call) {
    const Lowered quotient = lowerBinary(call, BinaryFunction::Divide, false);
    return quotient ? one(call.build.unary(UnaryFunction::Floor, quotient->front())) : quotient;
}

constexpr std::array lowerings{
    NamedLowering{" reshape ", lowerReshape},
    NamedLowering{" transpose ", lowerTranspose},
    NamedLowering{" expand_dims expand_dims_v2 squeeze ", lowerToKnownShape},
    NamedLowering{" concat concatenate ", lowerConcatenation},
    NamedLowering{" stack ", lowerStack},
    NamedLowering{" matmul linalg_matmul batch_dot ", lowerMatmul},
    NamedLowering{" pad ", lowerPad},
    NamedLowering{" cast ", lowerCast},
    NamedLowering{" clip_by_value clip ", lowerClip},
    NamedLowering{" zeros_like ", lowerZeros},
    NamedLowering{" ones_like ", lowerOnes},
    NamedLowering{" cumsum ", lowerCumulative<ReduceFunction::Sum>},
    NamedLowering{" cumprod ", lowerCumulative<ReduceFunction::Product>},
    NamedLowering{" log2 ", lowerBinaryLogarithm},
    NamedLowering{" log10 ", lowerDecimalLogarithm},
    NamedLowering{" isfinite is_finite ", lowerIsFinite},
    NamedLowering{" count_nonzero ", lowerCountNonZero},
    NamedLowering{" norm ", lowerNorm},
    NamedLowering{" reverse flip ", lowerReverse},
    NamedLowering{" l2_normalize ", lowerUnitLength},
    NamedLowering{" reduce_variance var ", lowerVariance},
    NamedLowering{" reduce_std std ", lowerDeviation},
    NamedLowering{" argmax arg_max ", lowerArgMax},
    NamedLowering{" argmin arg_min ", lowerArgMin},
    NamedLowering{" divide_no_nan ", lowerDivideNoNan},
    NamedLowering{" floordiv floor_divide floor_div ", lowerFloorDivide},
    NamedLowering{" stop_gradient ", lowerStoppedGradient},
    NamedLowering{" identity convert_to_tensor copy enable_grad ensure_shape ", lowerIdentityFunction},
};

Lowered lowerFunction(LoweringCall& call) {
    const std::string function = call.attributes.text("function");
    const bool isClass = call.attributes.definition().className == "Operation";
    const std::string name = isClass ? core::snakeCase(function) : core::plainFunctionName(function);
    if (const core::BinaryCall binary = core::binaryCalled(name); binary.definition != nullptr)
        return lowerBinary(call, binary.definition->function, binary.isSwapped);
    if (const core::UnaryDefinition* unary = core::unaryCalled(name))
        return one(call.build.unary(unary->function, call.input()));
    if (const auto row = findRow(reductions, name); row != reductions.end())
        return lowerReduction(call, row->function);
    if (const auto row = findRow(lowerings, name); row != lowerings.end())
        return row->lower(call);
    const auto movements = movementFunctions();
    if (const auto row = findRow(movements, name); row != movements.end())
        return row->lower(call);
    const core::ActivationSpec activation = core::activationFromJson(Json(name));
    if (activation.isKnown) {
        core::ActivationSpec with = activation;
        with.config = call.arguments;
        const auto y = addActivation(call.build, call.input(), with);
        return y ? one(*y) : core::failure(y.error());
    }
    return cannotLower("the function \"" + call.attributes.text("function") + "\" cannot be computed",
                       "use a layer that does the same");
}

Lowered lowerBrackets(LoweringCall& call) {
    GraphBuilder& build = call.build;
    const auto axes = core::indexedAxes(setting(call, {"slice_spec"}, 1), build.rank(call.input()));
    if (!axes)
        return cannotLower(axes.error().message, axes.error().hint);
    TensorId x = call.input();
    Extents extents;
    for (const core::IndexedAxis& axis : *axes) {
        if (!axis.source) {
            extents.push_back(1);
            continue;
        }
        const std::int64_t extent = build.extents(x)[*axis.source];
        core::AxisRange range = core::AxisRange::of(axis.slice, extent);
        if (axis.index)
            range = {*axis.index < 0 ? *axis.index + extent : *axis.index, 1, 1};
        else
            extents.push_back(range.count);
        if (range.count != extent || range.step != 1)
            x = build.slice(x, static_cast<std::int64_t>(*axis.source), range.begin, range.count, range.step);
    }
    return one(build.reshape(x, std::move(extents)));
}

constexpr LoweringEntry functionLayers[]{
    {"TFOpLambda", lowerFunction},
    {"Operation", lowerFunction},
    {"SlicingOpLambda", lowerBrackets},
    {"GetItem", lowerBrackets},
};

} // namespace

std::span<const LoweringEntry> functionLowerings() {
    return functionLayers;
}

} // namespace simulator
