// Operations that move, repeat and rearrange elements.
#include "simulator/compiler/lowering/onnx/onnx_call.h"

#include <algorithm>
#include <fmt/format.h>
#include <limits>
#include <numeric>

namespace simulator {
namespace {

using core::TensorId;

constexpr std::int64_t mostMovedElements = std::int64_t{1} << 36;

/// A product that stays far below 63 bits.
bool isSane(const Extents& extents) {
    std::int64_t count = 1;
    for (const std::int64_t extent : extents) {
        if (extent < 0 || (extent != 0 && count > mostMovedElements / extent))
            return false;
        count *= extent;
    }
    return true;
}

OnnxOutputs reshape(OnnxCall& call) {
    auto target = call.setting("shape", 1);
    if (!target)
        return refuseUnknown(call, "shape");
    const bool keepsZeros = call.node.integer("allowzero", 0) != 0;
    std::int64_t fixed = 1;
    for (std::size_t i = 0; i < target->size(); ++i) {
        std::int64_t& extent = (*target)[i];
        if (extent == 0 && !keepsZeros && static_cast<std::int64_t>(i) < call.rank())
            extent = call.extents()[i];
        if (extent > mostMovedElements || (extent > 0 && fixed > mostMovedElements / extent))
            return refuseOnnx("its shape is too large");
        fixed *= extent < 0 ? 1 : extent;
    }
    const std::int64_t count = elementCount(call.extents());
    for (std::int64_t& extent : *target) {
        if (extent < 0)
            extent = fixed == 0 ? 0 : count / fixed;
    }
    if (!isSane(*target) || elementCount(*target) != count)
        return refuseOnnx(fmt::format("cannot arrange {} elements as asked", count));
    return one(call.build.reshape(call.input(), *target));
}

OnnxOutputs flatten(OnnxCall& call) {
    const std::int64_t given = call.node.integer("axis", 1);
    const std::int64_t axis = given < 0 ? given + call.rank() : given;
    if (axis < 0 || axis > call.rank())
        return refuseOnnx("its axis lies outside the tensor");
    const Extents extents = call.extents();
    const Extents rows(extents.begin(), extents.begin() + axis);
    const Extents columns(extents.begin() + axis, extents.end());
    return one(call.build.reshape(call.input(), {elementCount(rows), elementCount(columns)}));
}

OnnxOutputs squeeze(OnnxCall& call) {
    const auto given = call.setting("axes", 1);
    if (!given)
        return refuseUnknown(call, "axes");
    const auto axes = onnxAxes(*given, call.rank());
    if (!axes)
        return refuseOnnx("an axis lies outside the tensor");
    Extents extents;
    for (std::int64_t i = 0; i < call.rank(); ++i) {
        const std::int64_t extent = call.extents()[static_cast<std::size_t>(i)];
        const bool isNamed = axes->empty() ? extent == 1 : std::ranges::binary_search(*axes, i);
        if (isNamed && extent != 1)
            return refuseOnnx("drops an axis that has more than one element");
        if (!isNamed)
            extents.push_back(extent);
    }
    return one(call.build.reshape(call.input(), std::move(extents)));
}

OnnxOutputs unsqueeze(OnnxCall& call) {
    const auto given = call.setting("axes", 1);
    if (!given)
        return refuseUnknown(call, "axes");
    const auto axes = onnxAxes(*given, call.rank() + static_cast<std::int64_t>(given->size()));
    if (!axes || axes->size() != given->size())
        return refuseOnnx("an axis lies outside the tensor");
    Extents extents = call.extents();
    for (const std::int64_t axis : *axes)
        extents.insert(extents.begin() + axis, 1);
    return one(call.build.reshape(call.input(), std::move(extents)));
}

OnnxOutputs transpose(OnnxCall& call) {
    std::vector<std::int64_t> order = call.node.integers("perm");
    if (order.empty()) {
        order.resize(static_cast<std::size_t>(call.rank()));
        std::iota(order.rbegin(), order.rend(), 0);
    }
    std::vector<std::int64_t> sorted = order;
    std::ranges::sort(sorted);
    bool isPermutation = static_cast<std::int64_t>(order.size()) == call.rank();
    for (std::size_t i = 0; isPermutation && i < sorted.size(); ++i)
        isPermutation = sorted[i] == static_cast<std::int64_t>(i);
    if (!isPermutation)
        return refuseOnnx("perm names each axis once");
    return one(call.build.transpose(call.input(), std::move(order)));
}

OnnxOutputs concatenate(OnnxCall& call) {
    const auto axis = onnxAxis(call.node.integer("axis", 1), call.rank());
    if (!axis)
        return refuseOnnx("its axis lies outside the tensor");
    std::vector<TensorId> parts;
    for (std::size_t i = 0; i < call.inputs.size(); ++i) {
        Extents own = call.extents(i);
        if (own.size() == call.extents().size())
            own[static_cast<std::size_t>(*axis)] = call.extents()[static_cast<std::size_t>(*axis)];
        if (own != call.extents())
            return refuseOnnx("its operands' extents do not fit");
        if (call.extents(i)[static_cast<std::size_t>(*axis)] != 0)
            parts.push_back(call.input(i));
    }
    return one(parts.empty() ? call.input() : call.build.concatenate(std::move(parts), *axis));
}

OnnxOutputs split(OnnxCall& call) {
    const auto axis = onnxAxis(call.node.integer("axis", 0), call.rank());
    auto sizes = call.setting("split", 1);
    if (!axis)
        return refuseOnnx("its axis lies outside the tensor");
    if (!sizes)
        return refuseUnknown(call, "split");
    const std::int64_t extent = call.extents()[static_cast<std::size_t>(*axis)];
    if (sizes->empty()) {
        const std::int64_t parts = call.node.integer("num_outputs", std::ssize(call.node.outputs));
        const std::int64_t each = (extent + parts - 1) / parts;
        for (std::int64_t i = 0; i < parts; ++i)
            sizes->push_back(std::clamp<std::int64_t>(extent - i * each, 0, each));
    }
    std::vector<TensorId> outputs;
    std::int64_t begin = 0;
    for (const std::int64_t size : *sizes) {
        if (size < 0 || begin + size > extent)
            return refuseOnnx("its parts are longer than the tensor");
        outputs.push_back(call.build.slice(call.input(), *axis, begin, size));
        begin += size;
    }
    return outputs;
}

/// Bounds of a slice along one axis, as NumPy takes them.
struct SliceRange {
    std::int64_t begin = 0;
    std::int64_t count = 0;
    std::int64_t step = 1;
};
SliceRange rangeOf(std::int64_t start, std::int64_t end, std::int64_t step, std::int64_t extent) {
    const auto place = [&](std::int64_t value) {
        const std::int64_t low = step > 0 ? 0 : -1;
        const std::int64_t high = step > 0 ? extent : extent - 1;
        return std::clamp(value < 0 ? value + extent : value, low, std::max(low, high));
    };
    const std::int64_t begin = place(start);
    // The smallest numbers ask for everything down to the first element.
    const std::int64_t stop = step < 0 && end < -extent ? -1 : place(end);
    const std::int64_t distance = step > 0 ? stop - begin : begin - stop;
    const std::int64_t size = step > 0 ? step : -step;
    return distance <= 0 ? SliceRange{0, 0, 1} : SliceRange{begin, (distance - 1) / size + 1, step};
}

OnnxOutputs slice(OnnxCall& call) {
    const bool hasInputs = call.opset >= 10;
    const auto starts = hasInputs ? call.integers(1) : std::optional(call.node.integers("starts"));
    const auto ends = hasInputs ? call.integers(2) : std::optional(call.node.integers("ends"));
    auto axes = call.setting("axes", 3);
    auto steps = call.has(4) ? call.integers(4) : std::optional(std::vector<std::int64_t>{});
    if (!starts || !ends || !axes || !steps)
        return refuseUnknown(call, "bounds");
    if (axes->empty()) {
        axes->resize(starts->size());
        std::iota(axes->begin(), axes->end(), 0);
    }
    if (steps->empty())
        steps->assign(starts->size(), 1);
    if (ends->size() != starts->size() || axes->size() != starts->size() || steps->size() != starts->size())
        return refuseOnnx("its bounds differ in length");
    TensorId x = call.input();
    for (std::size_t i = 0; i < starts->size(); ++i) {
        const auto axis = onnxAxis((*axes)[i], call.rank());
        constexpr std::int64_t smallest = std::numeric_limits<std::int64_t>::min();
        if (!axis || (*steps)[i] == 0 || (*steps)[i] == smallest)
            return refuseOnnx("an axis lies outside the tensor or a step is 0");
        const std::int64_t extent = call.build.extents(x)[static_cast<std::size_t>(*axis)];
        const SliceRange range = rangeOf((*starts)[i], (*ends)[i], (*steps)[i], extent);
        x = call.build.slice(x, *axis, range.begin, range.count, range.step);
    }
    return one(x);
}

/// Padding by copies of the other end.
TensorId wrapAround(GraphBuilder& build, TensorId x, std::int64_t axis, std::int64_t low, std::int64_t high) {
    const std::int64_t extent = build.extents(x)[static_cast<std::size_t>(axis)];
    std::vector<TensorId> parts;
    for (std::int64_t rest = low; rest > 0; rest -= extent) {
        const std::int64_t count = std::min(rest, extent);
        parts.insert(parts.begin(), build.slice(x, axis, extent - count, count));
    }
    parts.push_back(x);
    for (std::int64_t rest = high; rest > 0; rest -= extent)
        parts.push_back(build.slice(x, axis, 0, std::min(rest, extent)));
    return build.concatenate(std::move(parts), axis);
}

OnnxOutputs pad(OnnxCall& call) {
    GraphBuilder& build = call.build;
    auto amounts = call.opset >= 11 ? call.integers(1)
                                    : std::optional(call.node.integers(call.opset < 2 ? "paddings" : "pads"));
    if (!amounts)
        return refuseUnknown(call, "pads");
    std::vector<std::int64_t> axes(static_cast<std::size_t>(call.rank()));
    std::iota(axes.begin(), axes.end(), 0);
    if (call.has(3)) {
        const auto given = call.integers(3);
        if (!given)
            return refuseUnknown(call, "axes");
        axes.clear();
        for (const std::int64_t axis : *given) {
            const auto place = onnxAxis(axis, call.rank());
            if (!place)
                return refuseOnnx("an axis lies outside the tensor");
            axes.push_back(*place);
        }
    }
    if (amounts->size() != 2 * axes.size())
        return refuseOnnx("pads needs two numbers per axis");
    const std::string mode = call.node.text("mode", "constant");
    double value = call.node.number("value", 0);
    if (call.has(2)) {
        const auto given = call.numbers(2);
        if (!given || given->size() != 1)
            return refuseUnknown(call, "constant_value");
        value = given->front();
    }
    Pad attributes{Extents(static_cast<std::size_t>(call.rank()), 0),
                   Extents(static_cast<std::size_t>(call.rank()), 0),
                   {},
                   mode == "reflect" ? PadMode::Reflect
                   : mode == "edge"  ? PadMode::Edge
                                     : PadMode::Constant,
                   value};
    Extents result = call.extents();
    for (std::size_t i = 0; i < axes.size(); ++i) {
        const auto axis = static_cast<std::size_t>(axes[i]);
        attributes.low[axis] = (*amounts)[i];
        attributes.high[axis] = (*amounts)[axes.size() + i];
        const std::int64_t extent = result[axis];
        const std::int64_t most = std::max(attributes.low[axis], attributes.high[axis]);
        if (most > mostMovedElements || (mode == "reflect" && most >= std::max<std::int64_t>(extent, 1)) ||
            (mode != "constant" && most > 0 && extent == 0))
            return refuseOnnx("pads more than the tensor has");
        result[axis] += attributes.low[axis] + attributes.high[axis];
    }
    if (!isSane(result))
        return refuseOnnx("crops more than the tensor has");
    if (mode != "wrap")
        return one(build.add(attributes, {call.input()}, ""));
    TensorId x = call.input();
    for (std::int64_t axis = 0; axis < call.rank(); ++axis)
        x = wrapAround(build, x, axis, attributes.low[static_cast<std::size_t>(axis)],
                       attributes.high[static_cast<std::size_t>(axis)]);
    return one(x);
}

OnnxOutputs expand(OnnxCall& call) {
    const auto target = call.integers(1);
    if (!target)
        return refuseUnknown(call, "shape");
    if (!isSane(*target))
        return refuseOnnx("its shape is too large");
    const auto extents = commonExtents(call.extents(), *target);
    if (!extents || !isSane(*extents))
        return refuseOnnx("its extents do not fit");
    return one(call.build.broadcast(call.input(), *extents));
}

OnnxOutputs tile(OnnxCall& call) {
    GraphBuilder& build = call.build;
    auto counts = call.integers(1);
    if (!counts)
        return refuseUnknown(call, "repeats");
    if (call.opset < 6) {
        const auto axis = call.integers(2);
        if (!axis || axis->size() != 1 || counts->size() != 1 || !onnxAxis(axis->front(), call.rank()))
            return refuseUnknown(call, "axis");
        std::vector<std::int64_t> all(static_cast<std::size_t>(call.rank()), 1);
        all[static_cast<std::size_t>(*onnxAxis(axis->front(), call.rank()))] = counts->front();
        counts = all;
    }
    if (static_cast<std::int64_t>(counts->size()) != call.rank() || !isSane(*counts))
        return refuseOnnx("repeats needs one number per axis");
    // [a, b] → [1, a, 1, b] → [m, a, n, b] → [m·a, n·b].
    Extents split;
    Extents spread;
    Extents joined;
    for (std::size_t i = 0; i < counts->size(); ++i) {
        split.insert(split.end(), {1, call.extents()[i]});
        spread.insert(spread.end(), {(*counts)[i], call.extents()[i]});
        joined.push_back((*counts)[i] * call.extents()[i]);
    }
    if (!isSane(spread))
        return refuseOnnx("its result is too large");
    return one(build.reshape(build.broadcast(build.reshape(call.input(), split), spread), joined));
}

OnnxOutputs depthToSpace(OnnxCall& call) {
    GraphBuilder& build = call.build;
    const std::int64_t block = call.node.integer("blocksize", 0);
    if (call.rank() != 4 || block < 1 || block > 65536 || call.extents()[1] % (block * block) != 0)
        return refuseOnnx("its channels do not divide into blocks");
    const Extents e = call.extents();
    const std::int64_t channels = e[1] / (block * block);
    const bool isColumnRow = call.node.text("mode", "DCR") == "CRD";
    const TensorId open =
        build.reshape(call.input(), isColumnRow ? Extents{e[0], channels, block, block, e[2], e[3]}
                                                : Extents{e[0], block, block, channels, e[2], e[3]});
    const TensorId moved = build.transpose(open, isColumnRow ? std::vector<std::int64_t>{0, 1, 4, 2, 5, 3}
                                                             : std::vector<std::int64_t>{0, 3, 4, 1, 5, 2});
    return one(build.reshape(moved, {e[0], channels, e[2] * block, e[3] * block}));
}

OnnxOutputs spaceToDepth(OnnxCall& call) {
    GraphBuilder& build = call.build;
    const std::int64_t block = call.node.integer("blocksize", 0);
    if (call.rank() != 4 || block < 1 || call.extents()[2] % block != 0 || call.extents()[3] % block != 0)
        return refuseOnnx("its field does not divide into blocks");
    const Extents e = call.extents();
    const TensorId open = build.reshape(call.input(), {e[0], e[1], e[2] / block, block, e[3] / block, block});
    return one(build.reshape(build.transpose(open, {0, 3, 5, 1, 2, 4}),
                             {e[0], e[1] * block * block, e[2] / block, e[3] / block}));
}

/// Without training it passes its input on and keeps everything.
OnnxOutputs dropout(OnnxCall& call) {
    GraphBuilder& build = call.build;
    double rate = call.node.number("ratio", 0.5);
    bool trains = call.opset < 7 && call.node.integer("is_test", 0) == 0 && call.opset < 6;
    if (call.has(1)) {
        const auto given = call.numbers(1);
        if (!given || given->empty())
            return refuseUnknown(call, "ratio");
        rate = given->front();
    }
    if (call.has(2)) {
        const auto given = call.numbers(2);
        if (!given || given->empty())
            return refuseUnknown(call, "training_mode");
        trains = given->front() != 0;
    }
    const auto maskType = call.opset >= 10 ? core::DataType::Bool : call.type();
    if (!trains || rate <= 0)
        return std::vector{call.input(), build.broadcast(build.constant(1, {}, maskType), call.extents())};
    if (rate >= 1)
        return refuseOnnx("drops everything");
    const auto seed = static_cast<std::uint64_t>(call.node.integer("seed", 0));
    const Dropout dropout{rate, {}, seed, call.stream};
    const TensorId dropped = build.add(dropout, {call.input()}, "");
    const TensorId zero = build.constant(0, {}, call.type());
    const TensorId factors = build.add(dropout, {build.constant(1, call.extents(), call.type())}, "factors");
    return std::vector{dropped, build.cast(build.binary(BinaryFunction::NotEqual, factors, zero), maskType)};
}

/// The first `lengths` steps of each sequence turned round.
OnnxOutputs reverseSequence(OnnxCall& call) {
    GraphBuilder& build = call.build;
    const std::int64_t batchAxis = call.node.integer("batch_axis", 1);
    const std::int64_t timeAxis = call.node.integer("time_axis", 0);
    const auto lengths = call.integers(1);
    if (!lengths)
        return refuseUnknown(call, "lengths");
    if (batchAxis + timeAxis != 1 || batchAxis < 0 || batchAxis > 1 || call.rank() < 2 ||
        static_cast<std::int64_t>(lengths->size()) != call.extents()[static_cast<std::size_t>(batchAxis)])
        return refuseOnnx("its axes must be the first two");
    const std::int64_t steps = call.extents()[static_cast<std::size_t>(timeAxis)];
    std::vector<TensorId> samples;
    for (std::size_t i = 0; i < lengths->size(); ++i) {
        const TensorId sample = build.slice(call.input(), batchAxis, static_cast<std::int64_t>(i), 1);
        const std::int64_t length = std::clamp<std::int64_t>((*lengths)[i], 0, steps);
        std::vector<TensorId> parts;
        if (length > 0)
            parts.push_back(build.slice(sample, timeAxis, length - 1, length, -1));
        if (length < steps)
            parts.push_back(build.slice(sample, timeAxis, length, steps - length));
        samples.push_back(build.concatenate(std::move(parts), timeAxis));
    }
    return one(build.concatenate(std::move(samples), batchAxis));
}

/// The upper or lower triangle, zero elsewhere.
OnnxOutputs triangle(OnnxCall& call) {
    GraphBuilder& build = call.build;
    if (call.rank() < 2)
        return refuseOnnx("takes matrices");
    std::int64_t diagonal = 0;
    if (call.has(1)) {
        const auto given = call.integers(1);
        if (!given || given->empty())
            return refuseUnknown(call, "diagonal");
        diagonal = given->front();
    }
    const bool isUpper = call.node.integer("upper", 1) != 0;
    const std::int64_t rows = call.extents()[static_cast<std::size_t>(call.rank() - 2)];
    const std::int64_t columns = call.extents().back();
    std::vector<double> mask;
    for (std::int64_t i = 0; i < rows; ++i) {
        for (std::int64_t j = 0; j < columns; ++j)
            mask.push_back((isUpper ? j - i >= diagonal : j - i <= diagonal) ? 1 : 0);
    }
    if (mask.empty())
        return one(call.input());
    const TensorId kept =
        build.constant("triangle", std::move(mask), {{rows, columns}, core::DataType::Bool});
    return one(build.add(Select{}, {kept, call.input(), call.scalar(0)}, ""));
}

constexpr OnnxEntry movementNodes[]{
    {"Concat", concatenate}, {"DepthToSpace", depthToSpace},
    {"Dropout", dropout},    {"Expand", expand},
    {"Flatten", flatten},    {"Pad", pad},
    {"Reshape", reshape},    {"ReverseSequence", reverseSequence},
    {"Slice", slice},        {"SpaceToDepth", spaceToDepth},
    {"Split", split},        {"Squeeze", squeeze},
    {"Tile", tile},          {"Transpose", transpose},
    {"Trilu", triangle},     {"Unsqueeze", unsqueeze},
};

} // namespace

std::span<const OnnxEntry> onnxMovements() {
    return movementNodes;
}

} // namespace simulator
