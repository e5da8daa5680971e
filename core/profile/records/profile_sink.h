#pragma once

#include <span>
#include <vector>

namespace core {

// Only named here, so that a new field of one record rebuilds those who make or read that record.
struct CallbackRecord;
struct ExecutionRecord;
struct LaneRecord;
struct LiveRangeRecord;
struct LivenessStepRecord;
struct MetricRecord;
struct ModelOutputRecords;
struct OperationRecord;
struct ProgramStepRecord;
struct RunProvenance;
struct RunSummary;
struct SpanRecord;
struct TileMemoryRecord;
struct TrainingRecords;
struct TransferRecord;

/// Who listens to a run. The simulator cannot tell whether a database, a collection in memory or nobody
/// records.
///
/// Calls come from one thread, in this order: begin; operations, lanes, program steps, transfers; spans,
/// liveness, tile memory, executions, callbacks, metrics, training records and model outputs in any order and
/// number; finish. When a run fails or is cancelled `finish` is not called, and whatever was recorded must
/// leave no complete run behind; one that is cancelled after whole epochs of training ends with `stopped`.
class ProfileSink {
public:
    virtual ~ProfileSink() = default;

    virtual void begin(const RunProvenance& provenance) = 0;
    virtual void operations(std::span<const OperationRecord> records) = 0;
    virtual void lanes(std::span<const LaneRecord> records) = 0;
    virtual void programSteps(std::span<const ProgramStepRecord> records) = 0;
    virtual void transfers(std::span<const TransferRecord> records) = 0;
    virtual void spans(std::span<const SpanRecord> records) = 0;
    virtual void livenessSteps(std::span<const LivenessStepRecord> records) = 0;
    /// Given away: they are many, and full of texts.
    virtual void liveRanges(std::vector<LiveRangeRecord> records) = 0;
    virtual void tileMemory(const TileMemoryRecord& record) = 0;
    virtual void executions(std::span<const ExecutionRecord> records) = 0;
    virtual void metrics(std::span<const MetricRecord> records) = 0;
    /// The calls of one execution; a listener without use for them need not listen.
    virtual void callbacks(std::span<const CallbackRecord> records);
    /// Comes only where the project asks for it; a listener without use for it need not listen.
    virtual void trainingRecords(const TrainingRecords& records);
    /// Comes once, from runs that predict; a listener without use for it need not listen.
    virtual void modelOutputs(const ModelOutputRecords& records);
    virtual void finish(const RunSummary& summary) = 0;
    /// In the place of `finish`: the run was stopped on request, and this is what was finished. A listener
    /// without use for it need not listen.
    virtual void stopped(const RunSummary& summary);
};

} // namespace core
