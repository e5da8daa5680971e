#include "core/model/layers/function_rules.h"
#include "core/model/layers/function_shapes.h"
#include "core/model/layers/shape_rules.h"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

namespace core {

namespace {

/// Blocks of pixels that become channels, or the other way round.
RuleResult<CallFacts> moveBlocks(const LayerCall& call, bool toChannels) {
    if (auto error = requireRank(call, 4))
        return tl::unexpected(*error);
    const std::int64_t block = wholeNumber(functionSetting(call, {"block_size"}, 1)).value_or(0);
    if (block < 1 || block > largestExtent)
        return refuse("needs a block size", "give block_size a whole number from 1");
    Shape shape = call.shape();
    const auto scale = [&](std::size_t axis, std::int64_t factor, bool grows) -> bool {
        if (shape[axis] && !grows && *shape[axis] % factor != 0)
            return false;
        shape[axis] = grows ? (Count(shape[axis]) * Count(factor)).known()
                            : (shape[axis] ? Dimension(*shape[axis] / factor) : Dimension{});
        return true;
    };
    if (!scale(1, block, !toChannels) || !scale(2, block, !toChannels) ||
        !scale(3, block * block, toChannels))
        return refuse(fmt::format("cannot cut {} into blocks of {}", toText(call.shape()), block),
                      "choose a block size that divides the axes");
    return output(shape, call.inputType());
}

} // namespace

RuleResult<CallFacts> describeReshape(const LayerCall& call) {
    const Json target = functionSetting(call, {"shape", "newshape"}, 1);
    if (!target.is_array())
        return refuse("is a reshape to extents that are not known",
                      "write the shape as a list of whole numbers, -1 for an open one");
    Shape shape;
    std::optional<std::size_t> open;
    Count fixed = 1;
    // −1 in front is the batch axis, where that is free, as long as the rest stays a sample.
    Count sample = 1;
    for (std::size_t i = 1; i < call.shape().rank(); ++i)
        sample *= call.shape()[i];
    Count rest = 1;
    bool isRestOpen = false;
    for (std::size_t i = 1; i < target.size(); ++i) {
        const std::int64_t extent = wholeNumber(target[i]).value_or(-1);
        isRestOpen = isRestOpen || extent < 0;
        rest *= std::max<std::int64_t>(extent, 1);
    }
    const bool keepsSamples =
        isRestOpen || !sample.isKnown() || !rest.isKnown() || sample.value() == rest.value();
    for (std::size_t i = 0; i < target.size(); ++i) {
        const std::int64_t extent = wholeNumber(target[i]).value_or(-1);
        const bool isBatch =
            i == 0 && extent < 0 && call.shape().rank() > 0 && !call.shape()[0] && keepsSamples;
        if (extent < 0 && !isBatch)
            open = i;
        shape.dimensions.push_back(isBatch ? call.shape()[0]
                                           : (extent < 0 ? Dimension{} : Dimension(extent)));
        if (extent >= 0 || isBatch)
            fixed *= shape[i];
    }
    const Count total = elements(call.shape());
    if (open && total.isKnown() && fixed.isKnown() && fixed.value() > 0)
        shape[*open] = total.value() / fixed.value();
    return output(shape, call.inputType());
}

RuleResult<CallFacts> describeTranspose(const LayerCall& call) {
    std::vector<std::int64_t> order = functionIntegers(functionSetting(call, {"perm", "axes"}, 1));
    const std::size_t rank = call.shape().rank();
    if (order.empty()) {
        for (std::size_t i = rank; i > 0; --i)
            order.push_back(static_cast<std::int64_t>(i) - 1);
    }
    if (order.size() != rank)
        return refuse(fmt::format("permutes {} axes of {}", order.size(), toText(call.shape())),
                      "name each axis once");
    Shape shape;
    for (const std::int64_t axis : order) {
        const auto index = axisFromFront(axis, rank);
        if (!index)
            return tl::unexpected(index.error());
        shape.dimensions.push_back(call.shape()[*index]);
    }
    return output(shape, call.inputType());
}

RuleResult<CallFacts> describeExpand(const LayerCall& call) {
    Shape shape = call.shape();
    const auto axis =
        axisFromFront(wholeNumber(functionSetting(call, {"axis"}, 1)).value_or(-1), call.shape().rank() + 1);
    if (!axis)
        return tl::unexpected(axis.error());
    shape.dimensions.insert(shape.dimensions.begin() + static_cast<std::ptrdiff_t>(*axis), Dimension(1));
    return output(shape, call.inputType());
}

RuleResult<CallFacts> describeSqueeze(const LayerCall& call) {
    const Json axis = functionSetting(call, {"axis"}, 1);
    std::vector<bool> isDropped(call.shape().rank(), false);
    for (std::size_t i = 0; i < isDropped.size(); ++i)
        isDropped[i] = axis.is_null() && call.shape()[i] == Dimension(1);
    for (const std::int64_t entry : functionIntegers(axis)) {
        const auto index = axisFromFront(entry, call.shape().rank());
        if (!index)
            return tl::unexpected(index.error());
        isDropped[*index] = true;
    }
    Shape shape;
    for (std::size_t i = 0; i < isDropped.size(); ++i) {
        if (!isDropped[i])
            shape.dimensions.push_back(call.shape()[i]);
    }
    return output(shape, call.inputType());
}

RuleResult<CallFacts> describeConcatenation(const LayerCall& call) {
    Shape shape = call.shape();
    const auto axis =
        axisFromFront(wholeNumber(functionSetting(call, {"axis"}, 1)).value_or(-1), shape.rank());
    if (!axis)
        return tl::unexpected(axis.error());
    Count joined = shape[*axis];
    for (std::size_t i = 1; i < call.inputs.size(); ++i) {
        if (call.shape(i).rank() != shape.rank())
            return refuse(fmt::format("cannot join {} and {}", toText(shape), toText(call.shape(i))),
                          "all axes but the joined one must have the same extents");
        joined += call.shape(i)[*axis];
    }
    shape[*axis] = joined.known();
    return output(shape, call.inputType());
}

RuleResult<CallFacts> describeStack(const LayerCall& call) {
    Shape shape = call.shape();
    const auto axis =
        axisFromFront(wholeNumber(functionSetting(call, {"axis"}, 1)).value_or(0), shape.rank() + 1);
    if (!axis)
        return tl::unexpected(axis.error());
    shape.dimensions.insert(shape.dimensions.begin() + static_cast<std::ptrdiff_t>(*axis),
                            Dimension(static_cast<std::int64_t>(call.inputs.size())));
    return output(shape, call.inputType());
}

RuleResult<CallFacts> describePadding(const LayerCall& call) {
    Shape shape = call.shape();
    const Json amounts = functionSetting(call, {"paddings", "pad_width"}, 1);
    for (std::size_t i = 0; amounts.is_array() && i < std::min(amounts.size(), shape.rank()); ++i) {
        const std::vector<std::int64_t> pair = functionIntegers(amounts[i]);
        for (const std::int64_t amount : pair)
            shape[i] = (Count(shape[i]) + amount).known();
    }
    return output(shape, call.inputType());
}

RuleResult<CallFacts> describeTile(const LayerCall& call) {
    const Json counts = functionSetting(call, {"multiples", "repeats", "reps"}, 1);
    Shape shape = call.shape();
    const Json axis = functionSetting(call, {"axis"}, 2);
    if (counts.is_number() && !axis.is_null()) {
        const auto index = axisFromFront(wholeNumber(axis).value_or(-1), shape.rank());
        if (!index)
            return tl::unexpected(index.error());
        shape[*index] = (Count(shape[*index]) * Count(wholeNumber(counts).value_or(1))).known();
        return output(shape, call.inputType());
    }
    const std::vector<std::int64_t> list = functionIntegers(counts);
    if (list.size() > shape.rank() || list.size() != (counts.is_array() ? counts.size() : 1))
        return refuse("repeats a number of times that is not known",
                      "write the number of repeats as a constant");
    for (std::size_t i = 0; i < list.size(); ++i) {
        Dimension& extent = shape[shape.rank() - list.size() + i];
        extent = (Count(extent) * Count(list[i])).known();
    }
    return output(shape, call.inputType());
}

RuleResult<CallFacts> describeSplit(const LayerCall& call) {
    const Json parts = functionSetting(call, {"num_or_size_splits", "indices_or_sections", "num_split"}, 1);
    const std::int64_t which = wholeNumber(functionSetting(call, {"axis"}, 2)).value_or(0);
    const auto axis = axisFromFront(which, call.shape().rank());
    if (!axis)
        return tl::unexpected(axis.error());
    const Dimension extent = call.shape()[*axis];
    std::vector<Dimension> extents;
    if (parts.is_array()) {
        const bool areBorders = functionSetting(call, {"indices_or_sections"}).is_array();
        std::int64_t from = 0;
        for (const std::int64_t entry : functionIntegers(parts)) {
            extents.emplace_back(areBorders ? entry - from : entry);
            from = entry;
        }
        if (areBorders)
            extents.push_back(extent ? Dimension(*extent - from) : Dimension{});
    } else {
        const std::int64_t count = wholeNumber(parts).value_or(0);
        constexpr std::int64_t mostParts = 4096;
        if (count < 1 || count > mostParts || (extent && *extent % count != 0))
            return refuse(fmt::format("cannot split {} into {} parts", toText(call.shape()), count),
                          "choose a number of parts that divides the axis");
        extents.assign(static_cast<std::size_t>(count), extent ? Dimension(*extent / count) : Dimension{});
    }
    CallFacts facts;
    for (const Dimension& part : extents) {
        if (part && *part < 0)
            return refuse(fmt::format("cannot split {} there", toText(call.shape())),
                          "the parts add up to the extent of the axis");
        Shape shape = call.shape();
        shape[*axis] = part;
        facts.outputs.push_back({shape, call.inputType()});
    }
    return facts;
}

RuleResult<CallFacts> describeUnstack(const LayerCall& call) {
    const auto axis =
        axisFromFront(wholeNumber(functionSetting(call, {"axis"}, 2)).value_or(0), call.shape().rank());
    if (!axis)
        return tl::unexpected(axis.error());
    constexpr std::int64_t mostParts = 4096;
    const Dimension count = call.shape()[*axis];
    if (!count || *count > mostParts)
        return refuse("takes apart an axis whose extent is not known",
                      "give the model's input a shape with this extent");
    Shape shape = call.shape();
    shape.dimensions.erase(shape.dimensions.begin() + static_cast<std::ptrdiff_t>(*axis));
    CallFacts facts;
    facts.outputs.assign(static_cast<std::size_t>(*count), {shape, call.inputType()});
    return facts;
}

RuleResult<CallFacts> describeTopK(const LayerCall& call) {
    const std::int64_t count = wholeNumber(functionSetting(call, {"k"}, 1)).value_or(1);
    Shape shape = call.shape();
    if (shape.rank() == 0 || count < 1 || (shape.dimensions.back() && count > *shape.dimensions.back()))
        return refuse(fmt::format("has no {} largest values in the last axis of {}", count, toText(shape)),
                      "choose a k from 1 to the extent of that axis");
    shape.dimensions.back() = count;
    CallFacts facts;
    facts.outputs = {{shape, call.inputType()}, {shape, DataType::Int32}};
    return facts;
}

RuleResult<CallFacts> describeGather(const LayerCall& call) {
    const auto axis =
        axisFromFront(wholeNumber(functionSetting(call, {"axis"}, 2)).value_or(0), call.shape().rank());
    if (!axis)
        return tl::unexpected(axis.error());
    const Json constant = functionSetting(call, {"indices"}, 1);
    const Shape indices = call.inputs.size() > 1 ? call.shape(1) : constantFunctionShape(constant);
    Shape shape = call.shape();
    const auto at = shape.dimensions.begin() + static_cast<std::ptrdiff_t>(*axis);
    shape.dimensions.insert(shape.dimensions.erase(at), indices.dimensions.begin(), indices.dimensions.end());
    return output(shape, call.inputType());
}

RuleResult<CallFacts> describeOneHot(const LayerCall& call) {
    Shape shape = call.shape();
    const auto depth = wholeNumber(functionSetting(call, {"depth", "num_classes"}, 1));
    const std::int64_t which = wholeNumber(functionSetting(call, {"axis"}, 4)).value_or(-1);
    const auto axis = axisFromFront(which, shape.rank() + 1);
    if (!axis)
        return tl::unexpected(axis.error());
    shape.dimensions.insert(shape.dimensions.begin() + static_cast<std::ptrdiff_t>(*axis), Dimension(depth));
    return output(shape, call.precision.compute);
}

RuleResult<CallFacts> describeSwapAxes(const LayerCall& call) {
    Shape shape = call.shape();
    const auto first =
        axisFromFront(wholeNumber(functionSetting(call, {"axis1"}, 1)).value_or(0), shape.rank());
    const auto second =
        axisFromFront(wholeNumber(functionSetting(call, {"axis2"}, 2)).value_or(0), shape.rank());
    if (!first || !second)
        return tl::unexpected(first ? second.error() : first.error());
    std::swap(shape[*first], shape[*second]);
    return output(shape, call.inputType());
}

RuleResult<CallFacts> describeMoveAxis(const LayerCall& call) {
    Shape shape = call.shape();
    const auto from =
        axisFromFront(wholeNumber(functionSetting(call, {"source"}, 1)).value_or(0), shape.rank());
    const auto to =
        axisFromFront(wholeNumber(functionSetting(call, {"destination"}, 2)).value_or(0), shape.rank());
    if (!from || !to)
        return tl::unexpected(from ? to.error() : from.error());
    const Dimension extent = shape[*from];
    shape.dimensions.erase(shape.dimensions.begin() + static_cast<std::ptrdiff_t>(*from));
    shape.dimensions.insert(shape.dimensions.begin() + static_cast<std::ptrdiff_t>(*to), extent);
    return output(shape, call.inputType());
}

RuleResult<CallFacts> describeBroadcastTo(const LayerCall& call) {
    const Json target = functionSetting(call, {"shape"}, 1);
    if (!target.is_array())
        return refuse("is a broadcast to extents that are not known",
                      "write the shape as a list of whole numbers");
    Shape shape;
    for (const Json& entry : target) {
        const auto extent = wholeNumber(entry);
        shape.dimensions.push_back(extent && *extent >= 0 ? Dimension(*extent) : Dimension{});
    }
    return output(shape, call.inputType());
}

/// Images [batch, height, width, channels] brought to the asked height and width.
RuleResult<CallFacts> describeResize(const LayerCall& call) {
    const std::vector<std::int64_t> size = functionIntegers(functionSetting(call, {"size"}, 1));
    if (auto error = requireMinimumRank(call, 3))
        return tl::unexpected(*error);
    Shape shape = call.shape();
    const bool isFirst = functionSetting(call, {"data_format"}) == "channels_first";
    const std::size_t height = shape.rank() - (isFirst ? 2 : 3);
    for (std::size_t i = 0; i < 2; ++i)
        shape[height + i] = size.size() == 2 ? Dimension(size[i]) : Dimension{};
    return output(shape, call.inputType());
}

RuleResult<CallFacts> describeSpaceToDepth(const LayerCall& call) {
    return moveBlocks(call, true);
}

RuleResult<CallFacts> describeDepthToSpace(const LayerCall& call) {
    return moveBlocks(call, false);
}

} // namespace core
