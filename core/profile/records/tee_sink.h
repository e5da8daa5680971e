#pragma once

#include "core/profile/records/memory_records.h"
#include "core/profile/records/profile_sink.h"

#include <utility>
#include <vector>

namespace core {

/// Hands everything to several listeners, in their order: a database and a live view, for example.
class TeeSink final : public ProfileSink {
public:
    /// The listeners must outlive the tee.
    explicit TeeSink(std::vector<ProfileSink*> listeners)
        : m_listeners(std::move(listeners)) {}

    void begin(const RunProvenance& provenance) override { each(&ProfileSink::begin, provenance); }
    void operations(std::span<const OperationRecord> records) override {
        each(&ProfileSink::operations, records);
    }
    void lanes(std::span<const LaneRecord> records) override { each(&ProfileSink::lanes, records); }
    void programSteps(std::span<const ProgramStepRecord> records) override {
        each(&ProfileSink::programSteps, records);
    }
    void transfers(std::span<const TransferRecord> records) override {
        each(&ProfileSink::transfers, records);
    }
    void spans(std::span<const SpanRecord> records) override { each(&ProfileSink::spans, records); }
    void livenessSteps(std::span<const LivenessStepRecord> records) override {
        each(&ProfileSink::livenessSteps, records);
    }
    void liveRanges(std::vector<LiveRangeRecord> records) override {
        each(&ProfileSink::liveRanges, records);
    }
    void tileMemory(const TileMemoryRecord& record) override { each(&ProfileSink::tileMemory, record); }
    void executions(std::span<const ExecutionRecord> records) override {
        each(&ProfileSink::executions, records);
    }
    void metrics(std::span<const MetricRecord> records) override { each(&ProfileSink::metrics, records); }
    void callbacks(std::span<const CallbackRecord> records) override {
        each(&ProfileSink::callbacks, records);
    }
    void trainingRecords(const TrainingRecords& records) override {
        each(&ProfileSink::trainingRecords, records);
    }
    void modelOutputs(const ModelOutputRecords& records) override {
        each(&ProfileSink::modelOutputs, records);
    }
    void finish(const RunSummary& summary) override { each(&ProfileSink::finish, summary); }
    void stopped(const RunSummary& summary) override { each(&ProfileSink::stopped, summary); }

private:
    template <class Call, class Argument>
    void each(Call call, const Argument& argument) {
        for (ProfileSink* listener : m_listeners)
            (listener->*call)(argument);
    }

    std::vector<ProfileSink*> m_listeners;
};

} // namespace core
