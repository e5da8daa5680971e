#include "core/model/layers/function_shapes.h"

#include "core/catalogue/functions.h"
#include "core/model/layers/function_rules.h"
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

std::vector<std::int64_t> functionIntegers(const Json& value) {
    std::vector<std::int64_t> list;
    for (const Json& entry : value.is_array() ? value : Json::array({value})) {
        if (const auto number = wholeNumber(entry))
            list.push_back(*number);
    }
    return list;
}

Shape constantFunctionShape(const Json& value) {
    Shape shape;
    for (const Json* level = &value; level->is_array() && !level->empty(); level = &level->front())
        shape.dimensions.emplace_back(static_cast<std::int64_t>(level->size()));
    return shape;
}

namespace {

bool isTensor(const Json& value) {
    return value.is_object() && value.contains("$input");
}

/// An axis that a function names and its input does not have.
std::optional<RuleError> wrongAxis(const LayerCall& call) {
    for (const std::int64_t axis : functionIntegers(functionSetting(call, {"axis"})))
        if (const auto index = axisFromFront(axis, call.shape().rank()); !index)
            return index.error();
    return std::nullopt;
}

RuleResult<CallFacts> describeUnary(const LayerCall& call) {
    if (const auto error = wrongAxis(call))
        return tl::unexpected(*error);
    return sameAsInput(call, 1);
}

RuleResult<CallFacts> describeMove(const LayerCall& call) {
    if (const auto error = wrongAxis(call))
        return tl::unexpected(*error);
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
        const auto common = broadcastShapes(shape, constantFunctionShape(other));
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
    for (const std::int64_t entry : functionIntegers(axis)) {
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

RuleResult<CallFacts> describeMatmul(const LayerCall& call) {
    if (call.inputs.size() < 2)
        return refuse("multiplies by a matrix whose shape is not known",
                      "make the matrix an input, a weight or a constant of the model");
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
        return refuse(
            fmt::format("cannot multiply {} by {}", toText(left), toText(right)),
            "the last axis of the first has the extent of the second's last but one: transpose one of them");
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

RuleResult<CallFacts> describePosition(const LayerCall& call) {
    auto facts = describeReduction(call);
    if (facts)
        facts->outputs.front().type = DataType::Int32;
    return facts;
}

/// "abc,cd->abd": extents by letter; "..." stands for what the letters leave.
RuleResult<CallFacts> describeEinsum(const LayerCall& call) {
    Json equation = functionSetting(call, {"equation", "subscripts"});
    if (!equation.is_string())
        equation = functionSetting(call, {}, 0);
    if (!equation.is_string())
        return refuse("sums over indices that are not known", "write the equation as a constant text");
    std::string text = equation.get<std::string>();
    std::erase(text, ' ');
    const std::size_t arrow = text.find("->");
    if (arrow == std::string::npos)
        return refuse("sums over indices without naming those of the result",
                      "write the indices of the result behind ->");
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
            return refuse(fmt::format("reads {} as \"{}\"", toText(shape), letters),
                          "write one letter per axis");
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
    for (const auto& names : {std::pair{"x", "x1"}, std::pair{"y", "x2"}}) {
        const Json constant = functionSetting(call, {names.first, names.second}, *names.first == 'x' ? 1 : 2);
        const auto common = isTensor(constant) ? RuleResult<Shape>(shape)
                                               : broadcastShapes(shape, constantFunctionShape(constant));
        if (!common)
            return tl::unexpected(common.error());
        shape = *common;
    }
    return output(shape, call.inputType(call.inputs.size() - 1));
}

/// relu of x and of −x side by side, along the last axis.
RuleResult<CallFacts> describeConcatenatedRelu(const LayerCall& call) {
    Shape shape = call.shape();
    const auto last = static_cast<std::int64_t>(shape.rank()) - 1;
    const std::int64_t axis = wholeNumber(functionSetting(call, {"axis"}, 1)).value_or(-1);
    if (last < 0 || (axis != -1 && axis != last))
        return refuse("joins its halves along another axis than the last", "leave the axis out");
    Dimension& channels = shape[static_cast<std::size_t>(last)];
    if (channels)
        channels = 2 * *channels;
    return output(call, shape);
}

struct FunctionRow {
    std::string_view names;
    LayerRule rule;
};

/// Names separated and enclosed by blanks; those of the element-wise functions are in their catalogue.
constexpr std::array<FunctionRow, 30> rows{{
    {" crelu ", describeConcatenatedRelu},
    {" divide_no_nan floordiv floor_divide floor_div rfloordiv rmod fmod ", describeBinary},
    {" relu relu6 sigmoid tanh softplus softsign gelu elu selu silu swish softmax log_softmax clip_by_value "
     "clip l2_normalize leaky_relu hard_sigmoid mish cumsum cumprod log2 log10 log_sigmoid hard_silu "
     "hard_swish hard_tanh celu glu normalize nan_to_num isfinite sort argsort softmax_v2 tanh_shrink "
     "soft_shrink hard_shrink sparse_plus squareplus ",
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
    {" top_k ", describeTopK},
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
    if (binaryCalled(plainName).definition != nullptr)
        return describeBinary;
    if (unaryCalled(plainName) != nullptr)
        return describeUnary;
    const std::string wanted = fmt::format(" {} ", plainName);
    for (const FunctionRow& row : rows) {
        if (row.names.find(wanted) != std::string_view::npos)
            return row.rule;
    }
    return nullptr;
}

} // namespace core
