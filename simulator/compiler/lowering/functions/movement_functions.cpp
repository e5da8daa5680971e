// Functions that lay elements out differently or pick some of them: split, tile, gather, resize and the like.
#include "core/model/layers/function_shapes.h"
#include "simulator/compiler/lowering/function_call.h"
#include "simulator/compiler/lowering/functions/einsum.h"
#include "simulator/compiler/lowering/functions/image_resize.h"
#include "simulator/compiler/lowering/layer_geometry.h"

#include <algorithm>
#include <fmt/format.h>
#include <numeric>

namespace simulator {
namespace {

using core::DataType;
using core::Json;
using core::TensorId;

std::int64_t integerOf(const Json& value, std::int64_t byDefault) {
    return value.is_number() ? value.get<std::int64_t>() : byDefault;
}

/// The setting "axis" counted from the front of `rank` axes.
std::int64_t axisOf(const LoweringCall& call, std::size_t position, std::int64_t byDefault,
                    std::int64_t rank) {
    const std::int64_t axis = integerOf(setting(call, {"axis"}, position), byDefault);
    return axis < 0 ? axis + rank : axis;
}

/// Extents that the shape rules found for an output; the first axis stands for an open one.
Extents knownExtents(const LoweringCall& call, std::size_t output = 0) {
    Extents extents;
    for (const core::Dimension& extent : call.outputs.at(output).shape.dimensions)
        extents.push_back(extent.value_or(call.extents().empty() ? 1 : call.extents().front()));
    return extents;
}

/// x repeated along one axis: whole copies one after the other (tile), or each element by itself (repeat).
TensorId repeated(GraphBuilder& build, TensorId x, std::int64_t axis, std::int64_t count, bool perElement) {
    if (count == 1)
        return x;
    Extents extents = build.extents(x);
    const auto at = extents.begin() + axis + (perElement ? 1 : 0);
    Extents wide = extents;
    wide.insert(wide.begin() + (at - extents.begin()), 1);
    Extents spread = wide;
    spread[static_cast<std::size_t>(at - extents.begin())] = count;
    extents[static_cast<std::size_t>(axis)] *= count;
    return build.reshape(build.broadcast(build.reshape(x, wide), spread), extents);
}

Lowered lowerTile(LoweringCall& call) {
    TensorId x = call.input();
    const std::vector<std::int64_t> counts = integersOf(setting(call, {"multiples", "repeats", "reps"}, 1));
    const std::int64_t first = call.rank() - static_cast<std::int64_t>(counts.size());
    for (std::size_t i = 0; i < counts.size(); ++i)
        x = repeated(call.build, x, first + static_cast<std::int64_t>(i), counts[i], false);
    return one(x);
}

Lowered lowerRepeat(LoweringCall& call) {
    const Json counts = setting(call, {"repeats"}, 1);
    if (!counts.is_number() || setting(call, {"axis"}, 2).is_null())
        return cannotLower("repeats elements in different numbers, or of all axes",
                           "give one number of repeats and an axis");
    return one(repeated(call.build, call.input(), axisOf(call, 2, 0, call.rank()), counts.get<std::int64_t>(),
                        true));
}

Lowered lowerSplit(LoweringCall& call) {
    const std::int64_t axis = axisOf(call, 2, 0, call.rank());
    std::vector<TensorId> parts;
    std::int64_t begin = 0;
    for (const core::TensorSpec& output : call.outputs) {
        const auto extent = output.shape[static_cast<std::size_t>(axis)];
        const std::int64_t all = call.extents()[static_cast<std::size_t>(axis)];
        const auto count = extent.value_or(all / static_cast<std::int64_t>(call.outputs.size()));
        parts.push_back(call.build.slice(call.input(), axis, begin, count));
        begin += count;
    }
    return parts;
}

Lowered lowerUnstack(LoweringCall& call) {
    const std::int64_t axis = axisOf(call, 2, 0, call.rank());
    Extents extents = call.extents();
    const std::int64_t count = extents[static_cast<std::size_t>(axis)];
    extents.erase(extents.begin() + axis);
    std::vector<TensorId> parts;
    for (std::int64_t i = 0; i < count; ++i)
        parts.push_back(call.build.reshape(call.build.slice(call.input(), axis, i, 1), extents));
    return parts;
}

Lowered lowerTopK(LoweringCall& call) {
    return call.build.addAll(TopK{integerOf(setting(call, {"k"}, 1), 1)}, {call.input()}, "top_k");
}

/// Each sample's own places of an axis: rows of one list, in which the samples stand one behind the other.
TensorId gatherOfBatches(GraphBuilder& build, TensorId x, TensorId indices, std::int64_t axis,
                         std::int64_t batches) {
    const Extents own = build.extents(indices);
    const TensorId front = moveAxis(build, x, axis, batches);
    const Extents extents = build.extents(front);
    const Extents rest(extents.begin() + batches + 1, extents.end());
    const std::int64_t places = extents[static_cast<std::size_t>(batches)];
    const std::int64_t samples = elementCount({own.begin(), own.begin() + batches});
    const std::int64_t perSample = elementCount({own.begin() + batches, own.end()});
    std::vector<double> offsets;
    for (std::int64_t i = 0; i < samples * perSample; ++i)
        offsets.push_back(static_cast<double>(i / perSample * places));
    const TensorId rows = build.binary(BinaryFunction::Add, indices,
                                       build.constant("offsets", std::move(offsets), {own, DataType::Int32}));
    Extents table{samples * places};
    table.insert(table.end(), rest.begin(), rest.end());
    TensorId taken = build.add(Gather{0}, {build.reshape(front, table), rows}, "gather");
    // The places stand where the axis was: those that moved behind them go back in front of them.
    const auto picked = static_cast<std::int64_t>(own.size()) - batches;
    for (std::int64_t i = batches; i < axis; ++i)
        taken = moveAxis(build, taken, picked + i, i);
    return taken;
}

Lowered lowerGather(LoweringCall& call) {
    GraphBuilder& build = call.build;
    const Json shared = setting(call, {"batch_dims"}, 3);
    // The axis behind those that both share, where none is given.
    const std::int64_t axis = axisOf(call, 2, integerOf(shared, 0), call.rank());
    const auto other = call.inputs.size() > 1
                           ? std::optional(call.input(1))
                           : constantOf(build, setting(call, {"indices"}, 1), DataType::Int32);
    if (!other)
        return cannotLower("gathers indices that cannot be read",
                           "make them an input, a weight or a constant of the model");
    const std::int64_t factor = integerOf(setting(call, {"serialization_factor"}), 1);
    if (factor < 1 || build.extents(call.input())[static_cast<std::size_t>(axis)] % factor != 0)
        return cannotLower(fmt::format("serializes its table {} times, which does not divide it", factor),
                           "take a serialization_factor that divides the rows of the table");
    const TensorId indices = build.cast(*other, DataType::Int32);
    std::int64_t batches = integerOf(shared, 0);
    batches += batches < 0 ? static_cast<std::int64_t>(build.rank(indices)) : 0;
    return one(batches > 0 ? gatherOfBatches(build, call.input(), indices, axis, batches)
                           : build.add(Gather{axis, factor}, {call.input(), indices}, "gather"));
}

Lowered lowerOneHot(LoweringCall& call) {
    GraphBuilder& build = call.build;
    const Json depth = setting(call, {"depth", "num_classes"}, 1);
    if (!depth.is_number())
        return cannotLower("does not know its depth", "give the depth as a number");
    const auto level = [&](const char* name, std::size_t position, double byDefault) {
        const Json value = setting(call, {name}, position);
        return value.is_number() ? value.get<double>() : byDefault;
    };
    const OneHot spread{depth.get<std::int64_t>(), level("on_value", 2, 1), level("off_value", 3, 0)};
    const TensorId indices = build.cast(call.input(), DataType::Int32);
    const TensorId hot = build.add(spread, {indices}, "one_hot");
    const std::int64_t axis = axisOf(call, 4, -1, call.rank() + 1);
    return one(build.cast(moveAxis(build, hot, call.rank(), axis), call.outputs.front().type));
}

Lowered lowerSwapAxes(LoweringCall& call) {
    std::vector<std::int64_t> order(static_cast<std::size_t>(call.rank()));
    std::iota(order.begin(), order.end(), 0);
    const auto position = [&](const char* name, std::size_t place) {
        const std::int64_t axis = integerOf(setting(call, {name}, place), 0);
        return static_cast<std::size_t>(axis < 0 ? axis + call.rank() : axis);
    };
    std::swap(order[position("axis1", 1)], order[position("axis2", 2)]);
    return one(call.build.transpose(call.input(), std::move(order)));
}

Lowered lowerMoveAxis(LoweringCall& call) {
    const auto position = [&](const char* name, std::size_t place) {
        const std::int64_t axis = integerOf(setting(call, {name}, place), 0);
        return axis < 0 ? axis + call.rank() : axis;
    };
    return one(moveAxis(call.build, call.input(), position("source", 1), position("destination", 2)));
}

Lowered lowerBroadcast(LoweringCall& call) {
    return one(call.build.broadcast(call.input(), knownExtents(call)));
}

Lowered lowerResize(LoweringCall& call) {
    const std::vector<std::int64_t> size = integersOf(setting(call, {"size"}, 1));
    if (size.size() != 2 || setting(call, {"preserve_aspect_ratio"}) == true)
        return cannotLower("resizes to a size that is not known", "give height and width");
    const std::string name = call.attributes.text("function");
    Json method = setting(call, {"method", "interpolation"}, 2);
    if (name.find("nearest") != std::string::npos)
        method = "nearest";
    GraphBuilder& build = call.build;
    const bool isSingle = call.rank() == 3;
    const bool isFirst = setting(call, {"data_format"}) == "channels_first";
    TensorId x = isSingle ? expandAxes(build, call.input(), {0}) : call.input();
    if (isFirst)
        x = moveAxis(build, x, 1, 3);
    const core::Result<TensorId> resized =
        addResize(build, x, size[0], size[1], method.is_string() ? method.get<std::string>() : "bilinear",
                  setting(call, {"antialias"}) == true);
    if (!resized)
        return core::failure(resized.error());
    TensorId y = isFirst ? moveAxis(build, *resized, 3, 1) : *resized;
    if (isSingle) {
        Extents extents = build.extents(y);
        extents.erase(extents.begin());
        y = build.reshape(y, std::move(extents));
    }
    return one(y);
}

/// Blocks of pixels [N, H, W, C] become channels, a block's pixels in rows, each with its channels.
Lowered lowerSpaceToDepth(LoweringCall& call) {
    GraphBuilder& build = call.build;
    const std::int64_t block = integerOf(setting(call, {"block_size"}, 1), 1);
    const Extents e = call.extents();
    const TensorId cut = build.reshape(call.input(), {e[0], e[1] / block, block, e[2] / block, block, e[3]});
    return one(build.reshape(build.transpose(cut, {0, 1, 3, 2, 4, 5}),
                             {e[0], e[1] / block, e[2] / block, block * block * e[3]}));
}
Lowered lowerDepthToSpace(LoweringCall& call) {
    GraphBuilder& build = call.build;
    const std::int64_t block = integerOf(setting(call, {"block_size"}, 1), 1);
    const Extents e = call.extents();
    const std::int64_t channels = e[3] / (block * block);
    const TensorId cut = build.reshape(call.input(), {e[0], e[1], e[2], block, block, channels});
    return one(build.reshape(build.transpose(cut, {0, 1, 3, 2, 4, 5}),
                             {e[0], e[1] * block, e[2] * block, channels}));
}

Lowered lowerEinsum(LoweringCall& call) {
    Json equation = setting(call, {"equation", "subscripts"});
    if (!equation.is_string())
        equation = setting(call, {}, 0);
    if (!equation.is_string() || call.inputs.size() != 2)
        return cannotLower("sums other than two operands", "write it as sums of two operands each");
    const std::string plain =
        withoutEllipsis(equation.get<std::string>(), static_cast<std::size_t>(call.rank(0)),
                        static_cast<std::size_t>(call.rank(1)));
    const auto sum = addEinsum(call.build, plain, call.input(0), call.input(1));
    return sum ? one(*sum) : core::failure(sum.error());
}

/// where(condition, a, b); a and b may be constants.
Lowered lowerSelect(LoweringCall& call) {
    GraphBuilder& build = call.build;
    std::size_t next = 1;
    const TensorId model = call.inputs.size() > 1 ? call.input(1) : call.input();
    const auto operand = [&](std::initializer_list<const char*> names,
                             std::size_t position) -> std::optional<TensorId> {
        const Json value = setting(call, names, position);
        if (value.is_object() && value.contains("$input"))
            return call.input(value["$input"].get<std::size_t>());
        if (!value.is_null())
            return constantOf(build, value, build.type(model));
        return next < call.inputs.size() ? std::optional(call.input(next++)) : std::nullopt;
    };
    const auto a = operand({"x", "x1"}, 1);
    const auto b = operand({"y", "x2"}, 2);
    if (!a || !b)
        return cannotLower("chooses between values that cannot be read", "give both values");
    return one(build.add(Select{}, {build.cast(call.input(), DataType::Bool), *a, *b}, "where"));
}

Lowered lowerRoll(LoweringCall& call) {
    const std::vector<std::int64_t> shifts = integersOf(setting(call, {"shift"}, 1));
    const std::vector<std::int64_t> axes = integersOf(setting(call, {"axis"}, 2));
    if (shifts.empty() || shifts.size() != axes.size())
        return cannotLower("rolls by amounts that are not known", "give one shift for each axis");
    TensorId x = call.input();
    for (std::size_t i = 0; i < axes.size(); ++i) {
        const std::int64_t axis = axes[i] < 0 ? axes[i] + call.rank() : axes[i];
        const std::int64_t extent = call.extents()[static_cast<std::size_t>(axis)];
        const std::int64_t shift = extent == 0 ? 0 : (shifts[i] % extent + extent) % extent;
        if (shift == 0)
            continue;
        x = call.build.concatenate(
            {call.build.slice(x, axis, extent - shift, shift), call.build.slice(x, axis, 0, extent - shift)},
            axis);
    }
    return one(x);
}

constexpr NamedLowering functions[]{
    {" tile ", lowerTile},
    {" repeat ", lowerRepeat},
    {" split ", lowerSplit},
    {" unstack ", lowerUnstack},
    {" top_k ", lowerTopK},
    {" gather gather_v2 take ", lowerGather},
    {" one_hot ", lowerOneHot},
    {" swapaxes ", lowerSwapAxes},
    {" moveaxis ", lowerMoveAxis},
    {" broadcast_to ", lowerBroadcast},
    {" resize resize_images resize_bilinear resize_nearest_neighbor resize_v2 ", lowerResize},
    {" space_to_depth ", lowerSpaceToDepth},
    {" depth_to_space ", lowerDepthToSpace},
    {" einsum ", lowerEinsum},
    {" where select select_v2 ", lowerSelect},
    {" roll ", lowerRoll},
};

} // namespace

std::span<const NamedLowering> movementFunctions() {
    return functions;
}

} // namespace simulator
