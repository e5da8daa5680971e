#include "simulator/engine/training/training_metrics.h"

#include "simulator/catalogue/metric_formulas.h"

#include <algorithm>
#include <cmath>
#include <functional>

namespace simulator {

bool keepsLastOnly(const core::ValidatedProject& project) {
    return project.mode() == core::RunMode::Train && project.project().training.outfeedMode == "LAST";
}

MetricMeans::MetricMeans(const TrainingGraph& graph) {
    if (graph.loss.isValid())
        add(graph, "loss", graph.loss);
    for (const TrainingGraph::NamedTensor& metric : graph.metrics)
        add(graph, metric.name, metric.tensor);
}

void MetricMeans::add(const TrainingGraph& graph, std::string name, core::TensorId tensor) {
    Series series{tensor, "", {0}};
    const std::int64_t elements = graph.tensor(tensor).elements();
    for (const Operation& operation : graph.operations) {
        const auto* metric = std::get_if<Metric>(&operation.attributes);
        if (metric == nullptr || operation.outputs.front() != tensor || elements < 2)
            continue;
        series.className = metric->className;
        series.sums.assign(static_cast<std::size_t>(elements - 1), 0);
    }
    m_names.push_back(std::move(name));
    m_series.push_back(std::move(series));
}

void MetricMeans::add(const TrainingReplica& replica) {
    for (Series& series : m_series) {
        if (series.className.empty()) {
            series.sums.front() += replica.scalar(series.tensor);
            continue;
        }
        const std::vector<float> values = replica.values(series.tensor);
        for (std::size_t i = 0; i < series.sums.size() && i + 1 < values.size(); ++i)
            series.sums[i] += values[i + 1];
    }
    ++m_count;
}

void MetricMeans::add(MetricMeans& other) {
    for (std::size_t i = 0; i < m_series.size(); ++i)
        std::ranges::transform(m_series[i].sums, other.m_series[i].sums, m_series[i].sums.begin(),
                               std::plus<>());
    m_count += other.m_count;
    (void)other.take();
}

bool MetricMeans::areFinite() const {
    return std::ranges::all_of(m_series, [](const Series& series) {
        return std::ranges::all_of(series.sums, [](double sum) { return std::isfinite(sum); });
    });
}

std::vector<double> MetricMeans::take() {
    std::vector<double> values;
    for (Series& series : m_series) {
        const double mean = m_count == 0 ? 0 : series.sums.front() / static_cast<double>(m_count);
        values.push_back(series.className.empty() ? mean : metricOf(series.className, series.sums));
        std::ranges::fill(series.sums, 0);
    }
    m_count = 0;
    return values;
}

std::vector<core::MetricRecord> MetricHistory::add(const std::vector<std::string>& names,
                                                   const std::string& prefix,
                                                   const std::vector<double>& values, std::int64_t update,
                                                   std::int64_t epoch) {
    std::vector<core::MetricRecord> records;
    for (std::size_t i = 0; i < names.size(); ++i) {
        const std::string name = prefix + names[i];
        auto series = std::ranges::find(m_series, name, &core::MetricSeries::name);
        if (series == m_series.end())
            series = m_series.insert(m_series.end(), {name, {}});
        series->values.push_back(values[i]);
        records.push_back({name, update, epoch, values[i]});
    }
    return records;
}

} // namespace simulator
