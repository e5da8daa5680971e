#include "simulator/engine/training/training_journal.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace simulator {
namespace {

/// The series of the rate that each update used.
constexpr const char* learningRateName = "learning_rate";

} // namespace

void TrainingJournal::add(std::vector<core::MetricRecord> records, std::vector<core::MetricRecord>& into) {
    m_metrics.insert(m_metrics.end(), records.begin(), records.end());
    std::ranges::move(records, std::back_inserter(into));
}

void TrainingJournal::addUpdate(const std::vector<std::string>& names, const std::vector<double>& values,
                                double learningRate, std::int64_t update, std::int64_t epoch) {
    Update done{names, values, learningRate, update, epoch};
    if (m_keepsLast)
        m_last = std::move(done);
    else
        record(done);
}

void TrainingJournal::record(const Update& update) {
    add(m_history.add(update.names, "", update.values, update.update, update.epoch), m_waiting);
    add(m_history.add({learningRateName}, "", {update.learningRate}, update.update, update.epoch), m_waiting);
}

void TrainingJournal::endExecution(core::TrainingRecords details, core::ProfileSink& sink) {
    if (m_last)
        record(*std::exchange(m_last, std::nullopt));
    sink.metrics(m_waiting);
    m_waiting.clear();
    addDetails(std::move(details), sink);
}

void TrainingJournal::addPass(const std::vector<std::string>& names, const std::string& prefix,
                              const std::vector<double>& values, std::int64_t update, std::int64_t epoch,
                              core::ProfileSink& sink) {
    std::vector<core::MetricRecord> records;
    add(m_history.add(names, prefix, values, update, epoch), records);
    sink.metrics(records);
}

void TrainingJournal::addDetails(core::TrainingRecords details, core::ProfileSink& sink) {
    if (details.isEmpty())
        return;
    sink.trainingRecords(details);
    if (m_keepsDetails)
        m_details.append(details);
}

void TrainingJournal::resumeFrom(const BackupState& state, core::ProfileSink& sink) {
    for (const core::MetricRecord& record : state.records)
        (void)m_history.add({record.name}, "", {record.value}, record.update, record.epoch);
    m_metrics = state.records;
    sink.metrics(m_metrics);
    addDetails(state.trainingRecords, sink);
}

void TrainingJournal::addNote(const std::string& callback, const std::string& what) {
    m_findings.push_back(core::makeNote(core::Trouble::Input, "training/callback",
                                        {{}, "/training/callbacks"}, callback + ": " + what,
                                        {"its settings are in /training/callbacks"}));
}

EpochLogs TrainingJournal::logsOf(std::int64_t epoch) const {
    EpochLogs logs;
    std::vector<std::int64_t> counts;
    for (const core::MetricRecord& record : m_metrics) {
        // The rate is no log of Keras: callbacks ask their control for it.
        if (record.epoch != epoch || record.name == learningRateName)
            continue;
        auto log = std::ranges::find(logs, record.name, &EpochLogs::value_type::first);
        if (log == logs.end()) {
            log = logs.insert(logs.end(), {record.name, 0});
            counts.push_back(0);
        }
        log->second += record.value;
        ++counts[static_cast<std::size_t>(log - logs.begin())];
    }
    for (std::size_t i = 0; i < logs.size(); ++i)
        logs[i].second /= static_cast<double>(counts[i]);
    return logs;
}

} // namespace simulator
