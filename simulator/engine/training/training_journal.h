#pragma once

#include "core/profile/records/profile_sink.h"
#include "simulator/engine/training/training_backup.h"
#include "simulator/engine/training/training_callbacks.h"
#include "simulator/engine/training/training_metrics.h"

#include <optional>

namespace simulator {

/// Everything a training run says while it goes: metrics by update and epoch, details of the training, and
/// findings. Metrics of updates wait until their execution is over, as the host receives them then.
class TrainingJournal {
public:
    /// `keepsDetails`: a backup will ask for the training records too. `keepsLast`: of the updates of an
    /// execution the last one only is told.
    TrainingJournal(bool keepsDetails, bool keepsLast)
        : m_keepsDetails(keepsDetails)
        , m_keepsLast(keepsLast) {}

    /// Loss and metrics by name, and the learning rate, of an update that is done.
    void addUpdate(const std::vector<std::string>& names, const std::vector<double>& values,
                   double learningRate, std::int64_t update, std::int64_t epoch);
    [[nodiscard]] bool hasWaiting() const { return !m_waiting.empty() || m_last.has_value(); }
    /// An execution is over: what waits, then the details, goes to the sink.
    void endExecution(core::TrainingRecords details, core::ProfileSink& sink);
    /// Metrics of a pass over data, named with a prefix; they go to the sink at once.
    void addPass(const std::vector<std::string>& names, const std::string& prefix,
                 const std::vector<double>& values, std::int64_t update, std::int64_t epoch,
                 core::ProfileSink& sink);
    void addDetails(core::TrainingRecords details, core::ProfileSink& sink);
    /// What an earlier part of the run said is said again.
    void resumeFrom(const BackupState& state, core::ProfileSink& sink);

    /// A note of a callback.
    void addNote(const std::string& callback, const std::string& what);
    void addFinding(core::Diagnostic finding) { m_findings.push_back(std::move(finding)); }

    /// Means over the updates of an epoch, and its validation.
    [[nodiscard]] EpochLogs logsOf(std::int64_t epoch) const;
    [[nodiscard]] const std::vector<core::MetricSeries>& series() const { return m_history.series(); }
    [[nodiscard]] const core::Diagnostics& findings() const { return m_findings; }
    /// Everything said so far, for a backup.
    [[nodiscard]] const std::vector<core::MetricRecord>& metrics() const { return m_metrics; }
    [[nodiscard]] const core::TrainingRecords& details() const { return m_details; }

private:
    void add(std::vector<core::MetricRecord> records, std::vector<core::MetricRecord>& into);

    /// An update that waits for the end of its execution.
    struct Update {
        std::vector<std::string> names;
        std::vector<double> values;
        double learningRate = 0;
        std::int64_t update = 0;
        std::int64_t epoch = 0;
    };
    void record(const Update& update);

    bool m_keepsDetails;
    bool m_keepsLast;
    std::optional<Update> m_last;
    MetricHistory m_history;
    std::vector<core::MetricRecord> m_waiting;
    std::vector<core::MetricRecord> m_metrics;
    core::TrainingRecords m_details;
    core::Diagnostics m_findings;
};

} // namespace simulator
