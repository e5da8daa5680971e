#pragma once

#include "core/base/job_context.h"
#include "core/base/write_door.h"
#include "simulator/engine/replica/finite_watch.h"
#include "simulator/engine/replica/training_replica.h"
#include "simulator/engine/training/loss_scaler.h"
#include "simulator/engine/training/output_collector.h"
#include "simulator/engine/training/training_feed.h"
#include "simulator/engine/training/training_metrics.h"
#include "simulator/engine/training/training_recorder.h"
#include "simulator/numerics/replica_exchange.h"
#include "simulator/program/executable.h"

#include <filesystem>
#include <optional>

namespace simulator {

/// Which update of a run.
struct UpdatePlace {
    std::int64_t epoch = 0;
    /// In its epoch.
    std::int64_t update = 0;
};

/// The replicas of a run and one weight update (or, in other modes, one pass through the pipeline) on them:
/// every replica computes its micro-batches in the order of the schedule, gradients are reduced over the
/// replicas, and each updates its weights. Micro-batch m of update u goes to replica r as batch
/// (u·N + m)·R + r of the dataset.
class UpdateRunner {
public:
    /// Opens the dataset, takes the memory, sets the first weights. `threads`: 0 for as many as the machine
    /// has cores. Errors: those of the dataset; "numerics/no-kernel" for an operation that can only be
    /// priced; those of admitUserLibraries.
    [[nodiscard]] static core::Result<UpdateRunner> make(const Executable& executable,
                                                         const TrainingRecorder& recorder,
                                                         const std::filesystem::path& folder,
                                                         const core::ProjectGrants& grants, unsigned threads);

    /// Those of the project's file of weights, where it names one, instead. Errors: those of the file.
    [[nodiscard]] core::Result<void> loadWeights(const std::filesystem::path& folder);

    /// `learningRate`: of this update, ignored without training. Cancelled through `job`: a diagnostic of
    /// Trouble::Interrupted. Answers the finding when it made the run's first value that is no finite number;
    /// fails with it where floating-point exceptions are on.
    [[nodiscard]] core::Result<std::optional<core::Diagnostic>> run(const UpdatePlace& place,
                                                                    double learningRate,
                                                                    TrainingRecorder& recorder,
                                                                    const core::JobContext& job);

    /// Keeps what the model gives from now on: everything, or as much as a database stores.
    [[nodiscard]] core::Result<void> collectOutputs(bool keepsAll);
    /// Null without.
    [[nodiscard]] const OutputCollector* outputs() const { return m_outputs.get(); }

    [[nodiscard]] std::int64_t updatesPerEpoch() const;
    /// Micro-batches of an epoch over all replicas.
    [[nodiscard]] std::int64_t batchesPerEpoch() const;
    /// The rate that the optimizer's schedule gives an update.
    [[nodiscard]] double scheduledRate(std::int64_t update) const;
    /// Loss and metrics since they were last taken.
    [[nodiscard]] MetricMeans& means() { return *m_means; }
    [[nodiscard]] std::span<TrainingReplica> replicas() { return m_replicas; }
    [[nodiscard]] std::span<const TrainingReplica> replicas() const { return m_replicas; }
    /// Null without one.
    [[nodiscard]] core::Json lossScaleState() const;
    void setLossScaleState(const core::Json& state);
    [[nodiscard]] ThreadPool& pool() { return *m_pool; }

private:
    UpdateRunner(const Executable& executable, unsigned threads)
        : m_executable(&executable)
        , m_pool(std::make_unique<ThreadPool>(threads))
        , m_watch(executable) {}

    [[nodiscard]] core::Result<void> openReplicas(const TrainingRecorder& recorder,
                                                  const std::filesystem::path& folder,
                                                  const core::ProjectGrants& grants);
    void openExchange();
    [[nodiscard]] core::Result<void> openFeed(const std::filesystem::path& folder, unsigned threads);
    [[nodiscard]] core::Result<void> runReplica(std::size_t index, std::int64_t firstBatch,
                                                const StepState& state, const core::JobContext& job);
    /// Replicas that exchange tensors within a micro-batch run side by side, each on a thread of its own.
    [[nodiscard]] core::Result<void> runTogether(std::int64_t firstBatch, const StepState& state,
                                                 const core::JobContext& job);
    [[nodiscard]] core::Result<std::optional<core::Diagnostic>>
    checkMicroBatches(std::size_t index, std::int64_t firstBatch, const StepState& state);
    void updateWeights(const StepState& state, std::int64_t epoch, TrainingRecorder& recorder);
    [[nodiscard]] std::int64_t firstBatch(const UpdatePlace& place) const;
    [[nodiscard]] std::int64_t batchOf(std::size_t replica, std::int64_t firstBatch,
                                       std::int64_t microBatch) const;
    void collect(std::size_t replica, std::size_t stage, std::int64_t firstBatch, std::int64_t microBatch);
    [[nodiscard]] StepState stateOf(std::size_t replica, StepState state, std::int64_t microBatch) const;

    const Executable* m_executable;
    std::unique_ptr<ThreadPool> m_pool;
    std::vector<TrainingReplica> m_replicas;
    /// Only where replicas meet in the middle of a step.
    std::unique_ptr<ReplicaExchange> m_exchange;
    std::vector<std::unique_ptr<ThreadPool>> m_replicaPools;
    std::optional<LossScaler> m_lossScale;
    std::optional<TrainingFeed> m_feed;
    /// Only the last micro-batch of an update is measured.
    bool m_keepsLast = false;
    std::optional<MetricMeans> m_means;
    FiniteWatch m_watch;
    std::unique_ptr<OutputCollector> m_outputs;
};

} // namespace simulator
