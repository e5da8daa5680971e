// Attention layers.
#include "simulator/compiler/lowering/functions/einsum.h"
#include "simulator/compiler/lowering/layer_geometry.h"
#include "simulator/compiler/lowering/layer_lowering.h"

#include <cmath>

namespace simulator {
namespace {

using core::DataType;
using core::TensorId;

/// Scores where `mask` (broadcastable, bool) is false become so low that softmax gives zero.
TensorId maskScores(GraphBuilder& build, TensorId scores, TensorId mask) {
    // Keras' figures: −1e9, and in float16 the most negative number's neighbourhood.
    const double low = build.type(scores) == DataType::Float16 ? -65500.0 : -1.0e9;
    const TensorId keep = build.cast(mask, build.type(scores));
    return build.binary(BinaryFunction::Add, scores, build.scaleShift(keep, -low, low));
}

TensorId causalMask(GraphBuilder& build, std::int64_t targets, std::int64_t sources) {
    std::vector<double> values;
    for (std::int64_t t = 0; t < targets; ++t) {
        for (std::int64_t s = 0; s < sources; ++s)
            values.push_back(s <= t ? 1 : 0);
    }
    return build.constant("causal_mask", std::move(values), {{targets, sources}, DataType::Bool});
}

TensorId dropScores(LoweringCall& call, TensorId weights) {
    const double rate = call.attributes.number("dropout");
    if (!call.isTraining() || rate <= 0)
        return weights;
    return call.build.add(Dropout{rate, {}, call.seed(), call.nextStream()}, {weights}, "dropout");
}

/// Weights of the scores [N, Tq, Tv] applied to the values; Keras' BaseDenseAttention.
Lowered attend(LoweringCall& call, TensorId scores) {
    GraphBuilder& build = call.build;
    const Extents extents = build.extents(scores);
    if (call.mask(1).isValid())
        scores = maskScores(build, scores, expandAxes(build, call.mask(1), {1}));
    if (call.attributes.boolean("causal") || call.argumentFlag("use_causal_mask"))
        scores = maskScores(build, scores, causalMask(build, extents[extents.size() - 2], extents.back()));
    const TensorId weights = dropScores(call, build.add(Softmax{-1, false}, {scores}, ""));
    TensorId result = build.add(MatMul{}, {weights, call.input(1)}, "attend");
    if (call.mask(0).isValid()) {
        const TensorId keep = build.cast(expandAxes(build, call.mask(0), {2}), build.type(result));
        result = build.binary(BinaryFunction::Multiply, result, keep);
        call.setMask(result, call.mask(0));
    }
    std::vector<TensorId> outputs{result};
    if (call.argumentFlag("return_attention_scores"))
        outputs.push_back(weights);
    return outputs;
}

/// query and key with an axis for the other one's positions: their sum is [N, Tq, Tv, D].
TensorId pairwiseSum(GraphBuilder& build, TensorId query, TensorId key) {
    return build.binary(BinaryFunction::Add, expandAxes(build, query, {2}), expandAxes(build, key, {1}));
}

Lowered lowerAttention(LoweringCall& call) {
    GraphBuilder& build = call.build;
    const TensorId key = call.inputs.size() > 2 ? call.input(2) : call.input(1);
    const bool isConcat = call.attributes.text("score_mode") == "concat";
    TensorId scores;
    if (isConcat) {
        TensorId sums = pairwiseSum(build, call.input(0), key);
        if (call.hasWeight("scale"))
            sums = build.binary(BinaryFunction::Multiply, sums, call.weight("scale"));
        const TensorId total =
            build.reduce(ReduceFunction::Sum, build.unary(UnaryFunction::Tanh, sums), {-1}, false);
        scores = build.binary(BinaryFunction::Multiply, total, call.weight("concat_score_weight"));
    } else {
        scores = build.add(MatMul{false, true}, {call.input(0), key}, "scores");
        if (call.hasWeight("scale"))
            scores = build.binary(BinaryFunction::Multiply, scores, call.weight("scale"));
    }
    return attend(call, scores);
}

Lowered lowerAdditiveAttention(LoweringCall& call) {
    GraphBuilder& build = call.build;
    const TensorId key = call.inputs.size() > 2 ? call.input(2) : call.input(1);
    TensorId values = build.unary(UnaryFunction::Tanh, pairwiseSum(build, call.input(0), key));
    if (call.hasWeight("scale"))
        values = build.binary(BinaryFunction::Multiply, values, call.weight("scale"));
    return attend(call, build.reduce(ReduceFunction::Sum, values, {-1}, false));
}

/// Multi-head attention over [N, T, D] (further attended axes joined with T).
class HeadedAttention {
public:
    HeadedAttention(LoweringCall& call, std::int64_t queryHeads, std::int64_t keyHeads, std::int64_t keyWidth)
        : m_call(call)
        , m_build(call.build)
        , m_queryHeads(queryHeads)
        , m_keyHeads(keyHeads)
        , m_scale(1 / std::sqrt(static_cast<double>(keyWidth))) {}

    Lowered lower() {
        const std::size_t query = m_call.inputNamed("query", 0).value_or(0);
        const std::size_t value = m_call.inputNamed("value", 1).value_or(query);
        const std::size_t key = m_call.inputNamed("key", 2).value_or(value);
        const auto q = project(query, "query");
        const auto k = project(key, "key");
        const auto v = project(value, "value");
        if (!q || !k || !v)
            return core::failure((!q ? q : (!k ? k : v)).error());
        // [N, heads, T, width]
        const TensorId queries = m_build.scaleShift(m_build.transpose(*q, {0, 2, 1, 3}), m_scale);
        const TensorId keys = repeatHeads(m_build.transpose(*k, {0, 2, 1, 3}));
        const TensorId values = repeatHeads(m_build.transpose(*v, {0, 2, 1, 3}));
        TensorId scores = m_build.add(MatMul{false, true}, {queries, keys}, "scores");
        scores = masked(scores, query, value);
        const TensorId softened = m_build.add(Softmax{-1, false}, {scores}, "");
        const TensorId weights = dropScores(m_call, softened);
        const TensorId heads =
            m_build.transpose(m_build.add(MatMul{}, {weights, values}, "attend"), {0, 2, 1, 3});
        return join(heads, query, softened);
    }

private:
    /// [N, T, D] × [D, heads, width] + bias → [N, T, heads, width].
    core::Result<TensorId> project(std::size_t input, const std::string& name) {
        const Extents extents = m_build.extents(m_call.input(input));
        std::int64_t steps = 1;
        for (std::size_t axis = 1; axis + 1 < extents.size(); ++axis)
            steps *= extents[axis];
        const TensorId rows = m_build.reshape(m_call.input(input), {extents.front(), steps, extents.back()});
        const auto product = addEinsum(m_build, "abc,cde->abde", rows, m_call.weight(name + "/kernel"));
        return product ? core::Result<TensorId>(m_call.addBias(*product, name + "/bias")) : product;
    }

    /// Grouped attention: several query heads share a head of keys and values.
    TensorId repeatHeads(TensorId x) {
        const std::int64_t repeats = m_queryHeads / m_keyHeads;
        if (repeats == 1)
            return x;
        const Extents extents = m_build.extents(x);
        const TensorId open = m_build.reshape(x, {extents[0], m_keyHeads, 1, extents[2], extents[3]});
        const TensorId wide =
            m_build.broadcast(open, {extents[0], m_keyHeads, repeats, extents[2], extents[3]});
        return m_build.reshape(wide, {extents[0], m_queryHeads, extents[2], extents[3]});
    }

    TensorId masked(TensorId scores, std::size_t query, std::size_t value) {
        const Extents extents = m_build.extents(scores);
        if (const auto given = m_call.inputNamed("attention_mask", 3)) {
            // [N, T, S], or with an axis for the heads.
            const TensorId mask = m_build.cast(m_call.input(*given), DataType::Bool);
            scores =
                maskScores(m_build, scores, m_build.rank(mask) == 3 ? expandAxes(m_build, mask, {1}) : mask);
        }
        if (m_call.mask(value).isValid())
            scores = maskScores(m_build, scores, expandAxes(m_build, m_call.mask(value), {1, 2}));
        if (m_call.mask(query).isValid())
            scores = maskScores(m_build, scores, expandAxes(m_build, m_call.mask(query), {1, 3}));
        if (m_call.argumentFlag("use_causal_mask"))
            scores = maskScores(m_build, scores, causalMask(m_build, extents[2], extents[3]));
        return scores;
    }

    Lowered join(TensorId heads, std::size_t query, TensorId weights) {
        const TensorId kernel = m_call.weight("attention_output/kernel");
        const Extents kernelExtents = m_build.extents(kernel);
        const Extents headExtents = m_build.extents(heads);
        const std::int64_t inner = kernelExtents[0] * kernelExtents[1];
        Extents widths(kernelExtents.begin() + 2, kernelExtents.end());
        const TensorId rows = m_build.reshape(heads, {headExtents[0], headExtents[1], inner});
        const TensorId matrix = m_build.reshape(kernel, {inner, elementCount(widths)});
        const TensorId product = m_build.add(MatMul{}, {rows, matrix}, "output");
        const Extents& queryExtents = m_build.extents(m_call.input(query));
        Extents extents(queryExtents.begin(), queryExtents.end() - 1);
        extents.insert(extents.end(), widths.begin(), widths.end());
        const TensorId result =
            m_call.addBias(m_build.reshape(product, std::move(extents)), "attention_output/bias");
        m_call.setMask(result, m_call.mask(query));
        std::vector<TensorId> outputs{result};
        if (m_call.argumentFlag("return_attention_scores"))
            outputs.push_back(openedScores(weights, query));
        return outputs;
    }

    /// Scores with every attended axis by itself again.
    TensorId openedScores(TensorId weights, std::size_t query) {
        if (m_call.outputs.size() < 2)
            return weights;
        Extents extents;
        for (const core::Dimension& extent : m_call.outputs[1].shape.dimensions)
            extents.push_back(extent.value_or(m_build.extents(m_call.input(query)).front()));
        return m_build.reshape(weights, std::move(extents));
    }

    LoweringCall& m_call;
    GraphBuilder& m_build;
    std::int64_t m_queryHeads;
    std::int64_t m_keyHeads;
    double m_scale;
};

Lowered lowerMultiHeadAttention(LoweringCall& call) {
    if (!call.attributes.isNull("attention_axes"))
        return cannotLower("attention over chosen axes is not computed", "leave attention_axes null");
    const std::int64_t heads = call.attributes.integer("num_heads");
    return HeadedAttention(call, heads, heads, call.attributes.integer("key_dim")).lower();
}

Lowered lowerGroupQueryAttention(LoweringCall& call) {
    return HeadedAttention(call, call.attributes.integer("num_query_heads"),
                           call.attributes.integer("num_key_value_heads"),
                           call.attributes.integer("head_dim"))
        .lower();
}

constexpr LoweringEntry attentionLayers[]{
    {"Attention", lowerAttention},
    {"AdditiveAttention", lowerAdditiveAttention},
    {"MultiHeadAttention", lowerMultiHeadAttention},
    {"GroupQueryAttention", lowerGroupQueryAttention},
};

} // namespace

std::span<const LoweringEntry> attentionLowerings() {
    return attentionLayers;
}

} // namespace simulator
