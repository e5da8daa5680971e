#include "core/model/layers/attribute_groups.h"
#include "core/model/layers/layer_families.h"
#include "core/model/layers/layer_row.h"
#include "core/model/layers/shape_rules.h"

namespace core {

namespace {

using namespace attribute;

Shape lookedUp(const Shape& indices, std::int64_t width) {
    Shape shape = indices;
    shape.dimensions.emplace_back(width);
    return shape;
}

WeightSpec table(const LayerCall& call) {
    return weight(call, "embeddings",
                  Shape{call.attributes.integer("input_dim"), call.attributes.integer("output_dim")},
                  "embeddings_initializer");
}

RuleResult<CallFacts> describeEmbedding(const LayerCall& call) {
    CallFacts facts = output(call, lookedUp(call.shape(), call.attributes.integer("output_dim")));
    facts.weights.push_back(table(call));
    return facts;
}

/// Called with `reverse` true it multiplies by the transposed table: a projection back onto the vocabulary.
RuleResult<CallFacts> describeReversibleEmbedding(const LayerCall& call) {
    const auto reverse = call.arguments.find("reverse");
    const bool isReversed = reverse != call.arguments.end() && *reverse == true;
    CallFacts facts;
    if (isReversed) {
        if (auto error = requireMinimumRank(call, 2))
            return tl::unexpected(*error);
        Shape shape = call.shape();
        if (shape[shape.rank() - 1] != Dimension(call.attributes.integer("output_dim")))
            return refuse("projects vectors of another length than its table's", "match output_dim",
                          "output_dim");
        shape[shape.rank() - 1] = call.attributes.integer("input_dim");
        facts = output(call, shape);
        facts.flops = Count(2) * elements(shape) * call.attributes.integer("output_dim");
    } else {
        facts = output(call, lookedUp(call.shape(), call.attributes.integer("output_dim")));
    }
    facts.weights.push_back(table(call));
    if (!call.attributes.boolean("tie_weights"))
        facts.weights.push_back(
            weight(call, "reverse_embeddings",
                   Shape{call.attributes.integer("output_dim"), call.attributes.integer("input_dim")},
                   "embeddings_initializer"));
    return facts;
}

/// One learned vector per position, the same for every sample; to be added to the input.
RuleResult<CallFacts> describePositionEmbedding(const LayerCall& call) {
    if (auto error = requireMinimumRank(call, 3))
        return tl::unexpected(*error);
    const std::size_t rank = call.shape().rank();
    const std::int64_t length = call.attributes.integer("sequence_length");
    const auto features = requireExtent(call.shape(), rank - 1);
    if (!features)
        return tl::unexpected(features.error());
    if (call.shape()[rank - 2].value_or(0) > length)
        return refuse("the sequence is longer than its positions", "raise sequence_length",
                      "sequence_length");
    CallFacts facts = output(call, call.shape());
    facts.weights.push_back(weight(call, "embeddings", Shape{length, *features}, "initializer"));
    return facts;
}

Attributes tableAttributes() {
    return {integer("input_dim", "Number of rows: the largest index + 1.").required(1000),
            integer("output_dim", "Length of each embeddingRow.").required(64),
            initializer("embeddings_initializer", "uniform", "How the rows start.").alias("init"),
            regularizer("embeddings_regularizer", "Penalty on the rows."),
            regularizer("activity_regularizer", "Penalty on the output."),
            constraint("embeddings_constraint", "Projection of the rows after each update."),
            boolean("mask_zero", false, "Whether index 0 means an empty place.")};
}

LayerDefinition embeddingRow(std::string className, std::string documentation, Attributes attributes,
                             LayerRule rule) {
    LayerDefinition definition = layerRow(std::move(className), LayerCategory::Core, std::move(documentation),
                                          std::move(attributes), rule);
    definition.takesIndices = true;
    return definition;
}

} // namespace

LayerFamily embeddingLayers() {
    LayerFamily family{
        embeddingRow("Embedding", "Turns indices into rows of a learned table.",
                     joined({tableAttributes(),
                             {json("input_length", nullptr, "Length of the index sequences; bookkeeping."),
                              integer("serialization_factor",
                                      "Into how many parts the lookup falls on an IPU, to save memory.")
                                  .defaults(1),
                              boolean("sparse", false, "Bookkeeping of some editions."),
                              json("lora_rank", nullptr, "Bookkeeping of newer editions."),
                              json("lora_alpha", nullptr, "Bookkeeping of newer editions."),
                              json("weights", nullptr, "Bookkeeping of old editions.")}}),
                     describeEmbedding),
        embeddingRow(
            "ReversibleEmbedding",
            "An embedding that can also project back: called with reverse=True it multiplies by its own "
            "table.",
            joined({tableAttributes(),
                    {boolean("tie_weights", true, "Whether the projection uses the same table."),
                     json("reverse_dtype", nullptr, "Element type of the projection."),
                     json("logit_soft_cap", nullptr, "Bound of the projection's outputs.")}}),
            describeReversibleEmbedding),
        embeddingRow(
            "PositionEmbedding",
            "A learned vector for every position of a sequence, in the shape of its input, to be added to "
            "it.",
            {integer("sequence_length", "Number of positions that have a vector.")
                 .required(128)
                 .alias("max_length"),
             initializer("initializer", "glorot_uniform", "How the vectors start.")},
            describePositionEmbedding),
    };
    family[2].takesIndices = false;
    return family;
}

} // namespace core
