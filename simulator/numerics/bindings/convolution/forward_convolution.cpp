#include "simulator/numerics/bindings/convolution/convolution_binding.h"
#include "simulator/numerics/bindings/product_finish.h"
#include "simulator/numerics/kernel_choice.h"

namespace simulator {
namespace {

std::int64_t wholeGrains(std::int64_t value, std::int64_t grain) {
    return (value + grain - 1) / grain * grain;
}

/// How the positions and output channels of a pointwise convolution are cut: evenly, and by channels where
/// there are few positions, as each part brings the weights of its channels into order.
struct PointwisePartition {
    WorkPartition rows;
    WorkPartition columns;

    PointwisePartition(const MatrixProduct& product, std::int64_t columnGrain) {
        constexpr std::int64_t rowGrain = 8;
        std::int64_t rowParts = std::max<std::int64_t>(1, product.rows / positionsPerPart);
        rowParts = rowParts > 1 ? wholeGrains(rowParts, 2) : 1;
        const std::int64_t widest = std::max<std::int64_t>(1, product.columns / (4 * columnGrain));
        const std::int64_t columnParts = std::clamp<std::int64_t>(fewestParts / rowParts, 1, widest);
        rows = {product.rows, wholeGrains((product.rows + rowParts - 1) / rowParts, rowGrain)};
        columns = {product.columns,
                   wholeGrains((product.columns + columnParts - 1) / columnParts, columnGrain)};
    }
    [[nodiscard]] std::int64_t parts() const { return rows.parts() * columns.parts(); }
};

void bindPointwise(BindRequest& request, BoundOperation& bound, const ConvolutionBinding& plan) {
    MatrixProduct product;
    product.rows = plan.samples * plan.window.outputPositions();
    product.columns = plan.outChannels;
    product.inner = plan.inChannels;
    product.left = request.inputs[0].as();
    product.leftRow = product.inner;
    product.right = request.inputs[1].as();
    product.rightRow = product.columns;
    product.out = request.outputs[0].as();
    product.outRow = product.columns;
    const ProductFinish finish = productFinish(request, bound);
    finish.applyTo(product);
    product.addend = finish.addend;
    product.partials = plan.partials;
    const MatrixKernels& kernel = kernels().matrix;
    bound.threadScratch = static_cast<std::size_t>(kernel.productScratch()) * sizeof(float);
    const PointwisePartition cut(product, kernel.columnGrain);
    const auto run = [product, cut, &kernel](const StepState&, std::int64_t part, std::byte* scratch) {
        const std::int64_t row = part / cut.columns.parts();
        const std::int64_t column = part % cut.columns.parts();
        kernel.product(product, cut.rows.begin(row), cut.rows.end(row), cut.columns.begin(column),
                       cut.columns.end(column), reinterpret_cast<float*>(scratch));
    };
    bound.phases.push_back({cut.parts(), run});
}

void addPacking(BoundOperation& bound, const float* right, std::int64_t rowStride, std::int64_t inner,
                std::int64_t columns, float* packed) {
    constexpr std::int64_t floatsPerPart = 256 * 1024;
    const MatrixKernels& kernel = kernels().matrix;
    // Panels of whole grains lie one after the other. The last panels share what is left of a grain and a
    // vector, so no piece ends between them.
    std::int64_t grain =
        std::max(wholeGrains(floatsPerPart / std::max<std::int64_t>(1, inner), kernel.columnGrain),
                 kernel.columnGrain);
    while (grain < columns && columns % grain != 0 && columns % grain < kernel.columnGrain)
        grain += kernel.columnGrain;
    bound.phases.push_back(
        rangePhase(WorkPartition{columns, grain}, [=, &kernel](const StepState&, std::int64_t begin,
                                                               std::int64_t end, std::byte*) {
            kernel.packRight(right + begin, rowStride, 1, inner, end - begin, packed + begin * inner);
        }));
}

std::vector<std::int64_t> tapOffsets(const ConvolutionBinding& plan, const ImageSlab& slab) {
    std::vector<std::int64_t> offsets;
    eachPosition({}, fieldPosition(plan.window.kernel), [&](const FieldPosition& tap) {
        std::int64_t offset = 0;
        for (int i = 0; i < fieldAxes; ++i)
            offset += tap[static_cast<std::size_t>(i)] * plan.window.dilation[i] * slab.stride(i);
        offsets.push_back(offset);
    });
    return offsets;
}

} // namespace

void bindForward(BindRequest& request, BoundOperation& bound, const ConvolutionBinding& plan) {
    if (!plan.hasOutputs())
        return;
    if (plan.isPointwise()) {
        bindPointwise(request, bound, plan);
        return;
    }
    if (isWinograd(plan)) {
        bindWinograd(request, bound, plan);
        return;
    }
    const MatrixKernels& kernel = kernels().matrix;
    const std::int64_t inner = plan.window.kernelPositions() * plan.inChannels;
    const std::int64_t packedSize = kernel.packedSize(inner, plan.outChannels);
    float* packed = request.takeFloats(packedSize * plan.groups);
    for (std::int64_t g = 0; g < plan.groups; ++g)
        addPacking(bound, request.inputs[1].as() + g * plan.outChannels, plan.allOut(), inner,
                   plan.outChannels, packed + g * packedSize);
    const FieldPartition partition(plan.samples, plan.window.outputs);
    // Every piece gets the extents of the first and largest, so that all have its strides.
    const ImageSlab slab = plan.inputSlab(partition.axis, 0, partition.pieces.end(0));
    const std::int64_t slabFloats = slab.size();
    // Weights are gone through once for all samples of a part: several where the field is small.
    const std::int64_t positions = plan.window.outputPositions();
    const std::int64_t together = partition.pieces.parts() > 1 ? 1 : positionsPerCall / positions;
    const WorkPartition samples{plan.samples, std::clamp<std::int64_t>(plan.samples / fewestParts, 1,
                                                                       std::max<std::int64_t>(1, together))};
    const bool joins = !plan.partials.half;
    const SegmentPair pair{
        Segments(tapOffsets(plan, slab), plan.inChannels, joins),
        Segments(tapOffsets(plan, wholeImage(slab, plan.window.inputs)), plan.inChannels, joins)};
    bound.threadScratch =
        std::max(bound.threadScratch, static_cast<std::size_t>(slabFloats * samples.grain) * sizeof(float));
    const float* x = request.inputs[0].as();
    float* y = request.outputs[0].as();
    const ProductFinish finish = productFinish(request, bound);
    const auto run = [=, &kernel](const StepState&, std::int64_t part, std::byte* scratch) {
        const std::int64_t piece = part % partition.pieces.parts();
        const std::int64_t firstSample = samples.begin(part / partition.pieces.parts());
        const std::int64_t lastSample = samples.end(part / partition.pieces.parts());
        const std::int64_t first = partition.pieces.begin(piece);
        const std::int64_t last = partition.pieces.end(piece);
        ImageSlab wanted = plan.inputSlab(partition.axis, first, last);
        wanted.extents = slab.extents;
        std::array<const float*, positionsPerCall> images{};
        bool isDirect = false;
        ImageSlab strides = slab;
        for (std::int64_t sample = firstSample; sample < lastSample; ++sample) {
            const std::int64_t place = sample - firstSample;
            const SlabSource source(wanted, x + sample * plan.sampleIn(), plan.window.inputs,
                                    reinterpret_cast<float*>(scratch) + place * slabFloats);
            images[static_cast<std::size_t>(place)] = source.data;
            isDirect = source.isDirect;
            strides = source.slab;
        }
        const Segments& segments = isDirect ? pair.direct : pair.copied;
        FieldPosition begin{};
        FieldPosition stop = fieldPosition(plan.window.outputs);
        begin[static_cast<std::size_t>(partition.axis)] = first;
        stop[static_cast<std::size_t>(partition.axis)] = last;
        for (std::int64_t g = 0; g < plan.groups; ++g) {
            SegmentedProduct product;
            product.columns = plan.outChannels;
            product.segments = static_cast<std::int64_t>(segments.offsets.size());
            product.segmentLength = segments.length;
            product.segmentOffsets = segments.offsets.data();
            product.packedRight = packed + g * packedSize;
            finish.from(g * plan.outChannels).applyTo(product);
            product.partials = plan.partials;
            RowCollector rows(product, kernel, finish.addend != nullptr);
            for (std::int64_t sample = firstSample; sample < lastSample; ++sample) {
                const float* image = images[static_cast<std::size_t>(sample - firstSample)];
                eachPosition(begin, stop, [&](const FieldPosition& at) {
                    std::int64_t from = g * plan.inChannels;
                    std::int64_t to = 0;
                    for (int i = 0; i < fieldAxes; ++i) {
                        const auto axis = static_cast<std::size_t>(i);
                        from += (at[axis] - begin[axis]) * plan.window.stride[i] * strides.stride(i);
                        to = to * plan.window.outputs[i] + at[axis];
                    }
                    const std::int64_t place =
                        sample * plan.sampleOut() + to * plan.allOut() + g * plan.outChannels;
                    rows.add(image + from, y + place,
                             finish.addend == nullptr ? nullptr : finish.addend + place);
                });
            }
            rows.flush();
        }
    };
    bound.phases.push_back({samples.parts() * partition.pieces.parts(), run});
}

} // namespace simulator
