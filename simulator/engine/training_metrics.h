#pragma once

#include "core/profile/records.h"
#include "simulator/engine/training_replica.h"

#include <string>
#include <vector>

namespace simulator {

/// Means of the loss and the metrics of a graph over micro-batches and replicas.
class MetricMeans {
public:
    explicit MetricMeans(const TrainingGraph& graph);

    /// Takes what the last micro-batch of a replica gave.
    void add(const TrainingReplica& replica);
    /// Takes what another has since its last call, as if it had come after what this one has.
    void add(MetricMeans& other);
    /// The means since the last call, in the order of `names`; then starts anew.
    [[nodiscard]] std::vector<double> take();
    /// Whether the loss and metrics taken so far are numbers.
    [[nodiscard]] bool areFinite() const;
    /// "loss", then the metrics.
    [[nodiscard]] const std::vector<std::string>& names() const { return m_names; }
    [[nodiscard]] std::int64_t count() const { return m_count; }

private:
    std::vector<std::string> m_names;
    std::vector<core::TensorId> m_tensors;
    std::vector<double> m_sums;
    std::int64_t m_count = 0;
};

/// The series of a run, in the order in which their names came.
class MetricHistory {
public:
    /// Adds a value to each series; answers the records of them.
    [[nodiscard]] std::vector<core::MetricRecord> add(const std::vector<std::string>& names,
                                                      const std::string& prefix,
                                                      const std::vector<double>& values, std::int64_t update,
                                                      std::int64_t epoch);
    [[nodiscard]] const std::vector<core::MetricSeries>& series() const { return m_series; }

private:
    std::vector<core::MetricSeries> m_series;
};

} // namespace simulator
