// Layers that turn texts and categories into indices.
#include "core/model/layers/attribute_groups.h"
#include "core/model/layers/layer_families.h"
#include "core/model/layers/layer_row.h"
#include "core/model/layers/shape_rules.h"

#include <algorithm>
#include <optional>

namespace core {

namespace {

using namespace attribute;

/// "int" keeps the shape; the other modes spread a sample over `tokens` places, as CategoryEncoding does.
CallFacts encoded(const LayerCall& call, std::optional<std::int64_t> tokens) {
    const std::string mode = call.attributes.text("output_mode");
    Shape shape = call.shape();
    if (mode == "int")
        return output(shape, DataType::Int32);
    const bool dropsLast =
        mode == "one_hot" ? shape.rank() > 1 && shape[shape.rank() - 1] == Dimension(1) : shape.rank() > 1;
    if (dropsLast)
        shape.dimensions.pop_back();
    shape.dimensions.push_back(tokens ? Dimension(*tokens) : Dimension{});
    return output(shape, call.precision.compute);
}

RuleResult<CallFacts> describeHashing(const LayerCall& call) {
    return encoded(call, call.attributes.integer("num_bins"));
}

std::optional<std::int64_t> countOf(const LayerAttributes& attributes, std::string_view name) {
    const Json& value = attributes.value(name);
    if (value.is_array())
        return static_cast<std::int64_t>(value.size());
    return wholeNumber(value);
}

/// Places of the output: the vocabulary with its unknown words and mask, or the padded maximum.
std::optional<std::int64_t> vocabularySize(const LayerAttributes& attributes, std::int64_t extra) {
    const auto most = countOf(attributes, "max_tokens");
    if (most && attributes.boolean("pad_to_max_tokens"))
        return most;
    if (const auto size = countOf(attributes, "vocabulary_size"))
        return size;
    if (const auto words = countOf(attributes, "vocabulary"))
        return most ? std::min(*most, *words + extra) : *words + extra;
    return most;
}

RuleResult<CallFacts> describeLookup(const LayerCall& call) {
    const std::int64_t unknown = countOf(call.attributes, "num_oov_indices").value_or(1);
    return encoded(call, vocabularySize(call.attributes, unknown));
}

/// Texts [batch] or [batch, 1] become rows of `output_sequence_length` indices, or one vector each.
RuleResult<CallFacts> describeVectorization(const LayerCall& call) {
    if (auto error = requireMinimumRank(call, 1))
        return tl::unexpected(*error);
    Shape shape = call.shape();
    if (shape.rank() > 1 && shape[shape.rank() - 1] == Dimension(1))
        shape.dimensions.pop_back();
    const bool isSequence = call.attributes.text("output_mode") == "int";
    const auto extent =
        isSequence ? countOf(call.attributes, "output_sequence_length") : vocabularySize(call.attributes, 1);
    shape.dimensions.push_back(extent ? Dimension(*extent) : Dimension{});
    return output(shape, isSequence ? DataType::Int32 : call.precision.compute);
}

LayerDefinition lookupRow(std::string className, std::string documentation, Attributes attributes,
                          LayerRule rule) {
    return layerRow(std::move(className), LayerCategory::Preprocessing, std::move(documentation),
                    std::move(attributes), rule);
}

AttributeDefinition outputMode() {
    return choice("output_mode", {"int", "one_hot", "multi_hot", "count", "tf_idf", "binary", "tf-idf"},
                  "Kind of output.");
}
AttributeDefinition bins() {
    return integer("num_bins", "Number of hash bins.").required(64);
}
AttributeDefinition bookkeeping(std::string name) {
    return json(std::move(name), nullptr, "Bookkeeping.");
}

Attributes vocabularyAttributes() {
    return {json("max_tokens", nullptr, "Largest size of the vocabulary."),
            json("vocabulary", nullptr, "The known values, or a file of them."),
            json("vocabulary_size", nullptr, "Size of the vocabulary, unknown values included."),
            json("idf_weights", nullptr, "Inverse document frequencies."),
            boolean("pad_to_max_tokens", false, "Whether the output is as long as max_tokens."),
            outputMode(),
            bookkeeping("sparse"),
            bookkeeping("encoding"),
            bookkeeping("has_input_vocabulary"),
            bookkeeping("has_static_table")};
}

LayerDefinition lookup(std::string className, std::string documentation) {
    return lookupRow(std::move(className), std::move(documentation),
                     joined({{json("num_oov_indices", 1, "Indices for unknown values."),
                              json("mask_token", nullptr, "The value that is masked."),
                              bookkeeping("mask_value"), bookkeeping("oov_token"), bookkeeping("oov_value"),
                              boolean("invert", false, "Whether it turns indices into values."),
                              bookkeeping("vocabulary_dtype")},
                             vocabularyAttributes()}),
                     describeLookup);
}

} // namespace

LayerFamily lookupLayers() {
    LayerFamily family{
        lookupRow(
            "Hashing", "Turns values into the index of their hash bin.",
            {bins(), bookkeeping("mask_value"), bookkeeping("salt"), outputMode(), bookkeeping("sparse")},
            describeHashing),
        lookupRow("HashedCrossing", "Turns pairs of values into the index of their common hash bin.",
                  {bins(), bookkeeping("salt"), outputMode(), bookkeeping("sparse")}, describeHashing),
        lookup("StringLookup", "Turns texts into indices of a vocabulary."),
        lookup("IntegerLookup", "Turns numbers into indices of a vocabulary."),
        lookupRow(
            "TextVectorization", "Splits texts into words and turns them into indices.",
            joined({{json("standardize", "lower_and_strip_punctuation", "How texts are cleaned."),
                     json("split", "whitespace", "How texts are split."),
                     json("ngrams", nullptr, "Lengths of word groups."),
                     json("output_sequence_length", nullptr, "Words of each text; null for the longest."),
                     bookkeeping("ragged")},
                    vocabularyAttributes()}),
            describeVectorization),
    };
    family[1].maximumInputs = 2;
    return family;
}

} // namespace core
