#include "simulator/numerics/bindings/convolution/convolution_binding.h"

namespace simulator {

ConvolutionBinding convolutionBinding(const BindRequest& request, const Extents& x, const Extents& kernel,
                                      const Extents& y) {
    const auto& convolution = request.attributes<Convolution>();
    ConvolutionBinding plan;
    plan.partials = request.partials(convolution.halfPartials);
    plan.window = windowMap(convolution.window, x, y);
    plan.samples = x[0];
    plan.groups = convolution.groups;
    plan.inChannels = kernel[kernel.size() - 2];
    plan.outChannels = kernel.back() / convolution.groups;
    return plan;
}

static void bindConvolution(BindRequest& request, BoundOperation& bound) {
    const auto& convolution = request.attributes<Convolution>();
    const Extents& first = request.inputs[0].extents();
    const Extents& second = request.inputs[1].extents();
    const Extents& out = request.outputs[0].extents();
    switch (convolution.pass) {
    case ConvolutionPass::Forward: {
        const ConvolutionBinding plan = convolutionBinding(request, first, second, out);
        if (plan.isDepthwise())
            bindDepthwise(request, bound, plan, convolution.pass);
        else
            bindForward(request, bound, plan);
        break;
    }
    case ConvolutionPass::InputGradient: {
        const ConvolutionBinding plan = convolutionBinding(request, out, second, first);
        if (plan.isDepthwise())
            bindDepthwise(request, bound, plan, convolution.pass);
        else
            bindInputGradient(request, bound, plan);
        break;
    }
    case ConvolutionPass::WeightGradient: {
        const ConvolutionBinding plan = convolutionBinding(request, first, out, second);
        if (plan.isDepthwise())
            bindDepthwise(request, bound, plan, convolution.pass);
        else
            bindWeightGradient(request, bound, plan);
        break;
    }
    }
}

std::span<const PartRow<Binding>> convolutionsBindings() {
    static constexpr PartRow<Binding> rows[]{{kindIndex<Convolution>(), {bindConvolution}}};
    return rows;
}

} // namespace simulator
