#pragma once

#include "core/profile/records/callback_record.h"
#include "core/profile/records/run_records.h"
#include "core/profile/records/time_records.h"
#include "core/profile/schema/profile_database.h"
#include "views/common/text/number_text.h"
#include "views/profile/tables/table_content.h"

#include <optional>
#include <string>
#include <vector>

namespace views {

/// A point of a curve: weight updates before it, and the value.
struct MetricPoint {
    double update = 0;
    std::int64_t epoch = 0;
    double value = 0;
};

/// The metric that a schedule sets, not the training.
inline constexpr std::string_view learningRateMetric = "learning_rate";

/// What is drawn in one plot: a metric and its validation twin.
struct MetricPlot {
    /// "loss", "accuracy".
    std::string name;
    std::vector<MetricPoint> training;
    std::vector<MetricPoint> validation;
};

/// A training run, finished or on its way.
struct TrainingData {
    std::optional<core::RunId> run;
    /// Without the project's text.
    core::RunProvenance provenance;
    std::vector<core::ExecutionRecord> executions;
    std::vector<core::MetricRecord> metrics;
    /// Those of one execution; all others have the same. Empty where the run recorded none.
    std::vector<core::CallbackRecord> callbacks;
    /// What it will be when it is done; equal to what there is for a finished run.
    std::int64_t plannedExecutions = 0;
    std::int64_t plannedEpochs = 1;
    bool isRunning = false;
    /// Of the user's clock, while running.
    double elapsedSeconds = 0;
    core::Cycles step;
    double idleFraction = 0;
    core::Bytes peak;

    [[nodiscard]] std::int64_t effectiveBatch() const;
    [[nodiscard]] std::int64_t updates() const;
    [[nodiscard]] std::int64_t epochsBegun() const;
    /// Share of the planned executions that is done, 0 … 1.
    [[nodiscard]] double progress() const;
    /// Samples per second of simulated time of an execution.
    [[nodiscard]] double throughput(const core::ExecutionRecord& execution) const;
    /// Samples per second of the user's clock, while running.
    [[nodiscard]] double computedSamplesPerSecond() const;
};

[[nodiscard]] core::Result<TrainingData> loadTraining(const core::ProfileDatabase& database, core::RunId run);

/// One plot per metric, loss first, learning rate last; "val_x" belongs to "x".
[[nodiscard]] std::vector<MetricPlot> metricPlots(const TrainingData& data);

/// Update at which each epoch ends: the place of its dotted line.
[[nodiscard]] std::vector<double> epochEnds(const TrainingData& data);

/// Exponential moving average, corrected for its start: weight 0 is the curve itself.
[[nodiscard]] std::vector<MetricPoint> smoothed(const std::vector<MetricPoint>& points, double weight);

/// Metrics at the end of each epoch.
[[nodiscard]] TableContent epochTable(const TrainingData& data);

/// Whether batch callbacks came as results arrived, begin and end of a step back to back.
[[nodiscard]] bool hasAsynchronousCallbacks(const TrainingData& data);

/// What callbacks saw, newest first: which step each names, how far behind the device it came, and the logs
/// of its weight update. Without recorded callbacks: one end per execution, with the logs of its last update.
[[nodiscard]] TableContent callbackTable(const TrainingData& data, std::size_t most = 4000);

/// When the callbacks of the run come, in words.
[[nodiscard]] QString callbackNote(const TrainingData& data);

/// "0.1115" with as many digits as a metric deserves; "not a number" and infinities in words.
[[nodiscard]] QString metricText(double value);
/// "Loss", "Accuracy", "Sparse categorical accuracy".
[[nodiscard]] QString metricTitle(const std::string& name);

} // namespace views
