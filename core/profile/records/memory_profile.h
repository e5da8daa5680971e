#pragma once

#include "core/profile/records/callback_record.h"
#include "core/profile/records/memory_records.h"
#include "core/profile/records/output_records.h"
#include "core/profile/records/profile_sink.h"
#include "core/profile/records/program_records.h"
#include "core/profile/records/run_records.h"
#include "core/profile/records/time_records.h"
#include "core/profile/records/training_records.h"

#include <iterator>
#include <span>
#include <vector>

namespace core {

/// Keeps everything in memory: for tests, and where a run is looked at without a database.
class MemoryProfile final : public ProfileSink {
public:
    void begin(const RunProvenance& provenance) override { m_provenance = provenance; }
    void operations(std::span<const OperationRecord> records) override { append(m_operations, records); }
    void lanes(std::span<const LaneRecord> records) override { append(m_lanes, records); }
    void programSteps(std::span<const ProgramStepRecord> records) override {
        append(m_programSteps, records);
    }
    void transfers(std::span<const TransferRecord> records) override { append(m_transfers, records); }
    void spans(std::span<const SpanRecord> records) override { append(m_spans, records); }
    void livenessSteps(std::span<const LivenessStepRecord> records) override {
        append(m_livenessSteps, records);
    }
    void liveRanges(std::vector<LiveRangeRecord> records) override {
        m_liveRanges.insert(m_liveRanges.end(), std::make_move_iterator(records.begin()),
                            std::make_move_iterator(records.end()));
    }
    void tileMemory(const TileMemoryRecord& record) override { m_tileMemory.push_back(record); }
    void executions(std::span<const ExecutionRecord> records) override { append(m_executions, records); }
    void metrics(std::span<const MetricRecord> records) override { append(m_metrics, records); }
    void callbacks(std::span<const CallbackRecord> records) override { append(m_callbacks, records); }
    void trainingRecords(const TrainingRecords& records) override { m_trainingRecords.append(records); }
    void modelOutputs(const ModelOutputRecords& records) override { m_modelOutputs = records; }
    void finish(const RunSummary& summary) override {
        m_summary = summary;
        m_isComplete = true;
    }

    [[nodiscard]] const RunProvenance& provenance() const { return m_provenance; }
    [[nodiscard]] const std::vector<OperationRecord>& operations() const { return m_operations; }
    [[nodiscard]] const std::vector<LaneRecord>& lanes() const { return m_lanes; }
    [[nodiscard]] const std::vector<ProgramStepRecord>& programSteps() const { return m_programSteps; }
    [[nodiscard]] const std::vector<TransferRecord>& transfers() const { return m_transfers; }
    [[nodiscard]] const std::vector<SpanRecord>& spans() const { return m_spans; }
    [[nodiscard]] const std::vector<LivenessStepRecord>& livenessSteps() const { return m_livenessSteps; }
    [[nodiscard]] const std::vector<LiveRangeRecord>& liveRanges() const { return m_liveRanges; }
    [[nodiscard]] const std::vector<TileMemoryRecord>& tileMemory() const { return m_tileMemory; }
    [[nodiscard]] const std::vector<ExecutionRecord>& executions() const { return m_executions; }
    [[nodiscard]] const std::vector<MetricRecord>& metrics() const { return m_metrics; }
    [[nodiscard]] const std::vector<CallbackRecord>& callbacks() const { return m_callbacks; }
    [[nodiscard]] const TrainingRecords& trainingRecords() const { return m_trainingRecords; }
    [[nodiscard]] const ModelOutputRecords& modelOutputs() const { return m_modelOutputs; }
    [[nodiscard]] const RunSummary& summary() const { return m_summary; }
    [[nodiscard]] bool isComplete() const { return m_isComplete; }

private:
    template <class Record>
    static void append(std::vector<Record>& all, std::span<const Record> some) {
        all.insert(all.end(), some.begin(), some.end());
    }

    RunProvenance m_provenance;
    std::vector<OperationRecord> m_operations;
    std::vector<LaneRecord> m_lanes;
    std::vector<ProgramStepRecord> m_programSteps;
    std::vector<TransferRecord> m_transfers;
    std::vector<SpanRecord> m_spans;
    std::vector<LivenessStepRecord> m_livenessSteps;
    std::vector<LiveRangeRecord> m_liveRanges;
    std::vector<TileMemoryRecord> m_tileMemory;
    std::vector<ExecutionRecord> m_executions;
    std::vector<MetricRecord> m_metrics;
    std::vector<CallbackRecord> m_callbacks;
    TrainingRecords m_trainingRecords;
    ModelOutputRecords m_modelOutputs;
    RunSummary m_summary;
    bool m_isComplete = false;
};

} // namespace core
