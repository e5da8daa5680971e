#include "core/model/layers/function_rules.h"
#include "core/model/layers/function_shapes.h"
#include "core/model/layers/shape_rules.h"
#include "core/text/text_case.h"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

namespace core {

namespace {

/// Stands for the extent of the samples' axis among extents and repeats.
constexpr std::int64_t perSample = -1;

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
    std::vector<bool> isNamed(rank, false);
    for (const std::int64_t axis : order) {
        const auto index = axisFromFront(axis, rank);
        if (!index)
            return tl::unexpected(index.error());
        if (isNamed[*index])
            return refuse(fmt::format("permutes axis {} twice", axis), "name each axis once");
        isNamed[*index] = true;
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
        if (call.shape()[*index].value_or(1) != 1)
            return refuse(
                fmt::format("drops axis {} of {}, whose extent is not 1", entry, toText(call.shape())),
                "name axes of extent 1");
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
        if (!agreeBut(call.shape(), call.shape(i), *axis))
            return refuse(fmt::format("cannot join {} and {}", toText(call.shape()), toText(call.shape(i))),
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
    for (std::size_t i = 1; i < call.inputs.size(); ++i)
        if (!agreeBut(shape, call.shape(i), std::nullopt))
            return refuse(fmt::format("cannot stack {} and {}", toText(shape), toText(call.shape(i))),
                          "stack tensors of the same extents");
    shape.dimensions.insert(shape.dimensions.begin() + static_cast<std::ptrdiff_t>(*axis),
                            Dimension(static_cast<std::int64_t>(call.inputs.size())));
    return output(shape, call.inputType());
}

RuleResult<CallFacts> describePadding(const LayerCall& call) {
    Shape shape = call.shape();
    const Json amounts = functionSetting(call, {"paddings", "pad_width"}, 1);
    if (amounts.is_array() && amounts.size() != shape.rank())
        return refuse(fmt::format("pads {} axes of {}", amounts.size(), toText(shape)),
                      "give a pair of numbers for each axis");
    const Json mode = functionSetting(call, {"mode"}, 2);
    const std::string mirror = mode.is_string() ? lowerCase(mode.get<std::string>()) : "";
    const auto most = [&](std::int64_t extent) {
        return mirror == "reflect" ? extent - 1 : mirror == "symmetric" ? extent : largestExtent;
    };
    for (std::size_t i = 0; amounts.is_array() && i < std::min(amounts.size(), shape.rank()); ++i) {
        const std::vector<std::int64_t> pair = functionIntegers(amounts[i]);
        for (const std::int64_t amount : pair) {
            if (amount < 0 || (call.shape()[i] && amount > most(*call.shape()[i])))
                return refuse(fmt::format("pads axis {} of {} by {}", i, toText(call.shape()), amount),
                              "give numbers from 0; a mirrored axis is padded by no more than it has");
            shape[i] = (Count(shape[i]) + amount).known();
        }
    }
    return output(shape, call.inputType());
}

namespace {

/// So many copies of an axis; −1: one for each sample, which a run alone knows.
std::optional<RuleError> repeatAxis(Dimension& extent, std::int64_t count) {
    if (count < 1 && count != perSample)
        return RuleError{fmt::format("repeats an axis {} times", count),
                         "give numbers of repeats from 1, or -1 for one for each sample",
                         {}};
    extent = count == perSample ? Dimension{} : (Count(extent) * Count(count)).known();
    return std::nullopt;
}

} // namespace

void nameBatch(std::string_view function, Json& arguments, std::int64_t batch) {
    const bool repeats = function == "tile" || function == "repeat";
    if ((!repeats && function != "broadcast_to") || !arguments.is_object())
        return;
    const auto name = [&](Json& value) {
        if (value == perSample)
            value = batch;
        if (value.is_array())
            std::ranges::replace(value, Json(perSample), Json(batch));
    };
    for (const char* key : {"multiples", "repeats", "reps", "shape"})
        if (const auto found = arguments.find(key); found != arguments.end())
            name(*found);
    if (const auto list = arguments.find("$args");
        list != arguments.end() && list->is_array() && list->size() > 1)
        name((*list)[1]);
}

RuleResult<CallFacts> describeTile(const LayerCall& call) {
    const Json counts = functionSetting(call, {"multiples", "repeats", "reps"}, 1);
    Shape shape = call.shape();
    const Json axis = functionSetting(call, {"axis"}, 2);
    if (counts.is_number() && !axis.is_null()) {
        const auto index = axisFromFront(wholeNumber(axis).value_or(-1), shape.rank());
        if (!index)
            return tl::unexpected(index.error());
        if (const auto error = repeatAxis(shape[*index], wholeNumber(counts).value_or(1)))
            return tl::unexpected(*error);
        return output(shape, call.inputType());
    }
    const std::vector<std::int64_t> list = functionIntegers(counts);
    if (list.size() > shape.rank() || list.size() != (counts.is_array() ? counts.size() : 1))
        return refuse("repeats a number of times that is not known",
                      "write the number of repeats as a constant");
    for (std::size_t i = 0; i < list.size(); ++i) {
        if (const auto error = repeatAxis(shape[shape.rank() - list.size() + i], list[i]))
            return tl::unexpected(*error);
    }
    return output(shape, call.inputType());
}

namespace {

/// One of the parts may be −1, which is what the others leave of the axis.
std::optional<RuleError> settleParts(std::vector<Dimension>& parts, const Dimension& extent,
                                     const Shape& shape) {
    const auto rest = std::ranges::find(parts, Dimension(-1));
    std::int64_t sum = 0;
    for (auto part = parts.begin(); part != parts.end(); ++part)
        if (part != rest && __builtin_add_overflow(sum, part->value_or(0), &sum))
            sum = -1;
    const bool fits = !extent || (rest == parts.end() ? sum == *extent : sum >= 0 && sum <= *extent);
    if (!fits)
        return RuleError{fmt::format("cannot split {} into parts of {} together", toText(shape), sum),
                         "the parts add up to the extent of the axis",
                         {}};
    if (rest != parts.end())
        *rest = extent ? Dimension(*extent - sum) : Dimension{};
    return std::nullopt;
}

} // namespace

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
        else if (const auto error = settleParts(extents, extent, call.shape()))
            return tl::unexpected(*error);
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

namespace {

/// Whether one of nested lists of places lies beyond an axis.
bool namesBeyond(const Json& places, std::int64_t extent) {
    if (places.is_array())
        return std::ranges::any_of(places, [&](const Json& place) { return namesBeyond(place, extent); });
    const auto place = wholeNumber(places);
    return place && (*place < -extent || *place >= extent);
}

} // namespace

RuleResult<CallFacts> describeGather(const LayerCall& call) {
    const Json factor = functionSetting(call, {"serialization_factor"});
    for (const auto& [name, value] : {std::pair("axis", functionSetting(call, {"axis"}, 2)),
                                      {"batch_dims", functionSetting(call, {"batch_dims"}, 3)},
                                      {"serialization_factor", factor}})
        if (!value.is_null() && !wholeNumber(value))
            return refuse(fmt::format("gathers with a {} that is no whole number", name),
                          "give a whole number, or leave it out");
    const std::int64_t batches = wholeNumber(functionSetting(call, {"batch_dims"}, 3)).value_or(0);
    // The axis behind those that both share, where none is given.
    const auto axis =
        axisFromFront(wholeNumber(functionSetting(call, {"axis"}, 2)).value_or(batches), call.shape().rank());
    if (!axis)
        return tl::unexpected(axis.error());
    const Json constant = functionSetting(call, {"indices"}, 1);
    const Shape indices = call.inputs.size() > 1 ? call.shape(1) : constantFunctionShape(constant);
    Shape shape = call.shape();
    const std::int64_t shared = batches < 0 ? batches + static_cast<std::int64_t>(indices.rank()) : batches;
    if (shared < 0 || shared > static_cast<std::int64_t>(std::min(indices.rank(), *axis)))
        return refuse(fmt::format("gathers with batch_dims {} along axis {} of {} at indices {}", batches,
                                  *axis, toText(shape), toText(indices)),
                      "the axes that both share come first in both, before the axis that is gathered");
    for (std::size_t i = 0; i < static_cast<std::size_t>(shared); ++i)
        if (shape[i] && indices[i] && shape[i] != indices[i])
            return refuse(fmt::format("gathers of {} at indices {}, whose first axes differ", toText(shape),
                                      toText(indices)),
                          "give indices for each of the samples");
    if (call.inputs.size() < 2 && shape[*axis] && namesBeyond(constant, *shape[*axis]))
        return refuse(
            fmt::format("gathers along axis {} of {} at places that it does not have", *axis, toText(shape)),
            fmt::format("give places up to {}", *shape[*axis] - 1));
    const std::int64_t parts = wholeNumber(factor).value_or(1);
    if (parts < 1 || (shape[*axis] && *shape[*axis] % parts != 0))
        return refuse(fmt::format("serializes its table {} times, which does not divide it", parts),
                      "take a serialization_factor that divides the rows of the table");
    const auto at = shape.dimensions.begin() + static_cast<std::ptrdiff_t>(*axis);
    shape.dimensions.insert(shape.dimensions.erase(at), indices.dimensions.begin() + shared,
                            indices.dimensions.end());
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
    const auto common = broadcastShapes(shape, call.shape());
    if (!common)
        return tl::unexpected(common.error());
    if (common->rank() != shape.rank() || (elements(shape).isKnown() && *common != shape))
        return refuse(fmt::format("cannot broadcast {} to {}", toText(call.shape()), toText(shape)),
                      "the extents of the input are those of the result, or 1");
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
