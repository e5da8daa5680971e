// Operators that move, repeat and rearrange elements.
#include "core/model/onnx/onnx_operator.h"

#include <algorithm>
#include <fmt/format.h>
#include <limits>
#include <numeric>

namespace core {

namespace {

using Call = OnnxOperatorCall;
using Facts = RuleResult<OnnxFacts>;
using Integers = std::vector<std::int64_t>;

Facts moved(const Call& call, OnnxExtents extents) {
    return onnxOutput(std::move(extents), call.type());
}

/// Extents that a shape asks for: none negative, few enough elements.
bool isSane(const OnnxExtents& extents) {
    constexpr std::int64_t most = std::int64_t{1} << 50;
    const Count count = elementsOf(extents);
    return count.isKnown() && count.value() <= most &&
           std::ranges::all_of(extents, [](std::int64_t extent) { return extent >= 0; });
}

Facts reshaped(const Call& call) {
    auto target = call.setting("shape", 1);
    if (!target)
        return refuseUnknownValue(call, "shape");
    const bool keepsZeros = call.node.integer("allowzero", 0) != 0;
    Count fixed = 1;
    for (std::size_t i = 0; i < target->size(); ++i) {
        std::int64_t& extent = (*target)[i];
        if (extent == 0 && !keepsZeros && static_cast<std::int64_t>(i) < call.rank())
            extent = call.extents()[i];
        fixed *= Count(extent < 0 ? 1 : extent);
    }
    const Count count = elementsOf(call.extents());
    if (fixed.isKnown() && count.isKnown()) {
        for (std::int64_t& extent : *target)
            extent = extent < 0 ? (fixed.value() == 0 ? 0 : count.value() / fixed.value()) : extent;
    }
    if (!isSane(*target) || elementsOf(*target) != count)
        return refuse(fmt::format("arranges {} elements as others", count.known().value_or(0)),
                      "give a shape of as many elements");
    return moved(call, std::move(*target));
}

Facts flattened(const Call& call) {
    const std::int64_t given = call.node.integer("axis", 1);
    const std::int64_t axis = given < 0 ? given + call.rank() : given;
    if (axis < 0 || axis > call.rank())
        return refuse("flattens at an axis outside the tensor", "name an axis of it", "attributes");
    const auto middle = call.extents().begin() + axis;
    const Count rows = elementsOf({call.extents().begin(), middle});
    const Count columns = elementsOf({middle, call.extents().end()});
    return moved(call, {rows.known().value_or(0), columns.known().value_or(0)});
}

Facts squeezed(const Call& call) {
    const auto given = call.setting("axes", 1);
    if (!given)
        return refuseUnknownValue(call, "axes");
    const auto axes = onnxAxesOf(*given, call.rank());
    if (!axes)
        return tl::unexpected(axes.error());
    OnnxExtents extents;
    for (std::size_t i = 0; i < call.extents().size(); ++i) {
        const std::int64_t extent = call.extents()[i];
        const bool isNamed = axes->empty() ? extent == 1 : std::ranges::binary_search(*axes, i);
        if (isNamed && extent != 1)
            return refuse(fmt::format("drops an axis of {} elements", extent), "drop axes of one element");
        if (!isNamed)
            extents.push_back(extent);
    }
    return moved(call, std::move(extents));
}

Facts unsqueezed(const Call& call) {
    const auto given = call.setting("axes", 1);
    if (!given)
        return refuseUnknownValue(call, "axes");
    const auto axes = onnxAxesOf(*given, call.rank() + std::ssize(*given));
    if (!axes)
        return tl::unexpected(axes.error());
    OnnxExtents extents = call.extents();
    for (const std::size_t axis : *axes) {
        if (axis > extents.size())
            return refuse("names an axis twice", "name each once");
        extents.insert(extents.begin() + static_cast<std::ptrdiff_t>(axis), 1);
    }
    return moved(call, std::move(extents));
}

Facts transposed(const Call& call) {
    Integers order = call.node.integers("perm");
    if (order.empty()) {
        order.resize(call.extents().size());
        std::iota(order.rbegin(), order.rend(), 0);
    }
    Integers sorted = order;
    std::ranges::sort(sorted);
    bool isPermutation = order.size() == call.extents().size();
    for (std::size_t i = 0; isPermutation && i < sorted.size(); ++i)
        isPermutation = sorted[i] == static_cast<std::int64_t>(i);
    if (!isPermutation)
        return refuse("has a perm that is no order of its axes", "name each axis once", "attributes");
    OnnxExtents extents;
    for (const std::int64_t axis : order)
        extents.push_back(call.extents()[static_cast<std::size_t>(axis)]);
    return moved(call, std::move(extents));
}

Facts concatenated(const Call& call) {
    const auto axis = onnxAxisOf(call.node.integer("axis", 1), call.rank());
    if (!axis)
        return tl::unexpected(axis.error());
    OnnxExtents extents = call.extents();
    extents[*axis] = 0;
    for (std::size_t i = 0; i < call.inputs.size(); ++i) {
        OnnxExtents own = call.has(i) ? call.extents(i) : OnnxExtents{};
        if (own.size() != extents.size())
            return refuse("joins tensors of different rank", "give them equal ranks");
        const std::int64_t added = own[*axis];
        own[*axis] = extents[*axis];
        if (own != extents)
            return refuse("joins tensors whose other extents differ", "give them equal extents");
        extents[*axis] += added;
    }
    return moved(call, std::move(extents));
}

Facts divided(const Call& call) {
    const auto axis = onnxAxisOf(call.node.integer("axis", 0), call.rank());
    auto sizes = call.setting("split", 1);
    if (!axis)
        return tl::unexpected(axis.error());
    if (!sizes)
        return refuseUnknownValue(call, "split");
    const std::int64_t extent = call.extents()[*axis];
    const std::int64_t parts = call.node.integer("num_outputs", std::ssize(call.node.outputs));
    if (parts < 1 || parts > extent + 1)
        return refuse(fmt::format("cuts {} elements into {} parts", extent, parts), "ask for fewer parts",
                      "attributes");
    if (sizes->empty()) {
        const std::int64_t each = (extent + parts - 1) / parts;
        for (std::int64_t i = 0; i < parts; ++i)
            sizes->push_back(std::clamp<std::int64_t>(extent - i * each, 0, each));
    }
    OnnxFacts facts;
    std::int64_t end = 0;
    for (const std::int64_t size : *sizes) {
        OnnxExtents part = call.extents();
        part[*axis] = size;
        end += size;
        if (size < 0 || end > extent)
            return refuse(fmt::format("cuts {} elements into longer parts", extent),
                          "make the parts shorter");
        facts.outputs.push_back({std::move(part), call.type()});
    }
    return facts;
}

/// Elements of a slice along one axis, as NumPy counts them.
std::int64_t sliceCount(std::int64_t start, std::int64_t end, std::int64_t step, std::int64_t extent) {
    const auto place = [&](std::int64_t value) {
        const std::int64_t low = step > 0 ? 0 : -1;
        const std::int64_t high = step > 0 ? extent : extent - 1;
        return std::clamp(value < 0 ? value + extent : value, low, std::max(low, high));
    };
    const std::int64_t begin = place(start);
    // The smallest numbers ask for everything down to the first element.
    const std::int64_t stop = step < 0 && end < -extent ? -1 : place(end);
    const std::int64_t distance = step > 0 ? stop - begin : begin - stop;
    return distance <= 0 ? 0 : (distance - 1) / (step > 0 ? step : -step) + 1;
}

Facts sliced(const Call& call) {
    const bool hasInputs = call.opset >= 10;
    const auto starts = hasInputs ? call.integers(1) : std::optional(call.node.integers("starts"));
    const auto ends = hasInputs ? call.integers(2) : std::optional(call.node.integers("ends"));
    auto axes = call.setting("axes", 3);
    auto steps = call.has(4) ? call.integers(4) : std::optional(Integers{});
    if (!starts || !ends || !axes || !steps)
        return refuseUnknownValue(call, "bounds");
    if (axes->empty()) {
        axes->resize(starts->size());
        std::iota(axes->begin(), axes->end(), 0);
    }
    if (steps->empty())
        steps->assign(starts->size(), 1);
    if (ends->size() != starts->size() || axes->size() != starts->size() || steps->size() != starts->size())
        return refuse("has bounds of different length", "give a start and an end for each axis");
    OnnxExtents extents = call.extents();
    for (std::size_t i = 0; i < starts->size(); ++i) {
        const auto axis = onnxAxisOf((*axes)[i], call.rank());
        if (!axis)
            return tl::unexpected(axis.error());
        if ((*steps)[i] == 0 || (*steps)[i] == std::numeric_limits<std::int64_t>::min())
            return refuse("has a step of 0", "give another step");
        extents[*axis] = sliceCount((*starts)[i], (*ends)[i], (*steps)[i], extents[*axis]);
    }
    return moved(call, std::move(extents));
}

Facts padded(const Call& call) {
    const auto amounts = call.opset >= 11
                             ? call.integers(1)
                             : std::optional(call.node.integers(call.opset < 2 ? "paddings" : "pads"));
    const auto given = call.has(3) ? call.integers(3) : std::optional(Integers{});
    if (!amounts || !given)
        return refuseUnknownValue(call, "pads");
    std::vector<std::size_t> axes(call.extents().size());
    std::iota(axes.begin(), axes.end(), std::size_t{0});
    if (call.has(3)) {
        axes.clear();
        for (const std::int64_t axis : *given) {
            const auto place = onnxAxisOf(axis, call.rank());
            if (!place)
                return tl::unexpected(place.error());
            axes.push_back(*place);
        }
    }
    if (amounts->size() != 2 * axes.size())
        return refuse("has pads that do not fit", "give two numbers for each axis");
    OnnxExtents extents = call.extents();
    for (std::size_t i = 0; i < axes.size(); ++i)
        extents[axes[i]] += (*amounts)[i] + (*amounts)[axes.size() + i];
    if (!isSane(extents))
        return refuse("crops more than the tensor has", "crop less");
    return moved(call, std::move(extents));
}

Facts expanded(const Call& call) {
    const auto target = call.integers(1);
    if (!target)
        return refuseUnknownValue(call, "shape");
    if (!isSane(*target))
        return refuse("has a shape that no tensor has", "give extents of 0 or more");
    auto extents = onnxBroadcast(call.extents(), *target);
    return extents ? moved(call, std::move(*extents)) : Facts(tl::unexpected(extents.error()));
}

Facts tiled(const Call& call) {
    auto counts = call.integers(1);
    if (!counts)
        return refuseUnknownValue(call, "repeats");
    if (call.opset < 6) {
        const auto axis = call.integers(2);
        if (!axis || axis->size() != 1 || counts->size() != 1)
            return refuseUnknownValue(call, "axis");
        const auto place = onnxAxisOf(axis->front(), call.rank());
        if (!place)
            return tl::unexpected(place.error());
        Integers all(call.extents().size(), 1);
        all[*place] = counts->front();
        counts = all;
    }
    if (counts->size() != call.extents().size() || !isSane(*counts))
        return refuse("has repeats that do not fit", "give one number for each axis");
    OnnxExtents extents;
    for (std::size_t i = 0; i < counts->size(); ++i)
        extents.push_back((Count((*counts)[i]) * Count(call.extents()[i])).known().value_or(-1));
    return isSane(extents) ? moved(call, std::move(extents))
                           : Facts(refuse("has a result that is too large", "repeat less"));
}

Facts toSpace(const Call& call) {
    const std::int64_t block = call.node.integer("blocksize", 0);
    const bool fits =
        call.rank() == 4 && block >= 1 && block <= 65536 && call.extents()[1] % (block * block) == 0;
    if (!fits)
        return refuse("has channels that do not divide into blocks", "change blocksize", "attributes");
    const OnnxExtents& e = call.extents();
    return moved(call, {e[0], e[1] / (block * block), e[2] * block, e[3] * block});
}

Facts toDepth(const Call& call) {
    const std::int64_t block = call.node.integer("blocksize", 0);
    const bool fits = call.rank() == 4 && block >= 1 && block <= 65536 && call.extents()[2] % block == 0 &&
                      call.extents()[3] % block == 0;
    if (!fits)
        return refuse("has a field that does not divide into blocks", "change blocksize", "attributes");
    const OnnxExtents& e = call.extents();
    return moved(call, {e[0], e[1] * block * block, e[2] / block, e[3] / block});
}

/// The values and what was kept of them.
Facts dropped(const Call& call) {
    for (const std::size_t i : {std::size_t{1}, std::size_t{2}}) {
        if (call.has(i) && !call.numbers(i))
            return refuseUnknownValue(call, i == 1 ? "ratio" : "training_mode");
    }
    return OnnxFacts{
        {{call.extents(), call.type()}, {call.extents(), call.opset >= 10 ? DataType::Bool : call.type()}},
        elementsOf(call.extents())};
}

Facts reversed(const Call& call) {
    const std::int64_t batchAxis = call.node.integer("batch_axis", 1);
    const std::int64_t timeAxis = call.node.integer("time_axis", 0);
    const auto lengths = call.integers(1);
    if (!lengths)
        return refuseUnknownValue(call, "lengths");
    if (batchAxis + timeAxis != 1 || batchAxis < 0 || batchAxis > 1 || call.rank() < 2 ||
        std::ssize(*lengths) != call.extents()[static_cast<std::size_t>(batchAxis)])
        return refuse("reverses along other axes than the first two", "put time and batch first",
                      "attributes");
    return moved(call, call.extents());
}

Facts triangle(const Call& call) {
    if (call.rank() < 2)
        return refuse("takes a part of what is no matrix", "give matrices");
    if (call.has(1) && !call.integers(1))
        return refuseUnknownValue(call, "diagonal");
    return moved(call, call.extents());
}

constexpr OnnxOperator movementRows[]{
    {"Concat", concatenated},
    {"DepthToSpace", toSpace},
    {"Dropout", dropped, 1, inputsAt({1, 2})},
    {"Expand", expanded, 2, inputsAt({1})},
    {"Flatten", flattened},
    {"Pad", padded, 1, inputsAt({1, 2, 3})},
    {"Reshape", reshaped, 1, inputsAt({1})},
    {"ReverseSequence", reversed, 2, inputsAt({1})},
    {"Slice", sliced, 1, inputsAt({1, 2, 3, 4})},
    {"SpaceToDepth", toDepth},
    {"Split", divided, 1, inputsAt({1})},
    {"Squeeze", squeezed, 1, inputsAt({1})},
    {"Tile", tiled, 2, inputsAt({1, 2})},
    {"Transpose", transposed},
    {"Trilu", triangle, 1, inputsAt({1})},
    {"Unsqueeze", unsqueezed, 1, inputsAt({1})},
};

} // namespace

std::span<const OnnxOperator> movementOnnxOperators() {
    return movementRows;
}

} // namespace core
