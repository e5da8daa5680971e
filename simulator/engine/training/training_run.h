#pragma once

#include "core/base/job_context.h"
#include "core/profile/records/profile_sink.h"
#include "simulator/engine/replica/finite_watch.h"
#include "simulator/engine/replica/training_replica.h"
#include "simulator/engine/training/loss_scaler.h"
#include "simulator/engine/training/training_backup.h"
#include "simulator/engine/training/training_callbacks.h"
#include "simulator/engine/training/training_feed.h"
#include "simulator/engine/training/training_metrics.h"
#include "simulator/engine/training/training_recorder.h"
#include "simulator/numerics/replica_exchange.h"

#include <filesystem>
#include <optional>

namespace simulator {

struct TrainingRunOptions {
    /// Threads that compute; 0: as many as the machine has cores. The results do not depend on it.
    unsigned threads = 0;
    /// Relative paths of datasets and weights start here.
    std::filesystem::path folder;
};

/// What training (evaluating, predicting) gave.
struct TrainingResult {
    std::vector<core::MetricSeries> metrics;
    /// What a person should know: values that are no numbers, …
    core::Diagnostics findings;
};

/// Trains, evaluates or runs a compiled project on its dataset: every replica executes the programs of the
/// pipeline in the order of its schedule, then gradients are reduced over the replicas and the weights
/// updated. The first value that is no finite number is found and told, with the operation that made it: as a
/// finding, or, with floating-point exceptions switched on, as the end of the run. Micro-batch m of update u
/// goes to replica r as batch (u·N + m)·R + r of the dataset. The same project and seed give the same bytes.
class TrainingRun {
public:
    /// Opens the datasets, takes the memory, sets the first weights. Errors: those of the dataset;
    /// "numerics/no-kernel" for an operation that can only be priced.
    [[nodiscard]] static core::Result<TrainingRun> make(const Executable& executable,
                                                        const TrainingRunOptions& options);

    /// All epochs. Metrics go to the sink as the host would receive them: after each execution of the
    /// program, those of the validation after each epoch. Cancelled through `job`: a diagnostic of
    /// Trouble::Interrupted.
    [[nodiscard]] core::Result<TrainingResult> run(core::ProfileSink& sink, const core::JobContext& job);

    /// Replica 0 holds the weights that are saved; all replicas have the same.
    [[nodiscard]] const TrainingReplica& replica(std::size_t index = 0) const { return m_replicas[index]; }
    [[nodiscard]] std::size_t memoryBytes() const;

private:
    /// Runs the validation after an epoch with the weights of a replica, or, where predictions are recorded
    /// and there is no validation, another pass over the training data.
    struct Validation {
        std::vector<TrainingReplica> replica;
        std::optional<TrainingFeed> feed;
        bool isMeasured = false;
    };

    TrainingRun(const Executable& executable, TrainingRunOptions options)
        : m_executable(&executable)
        , m_options(std::move(options))
        , m_pool(std::make_unique<ThreadPool>(m_options.threads))
        , m_recorder(trainingRecording(executable.project.project().training.callbacks),
                     executable.project.graph()) {}

    [[nodiscard]] core::Result<void> openReplicas();
    [[nodiscard]] core::Result<void> openFeed();
    [[nodiscard]] core::Result<void> openValidation();
    void initializeWeights();
    [[nodiscard]] core::Result<void> loadWeights();
    void openCallbacks();
    [[nodiscard]] TrainingControl control(std::int64_t epoch);
    /// Callbacks, then the backup. Sets m_isStopped when one of them stops.
    [[nodiscard]] core::Result<void> endEpoch(std::int64_t epoch);
    /// Epochs that a backup has done already; what it told is told to the sink again.
    [[nodiscard]] core::Result<std::int64_t> restore(core::ProfileSink& sink);
    void record(std::vector<core::MetricRecord> records, std::vector<core::MetricRecord>& into);
    /// Loss, metrics and learning rate of an update that is done.
    void tellUpdate(std::int64_t update, std::int64_t epoch);
    /// With what callbacks did to it.
    [[nodiscard]] double rateAt(std::int64_t update) const;
    [[nodiscard]] EpochLogs epochLogs(std::int64_t epoch) const;
    /// The rate of the first update after an epoch, without what callbacks did to it.
    [[nodiscard]] double scheduledRate(std::int64_t epoch) const;
    [[nodiscard]] core::Result<void> runEpoch(std::int64_t epoch, core::ProfileSink& sink,
                                              const core::JobContext& job);
    [[nodiscard]] core::Result<void> runUpdate(std::int64_t epoch, std::int64_t update,
                                               const core::JobContext& job);
    [[nodiscard]] core::Result<void> runReplica(std::size_t index, std::int64_t firstBatch,
                                                const StepState& state, const core::JobContext& job);
    /// Replicas that exchange tensors within a micro-batch run side by side, each on a thread of its own.
    [[nodiscard]] core::Result<void> runTogether(std::int64_t firstBatch, const StepState& state,
                                                 const core::JobContext& job);
    void openExchange();
    [[nodiscard]] std::int64_t batchOf(std::size_t replica, std::int64_t firstBatch,
                                       std::int64_t microBatch) const;
    [[nodiscard]] StepState stateOf(std::size_t replica, StepState state, std::int64_t microBatch) const;
    [[nodiscard]] core::Result<void> checkMicroBatches(std::size_t index, std::int64_t firstBatch,
                                                       const StepState& state);
    [[nodiscard]] core::Result<void> checkWeights(const StepState& state);
    [[nodiscard]] core::Result<void> tellNotFinite(const NotFinite& found, std::size_t replica,
                                                   const StepState& state);
    [[nodiscard]] core::Result<void> validate(std::int64_t epoch, core::ProfileSink& sink,
                                              const core::JobContext& job);
    /// Batches of the pass at the end of an epoch.
    [[nodiscard]] std::int64_t validationBatches() const;
    void record(core::TrainingRecords records, core::ProfileSink& sink);
    [[nodiscard]] std::int64_t updatesPerEpoch() const;
    [[nodiscard]] std::int64_t firstBatch(std::int64_t epoch, std::int64_t update) const;

    const Executable* m_executable;
    TrainingRunOptions m_options;
    std::unique_ptr<ThreadPool> m_pool;
    std::vector<TrainingReplica> m_replicas;
    /// Only where replicas meet in the middle of a step.
    std::unique_ptr<ReplicaExchange> m_exchange;
    std::vector<std::unique_ptr<ThreadPool>> m_replicaPools;
    std::optional<LossScaler> m_lossScale;
    std::optional<TrainingFeed> m_feed;
    Validation m_validation;
    std::optional<MetricMeans> m_means;
    TrainingRecorder m_recorder;
    MetricHistory m_history;
    std::vector<core::MetricRecord> m_pending;
    /// Everything told so far.
    std::vector<core::MetricRecord> m_records;
    core::TrainingRecords m_trainingRecords;
    std::vector<std::unique_ptr<TrainingCallback>> m_callbacks;
    std::filesystem::path m_backup;
    /// What a callback asked to remember, replica by replica.
    std::vector<std::vector<std::vector<float>>> m_keptWeights;
    double m_rateFactor = 1;
    bool m_isStopped = false;
    core::Diagnostics m_findings;
    /// A value that is no finite number was told already.
    bool m_isBroken = false;
};

} // namespace simulator
