// Layers that change images at random while training and leave them alone otherwise.
#include "simulator/compiler/lowering/functions/image_resize.h"
#include "simulator/compiler/lowering/functions/image_sampling.h"
#include "simulator/compiler/lowering/layer_geometry.h"
#include "simulator/compiler/lowering/layer_lowering.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>
#include <optional>

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

/// What lies outside an image, by the attribute `fill_mode`.
std::optional<SampleBorder> borderOf(const LoweringCall& call) {
    const Json& mode = call.attributes.value("fill_mode");
    if (mode == "constant")
        return SampleBorder::Zeros;
    if (mode == "reflect")
        return SampleBorder::Mirror;
    if (mode == "wrap")
        return SampleBorder::Wrap;
    return mode == "nearest" ? std::optional(SampleBorder::Edge) : std::nullopt;
}

/// Rows or columns 0, 1, … of a field, along `axis` of three.
TensorId positions(GraphBuilder& build, std::size_t axis, std::int64_t count, DataType type) {
    std::vector<double> values;
    for (std::int64_t i = 0; i < count; ++i)
        values.push_back(static_cast<double>(i));
    Extents extents(3, 1);
    extents[axis] = count;
    return build.constant("positions", std::move(values), {std::move(extents), type});
}

/// Where each element of the output is read from: (y, x) of the input are this matrix times (y, x, 1) of the
/// output, one matrix per image; augmentationLayers [N, 1, 1], or invalid for those of the unit matrix.
struct Placement {
    TensorId yy, yx, y1;
    TensorId xy, xx, x1;
};

/// Images read at the places that an affine map gives.
Lowered lowerMoved(LoweringCall& call, const std::function<Placement(TensorId x, const Extents& field)>& draw,
                   std::int64_t height = 0, std::int64_t width = 0) {
    GraphBuilder& build = call.build;
    const auto border = borderOf(call);
    const Json& interpolation = call.attributes.value("interpolation");
    if (!border || (interpolation != "bilinear" && interpolation != "nearest"))
        return cannotLower("fills or interpolates in a way that is not computed",
                           "use fill_mode constant, reflect, wrap or nearest and interpolation bilinear or "
                           "nearest");
    TensorId x = channelsLast(call, call.input());
    if (build.rank(x) != 4)
        return cannotLower("is computed for batches of images only", "give images [N, H, W, C]");
    const Extents extents = build.extents(x);
    const Json& fill = call.attributes.value("fill_value");
    const double outside = *border == SampleBorder::Zeros && fill.is_number() ? fill.get<double>() : 0;
    const DataType type = build.type(x);
    const Placement map = draw(x, extents);
    const Extents field{extents[0], height > 0 ? height : extents[1], width > 0 ? width : extents[2]};
    const TensorId rows = positions(build, 1, field[1], type);
    const TensorId columns = positions(build, 2, field[2], type);
    const auto times = [&](TensorId factor, TensorId place) {
        return factor.isValid() ? build.binary(BinaryFunction::Multiply, factor, place) : place;
    };
    const auto place = [&](TensorId own, TensorId ownPlace, TensorId other, TensorId otherPlace,
                           TensorId shift) {
        TensorId sum = times(own, ownPlace);
        if (other.isValid())
            sum = build.binary(BinaryFunction::Add, sum, times(other, otherPlace));
        if (shift.isValid())
            sum = build.binary(BinaryFunction::Add, sum, shift);
        return build.broadcast(sum, field);
    };
    SampleMode mode;
    mode.border = *border;
    mode.interpolation =
        interpolation == "nearest" ? SampleInterpolation::Nearest : SampleInterpolation::Linear;
    const TensorId read =
        addSamples(build, build.scaleShift(x, 1, -outside), place(map.yy, rows, map.yx, columns, map.y1),
                   place(map.xx, columns, map.xy, rows, map.x1), mode);
    return std::vector{toDataFormat(call, build.scaleShift(read, 1, outside))};
}

/// One number per image [N, 1, 1], uniform between the bounds that an attribute gives.
TensorId drawn(LoweringCall& call, TensorId x, const Json& bounds, double scale) {
    const auto [low, high] = factorBounds(bounds);
    return call.build.addAs(
        Random{RandomDistribution::Uniform, low * scale, high * scale, call.seed(), call.nextStream()}, {},
        "draw", {{call.build.extents(x).front(), 1, 1}, call.build.type(x)});
}

/// a·x + b·y.
TensorId combined(GraphBuilder& build, TensorId x, double a, TensorId y, double b) {
    return build.binary(BinaryFunction::Add, build.scaleShift(x, a), build.scaleShift(y, b));
}

Lowered lowerRandomRotation(LoweringCall& call) {
    if (!call.isTraining())
        return call.inputs;
    GraphBuilder& build = call.build;
    return lowerMoved(call, [&](TensorId x, const Extents& extents) {
        const TensorId angle = drawn(call, x, call.attributes.value("factor"), 2 * std::numbers::pi);
        const TensorId cosine = build.unary(UnaryFunction::Cosine, angle);
        const TensorId sine = build.unary(UnaryFunction::Sine, angle);
        const auto lastRow = static_cast<double>(extents[1] - 1);
        const auto lastColumn = static_cast<double>(extents[2] - 1);
        Placement map;
        map.yy = map.xx = cosine;
        map.yx = sine;
        map.xy = build.scaleShift(sine, -1);
        // The middle of the image stays where it is.
        map.y1 =
            build.scaleShift(combined(build, sine, -lastColumn / 2, cosine, -lastRow / 2), 1, lastRow / 2);
        map.x1 =
            build.scaleShift(combined(build, cosine, -lastColumn / 2, sine, lastRow / 2), 1, lastColumn / 2);
        return map;
    });
}

Lowered lowerRandomZoom(LoweringCall& call) {
    if (!call.isTraining())
        return call.inputs;
    GraphBuilder& build = call.build;
    return lowerMoved(call, [&](TensorId x, const Extents& extents) {
        Placement map;
        map.yy = build.scaleShift(drawn(call, x, call.attributes.value("height_factor"), 1), 1, 1);
        map.xx = call.attributes.isNull("width_factor")
                     ? map.yy
                     : build.scaleShift(drawn(call, x, call.attributes.value("width_factor"), 1), 1, 1);
        const double middle = static_cast<double>(extents[1] - 1) / 2;
        const double centre = static_cast<double>(extents[2] - 1) / 2;
        map.y1 = build.scaleShift(map.yy, -middle, middle);
        map.x1 = build.scaleShift(map.xx, -centre, centre);
        return map;
    });
}

Lowered lowerRandomTranslation(LoweringCall& call) {
    if (!call.isTraining())
        return call.inputs;
    return lowerMoved(call, [&](TensorId x, const Extents& extents) {
        Placement map;
        map.y1 = drawn(call, x, call.attributes.value("height_factor"), -static_cast<double>(extents[1]));
        map.x1 = drawn(call, x, call.attributes.value("width_factor"), -static_cast<double>(extents[2]));
        return map;
    });
}

Lowered lowerRandomShear(LoweringCall& call) {
    if (!call.isTraining())
        return call.inputs;
    return lowerMoved(call, [&](TensorId x, const Extents&) {
        Placement map;
        map.xy = drawn(call, x, call.attributes.value("x_factor"), 1);
        map.yx = drawn(call, x, call.attributes.value("y_factor"), 1);
        return map;
    });
}

/// A window of its own for each image: whole offsets, every one as likely.
Lowered lowerCutout(LoweringCall& call, std::int64_t height, std::int64_t width) {
    GraphBuilder& build = call.build;
    const auto offset = [&](TensorId x, std::int64_t slack) {
        const TensorId place =
            build.addAs(Random{RandomDistribution::Uniform, 0, static_cast<double>(slack + 1), call.seed(),
                               call.nextStream()},
                        {}, "draw", {{build.extents(x).front(), 1, 1}, build.type(x)});
        return build.unary(UnaryFunction::Clip, build.unary(UnaryFunction::Floor, place), 0,
                           static_cast<double>(slack));
    };
    return lowerMoved(
        call,
        [&](TensorId x, const Extents& extents) {
            Placement map;
            map.y1 = offset(x, extents[1] - height);
            map.x1 = offset(x, extents[2] - width);
            return map;
        },
        height, width);
}

/// Outside training, and where the image is too small, the middle, scaled up first as Keras does.
Lowered lowerRandomCrop(LoweringCall& call) {
    const std::int64_t height = call.attributes.integer("height");
    const std::int64_t width = call.attributes.integer("width");
    TensorId x = channelsLast(call, call.input());
    if (call.build.rank(x) != 4)
        return cannotLower("RandomCrop is computed for batches of images only",
                           "give it a batch of images: [batch, height, width, channels]");
    const Extents extents = call.build.extents(x);
    const std::int64_t rows = std::min(extents[1], extents[2] * height / width);
    const std::int64_t columns = std::min(extents[2], extents[1] * width / height);
    const bool isSmall = extents[1] < height || extents[2] < width;
    if (call.isTraining() && !isSmall)
        return lowerCutout(call, height, width);
    const std::int64_t keptRows = isSmall ? rows : height;
    const std::int64_t keptColumns = isSmall ? columns : width;
    x = call.build.slice(x, 1, (extents[1] - keptRows) / 2, keptRows);
    x = call.build.slice(x, 2, (extents[2] - keptColumns) / 2, keptColumns);
    const auto resized = addResize(call.build, x, height, width, "bilinear", false);
    return resized ? Lowered(std::vector{toDataFormat(call, *resized)}) : core::failure(resized.error());
}

/// Height and width change from batch to batch, which a program cannot.
Lowered lowerStretch(LoweringCall& call) {
    if (call.isTraining())
        return cannotLower(
            call.attributes.definition().className +
                " gives another extent in every batch, which a program for the IPU cannot have",
            "use RandomZoom, or stretch the images of the dataset");
    return call.inputs;
}

// Colours. Images are [N, H, W, C] of values between the attribute value_range's bounds, 0 … 255 by default.

std::pair<double, double> valueRange(const LoweringCall& call) {
    const Json& range = call.attributes.value("value_range");
    return range.is_array() && range.size() == 2 ? std::pair(range[0].get<double>(), range[1].get<double>())
                                                 : std::pair(0.0, 255.0);
}

/// Luminance in every channel.
TensorId greyed(GraphBuilder& build, TensorId x) {
    const TensorId weights = build.constant("luminance", {0.2989, 0.5870, 0.1140}, {{3}, build.type(x)});
    const TensorId grey =
        build.reduce(ReduceFunction::Sum, build.binary(BinaryFunction::Multiply, x, weights), {-1}, true);
    return build.broadcast(grey, build.extents(x));
}

/// `change` applied to channels-last images of 3 channels while training.
template <class Change>
Lowered lowerColours(LoweringCall& call, Change change) {
    if (!call.isTraining())
        return call.inputs;
    const TensorId x = channelsLast(call, call.input());
    if (call.build.extents(x).back() != 3)
        return cannotLower("changes the colours of images without 3 channels", "give RGB images");
    return std::vector{toDataFormat(call, change(x))};
}

/// The changed image with a probability, else the image.
TensorId sometimes(LoweringCall& call, TensorId x, TensorId changed, double chance) {
    const TensorId coin = perImage(call, x, RandomDistribution::Bernoulli, chance, 0);
    return call.build.add(Select{}, {call.build.cast(coin, DataType::Bool), changed, x}, "choose");
}
double chanceOf(const LoweringCall& call) {
    const Json& factor = call.attributes.value("factor");
    return factor.is_number() ? factor.get<double>() : 1;
}

Lowered lowerRandomGrayscale(LoweringCall& call) {
    return lowerColours(
        call, [&](TensorId x) { return sometimes(call, x, greyed(call.build, x), chanceOf(call)); });
}

Lowered lowerRandomInvert(LoweringCall& call) {
    return lowerColours(call, [&](TensorId x) {
        const TensorId inverted = call.build.scaleShift(x, -1, valueRange(call).second);
        return sometimes(call, x, inverted, chanceOf(call));
    });
}

/// A share of the way to grey.
Lowered lowerColourDegeneration(LoweringCall& call) {
    return lowerColours(call, [&](TensorId x) {
        GraphBuilder& build = call.build;
        const Json& bounds = call.attributes.value("factor");
        const double high = factorBounds(bounds).second;
        const double low = bounds.is_array() ? factorBounds(bounds).first : 0;
        const TensorId share = perImage(call, x, RandomDistribution::Uniform, low, high);
        const TensorId way = build.binary(BinaryFunction::Subtract, greyed(build, x), x);
        return build.binary(BinaryFunction::Add, x, build.binary(BinaryFunction::Multiply, way, share));
    });
}

/// Distances from the largest channel times factor / (1 − factor), as far as no channel falls below 0.
Lowered lowerRandomSaturation(LoweringCall& call) {
    return lowerColours(call, [&](TensorId x) {
        GraphBuilder& build = call.build;
        const Json& bounds = call.attributes.value("factor");
        const double high = factorBounds(bounds).second;
        const double low = bounds.is_array() ? factorBounds(bounds).first : 0;
        const TensorId factor = perImage(call, x, RandomDistribution::Uniform, low, high);
        const TensorId change =
            build.binary(BinaryFunction::Divide, factor, build.scaleShift(factor, -1, 1 + 1e-7));
        const TensorId value = build.reduce(ReduceFunction::Maximum, x, {-1}, true);
        const TensorId least = build.reduce(ReduceFunction::Minimum, x, {-1}, true);
        const TensorId spread = build.binary(BinaryFunction::Subtract, value, least);
        const TensorId bounded =
            build.binary(BinaryFunction::Maximum, spread, build.constant(1e-7, {}, build.type(x)));
        const TensorId most = build.binary(BinaryFunction::Divide, value, bounded);
        const TensorId scale = build.binary(BinaryFunction::Minimum, change, most);
        const TensorId distance = build.binary(BinaryFunction::Subtract, value, x);
        return build.binary(BinaryFunction::Subtract, value,
                            build.binary(BinaryFunction::Multiply, distance, scale));
    });
}

Lowered lowerSolarization(LoweringCall& call) {
    return lowerColours(call, [&](TensorId x) {
        GraphBuilder& build = call.build;
        const auto [least, most] = valueRange(call);
        const auto share = [&](const char* name) {
            const Json& bounds = call.attributes.value(name);
            const double high = factorBounds(bounds).second;
            const double low = bounds.is_array() ? factorBounds(bounds).first : 0;
            return perImage(call, x, RandomDistribution::Uniform, low * most, high * most);
        };
        const TensorId moved = build.unary(
            UnaryFunction::Clip, build.binary(BinaryFunction::Add, x, share("addition_factor")), least, most);
        const TensorId threshold = share("threshold_factor");
        const TensorId isDark = build.binary(BinaryFunction::Less, moved, threshold);
        return build.add(Select{}, {isDark, moved, build.scaleShift(moved, -1, most)}, "solarize");
    });
}

/// Only the highest bits of each of 256 levels stay.
Lowered lowerPosterization(LoweringCall& call) {
    return lowerColours(call, [&](TensorId x) {
        GraphBuilder& build = call.build;
        const auto [least, most] = valueRange(call);
        const Json& bits = call.attributes.value("factor");
        const double kept = bits.is_number() ? bits.get<double>() : 8;
        const double step = std::exp2(8 - std::clamp(kept, 1.0, 8.0));
        const double scale = most > least ? 255 / (most - least) : 1;
        const TensorId level =
            build.unary(UnaryFunction::Floor, build.scaleShift(x, scale / step, -least * scale / step));
        return build.scaleShift(level, step / scale, least);
    });
}

/// Each channel stretched to the whole range of values.
Lowered lowerAutoContrast(LoweringCall& call) {
    if (!call.isTraining())
        return call.inputs;
    GraphBuilder& build = call.build;
    const TensorId x = channelsLast(call, call.input());
    const auto [least, most] = valueRange(call);
    const TensorId low = build.reduce(ReduceFunction::Minimum, x, {1, 2}, true);
    const TensorId high = build.reduce(ReduceFunction::Maximum, x, {1, 2}, true);
    const TensorId spread =
        build.binary(BinaryFunction::Maximum, build.binary(BinaryFunction::Subtract, high, low),
                     build.constant(1e-7, {}, build.type(x)));
    const TensorId share =
        build.binary(BinaryFunction::Divide, build.binary(BinaryFunction::Subtract, x, low), spread);
    return std::vector{toDataFormat(call, build.scaleShift(share, most - least, least))};
}

/// As Keras does, on `bins` levels over the range of values.
Lowered lowerEqualization(LoweringCall& call) {
    if (!call.isTraining())
        return call.inputs;
    GraphBuilder& build = call.build;
    const auto [least, most] = valueRange(call);
    const std::int64_t bins = call.attributes.integer("bins");
    const double scale = most > least ? static_cast<double>(bins - 1) / (most - least) : 1;
    const TensorId levels = build.scaleShift(channelsLast(call, call.input()), scale, -least * scale);
    const TensorId equal = build.add(Equalize{bins}, {levels}, "equalize");
    return std::vector{toDataFormat(call, build.scaleShift(equal, 1 / scale, least))};
}

constexpr LoweringEntry augmentationLayers[]{
    {"RandomFlip", lowerRandomFlip},
    {"Equalization", lowerEqualization},
    {"RandomContrast", lowerRandomContrast},
    {"RandomBrightness", lowerRandomBrightness},
    {"RandomCrop", lowerRandomCrop},
    {"RandomRotation", lowerRandomRotation},
    {"RandomZoom", lowerRandomZoom},
    {"RandomTranslation", lowerRandomTranslation},
    {"RandomShear", lowerRandomShear},
    {"RandomHeight", lowerStretch},
    {"RandomWidth", lowerStretch},
    {"RandomGrayscale", lowerRandomGrayscale},
    {"RandomInvert", lowerRandomInvert},
    {"RandomColorDegeneration", lowerColourDegeneration},
    {"RandomSaturation", lowerRandomSaturation},
    {"RandomPosterization", lowerPosterization},
    {"Solarization", lowerSolarization},
    {"AutoContrast", lowerAutoContrast},
};

} // namespace

std::span<const LoweringEntry> augmentationLowerings() {
    return augmentationLayers;
}

} // namespace simulator
