#include "core/model/layers/function_shapes.h"

#include "core/model/layers/shape_rules.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <initializer_list>
#include <map>
#include <utility>

namespace core {

Json functionSetting(const LayerCall& call, std::initializer_list<const char*> names, std::size_t position) {
    for (const char* name : names) {
        const auto found = call.arguments.find(name);
        if (found != call.arguments.end())
            return *found;
    }
    const auto positional = call.arguments.find("$args");
    if (positional != call.arguments.end() && positional->is_array() && position < positional->size())
        return (*positional)[position];
    // Operations of Keras 3 keep their settings in the config.
    for (const char* name : names) {
        const auto found = call.attributes.config().find(name);
        if (call.attributes.config().is_object() && found != call.attributes.config().end())
            return *found;
    }
    return nullptr;
}

namespace {

std::vector<std::int64_t> integersOf(const Json& value) {
    std::vector<std::int64_t> list;
    for (const Json& entry : value.is_array() ? value : Json::array({value})) {
        if (const auto number = wholeNumber(entry))
            list.push_back(*number);
    }
    return list;
}

/// Shape of a constant written as nested lists.
Shape constantShape(const Json& value) {
    Shape shape;
    for (const Json* level = &value; level->is_array() && !level->empty(); level = &level->front())
        shape.dimensions.emplace_back(static_cast<std::int64_t>(level->size()));
    return shape;
}

bool isTensor(const Json& value) {
    return value.is_object() && value.contains("$input");
}

RuleResult<CallFacts> describeUnary(const LayerCall& call) {
    return sameAsInput(call, 1);
}

RuleResult<CallFacts> describeMove(const LayerCall& call) {
    return sameAsInput(call);
}

RuleResult<CallFacts> describeCast(const LayerCall& call) {
    const auto type = precisionFromJson(functionSetting(call, {"dtype"}, 1));
    return output(call.shape(), type ? type->compute : call.inputType());
}

RuleResult<CallFacts> describeBinary(const LayerCall& call) {
    Shape shape = call.shape();
    for (std::size_t i = 1; i < call.inputs.size(); ++i) {
        const auto common = broadcastShapes(shape, call.shape(i));
        if (!common)
            return tl::unexpected(common.error());
        shape = *common;
    }
    const Json other = functionSetting(call, {"y", "x"}, 1);
    if (!isTensor(other)) {
        const auto common = broadcastShapes(shape, constantShape(other));
        if (!common)
            return tl::unexpected(common.error());
        shape = *common;
    }
    CallFacts facts = output(shape, call.inputType());
    facts.flops = elements(shape);
    return facts;
}

RuleResult<CallFacts> describeReduction(const LayerCall& call) {
    const Json axis = functionSetting(call, {"axis", "reduction_indices"}, 1);
    const Json keep = functionSetting(call, {"keepdims", "keep_dims"}, 2);
    std::vector<bool> isReduced(call.shape().rank(), axis.is_null());
    for (const std::int64_t entry : integersOf(axis)) {
        const auto index = axisFromFront(entry, call.shape().rank());
        if (!index)
            return tl::unexpected(index.error());
        isReduced[*index] = true;
    }
    Shape shape;
    for (std::size_t i = 0; i < isReduced.size(); ++i) {
        if (!isReduced[i])
            shape.dimensions.push_back(call.shape()[i]);
        else if (keep == true)
            shape.dimensions.emplace_back(1);
    }
    CallFacts facts = output(shape, call.inputType());
    facts.flops = elements(call.shape());
    return facts;
}

RuleResult<CallFacts> describeReshape(const LayerCall& call) {
    const Json target = functionSetting(call, {"shape", "newshape"}, 1);
    if (!target.is_array())
        return refuse("is a reshape to extents that are not known");
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
    std::vector<std::int64_t> order = integersOf(functionSetting(call, {"perm", "axes"}, 1));
    const std::size_t rank = call.shape().rank();
    if (order.empty()) {
        for (std::size_t i = rank; i > 0; --i)
            order.push_back(static_cast<std::int64_t>(i) - 1);
    }
    if (order.size() != rank)
        return refuse(fmt::format("permutes {} axes of {}", order.size(), toText(call.shape())));
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
    for (const std::int64_t entry : integersOf(axis)) {
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
            return refuse(fmt::format("cannot join {} and {}", toText(shape), toText(call.shape(i))));
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

RuleResult<CallFacts> describeMatmul(const LayerCall& call) {
    if (call.inputs.size() < 2)
        return refuse("multiplies by a matrix whose shape is not known");
    for (std::size_t i = 0; i < 2; ++i) {
        if (auto error = requireMinimumRank(call, 2, i))
            return tl::unexpected(*error);
    }
    Shape left = call.shape(0);
    Shape right = call.shape(1);
    if (isArgumentSet(call, "transpose_a"))
        std::swap(left[left.rank() - 1], left[left.rank() - 2]);
    if (isArgumentSet(call, "transpose_b"))
        std::swap(right[right.rank() - 1], right[right.rank() - 2]);
    const Dimension inner = left[left.rank() - 1];
    if (inner && right[right.rank() - 2] && inner != right[right.rank() - 2])
        return refuse(fmt::format("cannot multiply {} by {}", toText(left), toText(right)));
    const Dimension rows = left[left.rank() - 2];
    const Dimension columns = right[right.rank() - 1];
    left.dimensions.resize(left.rank() - 2);
    right.dimensions.resize(right.rank() - 2);
    auto shape = broadcastShapes(left, right);
    if (!shape)
        return tl::unexpected(shape.error());
    shape->dimensions.push_back(rows);
    shape->dimensions.push_back(columns);
    CallFacts facts = output(*shape, call.inputType());
    facts.flops = Count(2) * elements(*shape) * Count(inner);
    return facts;
}

RuleResult<CallFacts> describePadding(const LayerCall& call) {
    Shape shape = call.shape();
    const Json amounts = functionSetting(call, {"paddings", "pad_width"}, 1);
    for (std::size_t i = 0; amounts.is_array() && i < std::min(amounts.size(), shape.rank()); ++i) {
        const std::vector<std::int64_t> pair = integersOf(amounts[i]);
        for (const std::int64_t amount : pair)
            shape[i] = (Count(shape[i]) + amount).known();
    }
    return output(shape, call.inputType());
}

RuleResult<CallFacts> describePosition(const LayerCall& call) {
    auto facts = describeReduction(call);
    if (facts)
        facts->outputs.front().type = DataType::Int32;
    return facts;
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
    const std::vector<std::int64_t> list = integersOf(counts);
    if (list.size() > shape.rank() || list.size() != (counts.is_array() ? counts.size() : 1))
        return refuse("repeats a number of times that is not known");
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
        for (const std::int64_t entry : integersOf(parts)) {
            extents.emplace_back(areBorders ? entry - from : entry);
            from = entry;
        }
        if (areBorders)
            extents.push_back(extent ? Dimension(*extent - from) : Dimension{});
    } else {
        const std::int64_t count = wholeNumber(parts).value_or(0);
        constexpr std::int64_t mostParts = 4096;
        if (count < 1 || count > mostParts || (extent && *extent % count != 0))
            return refuse(fmt::format("cannot split {} into {} parts", toText(call.shape()), count));
        extents.assign(static_cast<std::size_t>(count), extent ? Dimension(*extent / count) : Dimension{});
    }
    CallFacts facts;
    for (const Dimension& part : extents) {
        if (part && *part < 0)
            return refuse(fmt::format("cannot split {} there", toText(call.shape())));
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
        return refuse("takes apart an axis whose extent is not known");
    Shape shape = call.shape();
    shape.dimensions.erase(shape.dimensions.begin() + static_cast<std::ptrdiff_t>(*axis));
    CallFacts facts;
    facts.outputs.assign(static_cast<std::size_t>(*count), {shape, call.inputType()});
    return facts;
}

RuleResult<CallFacts> describeGather(const LayerCall& call) {
    const auto axis =
        axisFromFront(wholeNumber(functionSetting(call, {"axis"}, 2)).value_or(0), call.shape().rank());
    if (!axis)
        return tl::unexpected(axis.error());
    const Json constant = functionSetting(call, {"indices"}, 1);
    const Shape indices = call.inputs.size() > 1 ? call.shape(1) : constantShape(constant);
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
        return refuse("is a broadcast to extents that are not known");
    Shape shape;
    for (const Json& entry : target) {
        const auto extent = wholeNumber(entry);
        shape.dimensions.push_back(extent && *extent >= 0 ? Dimension(*extent) : Dimension{});
    }
    return output(shape, call.inputType());
}

/// Images [batch, height, width, channels] brought to the asked height and width.
RuleResult<CallFacts> describeResize(const LayerCall& call) {
    const std::vector<std::int64_t> size = integersOf(functionSetting(call, {"size"}, 1));
    if (auto error = requireMinimumRank(call, 3))
        return tl::unexpected(*error);
    Shape shape = call.shape();
    const bool isFirst = functionSetting(call, {"data_format"}) == "channels_first";
    const std::size_t height = shape.rank() - (isFirst ? 2 : 3);
    for (std::size_t i = 0; i < 2; ++i)
        shape[height + i] = size.size() == 2 ? Dimension(size[i]) : Dimension{};
    return output(shape, call.inputType());
}

/// Blocks of pixels that become channels, or the other way round.
RuleResult<CallFacts> moveBlocks(const LayerCall& call, bool toChannels) {
    if (auto error = requireRank(call, 4))
        return tl::unexpected(*error);
    const std::int64_t block = wholeNumber(functionSetting(call, {"block_size"}, 1)).value_or(0);
    if (block < 1 || block > largestExtent)
        return refuse("needs a block size");
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
        return refuse(fmt::format("cannot cut {} into blocks of {}", toText(call.shape()), block));
    return output(shape, call.inputType());
}
RuleResult<CallFacts> describeSpaceToDepth(const LayerCall& call) {
    return moveBlocks(call, true);
}
RuleResult<CallFacts> describeDepthToSpace(const LayerCall& call) {
    return moveBlocks(call, false);
}

/// "abc,cd->abd": extents by letter; "..." stands for what the letters leave.
RuleResult<CallFacts> describeEinsum(const LayerCall& call) {
    Json equation = functionSetting(call, {"equation", "subscripts"});
    if (!equation.is_string())
        equation = functionSetting(call, {}, 0);
    if (!equation.is_string())
        return refuse("sums over indices that are not known");
    std::string text = equation.get<std::string>();
    std::erase(text, ' ');
    const std::size_t arrow = text.find("->");
    if (arrow == std::string::npos)
        return refuse("sums over indices without naming those of the result");
    std::map<char, Dimension> extents;
    std::vector<Dimension> rest;
    std::size_t operand = 0;
    std::size_t begin = 0;
    while (begin <= arrow && operand < call.inputs.size()) {
        const std::size_t end = std::min(text.find(',', begin), arrow);
        const std::string letters = text.substr(begin, end - begin);
        const Shape& shape = call.shape(operand);
        const std::size_t dots = letters.find("...");
        const std::size_t named = letters.size() - (dots == std::string::npos ? 0 : 3);
        if (dots == std::string::npos ? named != shape.rank() : named > shape.rank())
            return refuse(fmt::format("reads {} as \"{}\"", toText(shape), letters));
        std::size_t axis = 0;
        for (std::size_t i = 0; i < letters.size(); ++i) {
            if (i == dots) {
                std::vector<Dimension> here;
                while (here.size() + named < shape.rank())
                    here.push_back(shape[axis++]);
                if (here.size() > rest.size())
                    rest = here;
                i += 2;
            } else {
                Dimension& extent = extents[letters[i]];
                if (!extent)
                    extent = shape[axis];
                ++axis;
            }
        }
        ++operand;
        begin = end + 1;
    }
    Shape shape;
    for (std::size_t i = arrow + 2; i < text.size(); ++i) {
        if (text.compare(i, 3, "...") == 0) {
            shape.dimensions.insert(shape.dimensions.end(), rest.begin(), rest.end());
            i += 2;
        } else {
            shape.dimensions.push_back(extents[text[i]]);
        }
    }
    Count products = 2;
    for (const auto& [letter, extent] : extents)
        products *= extent;
    CallFacts facts = output(shape, call.inputType());
    facts.flops = products;
    return facts;
}

RuleResult<CallFacts> describeSelect(const LayerCall& call) {
    Shape shape = call.shape();
    for (std::size_t i = 1; i < call.inputs.size(); ++i) {
        const auto common = broadcastShapes(shape, call.shape(i));
        if (!common)
            return tl::unexpected(common.error());
        shape = *common;
    }
    return output(shape, call.inputType(call.inputs.size() - 1));
}

struct FunctionRow {
    std::string_view names;
    LayerRule rule;
};

/// Names separated and enclosed by blanks.
constexpr std::array<FunctionRow, 28> rows{{
    {" add sub subtract mul multiply truediv true_divide divide div divide_no_nan pow power maximum minimum "
     "floordiv "
     "floor_divide mod radd rsub rmul rtruediv rpow addv2 bias_add squared_difference greater less equal "
     "not_equal "
     "greater_equal less_equal logical_and logical_or logical_xor atan2 arctan2 remainder floor_mod real_div "
     "floor_div rfloordiv rmod arctan fmod ",
     describeBinary},
    {" relu relu6 sigmoid tanh exp expm1 log log1p sqrt rsqrt square abs absolute neg negative sin cos "
     "softplus "
     "softsign gelu elu selu silu swish softmax log_softmax clip_by_value clip l2_normalize erf reciprocal "
     "sign "
     "round floor ceil leaky_relu hard_sigmoid logical_not mish cumsum cumprod tan asin acos atan sinh cosh "
     "log2 log10 log_sigmoid hard_silu hard_swish hard_tanh celu glu normalize nan_to_num isnan isfinite "
     "sort argsort softmax_v2 crelu tanh_shrink soft_shrink hard_shrink sparse_plus squareplus ",
     describeUnary},
    {" stop_gradient identity zeros_like ones_like convert_to_tensor dropout copy enable_grad flip reverse "
     "roll "
     "ensure_shape check_numerics print debugging boolean_mask random_shuffle ",
     describeMove},
    {" cast ", describeCast},
    {" reduce_mean reduce_sum reduce_max reduce_min reduce_prod reduce_any reduce_all mean sum max min prod "
     "reduce_logsumexp logsumexp reduce_std reduce_variance std var amax amin average norm "
     "count_nonzero any all median ",
     describeReduction},
    {" argmax argmin arg_max arg_min ", describePosition},
    {" tile repeat ", describeTile},
    {" split ", describeSplit},
    {" unstack ", describeUnstack},
    {" gather gather_v2 take ", describeGather},
    {" one_hot ", describeOneHot},
    {" swapaxes ", describeSwapAxes},
    {" moveaxis ", describeMoveAxis},
    {" broadcast_to ", describeBroadcastTo},
    {" resize resize_images resize_bilinear resize_nearest_neighbor resize_with_pad resize_v2 ",
     describeResize},
    {" space_to_depth ", describeSpaceToDepth},
    {" depth_to_space ", describeDepthToSpace},
    {" einsum ", describeEinsum},
    {" where select select_v2 ", describeSelect},
    {" expand_dims_v2 ", describeExpand},
    {" reshape ", describeReshape},
    {" transpose ", describeTranspose},
    {" expand_dims ", describeExpand},
    {" squeeze ", describeSqueeze},
    {" concat concatenate ", describeConcatenation},
    {" stack ", describeStack},
    {" matmul linalg_matmul batch_dot ", describeMatmul},
    {" pad ", describePadding},
}};

} // namespace

std::string plainFunctionName(std::string_view name) {
    const std::size_t dot = name.rfind('.');
    std::string_view plain = dot == std::string_view::npos ? name : name.substr(dot + 1);
    while (plain.starts_with('_'))
        plain.remove_prefix(1);
    while (plain.ends_with('_'))
        plain.remove_suffix(1);
    const std::size_t number = plain.find_last_not_of("0123456789");
    const bool isNumbered =
        number != std::string_view::npos && number + 1 < plain.size() && plain[number] == '_';
    std::string lower(isNumbered ? plain.substr(0, number) : plain);
    std::transform(lower.begin(), lower.end(), lower.begin(),
                   [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
    return lower;
}

LayerRule findFunctionRule(std::string_view plainName) {
    if (plainName.empty() || plainName.find(' ') != std::string_view::npos)
        return nullptr;
    const std::string wanted = fmt::format(" {} ", plainName);
    for (const FunctionRow& row : rows) {
        if (row.names.find(wanted) != std::string_view::npos)
            return row.rule;
    }
    return nullptr;
}

} // namespace core
