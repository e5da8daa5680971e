#include "simulator/compiler/lowering/ipu_operations.h"

#include <cmath>
#include <numeric>

namespace simulator {

using core::DataType;
using core::TensorId;

namespace {} // namespace

TensorId addFixedWidthBins(GraphBuilder& build, TensorId x, std::int64_t bins) {
    const TensorId low = build.reduce(ReduceFunction::Minimum, x, build.allAxes(x), false);
    const TensorId high = build.reduce(ReduceFunction::Maximum, x, build.allAxes(x), false);
    std::vector<double> steps;
    for (std::int64_t i = 1; i < bins; ++i)
        steps.push_back(static_cast<double>(i) / static_cast<double>(bins));
    const TensorId shares = build.constant("shares", steps, {{bins - 1}, build.type(x)});
    const TensorId width = build.binary(BinaryFunction::Subtract, high, low);
    return build.binary(BinaryFunction::Add, build.binary(BinaryFunction::Multiply, shares, width), low);
}

TensorId addNormalisedImage(GraphBuilder& build, TensorId image, double scale, TensorId offsets,
                            TensorId scales) {
    const TensorId centred = build.binary(BinaryFunction::Subtract, build.scaleShift(image, scale), offsets);
    const TensorId normal = build.binary(BinaryFunction::Multiply, centred, scales);
    Pad pad;
    pad.low.assign(build.rank(normal), 0);
    pad.high = pad.low;
    pad.high.back() = 1;
    return build.add(std::move(pad), {normal}, "");
}

TensorId addSequenceSlice(GraphBuilder& build, TensorId destination, TensorId source, TensorId counts,
                          TensorId sourceOffsets, TensorId destinationOffsets, bool zeroUnused) {
    if (!sourceOffsets.isValid() || !destinationOffsets.isValid()) {
        const TensorId running =
            build.add(Cumulative{ReduceFunction::Sum, 0, true, false}, {counts}, "offsets");
        sourceOffsets = sourceOffsets.isValid() ? sourceOffsets : running;
        destinationOffsets = destinationOffsets.isValid() ? destinationOffsets : running;
    }
    return build.add(SequenceSlice{zeroUnused},
                     {destination, source, counts, sourceOffsets, destinationOffsets}, "");
}

namespace {

/// The logits of a sampled loss.
class SampledLogits {
public:
    SampledLogits(GraphBuilder& build, const SampledClasses& sampling, TensorId inputs, TensorId labels,
                  TensorId weights, TensorId biases)
        : m_build(build)
        , m_sampling(sampling)
        , m_samples(build.extents(inputs)[0])
        , m_inputs(inputs)
        , m_labels(build.reshape(labels, {m_samples, sampling.trueClasses}))
        , m_weights(weights)
        , m_biases(biases) {
        const auto drawn = build.addAllAs(
            Random{RandomDistribution::LogUniformClasses, static_cast<double>(sampling.classes), 1,
                   sampling.seed, sampling.stream},
            {}, "sampled", {{"", {{sampling.sampled}, DataType::Int32}}, {"tries", {{}, DataType::Float32}}});
        m_drawn = drawn[0];
        m_tries = drawn[1];
    }

    /// [N, true]
    TensorId ofTrue() {
        const TensorId rows = m_build.add(Gather{}, {m_weights, m_labels}, "true_weights");
        const TensorId wide = m_build.reshape(m_inputs, {m_samples, 1, m_build.extents(m_inputs).back()});
        const TensorId products = m_build.reduce(
            ReduceFunction::Sum, m_build.binary(BinaryFunction::Multiply, rows, wide), {-1}, false);
        const TensorId biased = m_build.binary(BinaryFunction::Add, products,
                                               m_build.add(Gather{}, {m_biases, m_labels}, "true_biases"));
        return m_build.binary(BinaryFunction::Subtract, biased, logExpected(m_labels, m_build.type(biased)));
    }

    /// [N, sampled]; a drawn class that is a sample's own gets −10³⁰ when `removesHits`.
    TensorId ofSampled(bool removesHits) {
        const TensorId rows = m_build.add(Gather{}, {m_weights, m_drawn}, "sampled_weights");
        const TensorId products = m_build.add(MatMul{false, true}, {m_inputs, rows}, "sampled_logits");
        const TensorId biased = m_build.binary(BinaryFunction::Add, products,
                                               m_build.add(Gather{}, {m_biases, m_drawn}, "sampled_biases"));
        const TensorId logits =
            m_build.binary(BinaryFunction::Subtract, biased, logExpected(m_drawn, m_build.type(biased)));
        if (!removesHits)
            return logits;
        const TensorId own = m_build.reshape(m_labels, {m_samples, m_sampling.trueClasses, 1});
        const TensorId hits =
            m_build.cast(m_build.binary(BinaryFunction::Equal, own, m_drawn), m_build.type(logits));
        const TensorId hit = m_build.reduce(ReduceFunction::Maximum, hits, {1}, false);
        return m_build.binary(BinaryFunction::Add, logits, m_build.scaleShift(hit, -1e30));
    }

private:
    /// log(1 − (1 − p)^tries) with p(c) = log((c + 2) / (c + 1)) / log(classes + 1).
    TensorId logExpected(TensorId classes, DataType type) {
        const TensorId number = m_build.cast(classes, DataType::Float32);
        const TensorId ratio =
            m_build.unary(UnaryFunction::LogarithmPlusOne,
                          m_build.unary(UnaryFunction::Reciprocal, m_build.scaleShift(number, 1, 1)));
        const double range = std::log(static_cast<double>(m_sampling.classes) + 1);
        const TensorId never =
            m_build.unary(UnaryFunction::LogarithmPlusOne, m_build.scaleShift(ratio, -1 / range));
        const TensorId exponent = m_build.binary(BinaryFunction::Multiply, never, m_tries);
        const TensorId expected =
            m_build.scaleShift(m_build.unary(UnaryFunction::ExponentialMinusOne, exponent), -1);
        return m_build.cast(m_build.unary(UnaryFunction::Logarithm, expected), type);
    }

    GraphBuilder& m_build;
    const SampledClasses& m_sampling;
    std::int64_t m_samples;
    TensorId m_inputs;
    TensorId m_labels;
    TensorId m_weights;
    TensorId m_biases;
    TensorId m_drawn;
    TensorId m_tries;
};

} // namespace

TensorId addNceLoss(GraphBuilder& build, const SampledClasses& sampling, TensorId inputs, TensorId labels,
                    TensorId weights, TensorId biases) {
    SampledLogits logits(build, sampling, inputs, labels, weights, biases);
    // Sigmoid cross-entropy with 1 / true for the true classes and 0 for the drawn ones.
    const TensorId own = logits.ofTrue();
    const TensorId target = build.scaleShift(own, 1 / static_cast<double>(sampling.trueClasses));
    const TensorId ownLoss =
        build.binary(BinaryFunction::Subtract, build.unary(UnaryFunction::Softplus, own), target);
    const TensorId drawnLoss = build.unary(UnaryFunction::Softplus, logits.ofSampled(false));
    const TensorId sum =
        build.binary(BinaryFunction::Add, build.reduce(ReduceFunction::Sum, ownLoss, {1}, false),
                     build.reduce(ReduceFunction::Sum, drawnLoss, {1}, false));
    return build.cast(sum, DataType::Float32);
}

TensorId addSampledSoftmaxLoss(GraphBuilder& build, const SampledClasses& sampling, TensorId inputs,
                               TensorId labels, TensorId weights, TensorId biases) {
    SampledLogits logits(build, sampling, inputs, labels, weights, biases);
    const TensorId own = logits.ofTrue();
    const TensorId all = build.concatenate({own, logits.ofSampled(true)}, 1);
    const TensorId logs = build.add(Softmax{-1, true}, {all}, "log_softmax");
    const TensorId kept = build.slice(logs, 1, 0, sampling.trueClasses);
    const TensorId mean = build.reduce(ReduceFunction::Mean, kept, {1}, false);
    return build.cast(build.scaleShift(mean, -1), DataType::Float32);
}

} // namespace simulator
