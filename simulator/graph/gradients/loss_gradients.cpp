// Gradients of losses with respect to what was predicted.
#include "simulator/graph/gradients/gradient_rule.h"

namespace simulator {

using core::TensorId;

InputGradients lossGradients(const GradientRequest& request) {
    std::vector<TensorId> inputs = request.operation.inputs;
    inputs.push_back(request.gradient());
    InputGradients gradients(request.operation.inputs.size());
    gradients[0] = request.build.add(LossGradient{request.attributes<Loss>()}, std::move(inputs), "");
    return gradients;
}

InputGradients ctcLossGradients(const GradientRequest& request) {
    GraphBuilder& build = request.build;
    const std::int64_t samples = build.extents(request.output())[0];
    const TensorId perSample = build.reshape(request.gradient(), {1, samples, 1});
    const TensorId scale = build.cast(perSample, build.type(request.output(1)));
    InputGradients gradients(request.operation.inputs.size());
    gradients[0] = build.binary(BinaryFunction::Multiply, request.output(1), scale);
    return gradients;
}

} // namespace simulator
