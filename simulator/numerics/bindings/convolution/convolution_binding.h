#pragma once

#include "simulator/numerics/bindings/bind_operation.h"
#include "simulator/numerics/bindings/convolution/image_slab.h"
#include "simulator/numerics/bindings/window_geometry.h"
#include "simulator/numerics/kernels/kernel_table.h"

#include <algorithm>
#include <array>
#include <vector>

namespace simulator {

// Convolutions as products whose left operand is never built: rows are addresses into the (padded) image.

/// Positions whose results are computed by one call.
inline constexpr std::int64_t positionsPerCall = 256;
/// Positions of one part, about.
inline constexpr std::int64_t positionsPerPart = 1024;
/// Parts that a convolution of one large image field or of many small ones has at least, for as many threads.
inline constexpr std::int64_t fewestParts = 4;

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
struct ConvolutionBinding {
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
    [[nodiscard]] ImageSlab inputSlab(int axis, std::int64_t begin, std::int64_t end) const {
        ImageSlab slab;
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

/// Of an operation with input `x`, kernel and output `y` (whichever of them it computes).
[[nodiscard]] ConvolutionBinding convolutionBinding(const BindRequest& request, const Extents& x,
                                                    const Extents& kernel, const Extents& y);

/// Collects rows until a call is worth it.
class RowCollector {
public:
    RowCollector(SegmentedProduct product, const MatrixKernels& kernel, bool hasAddend = false)
        : m_product(product)
        , m_kernel(kernel) {
        m_product.rowStarts = m_rows.data();
        m_product.outStarts = m_outs.data();
        m_product.addStarts = hasAddend ? m_addends.data() : nullptr;
    }
    void add(const float* row, float* out, const float* addend = nullptr) {
        m_rows[m_count] = row;
        m_addends[m_count] = addend;
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
    std::array<const float*, positionsPerCall> m_addends{};
    std::array<float*, positionsPerCall> m_outs{};
    std::size_t m_count = 0;
};

void bindForward(BindRequest& request, BoundOperation& bound, const ConvolutionBinding& plan);
/// A forward pass that tiles of few multiplications compute (see winograd.h): windows of 3 × 3 and stride 1
/// over enough channels and positions.
[[nodiscard]] bool isWinograd(const ConvolutionBinding& plan);
void bindWinograd(BindRequest& request, BoundOperation& bound, const ConvolutionBinding& plan);
void bindInputGradient(BindRequest& request, BoundOperation& bound, const ConvolutionBinding& plan);
void bindWeightGradient(BindRequest& request, BoundOperation& bound, const ConvolutionBinding& plan);
/// Every pass of a convolution with one input channel per group.
void bindDepthwise(BindRequest& request, BoundOperation& bound, const ConvolutionBinding& plan,
                   ConvolutionPass pass);

} // namespace simulator
