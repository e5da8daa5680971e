// Preprocessing layers.
#include "simulator/compiler/lowering/functions/image_resize.h"
#include "simulator/compiler/lowering/layer_geometry.h"
#include "simulator/compiler/lowering/layer_lowering.h"

#include <algorithm>
#include <cmath>

namespace simulator {
namespace {

using core::DataType;
using core::Json;
using core::TensorId;

/// A number, or one per element of some axes.
std::vector<double> numbersOf(const Json& value) {
    if (value.is_number())
        return {value.get<double>()};
    std::vector<double> numbers;
    for (const Json& entry : value) {
        const std::vector<double> inner = numbersOf(entry);
        numbers.insert(numbers.end(), inner.begin(), inner.end());
    }
    return numbers;
}

TensorId constantAlong(GraphBuilder& build, std::string_view label, const Json& value, const Extents& extents,
                       DataType type) {
    std::vector<double> numbers = numbersOf(value);
    if (numbers.size() == 1)
        return build.constant(numbers.front(), {}, type);
    return build.constant(label, std::move(numbers), {extents, type});
}

TensorId asFloating(LoweringCall& call) {
    return call.build.cast(call.input(), call.precision.compute);
}

Lowered lowerRescaling(LoweringCall& call) {
    GraphBuilder& build = call.build;
    const TensorId x = asFloating(call);
    const Extents channels{call.extents().back()};
    const TensorId scale =
        constantAlong(build, "scale", call.attributes.value("scale"), channels, build.type(x));
    const TensorId offset =
        constantAlong(build, "offset", call.attributes.value("offset"), channels, build.type(x));
    return std::vector{
        build.binary(BinaryFunction::Add, build.binary(BinaryFunction::Multiply, x, scale), offset)};
}

Lowered lowerNormalization(LoweringCall& call) {
    GraphBuilder& build = call.build;
    const TensorId x = asFloating(call);
    // The statistics are along the kept axes, with ones for the others.
    Extents wide(static_cast<std::size_t>(call.rank()), 1);
    for (const std::int64_t axis : call.attributes.axes("axis")) {
        const std::size_t position = normalizedAxis(axis, wide.size());
        wide[position] = call.extents()[position];
    }
    const bool isGiven = !call.hasWeight("mean");
    const auto statistic = [&](const char* name) {
        if (isGiven)
            return constantAlong(build, name, call.attributes.value(name), wide, build.type(x));
        return build.cast(build.reshape(call.storedWeight(name), wide), build.type(x));
    };
    const TensorId mean = statistic("mean");
    // Keras bounds the deviation from below by its epsilon.
    const TensorId deviation =
        build.binary(BinaryFunction::Maximum, build.unary(UnaryFunction::SquareRoot, statistic("variance")),
                     build.constant(1e-7, {}, build.type(x)));
    if (call.attributes.boolean("invert"))
        return std::vector{
            build.binary(BinaryFunction::Add, mean, build.binary(BinaryFunction::Multiply, x, deviation))};
    return std::vector{
        build.binary(BinaryFunction::Divide, build.binary(BinaryFunction::Subtract, x, mean), deviation)};
}

/// The middle of a field, cut to height × width from offsets rounded down.
TensorId cropMiddle(GraphBuilder& build, TensorId x, std::int64_t height, std::int64_t width) {
    const Extents extents = build.extents(x);
    const TensorId rows = build.slice(x, 1, (extents[1] - height) / 2, height);
    return build.slice(rows, 2, (extents[2] - width) / 2, width);
}

/// Images of rank 3 get a batch axis while they are worked on.
template <class Function>
Lowered withBatchAxis(LoweringCall& call, Function function) {
    const bool isSingle = call.rank() == 3;
    TensorId x = channelsLast(call, asFloating(call));
    if (isSingle)
        x = expandAxes(call.build, x, {0});
    const core::Result<TensorId> result = function(x);
    if (!result)
        return core::failure(result.error());
    TensorId y = *result;
    if (isSingle) {
        Extents extents = call.build.extents(y);
        extents.erase(extents.begin());
        y = call.build.reshape(y, std::move(extents));
    }
    return std::vector{toDataFormat(call, y)};
}

Lowered lowerResizing(LoweringCall& call) {
    const std::int64_t height = call.attributes.integer("height");
    const std::int64_t width = call.attributes.integer("width");
    if (call.attributes.boolean("pad_to_aspect_ratio"))
        return cannotLower("resizing with a border is not computed", "use ZeroPadding2D before Resizing");
    return withBatchAxis(call, [&](TensorId x) {
        if (call.attributes.boolean("crop_to_aspect_ratio")) {
            const Extents extents = call.build.extents(x);
            const std::int64_t rows = std::min(extents[1], extents[2] * height / width);
            const std::int64_t columns = std::min(extents[2], extents[1] * width / height);
            x = cropMiddle(call.build, x, rows, columns);
        }
        const Json& antialias = call.attributes.value("antialias");
        return addResize(call.build, x, height, width, call.attributes.text("interpolation"),
                         antialias == true);
    });
}

Lowered lowerCenterCrop(LoweringCall& call) {
    const std::int64_t height = call.attributes.integer("height");
    const std::int64_t width = call.attributes.integer("width");
    return withBatchAxis(call, [&](TensorId x) -> core::Result<TensorId> {
        const Extents extents = call.build.extents(x);
        if (extents[1] >= height && extents[2] >= width)
            return cropMiddle(call.build, x, height, width);
        // A smaller image is scaled up first, as Keras does.
        const std::int64_t rows = std::min(extents[1], extents[2] * height / width);
        const std::int64_t columns = std::min(extents[2], extents[1] * width / height);
        return addResize(call.build, cropMiddle(call.build, x, rows, columns), height, width, "bilinear",
                         false);
    });
}

Lowered lowerCategoryEncoding(LoweringCall& call) {
    GraphBuilder& build = call.build;
    const std::string mode = call.attributes.text("output_mode");
    const std::int64_t tokens = call.attributes.integer("num_tokens");
    TensorId indices = build.cast(call.input(), DataType::Int32);
    const bool dropsAxis = mode == "one_hot" && call.rank() > 1 && call.extents().back() == 1;
    if (dropsAxis) {
        Extents extents = call.extents();
        extents.pop_back();
        indices = build.reshape(indices, std::move(extents));
    }
    TensorId spread = build.add(OneHot{tokens, 1, 0}, {indices}, "");
    if (mode != "one_hot" && call.rank() > 1) {
        const ReduceFunction function = mode == "count" ? ReduceFunction::Sum : ReduceFunction::Maximum;
        spread = build.reduce(function, spread, {-2}, false);
    }
    return std::vector{build.cast(spread, call.precision.compute)};
}

Lowered lowerDiscretization(LoweringCall& call) {
    GraphBuilder& build = call.build;
    const Json& boundaries = call.attributes.value("bin_boundaries");
    if (!boundaries.is_array() || call.attributes.text("output_mode") != "int")
        return cannotLower("only Discretization into the numbers of given bins is computed",
                           "give bin_boundaries and output_mode \"int\"");
    // The bin's number is how many boundaries are not above x.
    const TensorId x = expandAxes(build, asFloating(call), {call.rank()});
    const std::vector<double> numbers = numbersOf(boundaries);
    const auto count = static_cast<std::int64_t>(numbers.size());
    const TensorId borders = build.constant("boundaries", numbers, {{count}, build.type(x)});
    const TensorId above =
        build.cast(build.binary(BinaryFunction::GreaterEqual, x, borders), DataType::Float32);
    return std::vector{build.cast(build.reduce(ReduceFunction::Sum, above, {-1}, false), DataType::Int32)};
}

constexpr LoweringEntry preprocessingLayers[]{
    {"Rescaling", lowerRescaling},
    {"Normalization", lowerNormalization},
    {"Resizing", lowerResizing},
    {"CenterCrop", lowerCenterCrop},
    {"CategoryEncoding", lowerCategoryEncoding},
    {"Discretization", lowerDiscretization},
};

} // namespace

std::span<const LoweringEntry> preprocessingLowerings() {
    return preprocessingLayers;
}

} // namespace simulator
