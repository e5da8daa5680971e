#pragma once

#include "core/platform/work_scope.h"
#include "core/profile/records/memory_profile.h"
#include "core/profile/records/profile_sink.h"
#include "core/profile/schema/profile_database.h"
#include "core/profile/schema/run_state.h"

#include <memory>
#include <optional>

namespace core {

class SpanSpool;

/// Records a run into a database. A row of state `recording` exists from `begin` on; everything else is kept
/// in memory and written by `finish` in one transaction that also sets `complete`. So whatever stops a run,
/// a diagnostic, a person or a lost process, leaves no row beside that one, and several processes may record
/// into one file at once.
///
/// When the database cannot take the results in the end — deleted, renamed, replaced by another file, locked,
/// full — they go into a database of their own beside it, NAME.recovered-N.sqlite, and `outcome` names it
/// among its hints.
///
/// The sink's calls answer nothing: what SQLite refused is kept, later calls do nothing, and `outcome` tells.
class ProfileWriter final : public ProfileSink {
public:
    explicit ProfileWriter(ProfileDatabase& database);
    /// A run that was begun and neither finished nor abandoned has failed.
    ~ProfileWriter() override;
    ProfileWriter(const ProfileWriter&) = delete;
    ProfileWriter& operator=(const ProfileWriter&) = delete;

    void begin(const RunProvenance& provenance) override;
    void operations(std::span<const OperationRecord> records) override { m_records.operations(records); }
    void lanes(std::span<const LaneRecord> records) override { m_records.lanes(records); }
    void programSteps(std::span<const ProgramStepRecord> records) override {
        m_records.programSteps(records);
    }
    void transfers(std::span<const TransferRecord> records) override { m_records.transfers(records); }
    void spans(std::span<const SpanRecord> records) override;
    void livenessSteps(std::span<const LivenessStepRecord> records) override {
        m_records.livenessSteps(records);
    }
    void liveRanges(std::vector<LiveRangeRecord> records) override {
        m_records.liveRanges(std::move(records));
    }
    void tileMemory(const TileMemoryRecord& record) override { m_records.tileMemory(record); }
    void executions(std::span<const ExecutionRecord> records) override { m_records.executions(records); }
    void metrics(std::span<const MetricRecord> records) override { m_records.metrics(records); }
    void callbacks(std::span<const CallbackRecord> records) override { m_records.callbacks(records); }
    void trainingRecords(const TrainingRecords& records) override { m_records.trainingRecords(records); }
    void modelOutputs(const ModelOutputRecords& records) override { m_records.modelOutputs(records); }
    void finish(const RunSummary& summary) override;
    /// Keeps what was finished in a run of the state `cancelled`.
    void stopped(const RunSummary& summary) override;
    /// The run that `stopped` kept; nothing where it kept none.
    [[nodiscard]] std::optional<RunId> kept() const { return m_kept; }

    /// Ends the run without results: Failed or Cancelled, with the reasons. Nothing when it is not recording.
    void abandon(RunState state, const Diagnostics& reasons = {});

    /// The number of the run; invalid before `begin`, or when that was refused.
    [[nodiscard]] RunId run() const { return m_run; }
    /// The run when it is complete, else what the database refused; "database/unfinished" (Internal) when
    /// nothing was refused and `finish` was not called.
    [[nodiscard]] Result<RunId> outcome() const;

private:
    [[nodiscard]] Result<void> writeRecords(RunState state);
    void keepBeside();

    ProfileDatabase& m_database;
    /// All but the spans.
    MemoryProfile m_records;
    std::unique_ptr<SpanSpool> m_spans;
    std::optional<RunId> m_kept;
    RunId m_run;
    /// While the run is recording.
    std::optional<WritingScope> m_recording;
    bool m_isComplete = false;
    Diagnostics m_refusals;
};

/// Whether a run could be stored now: takes the lock of a writer for a moment. Errors: those that storing
/// would have, "database/moved" when the file is not there any more.
[[nodiscard]] Result<void> tryWriting(const ProfileDatabase& database);

} // namespace core
