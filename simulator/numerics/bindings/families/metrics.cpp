// Metrics over a micro-batch.
#include "simulator/catalogue/loss_settings.h"
#include "simulator/catalogue/metric_formulas.h"
#include "simulator/numerics/bindings/bind_operation.h"
#include "simulator/numerics/bindings/sample_view.h"

#include <algorithm>

namespace simulator {
namespace {

/// Weighted mean of `value` over the samples; a weighted metric answers its sums too.
template <class Function>
void writeMean(const Metric& metric, const ComparedSamples& view, float* out, Function value) {
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
void bindLossMetric(const Metric& metric, const ComparedSamples& view, float* out, BoundOperation& bound) {
    Loss loss = *readLoss({std::string(core::findMetric(metric.className)->loss), core::Json::object()});
    loss.fromLogits = metric.fromLogits;
    loss.labelSmoothing = metric.labelSmoothing;
    const LossFormula* function = &lossFormula(loss.className);
    bound.threadScratch =
        std::max(bound.threadScratch, static_cast<std::size_t>(view.classes) * sizeof(float));
    bound.phases.push_back({1, [=](const StepState&, std::int64_t, std::byte* scratch) {
                                const bool isBinary = view.hasBinaryLabels();
                                writeMean(metric, view, out, [&](std::int64_t i) {
                                    LossSample sample =
                                        lossSample(view, i, loss, reinterpret_cast<float*>(scratch));
                                    sample.hasBinaryLabels = isBinary;
                                    return function->value(sample);
                                });
                            }});
}

} // namespace

static void bindMetric(BindRequest& request, BoundOperation& bound) {
    const auto metric = request.attributes<Metric>();
    const ComparedSamples view = comparedSamples(request, metric.weighted);
    float* out = request.outputs[0].as();
    const MetricFormula* formula = findMetricFormula(metric.className);
    if (formula == nullptr) {
        bindLossMetric(metric, view, out, bound);
        return;
    }
    if (const auto addUp = formula->addUp) {
        const auto count = static_cast<std::size_t>(request.outputs[0].elements() - 1);
        auto* sums = reinterpret_cast<double*>(request.takeScratch(count * sizeof(double)));
        bound.phases.push_back({1, [=](const StepState&, std::int64_t, std::byte*) {
                                    addUp(view, metric.parameter, sums);
                                    out[0] = static_cast<float>(formula->ofSums({sums, count}));
                                    std::transform(sums, sums + count, out + 1,
                                                   [](double sum) { return static_cast<float>(sum); });
                                }});
        return;
    }
    const auto function = formula->ofSample;
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

std::span<const PartRow<Binding>> metricsBindings() {
    static constexpr PartRow<Binding> rows[]{{kindIndex<Metric>(), {bindMetric, keepClassNumbers}}};
    return rows;
}

} // namespace simulator
