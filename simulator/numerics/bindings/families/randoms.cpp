// Random numbers and what is made of them.
#include "simulator/numerics/bindings/bind_operation.h"
#include "simulator/numerics/kernel_choice.h"
#include "simulator/numerics/kernels/kernel_table.h"

#include <algorithm>
#include <cmath>

namespace simulator {
namespace {

constexpr std::int64_t drawGrain = 16384; // a multiple of the four numbers of one draw

RandomPlace placeOf(const StepState& state, std::uint64_t seed, std::uint64_t stream) {
    return {seed == 0 ? state.seed : seed, stream, state.draw};
}

/// out = x·factors with the factors broadcast over x.
void addBroadcastProduct(BoundOperation& bound, const Operand& x, const Operand& factors,
                         const Operand& out) {
    static const Operation product{
        core::OperationId(0), "", Binary{BinaryFunction::Multiply}, {}, {}, {}, {}};
    BindRequest inner{&product, {x, factors}, {out}, {}, {}, nullptr, 0};
    bindings().of(Binary{}).bind(inner, bound);
}

/// Draws the factors, 0 or 1 / (1 − rate), and multiplies the operand by them.
void addDropout(BindRequest& request, BoundOperation& bound, const Dropout& dropout) {
    Tensor noise;
    noise.extents = dropout.noiseExtents.empty() ? request.inputs[0].extents() : dropout.noiseExtents;
    float* factors = request.takeFloats(noise.elements());
    const float keep = dropout.rate >= 1 ? 0.0F : static_cast<float>(1 / (1 - dropout.rate));
    const RandomKernels& kernel = kernels().random;
    bound.phases.push_back(
        rangePhase(WorkPartition{noise.elements(), drawGrain},
                   [=, &kernel](const StepState& state, std::int64_t begin, std::int64_t end, std::byte*) {
                       kernel.dropoutMask(placeOf(state, dropout.seed, dropout.stream),
                                          static_cast<float>(dropout.rate), keep, factors, begin, end);
                   }));
    addBroadcastProduct(bound, request.inputs[0], {&noise, reinterpret_cast<std::byte*>(factors)},
                        request.outputs[0]);
}

using NumberFunction = float (*)(float number, float a, float b);

float scaledUniform(float number, float a, float b) {
    return a + (b - a) * number;
}
float scaledNormal(float number, float a, float b) {
    return a + b * number;
}
float bernoulli(float number, float a, float) {
    return number < a ? 1.0F : 0.0F;
}

/// Normal numbers beyond two deviations are drawn again, as TensorFlow's truncated normal.
void truncatedNormal(const RandomPlace& place, float mean, float deviation, float* out, std::int64_t begin,
                     std::int64_t end) {
    const RandomKernels& kernel = kernels().random;
    kernel.normal(place, out, begin, end);
    RandomPlace again = place;
    for (bool isDone = false; !isDone;) {
        isDone = true;
        // A further sequence per round; the element keeps its place in it.
        again.stream += 0x9E3779B97F4A7C15ULL;
        for (std::int64_t i = begin; i < end; ++i) {
            if (std::abs(out[i]) < 2)
                continue;
            float four[4];
            const std::int64_t first = i / 4 * 4;
            kernel.normal(again, four - first, first, first + 4);
            out[i] = four[i - first];
            isDone = false;
        }
    }
    for (std::int64_t i = begin; i < end; ++i)
        out[i] = mean + deviation * out[i];
}

/// Different classes from 0 … classes − 1, P(k) = log((k + 2) / (k + 1)) / log(classes + 1). Answers how many
/// draws that took.
std::int64_t logUniformClasses(const RandomPlace& place, std::int64_t classes, std::int32_t* out,
                               std::int64_t count) {
    const double range = std::log(static_cast<double>(classes) + 1);
    std::int64_t drawn = 0;
    std::int64_t next = 0;
    float four[4] = {};
    while (drawn < count) {
        if (next % 4 == 0)
            kernels().random.uniform(place, four - next, next, next + 4);
        const double value = std::exp(static_cast<double>(four[next % 4]) * range) - 1;
        const auto candidate =
            static_cast<std::int32_t>(std::min<double>(std::floor(value), static_cast<double>(classes - 1)));
        ++next;
        if (std::find(out, out + drawn, candidate) == out + drawn)
            out[drawn++] = candidate;
    }
    return next;
}

} // namespace

static void bindDropout(BindRequest& request, BoundOperation& bound) {
    addDropout(request, bound, request.attributes<Dropout>());
}

static void bindDropoutGradient(BindRequest& request, BoundOperation& bound) {
    addDropout(request, bound, request.attributes<DropoutGradient>().dropout);
}

static void bindRandom(BindRequest& request, BoundOperation& bound) {
    const auto random = request.attributes<Random>();
    const std::int64_t count = request.outputs[0].elements();
    const auto a = static_cast<float>(random.a);
    const auto b = static_cast<float>(random.b);
    if (random.distribution == RandomDistribution::LogUniformClasses) {
        auto* out = request.outputs[0].as<std::int32_t>();
        float* tries = request.outputs.size() > 1 ? request.outputs[1].as() : nullptr;
        bound.phases.push_back({1, [=](const StepState& state, std::int64_t, std::byte*) {
                                    const std::int64_t draws =
                                        logUniformClasses(placeOf(state, random.seed, random.stream),
                                                          static_cast<std::int64_t>(random.a), out, count);
                                    if (tries != nullptr)
                                        *tries = static_cast<float>(draws);
                                }});
        return;
    }
    float* out = request.outputs[0].as();
    if (random.distribution == RandomDistribution::TruncatedNormal) {
        bound.phases.push_back(
            rangePhase(WorkPartition{count, drawGrain},
                       [=](const StepState& state, std::int64_t begin, std::int64_t end, std::byte*) {
                           truncatedNormal(placeOf(state, random.seed, random.stream), a, b, out, begin, end);
                       }));
        return;
    }
    const RandomKernels& kernel = kernels().random;
    const bool isNormal = random.distribution == RandomDistribution::Normal;
    const auto draw = isNormal ? kernel.normal : kernel.uniform;
    const NumberFunction function =
        isNormal ? scaledNormal
                 : (random.distribution == RandomDistribution::Bernoulli ? bernoulli : scaledUniform);
    bound.phases.push_back(
        rangePhase(WorkPartition{count, drawGrain},
                   [=](const StepState& state, std::int64_t begin, std::int64_t end, std::byte*) {
                       draw(placeOf(state, random.seed, random.stream), out, begin, end);
                       for (std::int64_t i = begin; i < end; ++i)
                           out[i] = function(out[i], a, b);
                   }));
}

namespace {

void setClassType(const BindRequest& request, OperandTypes& types) {
    if (request.attributes<Random>().distribution == RandomDistribution::LogUniformClasses)
        types.outputs[0] = core::DataType::Int32;
}

} // namespace

std::span<const PartRow<Binding>> randomsBindings() {
    static constexpr PartRow<Binding> rows[]{{kindIndex<Dropout>(), {bindDropout}},
                                             {kindIndex<DropoutGradient>(), {bindDropoutGradient}},
                                             {kindIndex<Random>(), {bindRandom, setClassType}}};
    return rows;
}

} // namespace simulator
