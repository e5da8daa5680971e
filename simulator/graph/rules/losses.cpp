// Outputs and gradients of losses, metrics and updates.
#include "simulator/graph/metric_sums.h"
#include "simulator/graph/rules/gradient_rule.h"

namespace simulator {

using core::DataType;
using core::TensorId;

static InputGradients lossGradients(const GradientRequest& request) {
    std::vector<TensorId> inputs = request.operation.inputs;
    inputs.push_back(request.gradient());
    InputGradients gradients(request.operation.inputs.size());
    gradients[0] = request.build.add(LossGradient{request.attributes<Loss>()}, std::move(inputs), "");
    return gradients;
}

static InputGradients ctcLossGradients(const GradientRequest& request) {
    GraphBuilder& build = request.build;
    const std::int64_t samples = build.extents(request.output())[0];
    const TensorId perSample = build.reshape(request.gradient(), {1, samples, 1});
    const TensorId scale = build.cast(perSample, build.type(request.output(1)));
    InputGradients gradients(request.operation.inputs.size());
    gradients[0] = build.binary(BinaryFunction::Multiply, request.output(1), scale);
    return gradients;
}

// Gradients.

GradientRule gradientRule(const Loss&) {
    return lossGradients;
}
GradientRule gradientRule(const LossGradient&) {
    return nullptr;
}
GradientRule gradientRule(const Metric&) {
    return noGradients;
}
GradientRule gradientRule(const CtcLoss&) {
    return ctcLossGradients;
}
GradientRule gradientRule(const CtcBeamSearch&) {
    return nullptr;
}
GradientRule gradientRule(const AccumulateGradient&) {
    return nullptr;
}
GradientRule gradientRule(const OptimizerUpdate&) {
    return nullptr;
}

// Outputs.

OutputForms outputsOf(const Loss& loss, InputForms inputs) {
    if (loss.reduction != LossReduction::None)
        return oneOutput({}, DataType::Float32);
    Extents extents = inputs[0].extents;
    if (!extents.empty())
        extents.pop_back();
    return oneOutput(std::move(extents), DataType::Float32);
}
OutputForms outputsOf(const LossGradient&, InputForms inputs) {
    return sameOutput(inputs[0]);
}
/// The value, then the sums that it follows from.
OutputForms outputsOf(const Metric& metric, InputForms inputs) {
    const std::int64_t sums = metricSums(metric, inputs[0].extents);
    return oneOutput(sums == 0 ? Extents{} : Extents{1 + sums}, DataType::Float32);
}
OutputForms outputsOf(const CtcLoss&, InputForms inputs) {
    return {{"", {{inputs[0].extents[1]}, DataType::Float32}}, {"data_gradient", inputs[0]}};
}
OutputForms outputsOf(const CtcBeamSearch& search, InputForms inputs) {
    const std::int64_t steps = inputs[0].extents[0];
    const std::int64_t samples = inputs[0].extents[1];
    return {{"", {{samples, search.topPaths}, DataType::Float32}},
            {"lengths", {{samples, search.topPaths}, DataType::Int32}},
            {"labels", {{samples, search.topPaths, steps}, DataType::Int32}}};
}
OutputForms outputsOf(const AccumulateGradient&, InputForms) {
    return {};
}
OutputForms outputsOf(const OptimizerUpdate&, InputForms) {
    return {};
}

} // namespace simulator
