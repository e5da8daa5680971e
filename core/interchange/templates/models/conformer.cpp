#include "core/interchange/templates/models/transformer.h"
#include "core/interchange/templates/template_catalogue.h"

#include <charconv>
#include <cmath>
#include <fmt/format.h>

namespace core {

namespace {

using Part = TemplateBlock::Part;

/// Convolutions in front that shorten the sequence.
struct Subsampling {
    std::int64_t count = 2;
    std::int64_t kernel = 3;
    std::int64_t stride = 2;
    std::int64_t channels = 256;
};

/// Reads "2 conv 3x3 stride 2, 256 channels" by its numbers in order.
Result<Subsampling> subsamplingFromText(const std::string& text) {
    std::vector<std::int64_t> numbers;
    for (std::size_t at = text.find_first_of("0123456789"); at != std::string::npos;
         at = text.find_first_of("0123456789", at)) {
        std::int64_t number = 0;
        const auto [stop, error] = std::from_chars(text.data() + at, text.data() + text.size(), number);
        numbers.push_back(error == std::errc() ? number : 0);
        at = static_cast<std::size_t>(stop - text.data());
    }
    constexpr std::int64_t largest = 100000;
    const bool fits = numbers.size() == 5 && numbers[0] >= 1 && numbers[0] <= 6 && numbers[1] == numbers[2] &&
                      std::all_of(numbers.begin(), numbers.end(),
                                  [](std::int64_t number) { return number >= 1 && number <= largest; });
    if (!fits)
        return failure(makeError(Trouble::Usage, "template/value", {"", "subsampling"},
                                 fmt::format("cannot read \"{}\"", text.substr(0, 80)),
                                 {"write \"2 conv 3x3 stride 2, 256 channels\""}));
    return Subsampling{numbers[0], numbers[1], numbers[3], numbers[4]};
}

class ConformerBuilder {
public:
    ConformerBuilder(const TemplateArguments& arguments, TransformerPlan plan, Subsampling front)
        : m_arguments(arguments)
        , m_plan(plan)
        , m_front(front)
        , m_builder("conformer") {
        m_plan.normalisesFirst = true;
        m_plan.epsilon = 1e-5;
    }

    TemplateModel build() {
        const TensorRef frames =
            m_builder.input("frames", {m_arguments.integer("frames"), m_arguments.integer("mel")});
        TensorRef x = subsample(frames);
        for (std::int64_t i = 0; i < m_arguments.integer("blocks"); ++i)
            x = encoderBlock(fmt::format("encoder{}", i), x);
        m_builder.begin("decoder", Part::Back);
        const TensorRef frameLogits = m_builder.dense("frame_logits", m_arguments.integer("vocab"), x);
        std::vector<TensorRef> outputs{frameLogits};
        if (m_arguments.integer("decoder_blocks") > 0)
            outputs = {decoder(x)};
        else
            outputs = {frameLogits};
        return std::move(m_builder).finish(outputs);
    }

private:
    TensorRef subsample(TensorRef x) {
        m_builder.begin("subsampling", Part::Front);
        std::int64_t frames = m_arguments.integer("frames");
        std::int64_t mel = m_arguments.integer("mel");
        x = m_builder.call("Reshape", "image", {{"target_shape", {frames, mel, 1}}}, {x});
        for (std::int64_t i = 0; i < m_front.count; ++i) {
            x = m_builder.call("Conv2D", fmt::format("subsampling{}", i),
                               {{"filters", m_front.channels},
                                {"kernel_size", {m_front.kernel, m_front.kernel}},
                                {"strides", {m_front.stride, m_front.stride}},
                                {"padding", "same"},
                                {"activation", "relu"}},
                               {x});
            frames = (frames + m_front.stride - 1) / m_front.stride;
            mel = (mel + m_front.stride - 1) / m_front.stride;
        }
        m_frames = frames;
        x = m_builder.call("Reshape", "sequence", {{"target_shape", {frames, mel * m_front.channels}}}, {x});
        return m_builder.dense("projection", m_plan.hidden, x);
    }

    TensorRef normalised(const std::string& name, TensorRef x) {
        return m_builder.layerNorm(name + "_norm", m_plan.epsilon, x);
    }

    /// Two dense layers whose sum counts half.
    TensorRef feedForward(const std::string& name, TensorRef x) {
        TensorRef y = m_builder.dense(name + "_in", m_plan.intermediate, normalised(name, x), "swish");
        y = m_builder.dropout(name + "_dropout", m_plan.dropout, y);
        y = m_builder.dense(name + "_out", m_plan.hidden, y);
        y = m_builder.call("Rescaling", name + "_half", {{"scale", 0.5}}, {y});
        return m_builder.add(name + "_add", x, y);
    }

    /// Gated pointwise convolution, depthwise convolution, pointwise convolution.
    TensorRef convolution(const std::string& name, TensorRef x) {
        const TensorRef y = normalised(name, x);
        const TensorRef value = m_builder.dense(name + "_value", m_plan.hidden, y);
        const TensorRef gate = m_builder.dense(name + "_gate", m_plan.hidden, y, "sigmoid");
        TensorRef z = m_builder.call("Multiply", name + "_gated", Json::object(), {value, gate});
        z = m_builder.call("DepthwiseConv1D", name + "_depthwise",
                           {{"kernel_size", {m_arguments.integer("conv_kernel")}}, {"padding", "same"}}, {z});
        z = m_builder.call("BatchNormalization", name + "_bn", {{"epsilon", 1e-5}}, {z});
        z = m_builder.activation(name + "_swish", "swish", z);
        z = m_builder.dense(name + "_pointwise", m_plan.hidden, z);
        return m_builder.add(name + "_add", x, z);
    }

    /// [N, T, D] to [N, heads, T, width].
    TensorRef inHeads(const std::string& name, TensorRef x) {
        x = m_builder.call("Reshape", name + "_heads",
                           {{"target_shape", {m_frames, m_plan.heads, m_plan.hidden / m_plan.heads}}}, {x});
        return m_builder.call("Permute", name + "_turned", {{"dims", {2, 1, 3}}}, {x});
    }

    TensorRef projection(const std::string& name, TensorRef x) {
        return inHeads(name, m_builder.dense(name, m_plan.hidden, x));
    }

    TensorRef product(const std::string& name, TensorRef a, TensorRef b, bool transposesRight) {
        return m_builder.call("TFOpLambda", name, {{"function", "linalg.matmul"}}, {a, b},
                              {{"b", {{"$input", 1}}}, {"transpose_b", transposesRight}});
    }

    /// Self-attention whose scores are a sum: of keys, and of positions that have keys of their own (Gulati
    /// et al. 2020, after Dai et al. 2019).
    TensorRef relativeAttention(const std::string& name, TensorRef x) {
        const double scale =
            1 / std::sqrt(static_cast<double>(m_plan.hidden) / static_cast<double>(m_plan.heads));
        const TensorRef query = m_builder.call("Rescaling", name + "_scale", {{"scale", scale}},
                                               {projection(name + "_query", x)});
        const TensorRef key = projection(name + "_key", x);
        const TensorRef value = projection(name + "_value", x);
        const TensorRef position =
            inHeads(name + "_position", m_builder.call("PositionEmbedding", name + "_positions",
                                                       {{"sequence_length", m_frames}}, {x}));
        TensorRef y = m_builder.add(name + "_scores", product(name + "_content", query, key, true),
                                    product(name + "_place", query, position, true));
        y = m_builder.call("Softmax", name + "_softmax", {{"axis", -1}}, {y});
        y = m_builder.dropout(name + "_score_dropout", m_plan.attentionDropout, y);
        y = m_builder.call("Permute", name + "_joined", {{"dims", {2, 1, 3}}},
                           {product(name + "_attend", y, value, false)});
        y = m_builder.call("Reshape", name + "_rows", {{"target_shape", {m_frames, m_plan.hidden}}}, {y});
        return m_builder.dense(name + "_output", m_plan.hidden, y);
    }

    TensorRef encoderBlock(const std::string& name, TensorRef x) {
        m_builder.beginUnit(name);
        x = feedForward(name + "_first", x);
        const TensorRef attended = normalised(name + "_attention", x);
        TensorRef y = m_arguments.text("positions") == "relative"
                          ? relativeAttention(name + "_self_attention", attended)
                          : attention(m_builder, name + "_self_attention", m_plan, attended);
        y = m_builder.dropout(name + "_attention_dropout", m_plan.dropout, y);
        x = m_builder.add(name + "_attention_add", x, y);
        x = convolution(name + "_convolution", x);
        x = feedForward(name + "_second", x);
        return normalised(name, x);
    }

    TensorRef decoder(TensorRef memory) {
        const TensorRef tokens =
            m_builder.input("targets", {m_arguments.integer("target_tokens")}, DataType::Int32);
        const std::int64_t vocabulary = m_arguments.integer("vocab");
        TensorRef x = m_builder.call("Embedding", "target_embeddings",
                                     {{"input_dim", vocabulary}, {"output_dim", m_plan.hidden}}, {tokens});
        const TensorRef position =
            m_builder.call("PositionEmbedding", "target_positions",
                           {{"sequence_length", m_arguments.integer("target_tokens")}}, {x});
        x = m_builder.add("target_add", x, position);
        TransformerPlan causal = m_plan;
        causal.isCausal = true;
        for (std::int64_t i = 0; i < m_arguments.integer("decoder_blocks"); ++i) {
            const std::string name = fmt::format("decoder{}", i);
            TensorRef y =
                attention(m_builder, name + "_self_attention", causal, normalised(name + "_self", x));
            x = m_builder.add(name + "_self_add", x, y);
            y = attention(m_builder, name + "_cross_attention", m_plan, normalised(name + "_cross", x),
                          &memory);
            x = m_builder.add(name + "_cross_add", x, y);
            y = m_builder.dense(name + "_in", m_plan.intermediate, normalised(name, x), "relu");
            y = m_builder.dense(name + "_out", m_plan.hidden, y);
            x = m_builder.add(name + "_add", x, y);
        }
        return m_builder.dense("target_logits", vocabulary, normalised("final", x));
    }

    const TemplateArguments& m_arguments;
    TransformerPlan m_plan;
    Subsampling m_front;
    TemplateBuilder m_builder;
    /// Steps of the sequence behind the subsampling.
    std::int64_t m_frames = 0;
};

Result<TemplateModel> buildConformer(const TemplateArguments& arguments) {
    const auto plan = transformerPlan(arguments);
    if (!plan)
        return failure(plan.error());
    const auto front = subsamplingFromText(arguments.text("subsampling"));
    if (!front)
        return failure(front.error());
    TemplateModel result = ConformerBuilder(arguments, *plan, *front).build();
    result.optimizer = {"Adam", {{"learning_rate", 0.001}}};
    return result;
}

} // namespace

ModelTemplate conformerTemplate() {
    using namespace parameter;
    return {
        "conformer",
        "Speech recognition: convolutions and attention, then a decoder (Gulati et al. 2020).",
        {integer("blocks", 12, 1, 256, "Blocks of the encoder."),
         integer("hidden", 256, 1, 1000000, "Width of the vectors."),
         withAliases(integer("intermediate", 2048, 1, 10000000, "Width between the two dense layers."),
                     {"ff"}),
         integer("heads", 4, 1, 1024, "Attention heads."),
         integer("conv_kernel", 15, 1, 999, "Window of the depthwise convolution."),
         integer("decoder_blocks", 6, 0, 256, "Blocks of the decoder; 0 for logits of the frames."),
         withAliases(integer("vocab", 4233, 2, 10000000, "Tokens there are."), {"vocabulary"}),
         integer("frames", 1220, 1, 10000000, "Frames of a sample."),
         integer("mel", 80, 1, 100000, "Frequencies of a frame."),
         integer("target_tokens", 48, 1, 1000000, "Tokens of a target."),
         choice("positions", {"relative", "none"},
                "What the attention of the encoder knows of positions: a key for each, as in the paper, or "
                "nothing."),
         text("subsampling", "2 conv 3x3 stride 2, 256 channels", "Convolutions in front of the encoder."),
         number("dropout", 0.1, 0, 0.99, "Dropout of the halves of a block."),
         number("attention_dropout", 0.0, 0, 0.99, "Dropout of the attention scores.")},
        buildConformer,
        {}};
}

} // namespace core
