#include "simulator/catalogue/loss_formulas.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>

namespace simulator {
namespace {

double clipped(double x, double low = lossEpsilon, double high = 1 - lossEpsilon) {
    return std::clamp(x, low, high);
}
bool isInside(double x, double low = lossEpsilon, double high = 1 - lossEpsilon) {
    return x >= low && x <= high;
}
double signOf(double x) {
    return x > 0 ? 1 : (x < 0 ? -1 : 0);
}

// Losses that are the mean of a function of each element.

using ElementFunction = double (*)(double p, double t, const Loss& loss);

template <ElementFunction Function>
double meanValue(const LossSample& sample) {
    double sum = 0;
    for (std::int64_t i = 0; i < sample.classes; ++i)
        sum += Function(sample.prediction[i], sample.target[i], *sample.attributes);
    return sum / static_cast<double>(std::max<std::int64_t>(1, sample.classes));
}
template <ElementFunction Slope>
void meanGradient(const LossSample& sample, double scale, float* out) {
    const double share = scale / static_cast<double>(std::max<std::int64_t>(1, sample.classes));
    for (std::int64_t i = 0; i < sample.classes; ++i)
        out[i] =
            static_cast<float>(share * Slope(sample.prediction[i], sample.target[i], *sample.attributes));
}

double squared(double p, double t, const Loss&) {
    return (p - t) * (p - t);
}
double squaredSlope(double p, double t, const Loss&) {
    return 2 * (p - t);
}
double absolute(double p, double t, const Loss&) {
    return std::abs(p - t);
}
double absoluteSlope(double p, double t, const Loss&) {
    return signOf(p - t);
}
double percentage(double p, double t, const Loss&) {
    return 100 * std::abs((t - p) / std::max(std::abs(t), lossEpsilon));
}
double percentageSlope(double p, double t, const Loss&) {
    return 100 * signOf(p - t) / std::max(std::abs(t), lossEpsilon);
}
double logarithmic(double p, double t, const Loss&) {
    const double difference = std::log(std::max(p, lossEpsilon) + 1) - std::log(std::max(t, lossEpsilon) + 1);
    return difference * difference;
}
double logarithmicSlope(double p, double t, const Loss&) {
    const double difference = std::log(std::max(p, lossEpsilon) + 1) - std::log(std::max(t, lossEpsilon) + 1);
    return p > lossEpsilon ? 2 * difference / (p + 1) : 0;
}
double poisson(double p, double t, const Loss&) {
    return p - t * std::log(p + lossEpsilon);
}
double poissonSlope(double p, double t, const Loss&) {
    return 1 - t / (p + lossEpsilon);
}
double logCosh(double p, double t, const Loss&) {
    const double e = p - t;
    return std::abs(e) + std::log1p(std::exp(-2 * std::abs(e))) - std::log(2.0);
}
double logCoshSlope(double p, double t, const Loss&) {
    return std::tanh(p - t);
}
double huber(double p, double t, const Loss& loss) {
    const double e = std::abs(p - t);
    const double delta = loss.parameter;
    return e <= delta ? 0.5 * e * e : 0.5 * delta * delta + delta * (e - delta);
}
double huberSlope(double p, double t, const Loss& loss) {
    return std::clamp(p - t, -loss.parameter, loss.parameter);
}

double smoothed(double t, const Loss& loss) {
    return t * (1 - loss.labelSmoothing) + 0.5 * loss.labelSmoothing;
}
double sigmoid(double x) {
    return 1 / (1 + std::exp(-x));
}
double binaryLogits(double x, double t) {
    return std::max(x, 0.0) - x * t + std::log1p(std::exp(-std::abs(x)));
}
double binaryProbability(double p, double t) {
    p = clipped(p);
    return -(t * std::log(p + lossEpsilon) + (1 - t) * std::log(1 - p + lossEpsilon));
}
double binaryProbabilitySlope(double p, double t) {
    return isInside(p) ? -(t / (p + lossEpsilon) - (1 - t) / (1 - p + lossEpsilon)) : 0;
}
double binary(double p, double t, const Loss& loss) {
    t = smoothed(t, loss);
    return loss.fromLogits ? binaryLogits(p, t) : binaryProbability(p, t);
}
double binarySlope(double p, double t, const Loss& loss) {
    t = smoothed(t, loss);
    return loss.fromLogits ? sigmoid(p) - t : binaryProbabilitySlope(p, t);
}

/// parameter: gamma; secondParameter: alpha where classes are balanced, else 0.
double balance(double t, const Loss& loss) {
    return loss.secondParameter == 0 ? 1 : t * loss.secondParameter + (1 - t) * (1 - loss.secondParameter);
}
double binaryFocal(double x, double t, const Loss& loss) {
    t = smoothed(t, loss);
    const double p = loss.fromLogits ? sigmoid(x) : clipped(x);
    const double hit = t * p + (1 - t) * (1 - p);
    const double entropy = loss.fromLogits ? binaryLogits(x, t) : binaryProbability(x, t);
    return balance(t, loss) * std::pow(1 - hit, loss.parameter) * entropy;
}
double binaryFocalSlope(double x, double t, const Loss& loss) {
    t = smoothed(t, loss);
    const double p = loss.fromLogits ? sigmoid(x) : clipped(x);
    const double hit = t * p + (1 - t) * (1 - p);
    const double entropy = loss.fromLogits ? binaryLogits(x, t) : binaryProbability(x, t);
    const double entropySlope = loss.fromLogits ? p - t : binaryProbabilitySlope(x, t);
    const double inner = loss.fromLogits ? p * (1 - p) : (isInside(x) ? 1 : 0);
    const double factor = std::pow(1 - hit, loss.parameter);
    const double factorSlope =
        loss.parameter == 0 ? 0
                            : -loss.parameter * std::pow(1 - hit, loss.parameter - 1) * (2 * t - 1) * inner;
    return balance(t, loss) * (factorSlope * entropy + factor * entropySlope);
}

// Hinge losses.

double label(const LossSample& sample, std::int64_t i) {
    return sample.hasBinaryLabels ? 2.0 * sample.target[i] - 1 : sample.target[i];
}
template <int Power>
double hinge(const LossSample& sample) {
    double sum = 0;
    for (std::int64_t i = 0; i < sample.classes; ++i)
        sum += std::pow(std::max(0.0, 1 - label(sample, i) * sample.prediction[i]), Power);
    return sum / static_cast<double>(std::max<std::int64_t>(1, sample.classes));
}
template <int Power>
void hingeGradient(const LossSample& sample, double scale, float* out) {
    const double share = scale / static_cast<double>(std::max<std::int64_t>(1, sample.classes));
    for (std::int64_t i = 0; i < sample.classes; ++i) {
        const double miss = std::max(0.0, 1 - label(sample, i) * sample.prediction[i]);
        const double slope = miss > 0 ? -label(sample, i) * (Power == 1 ? 1 : 2 * miss) : 0;
        out[i] = static_cast<float>(share * slope);
    }
}

/// Score of the right class, and the class that comes nearest to it.
struct HingeScores {
    double right = 0;
    double wrong = -1e300;
    std::int64_t nearest = 0;

    explicit HingeScores(const LossSample& sample) {
        for (std::int64_t i = 0; i < sample.classes; ++i) {
            right += static_cast<double>(sample.target[i]) * sample.prediction[i];
            const double other = (1.0 - sample.target[i]) * sample.prediction[i];
            if (other > wrong) {
                wrong = other;
                nearest = i;
            }
        }
    }
};
double categoricalHinge(const LossSample& sample) {
    const HingeScores scores(sample);
    return std::max(0.0, scores.wrong - scores.right + 1);
}
void categoricalHingeGradient(const LossSample& sample, double scale, float* out) {
    const HingeScores scores(sample);
    const bool isActive = scores.wrong - scores.right + 1 > 0;
    for (std::int64_t i = 0; i < sample.classes; ++i) {
        double slope = -static_cast<double>(sample.target[i]);
        if (i == scores.nearest)
            slope += 1.0 - sample.target[i];
        out[i] = isActive ? static_cast<float>(scale * slope) : 0.0F;
    }
}

// Cross-entropies over classes.

double smoothedClass(const LossSample& sample, std::int64_t i) {
    const double smoothing = sample.attributes->labelSmoothing;
    return sample.target[i] * (1 - smoothing) + smoothing / static_cast<double>(sample.classes);
}

/// log of the sum of exponentials of the logits; the softmax is in the scratch.
double logSumExp(const LossSample& sample) {
    sample.softmax(sample.prediction, sample.scratch, sample.classes);
    const float* highest = std::max_element(sample.prediction, sample.prediction + sample.classes);
    return *highest - std::log(static_cast<double>(sample.scratch[highest - sample.prediction]));
}

double sumOf(const LossSample& sample) {
    double sum = 0;
    for (std::int64_t i = 0; i < sample.classes; ++i)
        sum += sample.prediction[i];
    return sum;
}

double categorical(const LossSample& sample) {
    double value = 0;
    if (sample.attributes->fromLogits) {
        const double total = logSumExp(sample);
        for (std::int64_t i = 0; i < sample.classes; ++i)
            value += smoothedClass(sample, i) * (total - sample.prediction[i]);
        return value;
    }
    const double sum = sumOf(sample);
    for (std::int64_t i = 0; i < sample.classes; ++i)
        value -= smoothedClass(sample, i) * std::log(clipped(sample.prediction[i] / sum));
    return value;
}
void categoricalGradient(const LossSample& sample, double scale, float* out) {
    if (sample.attributes->fromLogits) {
        (void)logSumExp(sample);
        double targets = 0;
        for (std::int64_t i = 0; i < sample.classes; ++i)
            targets += smoothedClass(sample, i);
        for (std::int64_t i = 0; i < sample.classes; ++i)
            out[i] = static_cast<float>(scale * (targets * sample.scratch[i] - smoothedClass(sample, i)));
        return;
    }
    // d/dq_i of −Σ t log q, q = p / Σp, then through the division.
    const double sum = sumOf(sample);
    double common = 0;
    for (std::int64_t i = 0; i < sample.classes; ++i) {
        const double q = sample.prediction[i] / sum;
        if (isInside(q))
            common += smoothedClass(sample, i) / sum;
    }
    for (std::int64_t i = 0; i < sample.classes; ++i) {
        const double q = sample.prediction[i] / sum;
        const double own = isInside(q) ? -smoothedClass(sample, i) / q / sum : 0;
        out[i] = static_cast<float>(scale * (own + common));
    }
}

bool isIgnored(const LossSample& sample) {
    return static_cast<double>(sample.targetClass) == sample.attributes->parameter ||
           sample.targetClass < 0 || sample.targetClass >= sample.classes;
}
double sparse(const LossSample& sample) {
    if (isIgnored(sample))
        return static_cast<double>(sample.targetClass) == sample.attributes->parameter ? 0 : std::nan("");
    const std::int64_t t = sample.targetClass;
    if (sample.attributes->fromLogits)
        return logSumExp(sample) - sample.prediction[t];
    double sum = 0;
    for (std::int64_t i = 0; i < sample.classes; ++i)
        sum += clipped(sample.prediction[i]);
    return std::log(sum) - std::log(clipped(sample.prediction[t]));
}
void sparseGradient(const LossSample& sample, double scale, float* out) {
    const std::int64_t t = sample.targetClass;
    if (isIgnored(sample)) {
        std::fill_n(out, sample.classes, 0.0F);
        return;
    }
    if (sample.attributes->fromLogits) {
        sample.softmax(sample.prediction, out, sample.classes);
        const auto factor = static_cast<float>(scale);
        out[t] -= 1;
        for (std::int64_t i = 0; i < sample.classes; ++i)
            out[i] *= factor;
        return;
    }
    double sum = 0;
    for (std::int64_t i = 0; i < sample.classes; ++i)
        sum += clipped(sample.prediction[i]);
    for (std::int64_t i = 0; i < sample.classes; ++i) {
        const double own = i == t ? 1 / clipped(sample.prediction[i]) : 0;
        out[i] = isInside(sample.prediction[i]) ? static_cast<float>(scale * (1 / sum - own)) : 0.0F;
    }
}

/// parameter: gamma; secondParameter: alpha. Probabilities q are the softmax, or p / Σp clipped.
struct FocalTerms {
    const LossSample& sample;
    double sum;

    explicit FocalTerms(const LossSample& of)
        : sample(of)
        , sum(of.attributes->fromLogits ? logSumExp(of) : sumOf(of)) {}
    [[nodiscard]] double raw(std::int64_t i) const {
        return sample.attributes->fromLogits ? static_cast<double>(sample.scratch[i])
                                             : sample.prediction[i] / sum;
    }
    [[nodiscard]] double value(std::int64_t i) const {
        const double q = clipped(raw(i));
        return -sample.attributes->secondParameter * std::pow(1 - q, sample.attributes->parameter) *
               smoothedClass(sample, i) * std::log(q);
    }
    /// d(value)/dq.
    [[nodiscard]] double slope(std::int64_t i) const {
        if (!isInside(raw(i)))
            return 0;
        const double q = raw(i);
        const double gamma = sample.attributes->parameter;
        const double falling = gamma == 0 ? 0 : gamma * std::pow(1 - q, gamma - 1) * std::log(q);
        return sample.attributes->secondParameter * smoothedClass(sample, i) *
               (falling - std::pow(1 - q, gamma) / q);
    }
};
double categoricalFocal(const LossSample& sample) {
    const FocalTerms terms(sample);
    double value = 0;
    for (std::int64_t i = 0; i < sample.classes; ++i)
        value += terms.value(i);
    return value;
}
void categoricalFocalGradient(const LossSample& sample, double scale, float* out) {
    const FocalTerms terms(sample);
    double common = 0;
    for (std::int64_t i = 0; i < sample.classes; ++i)
        common += terms.slope(i) * terms.raw(i);
    for (std::int64_t i = 0; i < sample.classes; ++i) {
        const double factor = sample.attributes->fromLogits ? terms.raw(i) : 1 / terms.sum;
        out[i] = static_cast<float>(scale * factor * (terms.slope(i) - common));
    }
}

double divergence(const LossSample& sample) {
    double value = 0;
    for (std::int64_t i = 0; i < sample.classes; ++i) {
        const double t = clipped(sample.target[i], lossEpsilon, 1);
        value += t * std::log(t / clipped(sample.prediction[i], lossEpsilon, 1));
    }
    return value;
}
void divergenceGradient(const LossSample& sample, double scale, float* out) {
    for (std::int64_t i = 0; i < sample.classes; ++i) {
        const double p = sample.prediction[i];
        const double t = clipped(sample.target[i], lossEpsilon, 1);
        out[i] = isInside(p, lossEpsilon, 1) ? static_cast<float>(-scale * t / p) : 0.0F;
    }
}

/// Lengths and product of prediction and target.
struct Cosine {
    double pp = 0;
    double tt = 0;
    double pt = 0;

    explicit Cosine(const LossSample& sample) {
        for (std::int64_t i = 0; i < sample.classes; ++i) {
            pp += static_cast<double>(sample.prediction[i]) * sample.prediction[i];
            tt += static_cast<double>(sample.target[i]) * sample.target[i];
            pt += static_cast<double>(sample.prediction[i]) * sample.target[i];
        }
    }
    [[nodiscard]] double inverseP() const { return 1 / std::sqrt(std::max(pp, 1e-12)); }
    [[nodiscard]] double inverseT() const { return 1 / std::sqrt(std::max(tt, 1e-12)); }
};
double cosine(const LossSample& sample) {
    const Cosine sums(sample);
    return -sums.pt * sums.inverseP() * sums.inverseT();
}
void cosineGradient(const LossSample& sample, double scale, float* out) {
    const Cosine sums(sample);
    const double factor = -scale * sums.inverseP() * sums.inverseT();
    const double along = sums.pp > 1e-12 ? sums.pt / sums.pp : 0;
    for (std::int64_t i = 0; i < sample.classes; ++i)
        out[i] = static_cast<float>(factor * (sample.target[i] - along * sample.prediction[i]));
}

/// Prices: {forward, gradient, over classes}. Cross-entropies: 5 to 9 cycles per element (poplibs,
/// lib/popnn). The others are composed of element-wise functions: difference, square or absolute, logarithms
/// where the loss has them.
constexpr std::array lossRows{
    LossFormula{"CategoricalCrossentropy", {9, 5, true}, categorical, categoricalGradient},
    LossFormula{"SparseCategoricalCrossentropy", {9, 5, true}, sparse, sparseGradient},
    LossFormula{"BinaryCrossentropy", {16, 9}, meanValue<binary>, meanGradient<binarySlope>},
    LossFormula{"BinaryFocalCrossentropy", {30, 30}, meanValue<binaryFocal>, meanGradient<binaryFocalSlope>},
    LossFormula{"CategoricalFocalCrossentropy", {24, 24, true}, categoricalFocal, categoricalFocalGradient},
    LossFormula{"MeanSquaredError", {3, 3}, meanValue<squared>, meanGradient<squaredSlope>},
    LossFormula{"MeanAbsoluteError", {4, 4}, meanValue<absolute>, meanGradient<absoluteSlope>},
    LossFormula{
        "MeanAbsolutePercentageError", {10, 10}, meanValue<percentage>, meanGradient<percentageSlope>},
    LossFormula{
        "MeanSquaredLogarithmicError", {20, 20}, meanValue<logarithmic>, meanGradient<logarithmicSlope>},
    LossFormula{"Huber", {8, 8}, meanValue<huber>, meanGradient<huberSlope>},
    LossFormula{"LogCosh", {20, 8}, meanValue<logCosh>, meanGradient<logCoshSlope>},
    LossFormula{"KLDivergence", {14, 12}, divergence, divergenceGradient},
    LossFormula{"Poisson", {10, 8}, meanValue<poisson>, meanGradient<poissonSlope>},
    LossFormula{"CosineSimilarity", {8, 8}, cosine, cosineGradient},
    LossFormula{"Hinge", {5, 5}, hinge<1>, hingeGradient<1>, true},
    LossFormula{"SquaredHinge", {6, 6}, hinge<2>, hingeGradient<2>, true},
    LossFormula{"CategoricalHinge", {8, 8, true}, categoricalHinge, categoricalHingeGradient},
    LossFormula{"Dice"},
    LossFormula{"Tversky"},
    LossFormula{"Circle"},
    LossFormula{"LossFunction"},
    LossFormula{"SparseLossFunction"},
};

} // namespace

std::span<const LossFormula> lossFormulas() {
    return lossRows;
}

const LossFormula* findLossFormula(std::string_view className) {
    const auto found = std::ranges::find(lossRows, className, &LossFormula::className);
    return found == lossRows.end() ? nullptr : &*found;
}

const LossFormula& lossFormula(std::string_view className) {
    const LossFormula* found = findLossFormula(className);
    assert(found != nullptr);
    return *found;
}

std::vector<std::string_view> lossOperationNames() {
    std::vector<std::string_view> names;
    for (const LossFormula& row : lossRows) {
        if (!row.isComposed())
            names.push_back(row.className);
    }
    return names;
}

} // namespace simulator
