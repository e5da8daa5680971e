#pragma once

#include "core/profile/records/training_records.h"
#include "simulator/engine/replica/training_replica.h"

#include <string>
#include <vector>

namespace simulator {

/// The loss and the metrics of a graph over micro-batches and replicas: means, but for metrics that follow
/// from sums (see metric_sums.h).
/// Whether the host gets the results of the last micro-batch of each execution alone (outfeed mode LAST).
[[nodiscard]] bool keepsLastOnly(const core::ValidatedProject& project);

class MetricMeans {
public:
    explicit MetricMeans(const TrainingGraph& graph);

    /// Takes what the last micro-batch of a replica gave.
    void add(const TrainingReplica& replica);
    /// Takes what another has since its last call, as if it had come after what this one has.
    void add(MetricMeans& other);
    /// The values since the last call, in the order of `names`; then starts anew.
    [[nodiscard]] std::vector<double> take();
    /// Whether the loss and metrics taken so far are numbers.
    [[nodiscard]] bool areFinite() const;
    /// "loss", then the metrics.
    [[nodiscard]] const std::vector<std::string>& names() const { return m_names; }
    [[nodiscard]] std::int64_t count() const { return m_count; }

private:
    std::vector<std::string> m_names;
    /// A value, or a metric's class and its sums.
    struct Series {
        core::TensorId tensor;
        std::string className;
        std::vector<double> sums;
    };
    void add(const TrainingGraph& graph, std::string name, core::TensorId tensor);

    std::vector<Series> m_series;
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
