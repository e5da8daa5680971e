#include "simulator/numerics/bindings/convolution/convolution_binding.h"
#include "simulator/numerics/bindings/product_finish.h"
#include "simulator/numerics/kernel_choice.h"

namespace simulator {
namespace {

constexpr int rowAxis = fieldAxes - 2;
constexpr int columnAxis = fieldAxes - 1;

std::int64_t tilesAlong(const ConvolutionBinding& plan, int axis) {
    return (plan.window.outputs[axis] + winogradOutputs - 1) / winogradOutputs;
}

/// All tiles of a convolution, and one thread's memory for some of them at once.
struct TileField {
    const ConvolutionBinding plan;
    std::int64_t rows;
    std::int64_t columns;
    WorkPartition parts;

    explicit TileField(const ConvolutionBinding& binding)
        : plan(binding)
        , rows(tilesAlong(binding, rowAxis))
        , columns(tilesAlong(binding, columnAxis)) {
        // What is transformed stays in the second cache level, and several threads have work.
        constexpr std::int64_t floats = std::int64_t{512} * 1024;
        constexpr std::int64_t rowGrain = 8;
        const std::int64_t tiles = plan.samples * rows * columns;
        const std::int64_t fitting = floats / (winogradPoints * (plan.inChannels + plan.outChannels));
        const std::int64_t wanted =
            std::clamp<std::int64_t>(std::min(fitting, tiles / fewestParts), rowGrain, positionsPerCall);
        parts = {tiles, wanted / rowGrain * rowGrain};
    }

    [[nodiscard]] std::int64_t inputFloats() const { return winogradPoints * parts.grain * plan.inChannels; }
    [[nodiscard]] std::int64_t productFloats() const {
        return winogradPoints * parts.grain * plan.outChannels;
    }
    [[nodiscard]] std::int64_t scratchFloats() const {
        return inputFloats() + productFloats() + plan.inChannels;
    }

    struct Place {
        std::int64_t sample;
        std::int64_t row;
        std::int64_t column;
    };
    /// Of a tile's first result.
    [[nodiscard]] Place place(std::int64_t tile) const {
        return {tile / (rows * columns), tile / columns % rows * winogradOutputs,
                tile % columns * winogradOutputs};
    }
};

/// Tiles [begin, end) to their points; `zeros` stands for what lies outside of the image.
void transformInputs(const TileField& field, const float* x, std::int64_t begin, std::int64_t end,
                     const float* zeros, float* points) {
    const WindowMap& window = field.plan.window;
    const std::int64_t channels = field.plan.inChannels;
    std::array<const float*, winogradPoints> pixels{};
    for (std::int64_t tile = begin; tile < end; ++tile) {
        const TileField::Place at = field.place(tile);
        const float* image = x + at.sample * field.plan.sampleIn();
        for (std::int64_t i = 0; i < winogradPoints; ++i) {
            const std::int64_t row = at.row - window.paddingLow[rowAxis] + i / winogradInputs;
            const std::int64_t column = at.column - window.paddingLow[columnAxis] + i % winogradInputs;
            const bool isInside =
                row >= 0 && row < window.inputs[rowAxis] && column >= 0 && column < window.inputs[columnAxis];
            pixels[static_cast<std::size_t>(i)] =
                isInside ? image + (row * window.inputs[columnAxis] + column) * channels : zeros;
        }
        kernels().winograd.input(pixels.data(), channels, points + (tile - begin) * channels,
                                 field.parts.grain * channels);
    }
}

/// points × weights, a product for each point.
void multiplyPoints(const TileField& field, std::int64_t tiles, const float* points, const float* packed,
                    std::int64_t packedStride, float* products) {
    const std::int64_t inner = field.plan.inChannels;
    const std::int64_t columns = field.plan.outChannels;
    constexpr std::int64_t start = 0;
    std::array<const float*, positionsPerCall> rowStarts{};
    std::array<float*, positionsPerCall> outStarts{};
    SegmentedProduct product;
    product.columns = columns;
    product.segments = 1;
    product.segmentLength = inner;
    product.segmentOffsets = &start;
    product.rowStarts = rowStarts.data();
    product.outStarts = outStarts.data();
    for (std::int64_t point = 0; point < winogradPoints; ++point) {
        for (std::int64_t tile = 0; tile < tiles; ++tile) {
            const std::int64_t row = point * field.parts.grain + tile;
            rowStarts[static_cast<std::size_t>(tile)] = points + row * inner;
            outStarts[static_cast<std::size_t>(tile)] = products + row * columns;
        }
        product.packedRight = packed + point * packedStride;
        kernels().matrix.segmentedProduct(product, 0, tiles);
    }
}

void transformOutputs(const TileField& field, const ProductFinish& finish, std::int64_t begin,
                      std::int64_t end, const float* products, float* y) {
    const WindowMap& window = field.plan.window;
    WinogradTile tile;
    tile.pointStride = field.parts.grain * field.plan.outChannels;
    tile.channels = field.plan.outChannels;
    tile.scale = finish.scale;
    tile.bias = finish.bias;
    tile.hasAddend = finish.addend != nullptr;
    tile.isRelu = finish.end == ProductEnd::Relu;
    for (std::int64_t index = begin; index < end; ++index) {
        const TileField::Place at = field.place(index);
        tile.points = products + (index - begin) * field.plan.outChannels;
        for (std::int64_t i = 0; i < winogradOutputs * winogradOutputs; ++i) {
            const std::int64_t row = at.row + i / winogradOutputs;
            const std::int64_t column = at.column + i % winogradOutputs;
            const bool isInside = row < window.outputs[rowAxis] && column < window.outputs[columnAxis];
            const std::int64_t place = at.sample * field.plan.sampleOut() +
                                       (row * window.outputs[columnAxis] + column) * field.plan.outChannels;
            tile.outputs[i] = isInside ? y + place : nullptr;
            tile.addends[i] = isInside && tile.hasAddend ? finish.addend + place : nullptr;
        }
        kernels().winograd.output(tile);
    }
}

} // namespace

bool isWinograd(const ConvolutionBinding& plan) {
    const WindowMap& window = plan.window;
    for (int axis = 0; axis < fieldAxes; ++axis) {
        const bool isLeading = axis < rowAxis;
        if (window.stride[axis] != 1 || window.dilation[axis] != 1 ||
            window.kernel[axis] != (isLeading ? 1 : 3) || (isLeading && window.inputs[axis] != 1) ||
            (isLeading && window.outputs[axis] != 1))
            return false;
    }
    // Narrow products keep the register block busy for too short, and few tiles do not pay for the weights'
    // transformation.
    constexpr std::int64_t narrowest = 32;
    constexpr std::int64_t fewestTiles = 64;
    const std::int64_t tiles = plan.samples * tilesAlong(plan, rowAxis) * tilesAlong(plan, columnAxis);
    return plan.groups == 1 && !plan.partials.half && plan.inChannels >= narrowest &&
           plan.outChannels >= narrowest && tiles >= fewestTiles;
}

void bindWinograd(BindRequest& request, BoundOperation& bound, const ConvolutionBinding& plan) {
    const std::int64_t packedStride = kernels().matrix.packedSize(plan.inChannels, plan.outChannels);
    float* packed = request.takeFloats(winogradPoints * packedStride);
    const float* weights = request.inputs[1].as();
    bound.phases.push_back(
        rangePhase(WorkPartition{kernels().winograd.panels(plan.outChannels), 1},
                   [=, inner = plan.inChannels, columns = plan.outChannels](
                       const StepState&, std::int64_t begin, std::int64_t end, std::byte*) {
                       kernels().winograd.weights(weights, inner, columns, begin, end, packed, packedStride);
                   }));
    const TileField field(plan);
    bound.threadScratch =
        std::max(bound.threadScratch, static_cast<std::size_t>(field.scratchFloats()) * sizeof(float));
    const float* x = request.inputs[0].as();
    float* y = request.outputs[0].as();
    const ProductFinish finish = productFinish(request, bound);
    bound.phases.push_back(rangePhase(
        field.parts, [=](const StepState&, std::int64_t begin, std::int64_t end, std::byte* scratch) {
            float* points = reinterpret_cast<float*>(scratch);
            float* products = points + field.inputFloats();
            float* zeros = products + field.productFloats();
            std::fill_n(zeros, plan.inChannels, 0.0F);
            transformInputs(field, x, begin, end, zeros, points);
            multiplyPoints(field, end - begin, points, packed, packedStride, products);
            transformOutputs(field, finish, begin, end, products, y);
        }));
}

} // namespace simulator
