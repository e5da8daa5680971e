// Layers around other layers.
#include "core/model/graph/infer_shapes.h"
#include "core/model/graph/layer_catalogue.h"
#include "simulator/compiler/lowering/layer_geometry.h"
#include "simulator/compiler/lowering/lower_model.h"
#include "simulator/graph/host_visit.h"

#include <algorithm>
#include <map>
#include <string>
#include <string_view>

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

/// x over its Euclidean length.
TensorId unitLength(GraphBuilder& build, TensorId x) {
    const TensorId squares = build.reduce(ReduceFunction::SumOfSquares, x, {0, 1}, true);
    const TensorId bounded =
        build.binary(BinaryFunction::Maximum, squares, build.constant(1e-12, {}, build.type(x)));
    return build.binary(BinaryFunction::Multiply, x,
                        build.unary(UnaryFunction::ReciprocalSquareRoot, bounded));
}

/// The wrapped layer with kernel / σ in place of its kernel, σ = v·kernel·uᵀ after some steps of power
/// iteration from the stored u. Keras writes the quotient over the kernel; here the kernel stays as it is, so
/// that stages and recomputed forward passes read one value of it.
Lowered lowerSpectralNormalization(LoweringCall& call) {
    GraphBuilder& build = call.build;
    if (call.model != nullptr)
        return cannotLower("wraps a whole model", "wrap each of its layers");
    std::vector<LoweredWeight> weights = call.weights;
    std::erase_if(weights, [](const LoweredWeight& weight) { return weight.name == "vector_u"; });
    const auto kernel = std::ranges::find_if(weights, [](const LoweredWeight& weight) {
        return weight.name == "kernel" || weight.name == "embeddings" || weight.name == "depthwise_kernel";
    });
    const TensorId stored = call.storedWeight("vector_u");
    const TensorId value = call.weight(kernel->name);
    const Extents extents = build.extents(value);
    const TensorId matrix = build.reshape(
        value, {elementCount(extents) / std::max<std::int64_t>(extents.back(), 1), extents.back()});
    TensorId u = build.cast(stored, build.type(matrix));
    TensorId v;
    for (std::int64_t i = 0; i < std::max<std::int64_t>(1, call.attributes.integer("power_iterations"));
         ++i) {
        v = unitLength(build, build.add(MatMul{false, true}, {u, matrix}, "power"));
        u = unitLength(build, build.add(MatMul{}, {v, matrix}, "power"));
    }
    const TensorId reach = build.add(MatMul{}, {v, matrix}, "power");
    const TensorId sigma =
        build.reduce(ReduceFunction::Sum, build.binary(BinaryFunction::Multiply, reach, u), {0, 1}, false);
    if (call.isTraining() && call.trainable)
        build.addInPlace(MovingAverage{0, false, 0}, {stored, build.cast(u, build.type(stored))}, {stored},
                         "vector_u");
    kernel->tensor = build.binary(BinaryFunction::Divide, value, sigma);
    return lowerInner(call, call.attributes.value("layer"), call.inputs, std::move(weights));
}

/// Each layer on its input; their convolutions belong to one set.
Lowered lowerMultiConvolution(LoweringCall& call) {
    GraphBuilder& build = call.build;
    const Json& layers = call.attributes.value("layers");
    const std::size_t begin = build.graph().operations.size();
    const GraphBuilder::Scope scope = build.scope();
    std::vector<TensorId> outputs;
    for (std::size_t i = 0; i < layers.size(); ++i) {
        const std::string prefix = std::to_string(i);
        build.setScope({scope.prefix + "/" + prefix, scope.origin, scope.phase});
        const Lowered lowered = lowerInner(call, layers[i], {call.input(i)}, call.weightsBelow(prefix));
        if (!lowered) {
            build.setScope(scope);
            return lowered;
        }
        outputs.push_back(lowered->front());
    }
    build.setScope(scope);
    const auto set = static_cast<std::int64_t>(call.nextStream());
    for (std::size_t i = begin; i < build.graph().operations.size(); ++i) {
        if (auto* convolution = std::get_if<Convolution>(&build.graph().operations[i].attributes))
            convolution->parallelSet = set;
    }
    return outputs;
}

/// Random numbers and changing states belong to one call; such a block is inlined.
bool isStateful(const Operation& operation) {
    return std::holds_alternative<Random>(operation.attributes) ||
           std::holds_alternative<Dropout>(operation.attributes) ||
           std::holds_alternative<UserOperation>(operation.attributes) || isHostAccess(operation.attributes);
}

/// Gives the operations from `begin` on copies of what they are called with.
void copyArguments(GraphBuilder& build, std::size_t begin, const std::vector<TensorId>& arguments) {
    std::vector<Operation>& operations = build.graph().operations;
    const std::size_t end = operations.size();
    std::map<TensorId, TensorId> copies;
    for (const TensorId argument : arguments)
        if (!copies.contains(argument))
            copies[argument] = build.add(Copy{}, {argument}, "argument");
    for (std::size_t i = begin; i < end; ++i)
        for (TensorId& input : operations[i].inputs)
            if (const auto copy = copies.find(input); copy != copies.end())
                input = copy->second;
    // Arguments come before what reads them.
    const auto at = [&](std::size_t index) {
        return operations.begin() + static_cast<std::ptrdiff_t>(index);
    };
    std::rotate(at(begin), at(end), operations.end());
    for (std::size_t i = begin; i < operations.size(); ++i)
        operations[i].id = core::OperationId(i);
}

/// "outer:1/block:2" → "outer/block": a layer without the numbers of its calls. Names of layers have no
/// colon.
std::string layerOf(std::string_view prefix) {
    std::string layer;
    bool isNumber = false;
    for (const char c : prefix) {
        isNumber = c == ':' || (isNumber && c != '/');
        if (!isNumber)
            layer += c;
    }
    return layer;
}

Lowered lowerOutlinedFunction(LoweringCall& call) {
    GraphBuilder& build = call.build;
    const std::size_t begin = build.graph().operations.size();
    const Lowered lowered = lowerInner(call, call.attributes.value("layer"), call.inputs, call.weights);
    const std::vector<Operation>& operations = build.graph().operations;
    if (!lowered ||
        std::any_of(operations.begin() + static_cast<std::ptrdiff_t>(begin), operations.end(), isStateful))
        return lowered;
    const std::string name = call.attributes.text("function");
    const GraphBuilder::Scope scope = build.scope();
    // Names of functions and of blocks do not meet.
    const std::string function = name.empty() ? "block " + layerOf(scope.prefix) : "function " + name;
    std::vector<OutlinedCall>& calls = build.graph().outlinedCalls;
    // Of a block inside of others, the whole call of the outer one would count.
    if (std::ranges::find(calls, scope.origin, &OutlinedCall::call) != calls.end())
        return lowered;
    const bool isFirst = std::ranges::find(calls, function, &OutlinedCall::function) == calls.end();
    const Json& layouts = call.attributes.value("keep_input_layouts");
    std::vector<TensorId> arguments;
    if (!isFirst || layouts != true)
        arguments = call.inputs;
    for (const LoweredWeight& weight : call.weights)
        if (!name.empty() && build.graph().tensor(weight.tensor).role == TensorRole::Parameter)
            arguments.push_back(weight.tensor);
    copyArguments(build, begin, arguments);
    calls.push_back({function, scope.origin});
    return lowered;
}

constexpr LoweringEntry wrapperLayers[]{
    {"OutlinedFunction", lowerOutlinedFunction, true},
    {"MultiConv", lowerMultiConvolution},
    {"SpectralNormalization", lowerSpectralNormalization},
    {"TimeDistributed", lowerTimeDistributed},
    {"Bidirectional", lowerBidirectional},
};

} // namespace

std::span<const LoweringEntry> wrapperLowerings() {
    return wrapperLayers;
}

} // namespace simulator
