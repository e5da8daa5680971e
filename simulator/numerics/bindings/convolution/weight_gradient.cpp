#include "simulator/numerics/bindings/convolution/convolution_binding.h"
#include "simulator/numerics/kernel_choice.h"

namespace simulator {
namespace {

/// Positions of dy that are packed together.
constexpr std::int64_t packedPositions = 256;
/// Rows (tap, channel) of one part.
constexpr std::int64_t weightRowsPerPart = 256;

struct WeightGradientWork {
    ConvolutionBinding plan;
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

} // namespace

void bindWeightGradient(BindRequest& request, BoundOperation& bound, const ConvolutionBinding& plan) {
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

} // namespace simulator
