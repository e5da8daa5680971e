#include "simulator/graph/metric_sums.h"

#include "core/catalogue/losses.h"

#include <cassert>

namespace simulator {

std::int64_t metricSums(const Metric& metric, const Extents& prediction) {
    const core::MetricDefinition* definition = core::findMetric(metric.className);
    assert(definition != nullptr);
    const std::int64_t width = prediction.empty() ? 1 : prediction.back();
    switch (definition->sums) {
    case core::MetricSums::Mean:
        break;
    case core::MetricSums::Count:
        return 1;
    case core::MetricSums::Ratio:
        return 2;
    case core::MetricSums::FourPerThreshold:
        return 4 * static_cast<std::int64_t>(metric.parameter);
    case core::MetricSums::PairsOfClasses:
        return width * width;
    }
    return metric.weighted ? 2 : 0;
}

} // namespace simulator
