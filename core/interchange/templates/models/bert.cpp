#include "core/interchange/templates/models/transformer.h"
#include "core/interchange/templates/template_catalogue.h"

#include <algorithm>
#include <fmt/format.h>

namespace core {

namespace {

using Part = TemplateBlock::Part;

class BertBuilder {
public:
    BertBuilder(const TemplateArguments& arguments, TransformerPlan plan)
        : m_arguments(arguments)
        , m_plan(plan)
        , m_builder("bert")
        , m_sequence(arguments.integer("sequence")) {}

    TemplateModel build() {
        TensorRef x = embeddings();
        for (std::int64_t i = 0; i < m_arguments.integer("layers"); ++i)
            x = transformerLayer(m_builder, fmt::format("layer{}", i), m_plan, x);
        m_builder.begin("heads", Part::Back);
        const std::string task = m_arguments.text("task");
        std::vector<TensorRef> outputs;
        if (task == "encoder")
            outputs = {x, pooled(x)};
        else if (task == "pretrain")
            outputs = pretrainingHeads(x);
        else if (task == "squad")
            outputs = {m_builder.dense("span_logits", 2, x)};
        else
            outputs = {m_builder.dense("logits", m_arguments.integer("classes"), pooled(x))};
        TemplateModel result = std::move(m_builder).finish(outputs);
        result.optimizer = {"Adam", {{"learning_rate", 0.0001}, {"epsilon", 1e-6}}};
        if (task == "encoder")
            result.losses.assign(outputs.size(), {"MeanSquaredError", Json::object()});
        return result;
    }

private:
    [[nodiscard]] bool isTied() const { return m_arguments.isOn("tied"); }

    TensorRef embeddings() {
        const TensorRef tokens = m_builder.input("input_ids", {m_sequence}, DataType::Int32);
        const TensorRef types = m_builder.input("token_type_ids", {m_sequence}, DataType::Int32);
        m_builder.begin("embeddings", Part::Front);
        TensorRef x = m_builder.call(
            isTied() ? "ReversibleEmbedding" : "Embedding", "word_embeddings",
            {{"input_dim", m_arguments.integer("vocabulary")}, {"output_dim", m_plan.hidden}}, {tokens});
        const TensorRef type = m_builder.call("Embedding", "token_type_embeddings",
                                              {{"input_dim", 2}, {"output_dim", m_plan.hidden}}, {types});
        const TensorRef position = m_builder.call(
            "PositionEmbedding", "position_embeddings",
            {{"sequence_length", std::max(m_arguments.integer("positions"), m_sequence)}}, {x});
        x = m_builder.call("Add", "embeddings_add", Json::object(), {x, type, position});
        x = m_builder.layerNorm("embeddings_norm", m_plan.epsilon, x);
        return m_builder.dropout("embeddings_dropout", m_plan.dropout, x);
    }

    /// The first `count` places of the sequence.
    TensorRef first(const std::string& name, std::int64_t count, TensorRef x) {
        return count == m_sequence
                   ? x
                   : m_builder.call("Cropping1D", name, {{"cropping", {0, m_sequence - count}}}, {x});
    }

    TensorRef pooled(TensorRef x) {
        x = first("pooler_first", 1, x);
        x = m_builder.call("Flatten", "pooler_flatten", Json::object(), {x});
        return m_builder.dense("pooler", m_plan.hidden, x, "tanh");
    }

    /// Masked tokens are at the front of each sequence, so only they go through the vocabulary.
    std::vector<TensorRef> pretrainingHeads(TensorRef x) {
        const std::int64_t masked = m_arguments.has("masked_tokens")
                                        ? std::min(m_arguments.integer("masked_tokens"), m_sequence)
                                        : std::max<std::int64_t>(1, m_sequence * 15 / 100);
        if (masked == 0)
            return {m_builder.dense("next_sentence_logits", 2, pooled(x))};
        TensorRef y = first("masked", masked, x);
        y = m_builder.dense("masked_transform", m_plan.hidden, y, "gelu");
        y = m_builder.layerNorm("masked_norm", m_plan.epsilon, y);
        y = isTied() ? m_builder.callAgain("word_embeddings", {y}, {{"reverse", true}})
                     : m_builder.dense("masked_logits", m_arguments.integer("vocabulary"), y);
        return {y, m_builder.dense("next_sentence_logits", 2, pooled(x))};
    }

    const TemplateArguments& m_arguments;
    TransformerPlan m_plan;
    TemplateBuilder m_builder;
    std::int64_t m_sequence;
};

} // namespace

ModelTemplate bertTemplate() {
    using namespace parameter;
    std::vector<TemplateParameter> parameters = transformerParameters(12, 768, 12, 0.1);
    for (TemplateParameter& own : std::vector<TemplateParameter>{
             integer("sequence", 128, 1, 1000000, "Tokens of a sequence."),
             integer("vocabulary", 30522, 2, 10000000, "Tokens there are."),
             integer("positions", 512, 1, 1000000, "Positions that have a vector."),
             choice(
                 "task", {"pretrain", "encoder", "classify", "squad"},
                 "Heads: masked language model and next sentence, the encoder with its pooler, a class, or a "
                 "span."),
             integer("masked_tokens", nullptr, 0, 1000000,
                     "Masked tokens of a sequence, at its front; 0: no masked language model; default: 15 % "
                     "of it."),
             toggle("tied", true, "Whether the masked language model uses the word embeddings."),
             integer("classes", 2, 1, 1000000, "Logits of the task classify.")})
        parameters.push_back(std::move(own));
    return {"bert",
            "A bidirectional transformer (Devlin et al. 2018): 109 482 240 parameters in the base encoder.",
            std::move(parameters),
            [](const TemplateArguments& arguments) -> Result<TemplateModel> {
                const auto plan = transformerPlan(arguments);
                if (!plan)
                    return failure(plan.error());
                return BertBuilder(arguments, *plan).build();
            },
            {"bert-tiny"}};
}

} // namespace core
