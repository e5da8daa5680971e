// Resizing: along each axis a product with a constant matrix.
#include "simulator/compiler/lowering/onnx/onnx_call.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace simulator {
namespace {

using core::TensorId;

/// How the elements of one axis follow from the input's.
struct AxisResize {
    std::int64_t input = 1;
    std::int64_t output = 1;
    double scale = 1;
    double roiBegin = 0;
    double roiEnd = 1;
};

struct ResizeMode {
    std::string interpolation = "nearest";
    std::string coordinates = "half_pixel";
    std::string rounding = "round_prefer_floor";
    double cubic = -0.75;
    bool excludesOutside = false;
};

/// The place in the input of output element `x`, as the operator's table of transformations has it.
double sourceOf(std::int64_t x, const AxisResize& axis, const ResizeMode& mode) {
    const auto at = static_cast<double>(x);
    const double length = axis.scale * static_cast<double>(axis.input);
    const auto last = static_cast<double>(axis.input - 1);
    if (mode.coordinates == "asymmetric")
        return at / axis.scale;
    if (mode.coordinates == "align_corners")
        return length == 1 ? 0 : at * last / (length - 1);
    if (mode.coordinates == "pytorch_half_pixel")
        return length > 1 ? (at + 0.5) / axis.scale - 0.5 : 0;
    if (mode.coordinates == "tf_half_pixel_for_nn")
        return (at + 0.5) / axis.scale;
    if (mode.coordinates == "tf_crop_and_resize") {
        if (axis.output <= 1)
            return 0.5 * (axis.roiBegin + axis.roiEnd) * last;
        return axis.roiBegin * last +
               at * (axis.roiEnd - axis.roiBegin) * last / static_cast<double>(axis.output - 1);
    }
    if (mode.coordinates == "half_pixel_symmetric") {
        // The output's whole length may differ from its scaled one: the rest is shared by both ends.
        const double adjustment = static_cast<double>(axis.output) / length;
        const double offset = static_cast<double>(axis.input) / 2 * (1 - adjustment);
        return offset + (at + 0.5) / axis.scale - 0.5;
    }
    return (at + 0.5) / axis.scale - 0.5;
}

double cubicWeight(double distance, double a) {
    const double x = std::abs(distance);
    if (x <= 1)
        return ((a + 2) * x - (a + 3)) * x * x + 1;
    return x < 2 ? ((x - 5) * x + 8) * x * a - 4 * a : 0;
}

double nearestOf(double source, const std::string& rounding) {
    const double whole = std::floor(source);
    const double rest = source - whole;
    if (rest == 0)
        return whole;
    if (rounding == "floor")
        return whole;
    if (rounding == "ceil")
        return whole + 1;
    if (rounding == "round_prefer_ceil")
        return rest < 0.5 ? whole : whole + 1;
    return rest <= 0.5 ? whole : whole + 1;
}

/// Weights of the input's elements for one output element.
void fillRow(double source, const AxisResize& axis, const ResizeMode& mode, double* row) {
    const auto clamped = [&](double index) {
        return static_cast<std::size_t>(std::clamp<double>(index, 0, static_cast<double>(axis.input - 1)));
    };
    if (mode.interpolation == "nearest") {
        row[clamped(nearestOf(source, mode.rounding))] = 1;
        return;
    }
    const double whole = std::floor(source);
    const bool isCubic = mode.interpolation == "cubic";
    double total = 0;
    for (int k = isCubic ? -1 : 0; k <= (isCubic ? 2 : 1); ++k) {
        const double index = whole + k;
        const double distance = source - index;
        const double weight =
            isCubic ? cubicWeight(distance, mode.cubic) : std::max(0.0, 1 - std::abs(distance));
        const bool isOutside = index < 0 || index > static_cast<double>(axis.input - 1);
        if (mode.excludesOutside && isOutside)
            continue;
        row[clamped(index)] += weight;
        total += weight;
    }
    for (std::int64_t i = 0; mode.excludesOutside && total != 0 && i < axis.input; ++i)
        row[i] /= total;
}

/// x with one axis resized.
TensorId resizeAxis(GraphBuilder& build, TensorId x, std::size_t axis, const AxisResize& resize,
                    const ResizeMode& mode) {
    std::vector<double> matrix(static_cast<std::size_t>(resize.output * resize.input), 0);
    for (std::int64_t i = 0; i < resize.output; ++i)
        fillRow(sourceOf(i, resize, mode), resize, mode, matrix.data() + i * resize.input);
    const TensorId weights =
        build.constant("resize", std::move(matrix), {{resize.output, resize.input}, core::DataType::Float32});
    const Extents extents = build.extents(x);
    const auto place = static_cast<std::ptrdiff_t>(axis);
    const std::int64_t outer = elementCount({extents.begin(), extents.begin() + place});
    const std::int64_t inner = elementCount({extents.begin() + place + 1, extents.end()});
    const TensorId plain =
        build.reshape(build.cast(x, core::DataType::Float32), {outer, resize.input, inner});
    const TensorId spread = build.broadcast(build.reshape(weights, {1, resize.output, resize.input}),
                                            {outer, resize.output, resize.input});
    TensorId y = inner == 1 ? build.add(MatMul{false, true},
                                        {build.reshape(plain, {outer, resize.input}), weights}, "resize")
                            : build.add(MatMul{}, {spread, plain}, "resize");
    Extents result = extents;
    result[axis] = resize.output;
    return build.reshape(y, std::move(result));
}

/// Where tf_crop_and_resize looks outside the input there is a constant.
TensorId extrapolated(OnnxCall& call, TensorId y, const std::vector<AxisResize>& axes,
                      const ResizeMode& mode) {
    GraphBuilder& build = call.build;
    const double value = call.node.number("extrapolation_value", 0);
    for (std::size_t axis = 0; axis < axes.size(); ++axis) {
        std::vector<double> inside;
        for (std::int64_t i = 0; i < axes[axis].output; ++i) {
            const double source = sourceOf(i, axes[axis], mode);
            inside.push_back(source >= 0 && source <= static_cast<double>(axes[axis].input - 1) ? 1 : 0);
        }
        if (std::ranges::find(inside, 0.0) == inside.end())
            continue;
        Extents extents(axes.size(), 1);
        extents[axis] = axes[axis].output;
        const TensorId mask = build.constant("inside", std::move(inside), {extents, core::DataType::Bool});
        y = build.add(Select{}, {mask, y, build.constant(value, {}, build.type(y))}, "");
    }
    return y;
}

OnnxOutputs applyResize(OnnxCall& call, const std::vector<AxisResize>& axes, const ResizeMode& mode) {
    TensorId y = call.input();
    for (std::size_t i = 0; i < axes.size(); ++i) {
        const bool isCrop =
            mode.coordinates == "tf_crop_and_resize" && (axes[i].roiBegin != 0 || axes[i].roiEnd != 1);
        if (axes[i].output != axes[i].input || axes[i].scale != 1 || isCrop)
            y = resizeAxis(call.build, y, i, axes[i], mode);
    }
    if (mode.coordinates == "tf_crop_and_resize")
        y = extrapolated(call, y, axes, mode);
    return std::vector{call.build.cast(y, call.type())};
}

bool isReasonable(const std::vector<AxisResize>& axes) {
    constexpr std::int64_t most = 1 << 20;
    return std::ranges::all_of(axes, [](const AxisResize& axis) {
        return axis.output >= 1 && axis.output <= most && axis.input >= 1 && axis.scale > 0 &&
               std::isfinite(axis.scale);
    });
}

std::vector<AxisResize> unchanged(const Extents& extents) {
    std::vector<AxisResize> axes;
    for (const std::int64_t extent : extents)
        axes.push_back({extent, extent});
    return axes;
}

OnnxOutputs byScales(OnnxCall& call, const std::vector<double>& scales, const ResizeMode& mode) {
    std::vector<AxisResize> axes = unchanged(call.extents());
    if (scales.size() != axes.size())
        return refuseOnnx("scales needs one number per axis");
    for (std::size_t i = 0; i < axes.size(); ++i) {
        axes[i].scale = scales[i];
        axes[i].output = static_cast<std::int64_t>(
            std::floor(std::clamp(static_cast<double>(axes[i].input) * scales[i], 0.0, 1e9)));
    }
    return isReasonable(axes) ? applyResize(call, axes, mode) : refuseOnnx("its scales leave nothing");
}

/// Operator sets 7 to 9.
OnnxOutputs upsample(OnnxCall& call) {
    const core::OnnxAttribute* attribute = call.node.attribute("scales");
    const auto scales = attribute != nullptr ? std::optional(attribute->numbers) : call.numbers(1);
    if (!scales)
        return refuseUnknown(call, "scales");
    ResizeMode mode;
    mode.interpolation = call.node.text("mode", "nearest");
    mode.coordinates = "asymmetric";
    mode.rounding = "floor";
    return byScales(call, *scales, mode);
}

/// Sizes asked for, with the proportions kept where the policy says so.
void applySizes(const OnnxCall& call, const std::vector<double>& sizes,
                const std::vector<std::int64_t>& which, std::vector<AxisResize>& axes) {
    const std::string policy = call.node.text("keep_aspect_ratio_policy", "stretch");
    double common = policy == "not_larger" ? HUGE_VAL : 0;
    for (std::size_t i = 0; i < which.size(); ++i) {
        AxisResize& axis = axes[static_cast<std::size_t>(which[i])];
        axis.output = static_cast<std::int64_t>(sizes[i]);
        axis.scale = sizes[i] / static_cast<double>(std::max<std::int64_t>(axis.input, 1));
        common = policy == "not_larger" ? std::min(common, axis.scale) : std::max(common, axis.scale);
    }
    for (std::size_t i = 0; policy != "stretch" && i < which.size(); ++i) {
        AxisResize& axis = axes[static_cast<std::size_t>(which[i])];
        axis.scale = common;
        axis.output = static_cast<std::int64_t>(std::lround(common * static_cast<double>(axis.input)));
    }
}

OnnxOutputs resize(OnnxCall& call) {
    ResizeMode mode;
    mode.interpolation = call.node.text("mode", "nearest");
    mode.coordinates =
        call.node.text("coordinate_transformation_mode", call.opset < 11 ? "asymmetric" : "half_pixel");
    mode.rounding = call.node.text("nearest_mode", call.opset < 11 ? "floor" : "round_prefer_floor");
    mode.cubic = call.node.number("cubic_coeff_a", -0.75);
    mode.excludesOutside = call.node.integer("exclude_outside", 0) != 0;
    if (call.node.integer("antialias", 0) != 0)
        return refuseOnnx("smooths before it resizes", "leave antialias out");
    if (call.opset < 11) {
        const auto scales = call.numbers(1);
        return scales ? byScales(call, *scales, mode) : refuseUnknown(call, "scales");
    }
    std::vector<AxisResize> axes = unchanged(call.extents());
    std::vector<std::int64_t> which(axes.size());
    std::iota(which.begin(), which.end(), 0);
    if (const std::vector<std::int64_t> given = call.node.integers("axes"); !given.empty()) {
        which.clear();
        for (const std::int64_t axis : given) {
            const auto place = onnxAxis(axis, call.rank());
            if (!place)
                return refuseOnnx("an axis lies outside the tensor");
            which.push_back(*place);
        }
    }
    if (mode.coordinates == "tf_crop_and_resize") {
        const auto roi = call.numbers(1);
        if (!roi || roi->size() != 2 * which.size())
            return refuseUnknown(call, "roi");
        for (std::size_t i = 0; i < which.size(); ++i) {
            axes[static_cast<std::size_t>(which[i])].roiBegin = (*roi)[i];
            axes[static_cast<std::size_t>(which[i])].roiEnd = (*roi)[which.size() + i];
        }
    }
    const bool bySize = call.has(3) && elementCount(call.extents(3)) > 0;
    const auto numbers = call.numbers(bySize ? 3 : 2);
    if (!numbers || numbers->size() != which.size())
        return refuseUnknown(call, bySize ? "sizes" : "scales");
    if (bySize) {
        applySizes(call, *numbers, which, axes);
    } else {
        for (std::size_t i = 0; i < which.size(); ++i) {
            AxisResize& axis = axes[static_cast<std::size_t>(which[i])];
            axis.scale = (*numbers)[i];
            axis.output = static_cast<std::int64_t>(
                std::floor(std::clamp(static_cast<double>(axis.input) * axis.scale, 0.0, 1e9)));
        }
    }
    return isReasonable(axes) ? applyResize(call, axes, mode) : refuseOnnx("its sizes leave nothing");
}

constexpr OnnxEntry resizeNodes[]{
    {"Resize", resize},
    {"Upsample", upsample},
};

} // namespace

std::span<const OnnxEntry> onnxResizing() {
    return resizeNodes;
}

} // namespace simulator
