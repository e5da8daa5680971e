// Folding of operators that move elements: each says which element of which operand comes where.
#include "core/interchange/onnx/folding_rules.h"

#include <algorithm>
#include <numeric>

namespace core {

namespace {

using Folded = std::optional<KnownValue>;
using KnownInputs = std::vector<const KnownValue*>;

/// Nothing where the numbers depend on the batch.
std::optional<std::vector<std::int64_t>> wholeNumbersOf(const KnownValue& value) {
    if (value.dependsOnBatch())
        return std::nullopt;
    std::vector<std::int64_t> list;
    for (const BatchNumber& element : value.elements)
        list.push_back(static_cast<std::int64_t>(std::clamp(element.value, -9e15, 9e15)));
    return list;
}

std::optional<std::size_t> placeOf(std::int64_t axis, std::size_t rank) {
    const auto count = static_cast<std::int64_t>(rank);
    if (axis < -count || axis >= count)
        return std::nullopt;
    return static_cast<std::size_t>(axis < 0 ? axis + count : axis);
}

/// Elements before, along and after an axis.
struct AxisView {
    std::int64_t outer = 1;
    std::int64_t extent = 1;
    std::int64_t inner = 1;

    AxisView(const std::vector<std::int64_t>& extents, std::size_t axis) {
        for (std::size_t i = 0; i < extents.size(); ++i)
            (i < axis ? outer : i == axis ? extent : inner) *= extents[i];
    }
    /// Appends the elements at `index` along the axis, for one position before it.
    void append(const KnownValue& from, std::int64_t before, std::int64_t index, KnownValue& to) const {
        const auto begin = from.elements.begin() + (before * extent + index) * inner;
        to.elements.insert(to.elements.end(), begin, begin + inner);
    }
};

std::optional<std::vector<std::int64_t>> axesOf(const OnnxNode& node, const KnownInputs& in,
                                                std::size_t position = 1) {
    return in.size() > position ? wholeNumbersOf(*in[position]) : node.integers("axes");
}

} // namespace

Folded foldConcat(const OnnxNode& node, const KnownInputs& in) {
    const auto axis = placeOf(node.integer("axis", 0), in[0]->extents.size());
    if (!axis)
        return std::nullopt;
    KnownValue result{in[0]->extents, in[0]->type, {}};
    result.extents[*axis] = 0;
    for (const KnownValue* part : in) {
        std::vector<std::int64_t> own = part->extents;
        if (own.size() != result.extents.size())
            return std::nullopt;
        own[*axis] = result.extents[*axis];
        if (own != result.extents)
            return std::nullopt;
        result.extents[*axis] += part->extents[*axis];
    }
    const AxisView view(in[0]->extents, *axis);
    for (std::int64_t outer = 0; outer < view.outer; ++outer) {
        for (const KnownValue* part : in) {
            const AxisView own(part->extents, *axis);
            for (std::int64_t i = 0; i < own.extent; ++i)
                own.append(*part, outer, i, result);
        }
    }
    return result;
}

Folded foldGather(const OnnxNode& node, const KnownInputs& in) {
    const auto axis = placeOf(node.integer("axis", 0), in[0]->extents.size());
    const auto indices = in.size() > 1 ? wholeNumbersOf(*in[1]) : std::nullopt;
    if (!axis || !indices)
        return std::nullopt;
    const AxisView view(in[0]->extents, *axis);
    if (view.outer * view.inner * std::ssize(*indices) > longestKnownValue)
        return std::nullopt;
    KnownValue result{in[0]->extents, in[0]->type, {}};
    const auto at = result.extents.begin() + static_cast<std::ptrdiff_t>(*axis);
    result.extents.insert(result.extents.erase(at), in[1]->extents.begin(), in[1]->extents.end());
    for (std::int64_t outer = 0; outer < view.outer; ++outer) {
        for (std::int64_t index : *indices) {
            index = index < 0 ? index + view.extent : index;
            if (index < 0 || index >= view.extent)
                return std::nullopt;
            view.append(*in[0], outer, index, result);
        }
    }
    return result;
}

Folded foldUnsqueeze(const OnnxNode& node, const KnownInputs& in) {
    auto axes = axesOf(node, in);
    if (!axes)
        return std::nullopt;
    KnownValue result = *in[0];
    const std::size_t rank = result.extents.size() + axes->size();
    for (std::int64_t& axis : *axes) {
        const auto place = placeOf(axis, rank);
        if (!place)
            return std::nullopt;
        axis = static_cast<std::int64_t>(*place);
    }
    std::ranges::sort(*axes);
    for (const std::int64_t axis : *axes) {
        if (axis > std::ssize(result.extents))
            return std::nullopt;
        result.extents.insert(result.extents.begin() + axis, 1);
    }
    return result;
}

Folded foldSqueeze(const OnnxNode& node, const KnownInputs& in) {
    const auto axes = axesOf(node, in);
    if (!axes)
        return std::nullopt;
    KnownValue result{{}, in[0]->type, in[0]->elements};
    for (std::size_t i = 0; i < in[0]->extents.size(); ++i) {
        const bool isNamed = std::ranges::any_of(
            *axes, [&](std::int64_t axis) { return placeOf(axis, in[0]->extents.size()) == i; });
        if (in[0]->extents[i] != 1 || (!axes->empty() && !isNamed))
            result.extents.push_back(in[0]->extents[i]);
    }
    return result;
}

Folded foldReshape(const OnnxNode&, const KnownInputs& in) {
    const auto target = in.size() > 1 ? wholeNumbersOf(*in[1]) : std::nullopt;
    if (!target)
        return std::nullopt;
    KnownValue result{*target, in[0]->type, in[0]->elements};
    std::int64_t fixed = 1;
    for (std::size_t i = 0; i < result.extents.size(); ++i) {
        if (result.extents[i] == 0 && i < in[0]->extents.size())
            result.extents[i] = in[0]->extents[i];
        if (result.extents[i] > longestKnownValue || fixed > longestKnownValue)
            return std::nullopt;
        fixed *= result.extents[i] < 0 ? 1 : result.extents[i];
    }
    const auto count = std::ssize(in[0]->elements);
    for (std::int64_t& extent : result.extents)
        extent = extent < 0 && fixed > 0 ? count / fixed : extent;
    return result;
}

/// Slices one axis after the other.
Folded foldSlice(const OnnxNode& node, const KnownInputs& in) {
    const bool hasInputs = in.size() > 1;
    if (hasInputs && in.size() < 3)
        return std::nullopt;
    const auto starts = hasInputs ? wholeNumbersOf(*in[1]) : std::optional(node.integers("starts"));
    const auto ends = hasInputs ? wholeNumbersOf(*in[2]) : std::optional(node.integers("ends"));
    auto axes = axesOf(node, in, 3);
    auto steps = in.size() > 4 ? wholeNumbersOf(*in[4]) : std::optional(std::vector<std::int64_t>{});
    if (!starts || !ends || !axes || !steps)
        return std::nullopt;
    if (axes->empty()) {
        axes->resize(starts->size());
        std::iota(axes->begin(), axes->end(), 0);
    }
    steps->resize(starts->size(), 1);
    if (ends->size() != starts->size() || axes->size() != starts->size())
        return std::nullopt;
    KnownValue result = *in[0];
    for (std::size_t i = 0; i < starts->size(); ++i) {
        const auto axis = placeOf((*axes)[i], result.extents.size());
        const std::int64_t step = (*steps)[i];
        if (!axis || step == 0 || std::abs(step) > longestKnownValue)
            return std::nullopt;
        const AxisView view(result.extents, *axis);
        const auto place = [&](std::int64_t value) {
            const std::int64_t low = step > 0 ? 0 : -1;
            const std::int64_t high = step > 0 ? view.extent : view.extent - 1;
            return std::clamp(value < 0 ? value + view.extent : value, low, std::max(low, high));
        };
        const std::int64_t end = step < 0 && (*ends)[i] < -view.extent ? -1 : place((*ends)[i]);
        std::vector<std::int64_t> kept;
        for (std::int64_t at = place((*starts)[i]); step > 0 ? at < end : at > end; at += step)
            kept.push_back(at);
        KnownValue part{result.extents, result.type, {}};
        part.extents[*axis] = std::ssize(kept);
        for (std::int64_t outer = 0; outer < view.outer; ++outer) {
            for (const std::int64_t at : kept)
                view.append(result, outer, at, part);
        }
        result = std::move(part);
    }
    return result;
}

Folded foldTranspose(const OnnxNode& node, const KnownInputs& in) {
    const std::vector<std::int64_t>& extents = in[0]->extents;
    std::vector<std::int64_t> order = node.integers("perm");
    if (order.empty()) {
        order.resize(extents.size());
        std::iota(order.rbegin(), order.rend(), 0);
    }
    std::vector<std::int64_t> sorted = order;
    std::ranges::sort(sorted);
    for (std::size_t i = 0; i < sorted.size(); ++i) {
        if (order.size() != extents.size() || sorted[i] != static_cast<std::int64_t>(i))
            return std::nullopt;
    }
    std::vector<std::int64_t> strides(extents.size(), 1);
    for (std::size_t i = extents.size(); i-- > 1;)
        strides[i - 1] = strides[i] * extents[i];
    KnownValue result{{}, in[0]->type, {}};
    for (const std::int64_t axis : order)
        result.extents.push_back(extents[static_cast<std::size_t>(axis)]);
    for (std::int64_t i = 0; i < std::ssize(in[0]->elements); ++i) {
        std::int64_t rest = i;
        std::int64_t from = 0;
        for (std::size_t axis = order.size(); axis-- > 0; rest /= result.extents[axis])
            from += rest % result.extents[axis] * strides[static_cast<std::size_t>(order[axis])];
        result.elements.push_back(in[0]->elements[static_cast<std::size_t>(from)]);
    }
    return result;
}

} // namespace core
