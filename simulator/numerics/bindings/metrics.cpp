// Metrics over a micro-batch.
#include "simulator/graph/loss_catalogue.h"
#include "simulator/numerics/bindings/bind_operation.h"
#include "simulator/numerics/bindings/sample_view.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <vector>

namespace simulator {
namespace {

/// What a metric sees of one sample.
struct MetricSample {
    const float* prediction;
    const float* target;
    std::int64_t targetClass;
    std::int64_t classes;
    double parameter;
};

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
double cosine(const MetricSample& sample) {
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

/// Metrics that are the (weighted) mean of a value per sample.
using SampleMetric = double (*)(const MetricSample&);
const std::map<std::string_view, SampleMetric>& sampleMetrics() {
    static const std::map<std::string_view, SampleMetric> all{
        {"Accuracy", equalShare},
        {"BinaryAccuracy", binaryHits},
        {"CategoricalAccuracy", classHit},
        {"SparseCategoricalAccuracy", classHit},
        {"TopKCategoricalAccuracy", topHit},
        {"SparseTopKCategoricalAccuracy", topHit},
        {"CosineSimilarity", cosine},
    };
    return all;
}

/// Hits and misses of a threshold over all elements.
struct Confusion {
    double truePositives = 0;
    double falsePositives = 0;
    double trueNegatives = 0;
    double falseNegatives = 0;

    Confusion(const SampleView& view, double threshold) {
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

double ratioOf(double part, double whole) {
    return whole == 0 ? 0 : part / whole;
}

/// Area under the receiver operating characteristic by trapezoids over evenly spaced thresholds, as Keras.
double areaUnderCurve(const SampleView& view, double parameter) {
    const auto count = static_cast<std::int64_t>(parameter);
    double area = 0;
    double lastX = 0;
    double lastY = 0;
    for (std::int64_t i = 0; i < count; ++i) {
        double threshold = static_cast<double>(i) / static_cast<double>(count - 1);
        threshold = i == 0 ? -1e-7 : (i + 1 == count ? 1 + 1e-7 : threshold);
        const Confusion at(view, threshold);
        const double x = ratioOf(at.falsePositives, at.falsePositives + at.trueNegatives);
        const double y = ratioOf(at.truePositives, at.truePositives + at.falseNegatives);
        if (i > 0)
            area += (lastX - x) * (lastY + y) / 2;
        lastX = x;
        lastY = y;
    }
    return area;
}

double precision(const SampleView& view, double threshold) {
    const Confusion at(view, threshold);
    return ratioOf(at.truePositives, at.truePositives + at.falsePositives);
}
double recall(const SampleView& view, double threshold) {
    const Confusion at(view, threshold);
    return ratioOf(at.truePositives, at.truePositives + at.falseNegatives);
}
double truePositives(const SampleView& view, double threshold) {
    return Confusion(view, threshold).truePositives;
}
double trueNegatives(const SampleView& view, double threshold) {
    return Confusion(view, threshold).trueNegatives;
}
double falsePositives(const SampleView& view, double threshold) {
    return Confusion(view, threshold).falsePositives;
}
double falseNegatives(const SampleView& view, double threshold) {
    return Confusion(view, threshold).falseNegatives;
}
double rootMeanSquare(const SampleView& view, double) {
    double sum = 0;
    double weights = 0;
    for (std::int64_t i = 0; i < view.samples * view.classes; ++i) {
        const double difference = static_cast<double>(view.prediction[i]) - view.target[i];
        const double weight = view.weightOf(i / view.classes);
        sum += difference * difference * weight;
        weights += weight;
    }
    return std::sqrt(ratioOf(sum, weights));
}
/// Mean over the classes that occur of intersection over union.
double meanOverlap(const SampleView& view, double) {
    std::vector<double> both(static_cast<std::size_t>(view.classes), 0);
    std::vector<double> either(static_cast<std::size_t>(view.classes), 0);
    for (std::int64_t i = 0; i < view.samples; ++i) {
        const auto shown =
            static_cast<std::size_t>(largest(view.prediction + i * view.classes, view.classes));
        const auto right = static_cast<std::size_t>(view.targetClasses[i]);
        if (right >= both.size())
            continue;
        both[right] += shown == right ? 1 : 0;
        either[right] += 1;
        either[shown] += shown == right ? 0 : 1;
    }
    double sum = 0;
    double count = 0;
    for (std::size_t k = 0; k < both.size(); ++k) {
        sum += ratioOf(both[k], either[k]);
        count += either[k] > 0 ? 1 : 0;
    }
    return ratioOf(sum, count);
}

/// Metrics of the whole micro-batch.
using BatchMetric = double (*)(const SampleView&, double parameter);
const std::map<std::string_view, BatchMetric>& batchMetrics() {
    static const std::map<std::string_view, BatchMetric> all{
        {"Precision", precision},
        {"Recall", recall},
        {"TruePositives", truePositives},
        {"TrueNegatives", trueNegatives},
        {"FalsePositives", falsePositives},
        {"FalseNegatives", falseNegatives},
        {"AUC", areaUnderCurve},
        {"RootMeanSquaredError", rootMeanSquare},
        {"MeanIoU", meanOverlap},
    };
    return all;
}

/// Weighted mean of `value` over the samples.
template <class Function>
float weightedMean(const SampleView& view, Function value) {
    double sum = 0;
    double weights = 0;
    for (std::int64_t i = 0; i < view.samples; ++i) {
        sum += value(i) * view.weightOf(i);
        weights += view.weightOf(i);
    }
    return static_cast<float>(ratioOf(sum, weights));
}

/// A metric that is the mean of a loss.
void bindLossMetric(const Metric& metric, const SampleView& view, float* out, BoundOperation& bound) {
    const MetricDefinition* definition = findMetric(metric.className);
    Loss loss;
    loss.className = definition->loss;
    loss.fromLogits = metric.fromLogits;
    loss.parameter = definition->parameterPreset;
    const LossFunction* function = findLossFunction(loss.className);
    bound.threadScratch =
        std::max(bound.threadScratch, static_cast<std::size_t>(view.classes) * sizeof(float));
    bound.phases.push_back({1, [=](const StepState&, std::int64_t, std::byte* scratch) {
                                const bool isBinary = view.hasBinaryLabels();
                                *out = weightedMean(view, [&](std::int64_t i) {
                                    LossSample sample =
                                        view.sample(i, loss, reinterpret_cast<float*>(scratch));
                                    sample.hasBinaryLabels = isBinary;
                                    return function->value(sample);
                                });
                            }});
}

} // namespace

void bindMetric(BindRequest& request, BoundOperation& bound) {
    const auto metric = request.attributes<Metric>();
    const SampleView view(request, metric.weighted);
    float* out = request.outputs[0].as();
    if (const auto batch = batchMetrics().find(metric.className); batch != batchMetrics().end()) {
        const BatchMetric function = batch->second;
        bound.phases.push_back({1, [=](const StepState&, std::int64_t, std::byte*) {
                                    *out = static_cast<float>(function(view, metric.parameter));
                                }});
        return;
    }
    const auto sample = sampleMetrics().find(metric.className);
    if (sample == sampleMetrics().end()) {
        bindLossMetric(metric, view, out, bound);
        return;
    }
    const SampleMetric function = sample->second;
    bound.phases.push_back({1, [=](const StepState&, std::int64_t, std::byte*) {
                                *out = weightedMean(view, [&](std::int64_t i) {
                                    return function(
                                        {view.prediction + i * view.classes,
                                         view.target == nullptr ? nullptr : view.target + i * view.classes,
                                         view.targetClasses == nullptr ? 0 : view.targetClasses[i],
                                         view.classes, metric.parameter});
                                });
                            }});
}

} // namespace simulator
