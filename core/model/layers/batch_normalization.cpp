#include "core/model/layers/attribute_groups.h"
#include "core/model/layers/layer_families.h"
#include "core/model/layers/shape_rules.h"

namespace core {

namespace {

using namespace attribute;

/// Subtract the mean, scale by the inverse deviation and gamma, add beta.
constexpr std::int64_t batchFlopsPerElement = 4;

RuleResult<CallFacts> describeBatchNormalization(const LayerCall& call) {
    Shape parameters;
    for (const std::int64_t axis : call.attributes.axes("axis")) {
        const auto index = axisFromFront(axis, call.shape().rank());
        if (!index)
            return tl::unexpected(index.error());
        const auto extent = requireExtent(call.shape(), *index);
        if (!extent)
            return tl::unexpected(extent.error());
        parameters.dimensions.emplace_back(*extent);
    }
    CallFacts facts = sameAsInput(call, batchFlopsPerElement);
    const LayerAttributes& attributes = call.attributes;
    if (attributes.boolean("scale"))
        facts.weights.push_back(weight(call, "gamma", parameters, "gamma_initializer"));
    if (attributes.boolean("center"))
        facts.weights.push_back(weight(call, "beta", parameters, "beta_initializer"));
    facts.weights.push_back(state(call, "moving_mean", parameters, "moving_mean_initializer"));
    facts.weights.push_back(state(call, "moving_variance", parameters, "moving_variance_initializer"));
    if (attributes.boolean("renorm")) {
        facts.weights.push_back(state(call, "moving_stddev", parameters, "moving_variance_initializer"));
        facts.weights.push_back(state(call, "renorm_mean", parameters, "moving_mean_initializer"));
        facts.weights.push_back(state(call, "renorm_stddev", parameters, "moving_variance_initializer"));
    }
    // Statistics and parameters stay in float32 under a mixed policy and under float16.
    for (WeightSpec& spec : facts.weights)
        spec.type = call.precision.variable == DataType::Float16 ? DataType::Float16 : DataType::Float32;
    return facts;
}

} // namespace

LayerFamily batchNormalizationLayers() {
    LayerDefinition definition;
    definition.className = "BatchNormalization";
    definition.category = LayerCategory::Normalization;
    definition.documentation = "Brings each channel to mean 0 and variance 1 over the batch, then scales and "
                               "shifts it by learned amounts; at inference with moving statistics.";
    definition.attributes = {
        axes("axis", -1, "The channel axis."),
        number("momentum", "Weight of the old moving statistics.").between(0, 1).defaults(0.99),
        epsilon(1e-3),
        boolean("center", true, "Whether a learned beta is added."),
        boolean("scale", true, "Whether a learned gamma multiplies."),
        initializer("beta_initializer", "zeros", "How beta starts."),
        initializer("gamma_initializer", "ones", "How gamma starts."),
        initializer("moving_mean_initializer", "zeros", "How the moving mean starts."),
        initializer("moving_variance_initializer", "ones", "How the moving variance starts."),
        regularizer("beta_regularizer", "Penalty on beta."),
        regularizer("gamma_regularizer", "Penalty on gamma."),
        constraint("beta_constraint", "Projection of beta after each update."),
        constraint("gamma_constraint", "Projection of gamma after each update."),
        boolean("synchronized", false, "Whether replicas share their statistics."),
        boolean("renorm", false, "Whether moving statistics correct the batch's."),
        json("renorm_clipping", nullptr, "Bounds of the correction."),
        json("renorm_momentum", 0.99, "Momentum of the correction."),
        json("virtual_batch_size", nullptr, "Bookkeeping of old editions."),
        json("fused", nullptr, "Bookkeeping of old editions."),
        json("adjustment", nullptr, "Bookkeeping of old editions."),
        json("mode", 0, "Bookkeeping of old editions."),
    };
    definition.rule = describeBatchNormalization;
    definition.aliases = {"BatchNormalizationV1", "BatchNormalizationV2", "SyncBatchNormalization"};
    return {definition};
}

} // namespace core
