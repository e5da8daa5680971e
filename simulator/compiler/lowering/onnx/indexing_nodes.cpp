// Operations that read or write elements by their index.
#include "simulator/compiler/lowering/onnx/onnx_call.h"

#include <algorithm>
#include <numeric>

namespace simulator {
namespace {

using core::DataType;
using core::TensorId;

/// Negative indices count from the end.
TensorId fromFront(GraphBuilder& build, TensorId indices, std::int64_t extent) {
    const TensorId plain = build.cast(indices, DataType::Int32);
    const TensorId isNegative =
        build.binary(BinaryFunction::Less, plain, build.constant(0, {}, DataType::Int32));
    const TensorId wrapped = build.binary(BinaryFunction::Add, plain,
                                          build.constant(static_cast<double>(extent), {}, DataType::Int32));
    return build.add(Select{}, {isNegative, wrapped, plain}, "from_front");
}

OnnxOutputs gather(OnnxCall& call) {
    GraphBuilder& build = call.build;
    const auto axis = onnxAxis(call.node.integer("axis", 0), call.rank());
    if (!axis)
        return refuseOnnx("its axis lies outside the tensor");
    const std::int64_t extent = call.extents()[static_cast<std::size_t>(*axis)];
    const TensorId indices = fromFront(build, call.input(1), extent);
    return one(build.add(Gather{*axis}, {call.input(), indices}, ""));
}

std::vector<std::int64_t> stridesOf(const Extents& extents) {
    std::vector<std::int64_t> strides(extents.size(), 1);
    for (std::size_t i = extents.size(); i-- > 1;)
        strides[i - 1] = strides[i] * extents[i];
    return strides;
}

/// Row-major position in `extents` of each element of `indices`, which replace the coordinate along `axis`.
TensorId positionsAlong(GraphBuilder& build, TensorId indices, const Extents& extents, std::size_t axis) {
    const Extents own = build.extents(indices);
    const std::vector<std::int64_t> strides = stridesOf(extents);
    const std::vector<std::int64_t> ownStrides = stridesOf(own);
    std::vector<double> base;
    for (std::int64_t i = 0; i < elementCount(own); ++i) {
        std::int64_t place = 0;
        for (std::size_t d = 0; d < own.size(); ++d) {
            if (d != axis)
                place += i / ownStrides[d] % own[d] * strides[d];
        }
        base.push_back(static_cast<double>(place));
    }
    const TensorId offsets = build.constant("offsets", std::move(base), {own, DataType::Int32});
    const TensorId along =
        build.scaleShift(fromFront(build, indices, extents[axis]), static_cast<double>(strides[axis]));
    return build.binary(BinaryFunction::Add, along, offsets);
}

/// Extents of indices along an axis fit the tensor's others.
bool fitsBeside(const Extents& indices, const Extents& extents, std::int64_t axis) {
    if (indices.size() != extents.size())
        return false;
    for (std::size_t d = 0; d < extents.size(); ++d) {
        if (static_cast<std::int64_t>(d) != axis && indices[d] > extents[d])
            return false;
    }
    return true;
}

OnnxOutputs gatherElements(OnnxCall& call) {
    GraphBuilder& build = call.build;
    const auto axis = onnxAxis(call.node.integer("axis", 0), call.rank());
    if (!axis || !fitsBeside(call.extents(1), call.extents(), *axis))
        return refuseOnnx("its indices do not fit the tensor");
    const Extents extents = call.extents();
    const TensorId places = positionsAlong(build, call.input(1), extents, static_cast<std::size_t>(*axis));
    const TensorId list = build.reshape(call.input(), {elementCount(extents)});
    return one(build.add(Gather{0}, {list, places}, ""));
}

/// Index tuples [..., q] into the first axes of `extents`, as row numbers [...].
TensorId rowsOf(GraphBuilder& build, TensorId indices, const Extents& extents, std::size_t firstAxis) {
    const Extents own = build.extents(indices);
    const auto tuple = static_cast<std::size_t>(own.back());
    const auto last = static_cast<std::int64_t>(own.size()) - 1;
    Extents outer(own.begin(), own.end() - 1);
    TensorId rows = build.constant(0, outer, DataType::Int32);
    std::int64_t stride = 1;
    for (std::size_t k = tuple; k-- > 0;) {
        const std::int64_t extent = extents[firstAxis + k];
        const TensorId part =
            build.reshape(build.slice(indices, last, static_cast<std::int64_t>(k), 1), outer);
        rows = build.binary(BinaryFunction::Add, rows,
                            build.scaleShift(fromFront(build, part, extent), static_cast<double>(stride)));
        stride *= extent;
    }
    return rows;
}

OnnxOutputs gatherTuples(OnnxCall& call) {
    GraphBuilder& build = call.build;
    const std::int64_t batch = call.node.integer("batch_dims", 0);
    const Extents own = call.extents(1);
    if (own.empty() || batch < 0 || batch >= call.rank(1) || own.back() + batch > call.rank())
        return refuseOnnx("its index tuples are longer than the tensor has axes");
    const Extents extents = call.extents();
    const auto lead = static_cast<std::size_t>(batch);
    const auto tuple = static_cast<std::size_t>(own.back());
    const Extents batches(extents.begin(), extents.begin() + batch);
    if (!std::equal(batches.begin(), batches.end(), own.begin()))
        return refuseOnnx("its batch axes differ");
    const Extents rest(extents.begin() + static_cast<std::ptrdiff_t>(lead + tuple), extents.end());
    const Extents indexed(extents.begin() + batch,
                          extents.begin() + static_cast<std::ptrdiff_t>(lead + tuple));
    TensorId rows = rowsOf(build, call.input(1), extents, lead);
    if (lead > 0) {
        const Extents outer = build.extents(rows);
        const std::int64_t perBatch = elementCount({outer.begin() + batch, outer.end()});
        std::vector<double> offsets;
        for (std::int64_t i = 0; i < elementCount(outer); ++i)
            offsets.push_back(
                static_cast<double>(i / std::max<std::int64_t>(perBatch, 1) * elementCount(indexed)));
        rows = build.binary(BinaryFunction::Add, rows,
                            build.constant("offsets", std::move(offsets), {outer, DataType::Int32}));
    }
    Extents table{elementCount(batches) * elementCount(indexed)};
    table.insert(table.end(), rest.begin(), rest.end());
    return one(build.add(Gather{0}, {build.reshape(call.input(), table), rows}, ""));
}

enum class Combination : std::uint8_t { Replace, Add, Multiply, Maximum, Minimum };
std::optional<Combination> combinationOf(const OnnxCall& call) {
    const std::string name = call.node.text("reduction", "none");
    if (name == "none")
        return Combination::Replace;
    if (name == "add")
        return Combination::Add;
    if (name == "mul")
        return Combination::Multiply;
    if (name == "max")
        return Combination::Maximum;
    if (name == "min")
        return Combination::Minimum;
    return std::nullopt;
}

/// table [D, R] with updates [S, R] combined into the rows [S].
core::Result<TensorId> scatterRows(GraphBuilder& build, TensorId table, TensorId rows, TensorId updates,
                                   Combination combination) {
    const std::int64_t count = build.extents(rows)[0];
    const Extents extents = build.extents(table);
    if (count == 0)
        return table;
    if (combination == Combination::Replace) {
        std::vector<double> order(static_cast<std::size_t>(count));
        std::iota(order.begin(), order.end(), 0);
        const TensorId ones = build.constant(1, {count}, DataType::Int32);
        const TensorId from = build.constant("order", std::move(order), {{count}, DataType::Int32});
        return build.add(SequenceSlice{}, {table, updates, ones, from, rows}, "scatter");
    }
    if (combination == Combination::Add) {
        const TensorId sums = build.add(GatherGradient{{}, extents[0]}, {rows, updates}, "scatter_add");
        return build.binary(BinaryFunction::Add, table, sums);
    }
    constexpr std::int64_t most = std::int64_t{1} << 28;
    if (count * extents[0] > most / std::max<std::int64_t>(extents[1], 1))
        return refuseOnnx("combines too many elements");
    const bool isProduct = combination == Combination::Multiply;
    const bool isMaximum = combination == Combination::Maximum;
    const double neutral = isProduct ? 1 : isMaximum ? -3.4e38 : 3.4e38;
    const TensorId hot = build.reshape(build.cast(build.add(OneHot{extents[0]}, {rows}, ""), DataType::Bool),
                                       {count, extents[0], 1});
    const TensorId spread = build.reshape(updates, {count, 1, extents[1]});
    const TensorId candidates =
        build.add(Select{}, {hot, spread, build.constant(neutral, {}, build.type(updates))}, "");
    const TensorId best = build.reduce(isProduct   ? ReduceFunction::Product
                                       : isMaximum ? ReduceFunction::Maximum
                                                   : ReduceFunction::Minimum,
                                       candidates, {0}, false);
    return build.binary(isProduct   ? BinaryFunction::Multiply
                        : isMaximum ? BinaryFunction::Maximum
                                    : BinaryFunction::Minimum,
                        table, best);
}

OnnxOutputs scatterElements(OnnxCall& call) {
    GraphBuilder& build = call.build;
    const auto axis = onnxAxis(call.node.integer("axis", 0), call.rank());
    const auto combination = combinationOf(call);
    if (!axis || !combination || call.extents(1) != call.extents(2) ||
        !fitsBeside(call.extents(1), call.extents(), *axis))
        return refuseOnnx("its indices do not fit the tensor");
    const Extents extents = call.extents();
    const std::int64_t count = elementCount(call.extents(1));
    const TensorId places = build.reshape(
        positionsAlong(build, call.input(1), extents, static_cast<std::size_t>(*axis)), {count});
    const auto y = scatterRows(build, build.reshape(call.input(), {elementCount(extents), 1}), places,
                               build.reshape(call.input(2), {count, 1}), *combination);
    return y ? one(build.reshape(*y, extents)) : core::failure(y.error());
}

OnnxOutputs scatterTuples(OnnxCall& call) {
    GraphBuilder& build = call.build;
    const auto combination = combinationOf(call);
    const Extents extents = call.extents();
    const Extents own = call.extents(1);
    if (own.empty() || own.back() > call.rank() || !combination)
        return refuseOnnx("its index tuples are longer than the tensor has axes");
    const auto tuple = static_cast<std::ptrdiff_t>(own.back());
    const std::int64_t rows = elementCount({extents.begin(), extents.begin() + tuple});
    const std::int64_t inner = elementCount({extents.begin() + tuple, extents.end()});
    const std::int64_t count = elementCount({own.begin(), own.end() - 1});
    if (elementCount(call.extents(2)) != count * inner)
        return refuseOnnx("its updates do not fit its indices");
    const TensorId places = build.reshape(rowsOf(build, call.input(1), extents, 0), {count});
    const auto y = scatterRows(build, build.reshape(call.input(), {rows, inner}), places,
                               build.reshape(call.input(2), {count, inner}), *combination);
    return y ? one(build.reshape(*y, extents)) : core::failure(y.error());
}

/// x with its last axis moved to `axis`.
TensorId lastTo(GraphBuilder& build, TensorId x, std::int64_t axis) {
    std::vector<std::int64_t> permutation(build.rank(x));
    std::iota(permutation.begin(), permutation.end(), 0);
    const std::int64_t last = permutation.back();
    permutation.pop_back();
    permutation.insert(permutation.begin() + axis, last);
    return build.transpose(x, std::move(permutation));
}

/// x with `axis` moved to the end.
TensorId toLast(GraphBuilder& build, TensorId x, std::int64_t axis) {
    std::vector<std::int64_t> permutation(build.rank(x));
    std::iota(permutation.begin(), permutation.end(), 0);
    permutation.erase(permutation.begin() + axis);
    permutation.push_back(axis);
    return build.transpose(x, std::move(permutation));
}

OnnxOutputs oneHot(OnnxCall& call) {
    GraphBuilder& build = call.build;
    const auto depths = call.integers(1);
    constexpr std::int64_t deepest = 1 << 24;
    if (!depths || depths->size() != 1)
        return refuseUnknown(call, "depth");
    const std::int64_t depth = depths->front();
    const auto axis = onnxAxis(call.node.integer("axis", -1), call.rank() + 1);
    if (!axis || depth < 1 || depth > deepest || call.extents(2) != Extents{2})
        return refuseOnnx("takes a depth, an axis and two values");
    const auto valueType = call.type(2);
    const TensorId hot = build.add(OneHot{depth}, {fromFront(build, call.input(0), depth)}, "");
    const TensorId isHot =
        build.binary(BinaryFunction::NotEqual, hot, build.constant(0, {}, build.type(hot)));
    const auto value = [&](std::int64_t which) {
        return build.reshape(build.slice(call.input(2), 0, which, 1), {});
    };
    const TensorId y =
        build.addAs(Select{}, {isHot, value(1), value(0)}, "", {build.extents(isHot), valueType});
    return one(lastTo(build, y, *axis));
}

OnnxOutputs topK(OnnxCall& call) {
    GraphBuilder& build = call.build;
    const auto counts =
        call.opset >= 10 ? call.integers(1) : std::optional(std::vector{call.node.integer("k", 1)});
    const auto axis = onnxAxis(call.node.integer("axis", -1), call.rank());
    if (!counts || counts->size() != 1)
        return refuseUnknown(call, "K");
    if (!axis || counts->front() < 1 || counts->front() > call.extents()[static_cast<std::size_t>(*axis)])
        return refuseOnnx("asks for more elements than the tensor has");
    const bool isSmallest = call.node.integer("largest", 1) == 0;
    TensorId x = toLast(build, call.input(), *axis);
    if (isSmallest)
        x = build.unary(UnaryFunction::Negate, x);
    const auto best = build.addAll(TopK{counts->front()}, {x}, "");
    const TensorId values = isSmallest ? build.unary(UnaryFunction::Negate, best[0]) : best[0];
    return std::vector{lastTo(build, values, *axis), lastTo(build, best[1], *axis)};
}

/// The slices whose condition holds.
OnnxOutputs compress(OnnxCall& call) {
    GraphBuilder& build = call.build;
    const auto condition = call.numbers(1);
    if (!condition)
        return refuseUnknown(call, "condition");
    const bool isFlat = call.node.attribute("axis") == nullptr;
    const auto axis =
        isFlat ? std::optional<std::int64_t>(0) : onnxAxis(call.node.integer("axis", 0), call.rank());
    if (!axis)
        return refuseOnnx("its axis lies outside the tensor");
    const TensorId x = isFlat ? build.reshape(call.input(), {elementCount(call.extents())}) : call.input();
    const std::int64_t extent = build.extents(x)[static_cast<std::size_t>(*axis)];
    std::vector<double> kept;
    for (std::size_t i = 0; i < condition->size() && static_cast<std::int64_t>(i) < extent; ++i) {
        if ((*condition)[i] != 0)
            kept.push_back(static_cast<double>(i));
    }
    if (kept.empty())
        return refuseOnnx("keeps nothing");
    const Extents count{static_cast<std::int64_t>(kept.size())};
    return one(
        build.add(Gather{*axis}, {x, build.constant("kept", std::move(kept), {count, DataType::Int32})}, ""));
}

constexpr OnnxEntry indexingNodes[]{
    {"Compress", compress},
    {"Gather", gather},
    {"GatherElements", gatherElements},
    {"GatherND", gatherTuples},
    {"OneHot", oneHot},
    {"Scatter", scatterElements},
    {"ScatterElements", scatterElements},
    {"ScatterND", scatterTuples},
    {"TopK", topK},
};

} // namespace

std::span<const OnnxEntry> onnxIndexing() {
    return indexingNodes;
}

} // namespace simulator
