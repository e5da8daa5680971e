// A table in the host's memory. Its attributes are those of create_host_embedding() and of its optimizers.
#include "core/model/layers/attribute_groups.h"
#include "core/model/layers/ipu/ipu_families.h"
#include "core/model/layers/shape_rules.h"

namespace core {

namespace {

using namespace attribute;

bool accumulates(const LayerAttributes& attributes) {
    return !attributes.isNull("optimizer") && attributes.integer("accumulation_factor") > 1;
}

/// The optimizer of the model does not touch what is on the host, so its weights are states.
RuleResult<CallFacts> describeHostEmbedding(const LayerCall& call) {
    Shape shape = call.shape();
    shape.dimensions.emplace_back(call.attributes.integer("output_dim"));
    const Shape table{call.attributes.integer("input_dim"), call.attributes.integer("output_dim")};
    CallFacts facts = output(call, shape);
    facts.weights.push_back(state(call, "embeddings", table, "embeddings_initializer", "uniform"));
    if (accumulates(call.attributes)) {
        facts.weights.push_back(state(call, "accumulator", table, "", "zeros"));
        facts.weights.push_back(state(call, "count", Shape{}, "", "zeros"));
        for (std::size_t slot = 1; slot < facts.weights.size(); ++slot)
            facts.weights[slot].isSlot = true;
    }
    // Numbers of the host program, whatever the device computes in.
    for (WeightSpec& spec : facts.weights)
        spec.type = DataType::Float32;
    return facts;
}

std::optional<RuleError> checkOptimizer(const LayerAttributes& attributes) {
    const bool isAccumulated = !attributes.isNull("optimizer") && attributes.text("optimizer") == "SGDGA";
    if (attributes.integer("accumulation_factor") > 1 && !isAccumulated)
        return RuleError{"only SGDGA accumulates gradients", "set optimizer to SGDGA, or the factor to 1",
                         "accumulation_factor"};
    return std::nullopt;
}

} // namespace

LayerFamily hostEmbeddingLayers() {
    AttributeDefinition optimizer =
        choice("optimizer", {"SGD", "SGDGA"},
               "How gradients change the table: by SGD after each micro-batch, by SGDGA after accumulating "
               "them; null: the table is not trained. The optimizer of the model leaves it alone.");
    optimizer.isNullable = true;
    LayerDefinition definition = ipuLayer(
        "HostEmbedding",
        "Turns indices into rows of a table that stays in the host's memory (or in remote buffers, see "
        "experimental.enable_remote_buffer_embedding): only rows and their gradients cross the host link.",
        {integer("input_dim", "Number of rows: the largest index + 1.").between(1, 2147483647).required(1000),
         integer("output_dim", "Length of each row.").between(1, 2147483647).required(64),
         initializer("embeddings_initializer", "uniform", "How the rows start."),
         choice("partition_strategy", {"TOKEN", "ENCODING"},
                "What of a table in remote buffers each replica keeps: some of the rows, or some elements of "
                "every row.")
             .defaults("TOKEN"),
         optimizer, number("learning_rate", "Learning rate of the table.").between(0, 1e12).defaults(0.01),
         integer("accumulation_factor", "Micro-batches whose gradients SGDGA adds up before it applies them.")
             .between(1, 1 << 20)
             .defaults(1),
         boolean("clip_indices", true,
                 "Whether indices outside the table are moved to its first or last row; else their rows are "
                 "zero.")},
        describeHostEmbedding, {"indices"});
    definition.takesIndices = true;
    definition.attributeRule = checkOptimizer;
    return {std::move(definition)};
}

} // namespace core
