#pragma once

#include "core/profile/records/callback_record.h"
#include "core/profile/records/memory_records.h"
#include "core/profile/records/profile_sink.h"
#include "core/profile/records/program_records.h"
#include "core/profile/records/run_records.h"
#include "core/profile/records/time_records.h"
#include "views/training/training_data.h"

#include <QElapsedTimer>
#include <QObject>
#include <mutex>

namespace views {

/// Listens to a run while it goes on and lets the training view watch: called by the engine on its thread,
/// read on the window's. Tells of news at most some times per second, whatever the rate of the engine.
class TrainingFeed final : public QObject, public core::ProfileSink {
    Q_OBJECT

public:
    explicit TrainingFeed(QObject* parent = nullptr);
    /// What the run will be when it is done.
    TrainingFeed(std::int64_t plannedExecutions, std::int64_t plannedEpochs, QObject* parent = nullptr);

    /// From any thread: what the run will be, once that is known.
    void setPlan(std::int64_t executions, std::int64_t epochs);

    /// A copy of what there is.
    [[nodiscard]] TrainingData snapshot() const;

    void begin(const core::RunProvenance& provenance) override;
    void operations(std::span<const core::OperationRecord>) override {}
    void lanes(std::span<const core::LaneRecord>) override {}
    void programSteps(std::span<const core::ProgramStepRecord>) override {}
    void transfers(std::span<const core::TransferRecord>) override {}
    void spans(std::span<const core::SpanRecord>) override {}
    void livenessSteps(std::span<const core::LivenessStepRecord>) override {}
    void liveRanges(std::vector<core::LiveRangeRecord>) override {}
    void tileMemory(const core::TileMemoryRecord&) override {}
    void executions(std::span<const core::ExecutionRecord> records) override;
    void callbacks(std::span<const core::CallbackRecord> records) override;
    void metrics(std::span<const core::MetricRecord> records) override;
    void finish(const core::RunSummary& summary) override;

signals:
    /// Emitted on the engine's thread; connections across threads are queued by Qt.
    void changed();

private:
    void announce();

    mutable std::mutex m_mutex;
    TrainingData m_training;
    QElapsedTimer m_clock;
    qint64 m_announced = -1000;
};

} // namespace views
