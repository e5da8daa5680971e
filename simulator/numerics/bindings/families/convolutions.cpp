// Convolutions as products whose left operand is never built: rows are addresses into the (padded) image.
#include "simulator/numerics/bindings/bind_operation.h"
#include "simulator/numerics/bindings/product_finish.h"
#include "simulator/numerics/bindings/window_geometry.h"
#include "simulator/numerics/kernel_choice.h"
#include "simulator/numerics/kernels/kernel_table.h"

#include <algorithm>
#include <array>

namespace simulator {
namespace {

using Field = std::array<std::int64_t, fieldAxes>;

/// Positions whose results are computed by one call.
constexpr std::int64_t positionsPerCall = 256;
/// Positions of one part, about.
constexpr std::int64_t positionsPerPart = 1024;

/// A box of an image [field…, channels] copied with zeros around it.
struct Slab {
    /// First position of the box in the image, may be negative.
    Field begin{};
    Field extents{};
    std::int64_t channels = 0;

    [[nodiscard]] std::int64_t size() const { return extents[0] * extents[1] * extents[2] * channels; }
    [[nodiscard]] std::int64_t stride(int axis) const {
        std::int64_t stride = channels;
        for (int i = fieldAxes - 1; i > axis; --i)
            stride *= extents[static_cast<std::size_t>(i)];
        return stride;
    }
    [[nodiscard]] bool isInside(const std::int64_t* image) const {
        for (std::size_t i = 0; i < fieldAxes; ++i) {
            if (begin[i] < 0 || begin[i] + extents[i] > image[i])
                return false;
        }
        return true;
    }
};

void copySlab(const Slab& slab, const float* image, const std::int64_t* imageExtents, float* to) {
    const auto& movement = kernels().movement;
    const auto move = movement.move(sizeof(float));
    movement.fill(to, 0, 0, slab.size());
    StridedMove box;
    std::int64_t imageStride = slab.channels;
    std::int64_t from = 0;
    std::int64_t into = 0;
    for (int axis = fieldAxes - 1; axis >= 0; --axis) {
        const auto i = static_cast<std::size_t>(axis);
        const std::int64_t first = std::max<std::int64_t>(0, slab.begin[i]);
        const std::int64_t last = std::min(imageExtents[i], slab.begin[i] + slab.extents[i]);
        if (last <= first)
            return;
        box.extents[movementAxes - 4 + axis] = last - first;
        box.fromStrides[movementAxes - 4 + axis] = imageStride;
        box.toStrides[movementAxes - 4 + axis] = slab.stride(axis);
        from += first * imageStride;
        into += (first - slab.begin[i]) * slab.stride(axis);
        imageStride *= imageExtents[i];
    }
    box.extents[movementAxes - 1] = slab.channels;
    box.fromStrides[movementAxes - 1] = 1;
    box.toStrides[movementAxes - 1] = 1;
    box.from = image + from;
    box.to = to + into;
    std::int64_t rows = 1;
    for (int axis = 0; axis < movementAxes - 1; ++axis)
        rows *= box.extents[axis];
    move(box, 0, rows);
}

/// How the output field of every sample is cut into parts: whole positions of one axis.
struct FieldPartition {
    std::int64_t samples = 0;
    int axis = 0;
    WorkPartition pieces;

    FieldPartition(std::int64_t sampleCount, const std::int64_t* field)
        : samples(sampleCount) {
        while (axis < fieldAxes - 1 && field[axis] == 1)
            ++axis;
        std::int64_t row = 1;
        for (int i = axis + 1; i < fieldAxes; ++i)
            row *= field[i];
        pieces = {field[axis], std::max<std::int64_t>(1, positionsPerPart / std::max<std::int64_t>(1, row))};
    }
    [[nodiscard]] std::int64_t parts() const { return samples * pieces.parts(); }
};

/// The runs a window row consists of, neighbours joined.
struct Segments {
    std::vector<std::int64_t> offsets;
    std::int64_t length = 0;

    /// `single` offsets of `elements` each; all joined runs have one length, or none is joined.
    /// `joins`: not where sums are rounded between groups of elements, which begin with every offset.
    Segments(const std::vector<std::int64_t>& single, std::int64_t elements, bool joins = true)
        : length(elements) {
        std::size_t run = 1;
        while (joins && run < single.size() && single[run] == single[run - 1] + elements)
            ++run;
        bool isEven = run > 1 && single.size() % run == 0;
        for (std::size_t i = 1; isEven && i < single.size(); ++i)
            isEven = i % run == 0 || single[i] == single[i - 1] + elements;
        const std::size_t step = isEven ? run : 1;
        for (std::size_t i = 0; i < single.size(); i += step)
            offsets.push_back(single[i]);
        length *= static_cast<std::int64_t>(step);
    }
};

/// The runs for an input that is copied with its padding, and for one that is read where it lies.
struct SegmentPair {
    Segments copied;
    Segments direct;
};

/// Everything the passes of one convolution share.
struct ConvolutionPlan {
    WindowMap window; // x is `inputs`, y is `outputs`
    std::int64_t samples = 0;
    std::int64_t groups = 1;
    std::int64_t inChannels = 0;  // of one group
    std::int64_t outChannels = 0; // of one group
    PartialSums partials;

    [[nodiscard]] std::int64_t allIn() const { return inChannels * groups; }
    [[nodiscard]] std::int64_t allOut() const { return outChannels * groups; }
    [[nodiscard]] bool isPointwise() const {
        for (int i = 0; i < fieldAxes; ++i) {
            if (window.kernel[i] != 1 || window.stride[i] != 1 || window.paddingLow[i] != 0 ||
                window.paddingHigh[i] != 0)
                return false;
        }
        return groups == 1;
    }
    [[nodiscard]] bool isDepthwise() const { return inChannels == 1 && groups > 1; }
    [[nodiscard]] DepthwiseMap depthwise() const {
        DepthwiseMap map;
        map.window = window;
        map.window.channels = groups;
        map.multiplier = outChannels;
        return map;
    }
    [[nodiscard]] std::int64_t sampleIn() const {
        return window.inputs[0] * window.inputs[1] * window.inputs[2] * allIn();
    }
    [[nodiscard]] std::int64_t sampleOut() const { return window.outputPositions() * allOut(); }
    [[nodiscard]] bool hasOutputs() const { return samples > 0 && window.outputPositions() > 0; }

    /// The padded input that the outputs [begin, end) of one axis read.
    [[nodiscard]] Slab inputSlab(int axis, std::int64_t begin, std::int64_t end) const {
        Slab slab;
        slab.channels = allIn();
        for (int i = 0; i < fieldAxes; ++i) {
            const std::int64_t first = i == axis ? begin : 0;
            const std::int64_t last = i == axis ? end : window.outputs[i];
            const auto at = static_cast<std::size_t>(i);
            slab.begin[at] = first * window.stride[i] - window.paddingLow[i];
            slab.extents[at] =
                (last - 1 - first) * window.stride[i] + (window.kernel[i] - 1) * window.dilation[i] + 1;
        }
        return slab;
    }
};

ConvolutionPlan planOf(const BindRequest& request, const Extents& x, const Extents& kernel,
                       const Extents& y) {
    const auto& convolution = request.attributes<Convolution>();
    ConvolutionPlan plan;
    plan.partials = request.partials(convolution.halfPartials);
    plan.window = windowMap(convolution.window, x, y);
    plan.samples = x[0];
    plan.groups = convolution.groups;
    plan.inChannels = kernel[kernel.size() - 2];
    plan.outChannels = kernel.back() / convolution.groups;
    return plan;
}

/// Visits positions of a box [begin, end) in order.
template <class Function>
void eachPosition(const Field& begin, const Field& end, Function function) {
    for (std::int64_t i = begin[0]; i < end[0]; ++i) {
        for (std::int64_t j = begin[1]; j < end[1]; ++j) {
            for (std::int64_t k = begin[2]; k < end[2]; ++k)
                function(Field{i, j, k});
        }
    }
}

Field fieldOf(const std::int64_t* values) {
    return {values[0], values[1], values[2]};
}

/// Collects rows until a call is worth it.
class RowCollector {
public:
    RowCollector(SegmentedProduct product, const MatrixKernels& kernel)
        : m_product(product)
        , m_kernel(kernel) {
        m_product.rowStarts = m_rows.data();
        m_product.outStarts = m_outs.data();
    }
    void add(const float* row, float* out) {
        m_rows[m_count] = row;
        m_outs[m_count++] = out;
        if (m_count == m_rows.size())
            flush();
    }
    void flush() {
        m_kernel.segmentedProduct(m_product, 0, static_cast<std::int64_t>(m_count));
        m_count = 0;
    }

private:
    SegmentedProduct m_product;
    const MatrixKernels& m_kernel;
    std::array<const float*, positionsPerCall> m_rows{};
    std::array<float*, positionsPerCall> m_outs{};
    std::size_t m_count = 0;
};

// Forward.

void bindPointwise(BindRequest& request, BoundOperation& bound, const ConvolutionPlan& plan) {
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

std::vector<std::int64_t> tapOffsets(const ConvolutionPlan& plan, const Slab& slab) {
    std::vector<std::int64_t> offsets;
    eachPosition({}, fieldOf(plan.window.kernel), [&](const Field& tap) {
        std::int64_t offset = 0;
        for (int i = 0; i < fieldAxes; ++i)
            offset += tap[static_cast<std::size_t>(i)] * plan.window.dilation[i] * slab.stride(i);
        offsets.push_back(offset);
    });
    return offsets;
}

/// `slab` with the extents, and so the strides, of the whole image.
Slab wholeImage(Slab slab, const std::int64_t* extents) {
    for (std::size_t i = 0; i < fieldAxes; ++i)
        slab.extents[i] = extents[i];
    return slab;
}

/// Input of one part: where it lies when no padding is needed, else copied into scratch.
struct SlabSource {
    const float* data = nullptr;
    /// The slab whose strides address `data`.
    Slab slab;
    bool isDirect = false;

    SlabSource(const Slab& wanted, const float* image, const std::int64_t* extents, float* scratch)
        : data(scratch)
        , slab(wanted) {
        if (wanted.isInside(extents)) {
            isDirect = true;
            slab = wholeImage(wanted, extents);
            data = image;
            for (int i = 0; i < fieldAxes; ++i)
                data += wanted.begin[static_cast<std::size_t>(i)] * slab.stride(i);
        } else {
            copySlab(wanted, image, extents, scratch);
        }
    }
};

void bindForward(BindRequest& request, BoundOperation& bound, const ConvolutionPlan& plan) {
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
    const Slab slab = plan.inputSlab(partition.axis, 0, partition.pieces.end(0));
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
        Slab wanted = plan.inputSlab(partition.axis, first, last);
        wanted.extents = slab.extents;
        const SlabSource source(wanted, x + sample * plan.sampleIn(), plan.window.inputs,
                                reinterpret_cast<float*>(scratch));
        const Segments& segments = source.isDirect ? pair.direct : pair.copied;
        Field begin{};
        Field stop = fieldOf(plan.window.outputs);
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
            eachPosition(begin, stop, [&](const Field& at) {
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

// Input gradient.

/// Input positions with one remainder of (position + padding) modulo the strides: they see the same taps.
struct ResidueClass {
    Field residue{};
    /// Taps of the class, in falling order: neighbours then read rising addresses of dy.
    std::vector<Field> taps;
    float* packed = nullptr;
    SegmentPair segments;
};

std::vector<ResidueClass> residueClasses(const WindowMap& window) {
    std::vector<ResidueClass> classes;
    eachPosition({}, fieldOf(window.stride), [&](const Field& residue) {
        ResidueClass one{residue, {}, nullptr, {Segments({}, 0), Segments({}, 0)}};
        eachPosition({}, fieldOf(window.kernel), [&](const Field& tap) {
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
Slab gradientSlab(const ConvolutionPlan& plan, int axis, std::int64_t begin, std::int64_t end) {
    Slab slab;
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
void addClassPacking(BoundOperation& bound, const ConvolutionPlan& plan, const ResidueClass& one,
                     const float* kernelData, float* transposed) {
    const MatrixKernels& kernel = kernels().matrix;
    const std::int64_t inner = static_cast<std::int64_t>(one.taps.size()) * plan.outChannels;
    const std::int64_t packedSize = kernel.packedSize(inner, plan.inChannels);
    bound.phases.push_back(
        {1, [=, &kernel](const StepState&, std::int64_t, std::byte*) {
             for (std::int64_t g = 0; g < plan.groups; ++g) {
                 float* to = transposed;
                 for (const Field& tap : one.taps) {
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
Segments classSegments(const ConvolutionPlan& plan, const ResidueClass& one, const Slab& slab) {
    std::vector<std::int64_t> single;
    for (const Field& tap : one.taps) {
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
    const ConvolutionPlan& plan;
    const ResidueClass& one;
    const SlabSource& source;
    std::int64_t group;
    Field begin;
    Field end;
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
        eachPosition(begin, end, [&](const Field& at) {
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

void bindInputGradient(BindRequest& request, BoundOperation& bound, const ConvolutionPlan& plan) {
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
    Slab largest = gradientSlab(plan, partition.axis, 0, partition.pieces.end(0));
    for (std::int64_t piece = 1; piece < partition.pieces.parts(); ++piece) {
        const Slab slab =
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
        Field begin{};
        Field end = fieldOf(plan.window.inputs);
        begin[static_cast<std::size_t>(partition.axis)] = partition.pieces.begin(piece);
        end[static_cast<std::size_t>(partition.axis)] = partition.pieces.end(piece);
        Slab slab =
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

// Weight gradient.

/// Positions of dy that are packed together.
constexpr std::int64_t packedPositions = 256;
/// Rows (tap, channel) of one part.
constexpr std::int64_t weightRowsPerPart = 256;

struct WeightGradientWork {
    ConvolutionPlan plan;
    const float* x;
    const float* dy;
    float* dkernel;
    /// Output rows [o0, o1] of a sample whose dy is packed at once, in positions of the last axis.
    std::int64_t rowsAtOnce;
    std::int64_t slabFloats;
    bool accumulates;

    void run(const StepState& state, std::int64_t group, std::int64_t begin, std::int64_t end,
             float* scratch) const {
        bool isFirst = !accumulates || state.microBatch == 0;
        const bool isEmpty = !plan.hasOutputs();
        const std::int64_t outerRows = plan.window.outputs[0] * plan.window.outputs[1];
        for (std::int64_t sample = 0; !isEmpty && sample < plan.samples; ++sample) {
            const SlabSource source(plan.inputSlab(0, 0, plan.window.outputs[0]),
                                    x + sample * plan.sampleIn(), plan.window.inputs, scratch);
            for (std::int64_t row = 0; row < outerRows; row += rowsAtOnce) {
                block(sample, row, std::min(outerRows, row + rowsAtOnce), source, group, begin, end, isFirst,
                      scratch + slabFloats);
                isFirst = false;
            }
        }
        if (isEmpty) {
            for (std::int64_t i = begin; isFirst && i < end; ++i)
                std::fill_n(dkernel + i * plan.allOut() + group * plan.outChannels, plan.outChannels, 0.0F);
        }
    }

private:
    void block(std::int64_t sample, std::int64_t firstRow, std::int64_t lastRow, const SlabSource& source,
               std::int64_t group, std::int64_t begin, std::int64_t end, bool isFirst, float* packed) const {
        const MatrixKernels& kernel = kernels().matrix;
        const WindowMap& window = plan.window;
        const std::int64_t positions = (lastRow - firstRow) * window.outputs[2];
        const float* right = dy + sample * plan.sampleOut() + firstRow * window.outputs[2] * plan.allOut() +
                             group * plan.outChannels;
        kernel.packRight(right, plan.allOut(), 1, positions, plan.outChannels, packed);
        std::array<std::int64_t, packedPositions> offsets{};
        for (std::int64_t row = firstRow; row < lastRow; ++row) {
            offsets[static_cast<std::size_t>(row - firstRow)] =
                row / window.outputs[1] * window.stride[0] * source.slab.stride(0) +
                row % window.outputs[1] * window.stride[1] * source.slab.stride(1);
        }
        SegmentedProduct product;
        product.columns = plan.outChannels;
        product.segments = lastRow - firstRow;
        product.segmentLength = window.outputs[2];
        product.step = window.stride[2] * source.slab.stride(2);
        product.segmentOffsets = offsets.data();
        product.packedRight = packed;
        product.accumulate = !isFirst;
        product.partials = plan.partials;
        RowCollector rows(product, kernel);
        for (std::int64_t i = begin; i < end; ++i) {
            const std::int64_t tap = i / plan.inChannels;
            const std::int64_t k2 = tap % window.kernel[2];
            const std::int64_t k1 = tap / window.kernel[2] % window.kernel[1];
            const std::int64_t k0 = tap / window.kernel[2] / window.kernel[1];
            const std::int64_t from = k0 * window.dilation[0] * source.slab.stride(0) +
                                      k1 * window.dilation[1] * source.slab.stride(1) +
                                      k2 * window.dilation[2] * source.slab.stride(2) +
                                      group * plan.inChannels + i % plan.inChannels;
            rows.add(source.data + from, dkernel + i * plan.allOut() + group * plan.outChannels);
        }
        rows.flush();
    }
};

void bindWeightGradient(BindRequest& request, BoundOperation& bound, const ConvolutionPlan& plan) {
    const MatrixKernels& kernel = kernels().matrix;
    WeightGradientWork work{plan, request.inputs[0].as(), request.inputs[1].as(), request.outputs[0].as(), 1,
                            0,    request.end.accumulate};
    work.rowsAtOnce = std::clamp<std::int64_t>(
        packedPositions / std::max<std::int64_t>(1, plan.window.outputs[2]), 1, packedPositions);
    work.slabFloats = plan.hasOutputs() ? plan.inputSlab(0, 0, plan.window.outputs[0]).size() : 0;
    const std::int64_t packed = kernel.packedSize(work.rowsAtOnce * plan.window.outputs[2], plan.outChannels);
    bound.threadScratch =
        std::max(bound.threadScratch, static_cast<std::size_t>(work.slabFloats + packed) * sizeof(float));
    const WorkPartition rows{plan.window.kernelPositions() * plan.inChannels, weightRowsPerPart};
    const auto run = [work, rows](const StepState& state, std::int64_t part, std::byte* scratch) {
        const std::int64_t piece = part % rows.parts();
        work.run(state, part / rows.parts(), rows.begin(piece), rows.end(piece),
                 reinterpret_cast<float*>(scratch));
    };
    bound.phases.push_back({rows.parts() * plan.groups, run});
}

// One multiplier per channel.

void bindDepthwise(BindRequest& request, BoundOperation& bound, const ConvolutionPlan& plan,
                   ConvolutionPass pass) {
    DepthwiseMap map = plan.depthwise();
    const WindowKernels& kernel = kernels().window;
    const float* first = request.inputs[0].as();
    const float* second = request.inputs[1].as();
    float* out = request.outputs[0].as();
    const WorkPartition samples = rowPartition(
        plan.samples, plan.window.outputPositions() * plan.window.kernelPositions() * plan.allOut() / 4);
    if (pass == ConvolutionPass::WeightGradient) {
        map.x = first;
        map.dy = second;
        map.dkernel = out;
        const std::int64_t count = plan.samples;
        bound.phases.push_back(rangePhase(
            WorkPartition{plan.allOut(), std::max<std::int64_t>(64, plan.allOut() / 4)},
            [map, count, &kernel](const StepState&, std::int64_t begin, std::int64_t end, std::byte*) {
                kernel.depthwiseKernelGradient(map, count, begin, end);
            }));
        return;
    }
    map.kernel = second;
    const bool isForward = pass == ConvolutionPass::Forward;
    map.x = isForward ? first : nullptr;
    map.y = isForward ? out : nullptr;
    map.dy = isForward ? nullptr : first;
    map.dx = isForward ? nullptr : out;
    const auto run = isForward ? kernel.depthwise : kernel.depthwiseInputGradient;
    bound.phases.push_back(
        rangePhase(samples, [map, run](const StepState&, std::int64_t begin, std::int64_t end, std::byte*) {
            run(map, begin, end);
        }));
}

} // namespace

void bindConvolution(BindRequest& request, BoundOperation& bound) {
    const auto& convolution = request.attributes<Convolution>();
    const Extents& first = request.inputs[0].extents();
    const Extents& second = request.inputs[1].extents();
    const Extents& out = request.outputs[0].extents();
    switch (convolution.pass) {
    case ConvolutionPass::Forward: {
        const ConvolutionPlan plan = planOf(request, first, second, out);
        if (plan.isDepthwise())
            bindDepthwise(request, bound, plan, convolution.pass);
        else
            bindForward(request, bound, plan);
        break;
    }
    case ConvolutionPass::InputGradient: {
        const ConvolutionPlan plan = planOf(request, out, second, first);
        if (plan.isDepthwise())
            bindDepthwise(request, bound, plan, convolution.pass);
        else
            bindInputGradient(request, bound, plan);
        break;
    }
    case ConvolutionPass::WeightGradient: {
        const ConvolutionPlan plan = planOf(request, first, out, second);
        if (plan.isDepthwise())
            bindDepthwise(request, bound, plan, convolution.pass);
        else
            bindWeightGradient(request, bound, plan);
        break;
    }
    }
}

} // namespace simulator
