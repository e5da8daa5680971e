// Outputs and gradients of losses, metrics and updates.
#include "simulator/graph/metric_sums.h"
#include "simulator/graph/rules/rule_families.h"

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

// Outputs.

static OutputForms outputsOf(const Loss& loss, InputForms inputs) {
    if (loss.reduction != LossReduction::None)
        return oneOutput({}, DataType::Float32);
    Extents extents = inputs[0].extents;
    if (!extents.empty())
        extents.pop_back();
    return oneOutput(std::move(extents), DataType::Float32);
}
static OutputForms outputsOf(const LossGradient&, InputForms inputs) {
    return sameOutput(inputs[0]);
}
/// The value, then the sums that it follows from.
static OutputForms outputsOf(const Metric& metric, InputForms inputs) {
    const std::int64_t sums = metricSums(metric, inputs[0].extents);
    return oneOutput(sums == 0 ? Extents{} : Extents{1 + sums}, DataType::Float32);
}
static OutputForms outputsOf(const CtcLoss&, InputForms inputs) {
    return {{"", {{inputs[0].extents[1]}, DataType::Float32}}, {"data_gradient", inputs[0]}};
}
static OutputForms outputsOf(const CtcBeamSearch& search, InputForms inputs) {
    const std::int64_t steps = inputs[0].extents[0];
    const std::int64_t samples = inputs[0].extents[1];
    return {{"", {{samples, search.topPaths}, DataType::Float32}},
            {"lengths", {{samples, search.topPaths}, DataType::Int32}},
            {"labels", {{samples, search.topPaths, steps}, DataType::Int32}}};
}

std::span<const PartRow<GradientChoice>> lossesGradients() {
    static constexpr PartRow<GradientChoice> rows[]{
        gradientRow<Loss, lossGradients>(),
        noGradientRow<LossGradient>("it is made by differentiation, which nothing differentiates again"),
        gradientRow<Metric, noGradients>(),
        gradientRow<CtcLoss, ctcLossGradients>(),
        noGradientRow<CtcBeamSearch>("the paths it answers change in steps"),
        noGradientRow<AccumulateGradient>("weight updates come after differentiation"),
        noGradientRow<OptimizerUpdate>("weight updates come after differentiation")};
    return rows;
}

std::span<const PartRow<OutputRule>> lossesOutputs() {
    static constexpr PartRow<OutputRule> rows[]{
        outputRow<Loss, outputsOf>(),
        outputRow<LossGradient, outputsOf>(),
        outputRow<Metric, outputsOf>(),
        outputRow<CtcLoss, outputsOf>(),
        outputRow<CtcBeamSearch, outputsOf>(),
        {kindIndex<AccumulateGradient>(), nullptr, "it rewrites its operands"},
        {kindIndex<OptimizerUpdate>(), nullptr, "it rewrites its operands"}};
    return rows;
}

} // namespace simulator
