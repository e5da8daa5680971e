#include "core/model/graph/infer_shapes.h"
#include "core/model/graph/layer_catalogue.h"
#include "core/model/layers/attribute_groups.h"
#include "core/model/layers/layer_families.h"
#include "core/model/layers/layer_row.h"
#include "core/model/layers/shape_rules.h"

#include <algorithm>
#include <fmt/format.h>
#include <string>

namespace core {

namespace {

using namespace attribute;

bool isFrozen(const Json& entry) {
    const auto trainable = entry["config"].find("trainable");
    return trainable != entry["config"].end() && *trainable == false;
}

/// Facts of the wrapped layer, its weights frozen when it says so itself.
RuleResult<CallFacts> describeWrapped(const LayerCall& call, const Json& entry,
                                      std::span<const TensorSpec> inputs) {
    if (call.model != nullptr)
        return describeModel(*call.model, inputs, call.globalPrecision);
    if (!entry["config"].is_object())
        return refuse("wraps a layer without attributes", "give the layer a config object", "layer");
    auto facts = describeCall(entry["class_name"].get<std::string>(), entry["config"], inputs, call.arguments,
                              call.globalPrecision);
    if (facts && isFrozen(entry)) {
        for (WeightSpec& spec : facts->weights)
            spec.trainable = false;
    }
    return facts;
}

/// The layer applied to every step of axis 1: each step is a sample.
RuleResult<CallFacts> describeTimeDistributed(const LayerCall& call) {
    if (auto error = requireMinimumRank(call, 3))
        return tl::unexpected(*error);
    std::vector<TensorSpec> steps(call.inputs.begin(), call.inputs.end());
    for (TensorSpec& spec : steps) {
        spec.shape[0] = (Count(spec.shape[0]) * Count(spec.shape[1])).known();
        spec.shape.dimensions.erase(spec.shape.dimensions.begin() + 1);
    }
    auto facts = describeWrapped(call, call.attributes.value("layer"), steps);
    if (!facts)
        return facts;
    for (TensorSpec& spec : facts->outputs) {
        if (spec.shape.rank() == 0)
            return refuse("wraps a layer without a batch axis", "", "layer");
        spec.shape[0] = call.shape()[0];
        spec.shape.dimensions.insert(spec.shape.dimensions.begin() + 1, call.shape()[1]);
    }
    return facts;
}

void addPrefixed(const std::vector<WeightSpec>& weights, const char* prefix, std::vector<WeightSpec>& all) {
    for (WeightSpec spec : weights) {
        spec.name = fmt::format("{}/{}", prefix, spec.name);
        all.push_back(std::move(spec));
    }
}

/// Output shapes of both directions put together.
RuleResult<std::vector<TensorSpec>> mergeDirections(const CallFacts& forward, const CallFacts& backward,
                                                    const Json& mode) {
    TensorSpec merged = forward.outputs[0];
    const TensorSpec& other = backward.outputs[0];
    const std::size_t last = merged.shape.rank() - 1;
    std::vector<TensorSpec> outputs;
    if (mode.is_null()) {
        outputs = {merged, other};
    } else if (mode == "concat") {
        merged.shape[last] = (Count(merged.shape[last]) + Count(other.shape[last])).known();
        outputs = {merged};
    } else if (merged.shape != other.shape) {
        return refuse(fmt::format("its directions give {} and {}", toText(merged.shape), toText(other.shape)),
                      "use merge_mode \"concat\" or equal units", "merge_mode");
    } else {
        outputs = {merged};
    }
    // Final states: the forward layer's, then the backward layer's.
    outputs.insert(outputs.end(), forward.outputs.begin() + 1, forward.outputs.end());
    outputs.insert(outputs.end(), backward.outputs.begin() + 1, backward.outputs.end());
    return outputs;
}

RuleResult<CallFacts> describeBidirectional(const LayerCall& call) {
    const Json& layer = call.attributes.value("layer");
    const Json& own = call.attributes.value("backward_layer");
    // Initial states come in equal parts for both directions.
    const std::size_t states = (call.inputs.size() - 1) / 2;
    const auto inputs = call.inputs.first(1 + states);
    const auto forward = describeWrapped(call, layer, inputs);
    if (!forward)
        return forward;
    const auto backward = own.is_object() ? describeWrapped(call, own, inputs) : forward;
    if (!backward)
        return backward;
    if (forward->outputs.empty() || forward->outputs[0].shape.rank() < 2 ||
        backward->outputs[0].shape.rank() != forward->outputs[0].shape.rank())
        return refuse("wraps a layer that is not recurrent", "wrap an LSTM, GRU, SimpleRNN or RNN", "layer");
    const auto outputs = mergeDirections(*forward, *backward, call.attributes.value("merge_mode"));
    if (!outputs)
        return tl::unexpected(outputs.error());
    CallFacts facts;
    facts.outputs = *outputs;
    addPrefixed(forward->weights, "forward", facts.weights);
    addPrefixed(backward->weights, "backward", facts.weights);
    facts.flops = forward->flops + backward->flops;
    return facts;
}

/// The wrapped layer with its kernel divided by its largest singular value, found by power iteration.
RuleResult<CallFacts> describeSpectral(const LayerCall& call) {
    auto facts = describeWrapped(call, call.attributes.value("layer"), call.inputs);
    if (!facts)
        return facts;
    const auto kernel =
        std::find_if(facts->weights.begin(), facts->weights.end(), [](const WeightSpec& spec) {
            return spec.name == "kernel" || spec.name == "embeddings" || spec.name == "depthwise_kernel";
        });
    if (kernel == facts->weights.end())
        return refuse("wraps a layer without a kernel", "wrap a Dense, Embedding or convolution layer",
                      "layer");
    const Shape vector{1, kernel->shape[kernel->shape.rank() - 1]};
    facts->weights.push_back(state(call, "vector_u", vector, "", "truncated_normal"));
    return facts;
}

/// One convolution for each input, side by side.
RuleResult<CallFacts> describeMultiConvolution(const LayerCall& call) {
    const Json& layers = call.attributes.value("layers");
    if (!layers.is_array() || layers.size() != call.inputs.size())
        return refuse(fmt::format("has {} layers for {} inputs", layers.is_array() ? layers.size() : 0,
                                  call.inputs.size()),
                      "give one convolution for each input, in their order", "layers");
    CallFacts facts;
    for (std::size_t i = 0; i < layers.size(); ++i) {
        const Json& entry = layers[i];
        const bool isLayer = entry.is_object() && entry.contains("class_name") && entry.contains("config") &&
                             entry["class_name"].is_string() && entry["config"].is_object();
        const std::string name = isLayer ? entry["class_name"].get<std::string>() : "";
        if (name.find("Conv") == std::string::npos || name == "MultiConv")
            return refuse(fmt::format("its layer {} is no convolution", i),
                          "write it as {\"class_name\": \"Conv2D\", \"config\": {…}}", "layers");
        const auto one = describeCall(name, entry["config"], call.inputs.subspan(i, 1), Json::object(),
                                      call.globalPrecision);
        if (!one)
            return one;
        facts.outputs.push_back(one->outputs.front());
        addPrefixed(one->weights, std::to_string(i).c_str(), facts.weights);
        facts.flops = facts.flops + one->flops;
    }
    return facts;
}

/// What it computes is what its layer computes.
RuleResult<CallFacts> describeOutlined(const LayerCall& call) {
    return describeWrapped(call, call.attributes.value("layer"), call.inputs);
}

/// What a new wrapper holds.
Json inner(const char* className) {
    return {{"class_name", className}, {"config", {{"units", 64}}}};
}

Json smallConvolution() {
    return {{"class_name", "Conv2D"}, {"config", {{"filters", 8}, {"kernel_size", {3, 3}}}}};
}

LayerDefinition wrapperRow(std::string className, std::string documentation, Attributes attributes,
                           LayerRule rule, std::size_t maximumInputs) {
    LayerDefinition definition = layerRow(std::move(className), LayerCategory::Wrapper,
                                          std::move(documentation), std::move(attributes), rule);
    definition.maximumInputs = maximumInputs;
    return definition;
}

} // namespace

LayerFamily wrapperLayers() {
    AttributeDefinition mode = choice("merge_mode", {"concat", "sum", "mul", "ave"},
                                      "How both directions' outputs become one; null gives both.");
    mode.isNullable = true;
    AttributeDefinition layouts = boolean(
        "keep_input_layouts", false,
        "Whether the code works on its first arguments where they are, so that the first call copies "
        "nothing; else every call copies its arguments to where the code wants them. null decides by itself, "
        "like false.");
    layouts.nullable();
    return {
        wrapperRow("Bidirectional",
                   "Runs a recurrent layer forwards and a copy of it backwards along the sequence.",
                   {any(AttributeKind::Layer, "layer", "The layer.").required(inner("LSTM")), mode,
                    json("backward_layer", nullptr, "The layer that runs backwards; null for a copy.")},
                   describeBidirectional, anyNumberOfInputs),
        wrapperRow("TimeDistributed", "Applies a layer to every step of a sequence by itself.",
                   {any(AttributeKind::Layer, "layer", "The layer.").required(inner("Dense"))},
                   describeTimeDistributed, anyNumberOfInputs),
        wrapperRow("SpectralNormalization", "Keeps the largest singular value of a layer's kernel at 1.",
                   {any(AttributeKind::Layer, "layer", "The layer.").required(inner("Dense")),
                    integer("power_iterations", "Steps of the search in each training step.").defaults(1)},
                   describeSpectral, anyNumberOfInputs),
        wrapperRow("MultiConv",
                   "Convolutions that do not depend on one another, run side by side on parts of an IPU "
                   "(multi_conv).",
                   {json("layers", Json::array({smallConvolution()}), "One convolution layer for each input.")
                        .required(Json::array({smallConvolution()}))},
                   describeMultiConvolution, anyNumberOfInputs),
        wrapperRow(
            "OutlinedFunction",
            "A block whose calls share one copy of its code on an IPU, at the price of copying their "
            "arguments (outlined_function). A block that draws random numbers is not outlined.",
            {any(AttributeKind::Layer, "layer", "The layer or model that the function computes.")
                 .required(inner("Dense")),
             text("function",
                  "Blocks of the same function share their code too, each with its own weights as further "
                  "arguments; empty: only the calls of this block do.")
                 .defaults(""),
             boolean("unique_sharding", false,
                     "Bring all arguments to one IPU before the call. A block runs on one IPU, where they "
                     "always come first."),
             layouts},
            describeOutlined, anyNumberOfInputs),
    };
}

} // namespace core
