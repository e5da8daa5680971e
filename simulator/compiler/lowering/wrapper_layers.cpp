// Layers around other layers.
#include "core/model/infer_shapes.h"
#include "core/model/layer_catalogue.h"
#include "simulator/compiler/lowering/layer_geometry.h"
#include "simulator/compiler/lowering/lower_model.h"

namespace simulator {
namespace {

using core::Json;
using core::TensorId;

/// A model inside a wrapper, applied to inputs whose first axis is the batch.
Lowered lowerInnerModel(LoweringCall& call, const std::vector<TensorId>& inputs) {
    core::InferenceOptions options;
    options.batchSize = call.build.extents(inputs.front()).front();
    options.precision = call.context.precision;
    const auto model = core::inferShapes(*call.model, options);
    if (!model)
        return core::failure(model.error());
    const GraphBuilder::Scope scope = call.build.scope();
    const auto weightsOf = [&](const core::TypedLayer& layer) { return call.weightsBelow(layer.path); };
    ModelLowering lowering{*model, {}, weightsOf, [](const std::string&) { return std::nullopt; }, scope};
    for (std::size_t i = 0; i < inputs.size(); ++i)
        lowering.values[model->inputs[i]] = inputs[i];
    const auto result = lowerModel(call.context, lowering);
    call.build.setScope(scope);
    if (!result)
        return core::failure(result.error());
    std::vector<TensorId> outputs;
    for (const core::TensorRef& output : model->outputs)
        outputs.push_back(lowering.values.at(output));
    return outputs;
}

Lowered lowerInner(LoweringCall& call, const Json& entry, std::vector<TensorId> inputs,
                   std::vector<LoweredWeight> weights) {
    if (call.model != nullptr)
        return lowerInnerModel(call, inputs);
    InnerLayer inner{entry["class_name"].get<std::string>(), entry["config"], std::move(inputs),
                     std::move(weights)};
    return lowerLayer(call.context, inner, call.arguments, call.trainable);
}

/// Every step of axis 1 is a sample of the inner layer.
Lowered lowerTimeDistributed(LoweringCall& call) {
    GraphBuilder& build = call.build;
    std::vector<TensorId> steps;
    for (const TensorId input : call.inputs) {
        Extents extents = build.extents(input);
        extents[1] *= extents[0];
        extents.erase(extents.begin());
        steps.push_back(build.reshape(input, std::move(extents)));
    }
    const std::int64_t samples = call.extents()[0];
    const std::int64_t length = call.extents()[1];
    Lowered outputs = lowerInner(call, call.attributes.value("layer"), std::move(steps), call.weights);
    if (!outputs)
        return outputs;
    for (TensorId& output : *outputs) {
        Extents extents = build.extents(output);
        extents.front() = length;
        extents.insert(extents.begin(), samples);
        output = build.reshape(output, std::move(extents));
    }
    call.setMask(outputs->front(), call.mask());
    return outputs;
}

TensorId reversedSteps(GraphBuilder& build, TensorId x) {
    const std::int64_t steps = build.extents(x)[1];
    return build.slice(x, 1, steps - 1, steps, -1);
}

core::Result<TensorId> mergedDirections(GraphBuilder& build, TensorId forward, TensorId backward,
                                        const std::string& mode) {
    if (mode == "concat")
        return build.concatenate({forward, backward}, -1);
    if (mode == "mul")
        return build.binary(BinaryFunction::Multiply, forward, backward);
    const TensorId sum = build.binary(BinaryFunction::Add, forward, backward);
    return mode == "ave" ? build.scaleShift(sum, 0.5) : sum;
}

Lowered lowerBidirectional(LoweringCall& call) {
    GraphBuilder& build = call.build;
    const Json& layer = call.attributes.value("layer");
    Json own = call.attributes.value("backward_layer");
    if (!own.is_object()) {
        own = layer;
        own["config"]["go_backwards"] = !layer["config"].value("go_backwards", false);
    }
    const std::size_t states = (call.inputs.size() - 1) / 2;
    std::vector<TensorId> forwardInputs{call.input()};
    std::vector<TensorId> backwardInputs{call.input()};
    for (std::size_t i = 0; i < states; ++i) {
        forwardInputs.push_back(call.input(1 + i));
        backwardInputs.push_back(call.input(1 + states + i));
    }
    const GraphBuilder::Scope scope = build.scope();
    build.setScope({scope.prefix + "/forward", scope.origin, scope.phase});
    const Lowered forward = lowerInner(call, layer, std::move(forwardInputs), call.weightsBelow("forward"));
    build.setScope({scope.prefix + "/backward", scope.origin, scope.phase});
    const Lowered backward = lowerInner(call, own, std::move(backwardInputs), call.weightsBelow("backward"));
    build.setScope(scope);
    if (!forward || !backward)
        return forward ? backward : forward;
    TensorId turned = backward->front();
    const bool isSequence = layer["config"].value("return_sequences", false);
    if (isSequence)
        turned = reversedSteps(build, turned);
    std::vector<TensorId> outputs;
    if (call.attributes.isNull("merge_mode")) {
        outputs = {forward->front(), turned};
    } else {
        const auto merged =
            mergedDirections(build, forward->front(), turned, call.attributes.text("merge_mode"));
        if (!merged)
            return core::failure(merged.error());
        outputs = {*merged};
    }
    outputs.insert(outputs.end(), forward->begin() + 1, forward->end());
    outputs.insert(outputs.end(), backward->begin() + 1, backward->end());
    if (isSequence)
        call.setMask(outputs.front(), call.mask());
    return outputs;
}

constexpr LoweringEntry entries[]{
    {"TimeDistributed", lowerTimeDistributed},
    {"Bidirectional", lowerBidirectional},
};

} // namespace

std::span<const LoweringEntry> wrapperLowerings() {
    return entries;
}

} // namespace simulator
