#include "simulator/numerics/bindings/convolution/convolution_binding.h"
#include "simulator/numerics/kernel_choice.h"

namespace simulator {
namespace {

/// Input positions with one remainder of (position + padding) modulo the strides: they see the same taps.
struct ResidueClass {
    FieldPosition residue{};
    /// Taps of the class, in falling order: neighbours then read rising addresses of dy.
    std::vector<FieldPosition> taps;
    float* packed = nullptr;
    SegmentPair segments;
};

std::vector<ResidueClass> residueClasses(const WindowMap& window) {
    std::vector<ResidueClass> classes;
    eachPosition({}, fieldPosition(window.stride), [&](const FieldPosition& residue) {
        ResidueClass one{residue, {}, nullptr, {Segments({}, 0), Segments({}, 0)}};
        eachPosition({}, fieldPosition(window.kernel), [&](const FieldPosition& tap) {
            bool isSeen = true;
            for (std::size_t i = 0; i < fieldAxes; ++i)
                isSeen = isSeen && tap[i] * window.dilation[i] % window.stride[i] == residue[i];
            if (isSeen)
                one.taps.push_back(tap);
        });
        std::reverse(one.taps.begin(), one.taps.end());
        classes.push_back(std::move(one));
    });
    return classes;
}

std::int64_t floorDivide(std::int64_t a, std::int64_t b) {
    return a >= 0 ? a / b : -((-a + b - 1) / b);
}

/// The part of dy that the input positions [begin, end) of one axis need.
ImageSlab gradientSlab(const ConvolutionBinding& plan, int axis, std::int64_t begin, std::int64_t end) {
    ImageSlab slab;
    slab.channels = plan.allOut();
    const WindowMap& window = plan.window;
    for (int i = 0; i < fieldAxes; ++i) {
        const std::int64_t first = i == axis ? begin : 0;
        const std::int64_t last = i == axis ? end : window.inputs[i];
        const std::int64_t reach = (window.kernel[i] - 1) * window.dilation[i];
        const std::int64_t low = floorDivide(first + window.paddingLow[i] - reach, window.stride[i]);
        const std::int64_t high = floorDivide(last - 1 + window.paddingLow[i], window.stride[i]);
        slab.begin[static_cast<std::size_t>(i)] = low;
        slab.extents[static_cast<std::size_t>(i)] = high - low + 1;
    }
    return slab;
}

/// kernel rows of the class' taps, transposed: packed as [taps · outChannels, inChannels].
void addClassPacking(BoundOperation& bound, const ConvolutionBinding& plan, const ResidueClass& one,
                     const float* kernelData, float* transposed) {
    const MatrixKernels& kernel = kernels().matrix;
    const std::int64_t inner = static_cast<std::int64_t>(one.taps.size()) * plan.outChannels;
    const std::int64_t packedSize = kernel.packedSize(inner, plan.inChannels);
    bound.phases.push_back(
        {1, [=, &kernel](const StepState&, std::int64_t, std::byte*) {
             for (std::int64_t g = 0; g < plan.groups; ++g) {
                 float* to = transposed;
                 for (const FieldPosition& tap : one.taps) {
                     const std::int64_t index =
                         (tap[0] * plan.window.kernel[1] + tap[1]) * plan.window.kernel[2] + tap[2];
                     const float* from =
                         kernelData + index * plan.inChannels * plan.allOut() + g * plan.outChannels;
                     for (std::int64_t o = 0; o < plan.outChannels; ++o) {
                         for (std::int64_t c = 0; c < plan.inChannels; ++c)
                             *to++ = from[c * plan.allOut() + o];
                     }
                 }
                 kernel.packRight(transposed, plan.inChannels, 1, inner, plan.inChannels,
                                  one.packed + g * packedSize);
             }
         }});
}

/// Where the taps of a class read dy, relative to the row's own position. Runs join only where one group's
/// channels are all there is.
Segments classSegments(const ConvolutionBinding& plan, const ResidueClass& one, const ImageSlab& slab) {
    std::vector<std::int64_t> single;
    for (const FieldPosition& tap : one.taps) {
        std::int64_t offset = 0;
        for (int i = 0; i < fieldAxes; ++i) {
            const auto axis = static_cast<std::size_t>(i);
            const std::int64_t steps =
                (tap[axis] * plan.window.dilation[i] - one.residue[axis]) / plan.window.stride[i];
            offset -= steps * slab.stride(i);
        }
        single.push_back(offset);
    }
    return Segments(single, plan.outChannels, !plan.partials.half);
}

/// What one part of the input gradient does for one class and group.
struct ClassWork {
    const ConvolutionBinding& plan;
    const ResidueClass& one;
    const SlabSource& source;
    std::int64_t group;
    FieldPosition begin;
    FieldPosition end;
    float* dx;

    void run(const MatrixKernels& kernel) const {
        if (one.taps.empty()) {
            each([&](float* out, const float*) { std::fill_n(out, plan.inChannels, 0.0F); });
            return;
        }
        const Segments& segments = source.isDirect ? one.segments.direct : one.segments.copied;
        SegmentedProduct product;
        product.columns = plan.inChannels;
        product.segments = static_cast<std::int64_t>(segments.offsets.size());
        product.segmentLength = segments.length;
        product.segmentOffsets = segments.offsets.data();
        product.packedRight =
            one.packed +
            group * kernel.packedSize(static_cast<std::int64_t>(one.taps.size()) * plan.outChannels,
                                      plan.inChannels);
        product.partials = plan.partials;
        RowCollector rows(product, kernel);
        each([&](float* out, const float* row) { rows.add(row, out); });
        rows.flush();
    }

private:
    template <class Function>
    void each(Function function) const {
        const WindowMap& window = plan.window;
        eachPosition(begin, end, [&](const FieldPosition& at) {
            std::int64_t from = group * plan.outChannels;
            std::int64_t to = 0;
            for (int i = 0; i < fieldAxes; ++i) {
                const auto axis = static_cast<std::size_t>(i);
                const std::int64_t padded = at[axis] + window.paddingLow[i];
                if (padded % window.stride[i] != one.residue[axis])
                    return;
                from += ((padded - one.residue[axis]) / window.stride[i] - source.slab.begin[axis]) *
                        source.slab.stride(i);
                to = to * window.inputs[i] + at[axis];
            }
            function(dx + to * plan.allIn() + group * plan.inChannels, source.data + from);
        });
    }
};

} // namespace

void bindInputGradient(BindRequest& request, BoundOperation& bound, const ConvolutionBinding& plan) {
    if (plan.samples * plan.sampleIn() == 0)
        return;
    const MatrixKernels& kernel = kernels().matrix;
    std::vector<ResidueClass> classes = residueClasses(plan.window);
    float* transposed =
        request.takeFloats(plan.window.kernelPositions() * plan.outChannels * plan.inChannels);
    for (ResidueClass& one : classes) {
        const std::int64_t inner = static_cast<std::int64_t>(one.taps.size()) * plan.outChannels;
        one.packed = request.takeFloats(kernel.packedSize(inner, plan.inChannels) * plan.groups);
        addClassPacking(bound, plan, one, request.inputs[1].as(), transposed);
    }
    const FieldPartition partition(plan.samples, plan.window.inputs);
    // Every piece gets the largest extents, so that all have the same strides.
    ImageSlab largest = gradientSlab(plan, partition.axis, 0, partition.pieces.end(0));
    for (std::int64_t piece = 1; piece < partition.pieces.parts(); ++piece) {
        const ImageSlab slab =
            gradientSlab(plan, partition.axis, partition.pieces.begin(piece), partition.pieces.end(piece));
        for (std::size_t i = 0; i < fieldAxes; ++i)
            largest.extents[i] = std::max(largest.extents[i], slab.extents[i]);
    }
    for (ResidueClass& one : classes) {
        one.segments.copied = classSegments(plan, one, largest);
        one.segments.direct = classSegments(plan, one, wholeImage(largest, plan.window.outputs));
    }
    const std::int64_t slabFloats = largest.size();
    bound.threadScratch = std::max(bound.threadScratch, static_cast<std::size_t>(slabFloats) * sizeof(float));
    const float* dy = request.inputs[0].as();
    float* dx = request.outputs[0].as();
    const auto run = [=, &kernel](const StepState&, std::int64_t part, std::byte* scratch) {
        const std::int64_t sample = part / partition.pieces.parts();
        const std::int64_t piece = part % partition.pieces.parts();
        FieldPosition begin{};
        FieldPosition end = fieldPosition(plan.window.inputs);
        begin[static_cast<std::size_t>(partition.axis)] = partition.pieces.begin(piece);
        end[static_cast<std::size_t>(partition.axis)] = partition.pieces.end(piece);
        ImageSlab slab =
            gradientSlab(plan, partition.axis, partition.pieces.begin(piece), partition.pieces.end(piece));
        slab.extents = largest.extents;
        const SlabSource source(slab, dy + sample * plan.sampleOut(), plan.window.outputs,
                                reinterpret_cast<float*>(scratch));
        for (const ResidueClass& one : classes) {
            for (std::int64_t g = 0; g < plan.groups; ++g)
                ClassWork{plan, one, source, g, begin, end, dx + sample * plan.sampleIn()}.run(kernel);
        }
    };
    bound.phases.push_back({partition.parts(), run});
}

} // namespace simulator
