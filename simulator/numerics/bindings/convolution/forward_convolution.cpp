#include "simulator/numerics/bindings/convolution/convolution_binding.h"
#include "simulator/numerics/bindings/product_finish.h"
#include "simulator/numerics/kernel_choice.h"

namespace simulator {
namespace {

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
    productFinish(request, bound).applyTo(product);
    product.partials = plan.partials;
    const MatrixKernels& kernel = kernels().matrix;
    bound.threadScratch = static_cast<std::size_t>(kernel.productScratch()) * sizeof(float);
    bound.phases.push_back(rangePhase(
        WorkPartition{product.rows, positionsPerPart},
        [product, &kernel](const StepState&, std::int64_t begin, std::int64_t end, std::byte* scratch) {
            kernel.product(product, begin, end, 0, product.columns, reinterpret_cast<float*>(scratch));
        }));
}

void addPacking(BoundOperation& bound, const float* right, std::int64_t rowStride, std::int64_t inner,
                std::int64_t columns, float* packed) {
    const MatrixKernels& kernel = kernels().matrix;
    bound.phases.push_back({1, [=, &kernel](const StepState&, std::int64_t, std::byte*) {
                                kernel.packRight(right, rowStride, 1, inner, columns, packed);
                            }});
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
    const bool joins = !plan.partials.half;
    const SegmentPair pair{
        Segments(tapOffsets(plan, slab), plan.inChannels, joins),
        Segments(tapOffsets(plan, wholeImage(slab, plan.window.inputs)), plan.inChannels, joins)};
    bound.threadScratch = std::max(bound.threadScratch, static_cast<std::size_t>(slabFloats) * sizeof(float));
    const float* x = request.inputs[0].as();
    float* y = request.outputs[0].as();
    const ProductFinish finish = productFinish(request, bound);
    const auto run = [=, &kernel](const StepState&, std::int64_t part, std::byte* scratch) {
        const std::int64_t sample = part / partition.pieces.parts();
        const std::int64_t piece = part % partition.pieces.parts();
        const std::int64_t first = partition.pieces.begin(piece);
        const std::int64_t last = partition.pieces.end(piece);
        ImageSlab wanted = plan.inputSlab(partition.axis, first, last);
        wanted.extents = slab.extents;
        const SlabSource source(wanted, x + sample * plan.sampleIn(), plan.window.inputs,
                                reinterpret_cast<float*>(scratch));
        const Segments& segments = source.isDirect ? pair.direct : pair.copied;
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
            RowCollector rows(product, kernel);
            eachPosition(begin, stop, [&](const FieldPosition& at) {
                std::int64_t from = g * plan.inChannels;
                std::int64_t to = 0;
                for (int i = 0; i < fieldAxes; ++i) {
                    const auto axis = static_cast<std::size_t>(i);
                    from += (at[axis] - begin[axis]) * plan.window.stride[i] * source.slab.stride(i);
                    to = to * plan.window.outputs[i] + at[axis];
                }
                rows.add(source.data + from,
                         y + sample * plan.sampleOut() + to * plan.allOut() + g * plan.outChannels);
            });
            rows.flush();
        }
    };
    bound.phases.push_back({partition.parts(), run});
}

} // namespace simulator
