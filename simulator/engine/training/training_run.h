#pragma once

#include "core/base/job_context.h"
#include "core/profile/records/profile_sink.h"
#include "simulator/engine/training/output_pass.h"
#include "simulator/engine/training/training_callbacks.h"
#include "simulator/engine/training/training_journal.h"
#include "simulator/engine/training/training_recorder.h"
#include "simulator/engine/training/update_runner.h"
#include "simulator/engine/training/validation_pass.h"

#include <filesystem>
#include <optional>

namespace simulator {

struct TrainingRunOptions {
    /// Threads that compute; 0: as many as the machine has cores. The results do not depend on it.
    unsigned threads = 0;
    /// Relative paths of datasets and weights start here.
    std::filesystem::path folder;
    /// What the project may do beyond its folder.
    core::ProjectGrants grants = {};
    /// Files that callbacks never write: the project, its database, its data.
    std::vector<std::filesystem::path> kept = {};
    /// Hears each file that callbacks write, once.
    std::function<void(const std::filesystem::path&)> written = {};
    /// All that the model gives is kept, of an evaluation too; else of a prediction what a database stores.
    bool keepsOutputs = false;
};

/// What training (evaluating, predicting) gave.
struct TrainingResult {
    std::vector<core::MetricSeries> metrics;
    /// What a person should know: values that are no numbers, …
    core::Diagnostics findings;
    /// What the model gave, where it was kept.
    std::vector<ModelOutput> outputs = {};
};

/// What training had done when it was stopped on request.
struct FinishedTraining {
    /// Whole ones, those before a backup included.
    std::int64_t epochs = 0;
    std::int64_t executions = 0;
    std::vector<core::MetricSeries> metrics;
    core::Diagnostics findings;
};

/// Trains, evaluates or runs a compiled project on its dataset: every replica executes the programs of the
/// pipeline in the order of its schedule, then gradients are reduced over the replicas and the weights
/// updated; callbacks look on, stop it and go on from backups. The first value that is no finite number is
/// found and reported, with the operation that made it: as a finding, or, with floating-point exceptions
/// switched on, as the end of the run. The same project and seed give the same bytes.
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

    /// After a `run` that was cancelled; nothing where no epoch of training was whole.
    [[nodiscard]] std::optional<FinishedTraining> finished() const;

    /// Replica 0 holds the weights that are saved; all replicas have the same.
    [[nodiscard]] const TrainingReplica& replica(std::size_t index = 0) const {
        return m_runner.replicas()[index];
    }
    [[nodiscard]] std::size_t memoryBytes() const;

private:
    TrainingRun(const Executable& executable, UpdateRunner runner, std::optional<ValidationPass> validation,
                TrainingRecorder recorder, std::vector<std::unique_ptr<TrainingCallback>> callbacks);

    [[nodiscard]] bool isTraining() const;
    /// Runs the pass for the outputs where there is one. Answers what was kept and tells the sink of it.
    [[nodiscard]] core::Result<std::vector<ModelOutput>> finishOutputs(core::ProfileSink& sink,
                                                                       const core::JobContext& job);
    [[nodiscard]] core::Result<void> runEpoch(std::int64_t epoch, core::ProfileSink& sink,
                                              const core::JobContext& job);
    [[nodiscard]] core::Result<void> validate(std::int64_t epoch, core::ProfileSink& sink,
                                              const core::JobContext& job);
    /// What callbacks may do before the first epoch (-1) or in an epoch.
    [[nodiscard]] TrainingControl control(std::int64_t epoch, core::ProfileSink& sink);
    /// Epochs that need not be run.
    [[nodiscard]] core::Result<std::int64_t> beginTraining(core::ProfileSink& sink);
    void endUpdate(std::int64_t update, std::int64_t epoch, const TrainingControl& control);
    [[nodiscard]] core::Result<void> endEpoch(std::int64_t epoch, core::ProfileSink& sink);
    [[nodiscard]] core::Result<void> saveBackup(const std::filesystem::path& path, std::int64_t epochs) const;
    [[nodiscard]] core::Result<std::optional<std::int64_t>> loadBackup(const std::filesystem::path& path,
                                                                       core::ProfileSink& sink);
    void keepWeights();
    void restoreWeights();
    /// The rate of the first update after an epoch, without what callbacks did to it.
    [[nodiscard]] double scheduledRate(std::int64_t epoch) const;

    const Executable* m_executable;
    UpdateRunner m_runner;
    std::optional<ValidationPass> m_validation;
    std::optional<OutputPass> m_outputPass;
    TrainingRecorder m_recorder;
    std::vector<std::unique_ptr<TrainingCallback>> m_callbacks;
    TrainingJournal m_journal;
    /// What a callback asked to remember, replica by replica.
    std::vector<std::vector<std::vector<float>>> m_keptWeights;
    /// What callbacks did to the learning rate.
    double m_rateFactor = 1;
    bool m_isStopped = false;
    std::int64_t m_finishedEpochs = 0;
    std::int64_t m_executions = 0;
};

} // namespace simulator
