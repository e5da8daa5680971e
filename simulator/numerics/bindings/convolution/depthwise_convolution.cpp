#include "simulator/numerics/bindings/convolution/convolution_binding.h"
#include "simulator/numerics/kernel_choice.h"

namespace simulator {

void bindDepthwise(BindRequest& request, BoundOperation& bound, const ConvolutionBinding& plan,
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

} // namespace simulator
