#include "core/model/layers/function_shapes.h"

#include "core/model/layers/shape_rules.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <initializer_list>
#include <utility>

namespace core {

namespace {

/// A setting of the call by any of its names; null when absent. `position` counts all positional arguments.
Json setting(const LayerCall& call, std::initializer_list<const char*> names, std::size_t position = 99) {
    for (const char* name : names) {
        const auto found = call.arguments.find(name);
        if (found != call.arguments.end())
            return *found;
    }
    const auto positional = call.arguments.find("$args");
    if (positional != call.arguments.end() && positional->is_array() && position < positional->size())
        return (*positional)[position];
    return nullptr;
}

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
    const auto type = precisionFromJson(setting(call, {"dtype"}, 1));
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
    const Json other = setting(call, {"y", "x"}, 1);
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
    const Json axis = setting(call, {"axis", "reduction_indices"}, 1);
    const Json keep = setting(call, {"keepdims", "keep_dims"}, 2);
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
    const Json target = setting(call, {"shape", "newshape"}, 1);
    if (!target.is_array())
        return refuse("is a reshape to extents that are not known");
    Shape shape;
    std::optional<std::size_t> open;
    Count fixed = 1;
    for (std::size_t i = 0; i < target.size(); ++i) {
        const std::int64_t extent = wholeNumber(target[i]).value_or(-1);
        const bool isBatch = i == 0 && extent < 0;
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
    std::vector<std::int64_t> order = integersOf(setting(call, {"perm", "axes"}, 1));
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
        axisFromFront(wholeNumber(setting(call, {"axis"}, 1)).value_or(-1), call.shape().rank() + 1);
    if (!axis)
        return tl::unexpected(axis.error());
    shape.dimensions.insert(shape.dimensions.begin() + static_cast<std::ptrdiff_t>(*axis), Dimension(1));
    return output(shape, call.inputType());
}

RuleResult<CallFacts> describeSqueeze(const LayerCall& call) {
    const Json axis = setting(call, {"axis"}, 1);
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
    const auto axis = axisFromFront(wholeNumber(setting(call, {"axis"}, 1)).value_or(-1), shape.rank());
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
    const auto axis = axisFromFront(wholeNumber(setting(call, {"axis"}, 1)).value_or(0), shape.rank() + 1);
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
    const Json amounts = setting(call, {"paddings", "pad_width"}, 1);
    for (std::size_t i = 0; amounts.is_array() && i < std::min(amounts.size(), shape.rank()); ++i) {
        const std::vector<std::int64_t> pair = integersOf(amounts[i]);
        for (const std::int64_t amount : pair)
            shape[i] = (Count(shape[i]) + amount).known();
    }
    return output(shape, call.inputType());
}

struct FunctionRow {
    std::string_view names;
    LayerRule rule;
};

/// Names separated and enclosed by blanks.
constexpr std::array<FunctionRow, 13> rows{{
    {" add sub subtract mul multiply truediv true_divide divide div divide_no_nan pow power maximum minimum "
     "floordiv "
     "floor_divide mod radd rsub rmul rtruediv rpow addv2 bias_add squared_difference greater less equal "
     "not_equal "
     "greater_equal less_equal logical_and logical_or ",
     describeBinary},
    {" relu relu6 sigmoid tanh exp expm1 log log1p sqrt rsqrt square abs absolute neg negative sin cos "
     "softplus "
     "softsign gelu elu selu silu swish softmax log_softmax clip_by_value clip l2_normalize erf reciprocal "
     "sign "
     "round floor ceil leaky_relu hard_sigmoid logical_not mish cumsum ",
     describeUnary},
    {" stop_gradient identity zeros_like ones_like convert_to_tensor dropout copy enable_grad flip reverse "
     "roll "
     "ensure_shape ",
     describeMove},
    {" cast ", describeCast},
    {" reduce_mean reduce_sum reduce_max reduce_min reduce_prod reduce_any reduce_all mean sum max min prod "
     "reduce_logsumexp logsumexp reduce_std reduce_variance std var argmax argmin amax amin ",
     describeReduction},
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
