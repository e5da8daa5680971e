#include "simulator/compiler/lowering/lower_model.h"

#include <fmt/format.h>

namespace simulator {
namespace {

using core::TensorId;
using core::TypedInvocation;
using core::TypedLayer;

TensorForm formOf(const core::TensorSpec& spec) {
    TensorForm form{{}, spec.type};
    for (const core::Dimension& extent : spec.shape.dimensions)
        form.extents.push_back(extent.value_or(1));
    return form;
}

std::string prefixOf(const TypedLayer& layer, const TypedInvocation& invocation,
                     const std::optional<GraphBuilder::Scope>& outer) {
    std::string prefix = outer ? outer->prefix + "/" + layer.path : layer.path;
    if (invocation.call > 0)
        prefix += fmt::format(":{}", invocation.call);
    return prefix;
}

core::Diagnostics placed(core::Diagnostics diagnostics, const std::string& path) {
    for (core::Diagnostic& diagnostic : diagnostics) {
        if (diagnostic.location.place.empty())
            diagnostic.location.place = path;
    }
    return diagnostics;
}

Lowered lowerOpaque(LoweringContext& context, const InnerLayer& layer, std::int64_t flops,
                    const std::vector<core::TensorSpec>& specs) {
    std::vector<TensorId> inputs = layer.inputs;
    for (const LoweredWeight& weight : layer.weights)
        inputs.push_back(weight.tensor);
    std::vector<OutputForm> outputs;
    for (const core::TensorSpec& spec : specs)
        outputs.push_back({"", formOf(spec)});
    return context.build.addAllAs(Opaque{flops}, std::move(inputs), "opaque", std::move(outputs));
}

/// Outputs in the element types the model's shapes say; refuses extents that differ from them.
core::Result<void> conform(GraphBuilder& build, std::vector<TensorId>& outputs,
                           const std::vector<core::TensorSpec>& specs) {
    for (std::size_t i = 0; i < specs.size() && i < outputs.size(); ++i) {
        const TensorForm wanted = formOf(specs[i]);
        if (build.extents(outputs[i]) != wanted.extents) {
            return core::failure(
                core::makeError(core::Trouble::Internal, "numerics/shape", {},
                                fmt::format("computes {} elements where its shape {} has {}",
                                            elementCount(build.extents(outputs[i])),
                                            core::toText(specs[i].shape), elementCount(wanted.extents)),
                                {"report this with the project"}));
        }
        outputs[i] = build.cast(outputs[i], wanted.type);
    }
    return {};
}

} // namespace

core::Result<void> lowerModel(LoweringContext& context, ModelLowering& lowering) {
    std::map<core::LayerId, std::vector<LoweredWeight>> weights;
    for (const TypedInvocation& invocation : lowering.model.invocations) {
        const TypedLayer& layer = lowering.model.layer(invocation.layer);
        if (invocation.inputs.empty() && lowering.values.contains({invocation.id, 0}))
            continue; // an InputLayer
        context.build.setScope({prefixOf(layer, invocation, lowering.outer),
                                lowering.outer ? lowering.outer->origin : invocation.id, Phase::Forward});
        if (!weights.contains(layer.id))
            weights[layer.id] = lowering.weightsOf(layer);
        InnerLayer inner{layer.className, layer.config, {}, weights[layer.id]};
        for (const core::TensorRef& input : invocation.inputs)
            inner.inputs.push_back(lowering.values.at(input));
        const auto flops =
            hasLowering(layer.className, layer.config) ? std::nullopt : lowering.opaqueFlops(layer.path);
        Lowered outputs = flops ? lowerOpaque(context, inner, *flops, invocation.outputs)
                                : lowerLayer(context, inner, invocation.arguments, layer.trainable,
                                             layer.model.get(), invocation.outputs);
        if (!outputs)
            return core::failure(placed(outputs.error(), layer.path));
        if (const auto result = conform(context.build, *outputs, invocation.outputs); !result)
            return core::failure(placed(result.error(), layer.path));
        for (std::size_t i = 0; i < invocation.outputs.size(); ++i)
            lowering.values[{invocation.id, static_cast<std::uint32_t>(i)}] = (*outputs)[i];
    }
    return {};
}

} // namespace simulator
