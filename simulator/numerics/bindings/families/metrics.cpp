// Metrics over a micro-batch.
#include "simulator/graph/loss_catalogue.h"
#include "simulator/graph/metric_sums.h"
#include "simulator/numerics/bindings/bind_operation.h"
#include "simulator/numerics/bindings/sample_view.h"

#include <algorithm>
#include <cmath>
#include <map>

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

/// Evenly spaced thresholds, as Keras.
void areaSums(const SampleView& view, double parameter, double* sums) {
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
void precisionSums(const SampleView& view, double threshold, double* sums) {
    const Confusion at(view, threshold);
    sums[0] = at.truePositives;
    sums[1] = at.falsePositives;
}
void recallSums(const SampleView& view, double threshold, double* sums) {
    const Confusion at(view, threshold);
    sums[0] = at.truePositives;
    sums[1] = at.falseNegatives;
}
template <double Confusion::*Count>
void countSum(const SampleView& view, double threshold, double* sums) {
    sums[0] = Confusion(view, threshold).*Count;
}
void squareSums(const SampleView& view, double, double* sums) {
    sums[0] = 0;
    sums[1] = 0;
    for (std::int64_t i = 0; i < view.samples * view.classes; ++i) {
        const double difference = static_cast<double>(view.prediction[i]) - view.target[i];
        const double weight = view.weightOf(i / view.classes);
        sums[0] += difference * difference * weight;
        sums[1] += weight;
    }
}
void overlapSums(const SampleView& view, double, double* sums) {
    std::fill_n(sums, view.classes * view.classes, 0.0);
    for (std::int64_t i = 0; i < view.samples; ++i) {
        const std::int64_t shown = largest(view.prediction + i * view.classes, view.classes);
        const std::int64_t right = view.targetClasses[i];
        if (right >= 0 && right < view.classes)
            sums[right * view.classes + shown] += view.weightOf(i);
    }
}

/// Metrics of the whole micro-batch: their sums, as `metricOf` takes them.
using BatchMetric = void (*)(const SampleView&, double parameter, double* sums);
const std::map<std::string_view, BatchMetric>& batchMetrics() {
    static const std::map<std::string_view, BatchMetric> all{
        {"Precision", precisionSums},
        {"Recall", recallSums},
        {"TruePositives", countSum<&Confusion::truePositives>},
        {"TrueNegatives", countSum<&Confusion::trueNegatives>},
        {"FalsePositives", countSum<&Confusion::falsePositives>},
        {"FalseNegatives", countSum<&Confusion::falseNegatives>},
        {"AUC", areaSums},
        {"RootMeanSquaredError", squareSums},
        {"MeanIoU", overlapSums},
    };
    return all;
}

/// Weighted mean of `value` over the samples; a weighted metric answers its sums too.
template <class Function>
void writeMean(const Metric& metric, const SampleView& view, float* out, Function value) {
    double sum = 0;
    double weights = 0;
    for (std::int64_t i = 0; i < view.samples; ++i) {
        sum += value(i) * view.weightOf(i);
        weights += view.weightOf(i);
    }
    out[0] = static_cast<float>(weights == 0 ? 0 : sum / weights);
    if (metric.weighted) {
        out[1] = static_cast<float>(sum);
        out[2] = static_cast<float>(weights);
    }
}

/// A metric that is the mean of a loss.
void bindLossMetric(const Metric& metric, const SampleView& view, float* out, BoundOperation& bound) {
    const MetricDefinition* definition = findMetric(metric.className);
    Loss loss;
    loss.className = definition->loss;
    loss.fromLogits = metric.fromLogits;
    loss.labelSmoothing = metric.labelSmoothing;
    loss.parameter = definition->parameterPreset;
    const LossFunction* function = findLossFunction(loss.className);
    bound.threadScratch =
        std::max(bound.threadScratch, static_cast<std::size_t>(view.classes) * sizeof(float));
    bound.phases.push_back({1, [=](const StepState&, std::int64_t, std::byte* scratch) {
                                const bool isBinary = view.hasBinaryLabels();
                                writeMean(metric, view, out, [&](std::int64_t i) {
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
        const auto count = static_cast<std::size_t>(request.outputs[0].elements() - 1);
        auto* sums = reinterpret_cast<double*>(request.takeScratch(count * sizeof(double)));
        bound.phases.push_back({1, [=](const StepState&, std::int64_t, std::byte*) {
                                    function(view, metric.parameter, sums);
                                    out[0] = static_cast<float>(metricOf(metric.className, {sums, count}));
                                    std::transform(sums, sums + count, out + 1,
                                                   [](double sum) { return static_cast<float>(sum); });
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
                                writeMean(metric, view, out, [&](std::int64_t i) {
                                    return function(
                                        {view.prediction + i * view.classes,
                                         view.target == nullptr ? nullptr : view.target + i * view.classes,
                                         view.targetClasses == nullptr ? 0 : view.targetClasses[i],
                                         view.classes, metric.parameter});
                                });
                            }});
}

} // namespace simulator
