#include "simulator/catalogue/metric_formulas.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace simulator {
namespace {

std::int64_t largest(const float* values, std::int64_t count) {
    return std::max_element(values, values + count) - values;
}
std::int64_t rightClass(const MetricSample& sample) {
    return sample.target == nullptr ? sample.targetClass : largest(sample.target, sample.classes);
}

double equalShare(const MetricSample& sample) {
    double hits = 0;
    for (std::int64_t i = 0; i < sample.classes; ++i)
        hits += sample.prediction[i] == sample.target[i] ? 1 : 0;
    return hits / static_cast<double>(sample.classes);
}
double binaryHits(const MetricSample& sample) {
    double hits = 0;
    for (std::int64_t i = 0; i < sample.classes; ++i)
        hits += (sample.prediction[i] > sample.parameter ? 1.0F : 0.0F) == sample.target[i] ? 1 : 0;
    return hits / static_cast<double>(sample.classes);
}
double classHit(const MetricSample& sample) {
    return largest(sample.prediction, sample.classes) == rightClass(sample) ? 1 : 0;
}
double topHit(const MetricSample& sample) {
    const std::int64_t right = rightClass(sample);
    if (right < 0 || right >= sample.classes)
        return 0;
    const auto better = std::count_if(sample.prediction, sample.prediction + sample.classes,
                                      [&](float score) { return score > sample.prediction[right]; });
    return static_cast<double>(better) < sample.parameter ? 1 : 0;
}
double cosineOf(const MetricSample& sample) {
    double pp = 0;
    double tt = 0;
    double pt = 0;
    for (std::int64_t i = 0; i < sample.classes; ++i) {
        pp += static_cast<double>(sample.prediction[i]) * sample.prediction[i];
        tt += static_cast<double>(sample.target[i]) * sample.target[i];
        pt += static_cast<double>(sample.prediction[i]) * sample.target[i];
    }
    return pt / std::sqrt(std::max(pp, 1e-12)) / std::sqrt(std::max(tt, 1e-12));
}

/// Hits and misses of a threshold over all elements.
struct Confusion {
    double truePositives = 0;
    double falsePositives = 0;
    double trueNegatives = 0;
    double falseNegatives = 0;

    Confusion(const ComparedSamples& view, double threshold) {
        for (std::int64_t i = 0; i < view.samples * view.classes; ++i) {
            const double weight = view.weightOf(i / view.classes);
            const bool isPositive = view.prediction[i] > threshold;
            if (view.target[i] != 0)
                (isPositive ? truePositives : falseNegatives) += weight;
            else
                (isPositive ? falsePositives : trueNegatives) += weight;
        }
    }
};

/// Evenly spaced thresholds, as Keras.
void areaSums(const ComparedSamples& view, double parameter, double* sums) {
    const auto count = static_cast<std::int64_t>(parameter);
    for (std::int64_t i = 0; i < count; ++i) {
        double threshold = static_cast<double>(i) / static_cast<double>(count - 1);
        threshold = i == 0 ? -1e-7 : (i + 1 == count ? 1 + 1e-7 : threshold);
        const Confusion at(view, threshold);
        *sums++ = at.truePositives;
        *sums++ = at.falsePositives;
        *sums++ = at.trueNegatives;
        *sums++ = at.falseNegatives;
    }
}
void precisionSums(const ComparedSamples& view, double threshold, double* sums) {
    const Confusion at(view, threshold);
    sums[0] = at.truePositives;
    sums[1] = at.falsePositives;
}
void recallSums(const ComparedSamples& view, double threshold, double* sums) {
    const Confusion at(view, threshold);
    sums[0] = at.truePositives;
    sums[1] = at.falseNegatives;
}
template <double Confusion::*Count>
void countSum(const ComparedSamples& view, double threshold, double* sums) {
    sums[0] = Confusion(view, threshold).*Count;
}
void squareSums(const ComparedSamples& view, double, double* sums) {
    sums[0] = 0;
    sums[1] = 0;
    for (std::int64_t i = 0; i < view.samples * view.classes; ++i) {
        const double difference = static_cast<double>(view.prediction[i]) - view.target[i];
        const double weight = view.weightOf(i / view.classes);
        sums[0] += difference * difference * weight;
        sums[1] += weight;
    }
}
void overlapSums(const ComparedSamples& view, double, double* sums) {
    std::fill_n(sums, view.classes * view.classes, 0.0);
    for (std::int64_t i = 0; i < view.samples; ++i) {
        const std::int64_t shown = largest(view.prediction + i * view.classes, view.classes);
        const std::int64_t right = view.targetClasses[i];
        if (right >= 0 && right < view.classes)
            sums[right * view.classes + shown] += view.weightOf(i);
    }
}

double ratioOf(double part, double whole) {
    return whole == 0 ? 0 : part / whole;
}

/// Area under the receiver operating characteristic by trapezoids between its thresholds, as Keras.
double areaOf(std::span<const double> sums) {
    double area = 0;
    double lastX = 0;
    double lastY = 0;
    for (std::size_t i = 0; i + 4 <= sums.size(); i += 4) {
        const double x = ratioOf(sums[i + 1], sums[i + 1] + sums[i + 2]);
        const double y = ratioOf(sums[i], sums[i] + sums[i + 3]);
        if (i > 0)
            area += (lastX - x) * (lastY + y) / 2;
        lastX = x;
        lastY = y;
    }
    return area;
}

/// Mean over the classes that occur of intersection over union.
double overlapOf(std::span<const double> sums) {
    const auto classes = static_cast<std::size_t>(std::lround(std::sqrt(static_cast<double>(sums.size()))));
    double sum = 0;
    double count = 0;
    for (std::size_t k = 0; k < classes; ++k) {
        double either = -sums[k * classes + k];
        for (std::size_t other = 0; other < classes; ++other)
            either += sums[k * classes + other] + sums[other * classes + k];
        sum += ratioOf(sums[k * classes + k], either);
        count += either > 0 ? 1 : 0;
    }
    return ratioOf(sum, count);
}

double countOf(std::span<const double> sums) {
    return sums[0];
}
double shareOf(std::span<const double> sums) {
    return ratioOf(sums[0], sums[0] + sums[1]);
}
double meanOf(std::span<const double> sums) {
    return ratioOf(sums[0], sums[1]);
}
double rootOf(std::span<const double> sums) {
    return std::sqrt(meanOf(sums));
}

/// Every threshold is compared with every prediction.
constexpr MetricPrice curve{.passesAreParameter = true};

constexpr std::array metricRows{
    MetricFormula{"Accuracy", sharedReduction, equalShare},
    MetricFormula{"BinaryAccuracy", sharedReduction, binaryHits},
    MetricFormula{"CategoricalAccuracy", sharedReduction, classHit},
    MetricFormula{"SparseCategoricalAccuracy", sharedReduction, classHit},
    MetricFormula{"TopKCategoricalAccuracy", sharedReduction, topHit},
    MetricFormula{"SparseTopKCategoricalAccuracy", sharedReduction, topHit},
    MetricFormula{"CosineSimilarity", sharedReduction, cosineOf},
    MetricFormula{"Precision", sharedReduction, nullptr, precisionSums, shareOf},
    MetricFormula{"Recall", sharedReduction, nullptr, recallSums, shareOf},
    MetricFormula{"TruePositives", sharedReduction, nullptr, countSum<&Confusion::truePositives>, countOf},
    MetricFormula{"TrueNegatives", sharedReduction, nullptr, countSum<&Confusion::trueNegatives>, countOf},
    MetricFormula{"FalsePositives", sharedReduction, nullptr, countSum<&Confusion::falsePositives>, countOf},
    MetricFormula{"FalseNegatives", sharedReduction, nullptr, countSum<&Confusion::falseNegatives>, countOf},
    MetricFormula{"AUC", curve, nullptr, areaSums, areaOf},
    MetricFormula{"RootMeanSquaredError", sharedReduction, nullptr, squareSums, rootOf},
    MetricFormula{"MeanIoU", sharedReduction, nullptr, overlapSums, overlapOf},
};

} // namespace

std::span<const MetricFormula> metricFormulas() {
    return metricRows;
}

const MetricFormula* findMetricFormula(std::string_view className) {
    const auto found = std::ranges::find(metricRows, className, &MetricFormula::className);
    return found == metricRows.end() ? nullptr : &*found;
}

MetricPrice priceOfMetric(std::string_view className) {
    const MetricFormula* formula = findMetricFormula(className);
    return formula == nullptr ? sharedReduction : formula->price;
}

double metricOf(std::string_view className, std::span<const double> sums) {
    const MetricFormula* formula = findMetricFormula(className);
    return formula == nullptr || formula->ofSums == nullptr ? meanOf(sums) : formula->ofSums(sums);
}

bool ComparedSamples::hasBinaryLabels() const {
    return target != nullptr &&
           std::all_of(target, target + samples * classes, [](float t) { return t == 0 || t == 1; });
}

} // namespace simulator
