// Layers that change images at random while training and leave them alone otherwise.
#include "simulator/compiler/lowering/image_resize.h"
#include "simulator/compiler/lowering/layer_geometry.h"
#include "simulator/compiler/lowering/layer_lowering.h"

#include <algorithm>

namespace simulator {
namespace {

using core::DataType;
using core::Json;
using core::TensorId;

/// One random number per image, shaped to broadcast over it.
TensorId perImage(LoweringCall& call, TensorId x, RandomDistribution distribution, double a, double b) {
    Extents extents(call.build.rank(x), 1);
    extents.front() = call.build.extents(x).front();
    return call.build.addAs(Random{distribution, a, b, call.seed(), call.nextStream()}, {}, "draw",
                            {std::move(extents), call.build.type(x)});
}

TensorId mirrored(LoweringCall& call, TensorId x, std::int64_t axis) {
    GraphBuilder& build = call.build;
    const std::int64_t extent = build.extents(x)[static_cast<std::size_t>(axis)];
    const TensorId turned = build.slice(x, axis, extent - 1, extent, -1);
    const TensorId coin = perImage(call, x, RandomDistribution::Bernoulli, 0.5, 0);
    return build.add(Select{}, {build.cast(coin, DataType::Bool), turned, x}, "flip");
}

Lowered lowerRandomFlip(LoweringCall& call) {
    if (!call.isTraining())
        return call.inputs;
    const std::string mode = call.attributes.text("mode");
    TensorId x = channelsLast(call, call.input());
    if (mode != "horizontal")
        x = mirrored(call, x, 1);
    if (mode != "vertical")
        x = mirrored(call, x, 2);
    return std::vector{toDataFormat(call, x)};
}

/// Bounds of a factor given as a number or a pair: 1 − low … 1 + high, or −low … high.
std::pair<double, double> factorBounds(const Json& value) {
    if (value.is_array() && value.size() == 2)
        return {value[0].get<double>(), value[1].get<double>()};
    const double bound = value.is_number() ? value.get<double>() : 0;
    return {-bound, bound};
}

Lowered lowerRandomContrast(LoweringCall& call) {
    if (!call.isTraining())
        return call.inputs;
    GraphBuilder& build = call.build;
    const Json& value = call.attributes.value("factor");
    const auto [low, high] = factorBounds(value);
    const TensorId x = channelsLast(call, call.input());
    const TensorId factor =
        perImage(call, x, RandomDistribution::Uniform, 1 - (value.is_array() ? low : -low), 1 + high);
    const TensorId mean = build.reduce(ReduceFunction::Mean, x, {1, 2}, true);
    const TensorId spread =
        build.binary(BinaryFunction::Multiply, build.binary(BinaryFunction::Subtract, x, mean), factor);
    return std::vector{toDataFormat(call, build.binary(BinaryFunction::Add, spread, mean))};
}

Lowered lowerRandomBrightness(LoweringCall& call) {
    if (!call.isTraining())
        return call.inputs;
    GraphBuilder& build = call.build;
    const auto [low, high] = factorBounds(call.attributes.value("factor"));
    const Json& range = call.attributes.value("value_range");
    const bool hasRange = range.is_array() && range.size() == 2;
    const double least = hasRange ? range[0].get<double>() : 0;
    const double most = hasRange ? range[1].get<double>() : 255;
    const TensorId x = channelsLast(call, call.input());
    const TensorId shift =
        perImage(call, x, RandomDistribution::Uniform, low * (most - least), high * (most - least));
    const TensorId moved = build.binary(BinaryFunction::Add, x, shift);
    return std::vector{toDataFormat(call, build.unary(UnaryFunction::Clip, moved, least, most))};
}

/// Cut in the middle, scaled up first where the image is too small: what Keras does outside training.
Lowered lowerRandomCrop(LoweringCall& call) {
    if (call.isTraining())
        return cannotLower("RandomCrop is not computed while training",
                           "use CenterCrop, or crop the dataset");
    const std::int64_t height = call.attributes.integer("height");
    const std::int64_t width = call.attributes.integer("width");
    TensorId x = channelsLast(call, call.input());
    if (call.build.rank(x) != 4)
        return cannotLower("RandomCrop is computed for batches of images only");
    const Extents extents = call.build.extents(x);
    const std::int64_t rows = std::min(extents[1], extents[2] * height / width);
    const std::int64_t columns = std::min(extents[2], extents[1] * width / height);
    const bool isSmall = extents[1] < height || extents[2] < width;
    const std::int64_t keptRows = isSmall ? rows : height;
    const std::int64_t keptColumns = isSmall ? columns : width;
    x = call.build.slice(x, 1, (extents[1] - keptRows) / 2, keptRows);
    x = call.build.slice(x, 2, (extents[2] - keptColumns) / 2, keptColumns);
    const auto resized = addResize(call.build, x, height, width, "bilinear", false);
    return resized ? Lowered(std::vector{toDataFormat(call, *resized)}) : core::failure(resized.error());
}

/// Layers whose geometry differs from image to image.
Lowered lowerGeometric(LoweringCall& call) {
    if (call.isTraining())
        return cannotLower(call.attributes.definition().className + " is not computed while training",
                           "augment the dataset instead, or use RandomFlip");
    return call.inputs;
}

constexpr LoweringEntry entries[]{
    {"RandomFlip", lowerRandomFlip},
    {"RandomContrast", lowerRandomContrast},
    {"RandomBrightness", lowerRandomBrightness},
    {"RandomCrop", lowerRandomCrop},
    {"RandomRotation", lowerGeometric},
    {"RandomZoom", lowerGeometric},
    {"RandomTranslation", lowerGeometric},
    {"RandomHeight", lowerGeometric},
    {"RandomWidth", lowerGeometric},
};

} // namespace

std::span<const LoweringEntry> augmentationLowerings() {
    return entries;
}

} // namespace simulator
