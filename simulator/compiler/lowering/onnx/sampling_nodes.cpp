// Images read at places that the data says: every sample is a weighted sum of gathered pixels.
#include "simulator/compiler/lowering/functions/image_sampling.h"
#include "simulator/compiler/lowering/onnx/onnx_call.h"

namespace simulator {
namespace {

using core::DataType;
using core::TensorId;

/// X [N, C, H, W], grid [N, rows, columns, 2] (x before y, −1 … 1) → [N, C, rows, columns].
OnnxOutputs gridSample(OnnxCall& call) {
    GraphBuilder& build = call.build;
    const Extents grid = call.extents(1);
    if (call.rank() != 4 || grid.size() != 4 || grid[3] != 2 || grid[0] != call.extents()[0])
        return refuseOnnx("samples other than images", "give [N, C, H, W] and a grid [N, rows, columns, 2]");
    const std::string mode = call.node.text("mode", "bilinear");
    const std::string padding = call.node.text("padding_mode", "zeros");
    const bool aligns = call.node.integer("align_corners", 0) != 0;
    SampleMode sampling;
    sampling.interpolation = mode == "nearest"                      ? SampleInterpolation::Nearest
                             : mode == "bicubic" || mode == "cubic" ? SampleInterpolation::Cubic
                                                                    : SampleInterpolation::Linear;
    sampling.border = padding == "border"       ? SampleBorder::Edge
                      : padding == "reflection" ? SampleBorder::Mirror
                                                : SampleBorder::Zeros;
    sampling.mirrorsAtCentres = aligns;
    const auto place = [&](std::int64_t which, std::int64_t extent) {
        const TensorId normal =
            build.reshape(build.slice(call.input(1), 3, which, 1), {grid[0], grid[1], grid[2]});
        const auto last = static_cast<double>(extent - 1);
        return build.scaleShift(normal, aligns ? last / 2 : static_cast<double>(extent) / 2, last / 2);
    };
    const TensorId x = place(0, call.extents()[3]);
    const TensorId y = place(1, call.extents()[2]);
    const TensorId images = build.transpose(call.input(), {0, 2, 3, 1});
    return std::vector{build.transpose(addSamples(build, images, y, x, sampling), {0, 3, 1, 2})};
}

/// X [N, C, H, W], regions [R, 4] (x1, y1, x2, y2), their images [R] → [R, C, rows, columns]: means over a
/// fixed number of bilinear samples in each cell.
OnnxOutputs regionAlign(OnnxCall& call) {
    GraphBuilder& build = call.build;
    const std::int64_t samples = call.node.integer("sampling_ratio", 0);
    if (call.rank() != 4 || call.rank(1) != 2 || call.extents(1)[1] != 4)
        return refuseOnnx("takes images [N, C, H, W] and regions [R, 4]");
    if (samples < 1 || call.node.text("mode", "avg") != "avg")
        return refuseOnnx("takes a number of samples that follows from the data, or their maximum",
                          "set sampling_ratio to at least 1 and mode to \"avg\"");
    const std::int64_t count = call.extents(1)[0];
    const bool isHalf =
        call.opset >= 16 && call.node.text("coordinate_transformation_mode", "half_pixel") == "half_pixel";
    const double scale = call.node.number("spatial_scale", 1);
    const DataType type = call.type(1);
    PixelTable pixels(build, build.transpose(call.input(), {0, 2, 3, 1}));
    const auto corner = [&](std::int64_t which) {
        return build.scaleShift(build.slice(call.input(1), 1, which, 1), scale, isHalf ? -0.5 : 0);
    };
    // Coordinates [R, cells · samples] of one axis.
    struct Line {
        TensorId low;
        TensorId high;
        TensorId lowWeight;
        TensorId highWeight;
        std::int64_t length;
    };
    const auto line = [&](std::int64_t first, std::int64_t cells, std::int64_t extent) {
        const TensorId begin = corner(first);
        TensorId size = build.binary(BinaryFunction::Subtract, corner(first + 2), begin);
        if (!isHalf) // at least one element long
            size = build.binary(BinaryFunction::Maximum, size, build.constant(1, {}, type));
        std::vector<double> shares;
        for (std::int64_t i = 0; i < cells * samples; ++i)
            shares.push_back((static_cast<double>(i) + 0.5) / static_cast<double>(cells * samples));
        const TensorId share = build.constant("shares", std::move(shares), {{1, cells * samples}, type});
        const TensorId place =
            build.binary(BinaryFunction::Add, begin, build.binary(BinaryFunction::Multiply, size, share));
        const auto last = static_cast<double>(extent - 1);
        // Samples more than one element outside count as 0, others are drawn to the edge.
        const TensorId isNear = build.cast(
            build.binary(BinaryFunction::LogicalAnd,
                         build.binary(BinaryFunction::GreaterEqual, place, build.constant(-1, {}, type)),
                         build.binary(BinaryFunction::LessEqual, place,
                                      build.constant(static_cast<double>(extent), {}, type))),
            type);
        const TensorId bounded = build.unary(UnaryFunction::Clip, place, 0, last);
        const TensorId whole = build.unary(UnaryFunction::Floor, bounded);
        const TensorId rest = build.binary(BinaryFunction::Subtract, bounded, whole);
        const TensorId next = build.unary(UnaryFunction::Clip, build.scaleShift(whole, 1, 1), 0, last);
        return Line{build.cast(whole, DataType::Int32), build.cast(next, DataType::Int32),
                    build.binary(BinaryFunction::Multiply, build.scaleShift(rest, -1, 1), isNear),
                    build.binary(BinaryFunction::Multiply, rest, isNear), cells * samples};
    };
    const std::int64_t rows = call.node.integer("output_height", 1);
    const std::int64_t columns = call.node.integer("output_width", 1);
    if (rows < 1 || columns < 1)
        return refuseOnnx("has no cells");
    const Line x = line(0, columns, pixels.width());
    const Line y = line(1, rows, pixels.height());
    const TensorId images = build.reshape(build.cast(call.input(2), DataType::Int32), {count, 1, 1});
    TensorId sum;
    for (const bool isLow : {true, false}) {
        for (const bool isLeft : {true, false}) {
            const TensorId row = build.reshape(isLow ? y.low : y.high, {count, y.length, 1});
            const TensorId column = build.reshape(isLeft ? x.low : x.high, {count, 1, x.length});
            const TensorId weight =
                build.binary(BinaryFunction::Multiply,
                             build.reshape(isLow ? y.lowWeight : y.highWeight, {count, y.length, 1, 1}),
                             build.reshape(isLeft ? x.lowWeight : x.highWeight, {count, 1, x.length, 1}));
            const TensorId part =
                build.binary(BinaryFunction::Multiply, pixels.at(images, row, column), weight);
            sum = sum.isValid() ? build.binary(BinaryFunction::Add, sum, part) : part;
        }
    }
    const TensorId cells = build.reshape(sum, {count, rows, samples, columns, samples, call.extents()[1]});
    const TensorId means = build.reduce(ReduceFunction::Mean, cells, {2, 4}, false);
    return std::vector{build.transpose(means, {0, 3, 1, 2})};
}

constexpr OnnxEntry samplingNodes[]{
    {"GridSample", gridSample},
    {"RoiAlign", regionAlign},
};

} // namespace

std::span<const OnnxEntry> onnxSampling() {
    return samplingNodes;
}

} // namespace simulator
