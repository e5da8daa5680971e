#include "simulator/engine/training_metrics.h"

#include <algorithm>
#include <cmath>
#include <functional>

namespace simulator {

MetricMeans::MetricMeans(const TrainingGraph& graph) {
    if (graph.loss.isValid()) {
        m_names.emplace_back("loss");
        m_tensors.push_back(graph.loss);
    }
    for (const TrainingGraph::NamedTensor& metric : graph.metrics) {
        m_names.push_back(metric.name);
        m_tensors.push_back(metric.tensor);
    }
    m_sums.resize(m_names.size(), 0);
}

void MetricMeans::add(const TrainingReplica& replica) {
    for (std::size_t i = 0; i < m_tensors.size(); ++i)
        m_sums[i] += replica.scalar(m_tensors[i]);
    ++m_count;
}

void MetricMeans::add(MetricMeans& other) {
    std::ranges::transform(m_sums, other.m_sums, m_sums.begin(), std::plus<>());
    m_count += other.m_count;
    (void)other.take();
}

bool MetricMeans::areFinite() const {
    return std::ranges::all_of(m_sums, [](double sum) { return std::isfinite(sum); });
}

std::vector<double> MetricMeans::take() {
    std::vector<double> means(m_sums.size(), 0);
    if (m_count > 0)
        std::ranges::transform(m_sums, means.begin(),
                               [this](double sum) { return sum / static_cast<double>(m_count); });
    std::ranges::fill(m_sums, 0);
    m_count = 0;
    return means;
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
