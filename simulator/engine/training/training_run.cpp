#include "simulator/engine/training/training_run.h"

#include "simulator/compiler/compile_graph.h"
#include "simulator/engine/replica/training_weights.h"
#include "simulator/engine/training/training_backup.h"

#include <algorithm>
#include <fmt/format.h>

namespace simulator {

core::Result<TrainingRun> TrainingRun::make(const Executable& executable, const TrainingRunOptions& options) {
    const core::ValidatedProject& project = executable.project;
    const std::vector<core::KerasObject>& wanted = project.project().training.callbacks;
    TrainingRecorder recorder(trainingRecording(wanted), project.graph());
    auto runner = UpdateRunner::make(executable, recorder, options.folder, options.grants, options.threads);
    if (!runner)
        return core::failure(runner.error());
    auto validation =
        ValidationPass::make(executable, recorder, options.folder, options.grants, options.threads);
    if (!validation)
        return core::failure(validation.error());
    if (auto result = runner->loadWeights(options.folder); !result)
        return core::failure(result.error());
    std::vector<std::unique_ptr<TrainingCallback>> callbacks;
    if (project.mode() == core::RunMode::Train) {
        const auto door = std::make_shared<core::WriteDoor>(
            core::WriteDoorOptions{options.folder, options.grants, options.kept, options.written});
        auto made = makeCallbacks(wanted, door);
        if (!made)
            return core::failure(made.error());
        callbacks = std::move(*made);
    }
    TrainingRun run(executable, std::move(*runner), std::move(*validation), std::move(recorder),
                    std::move(callbacks));
    std::size_t scratch = run.m_validation ? run.m_validation->replica().threadScratch() : 0;
    for (const TrainingReplica& replica : run.m_runner.replicas())
        scratch = std::max(scratch, replica.threadScratch());
    run.m_runner.pool().reserveScratch(scratch);
    if (project.mode() == core::RunMode::Predict)
        if (auto result = run.m_runner.collectOutputs(options.keepsOutputs); !result)
            return core::failure(result.error());
    if (project.mode() == core::RunMode::Evaluate && options.keepsOutputs) {
        auto pass = OutputPass::make(executable, run.m_runner.batchesPerEpoch(), options.folder,
                                     options.grants, options.threads);
        if (!pass)
            return core::failure(pass.error());
        run.m_outputPass.emplace(std::move(*pass));
    }
    return run;
}

TrainingRun::TrainingRun(const Executable& executable, UpdateRunner runner,
                         std::optional<ValidationPass> validation, TrainingRecorder recorder,
                         std::vector<std::unique_ptr<TrainingCallback>> callbacks)
    : m_executable(&executable)
    , m_runner(std::move(runner))
    , m_validation(std::move(validation))
    , m_recorder(std::move(recorder))
    , m_callbacks(std::move(callbacks))
    , m_journal(std::ranges::any_of(m_callbacks, &TrainingCallback::writesBackups),
                keepsLastOnly(executable.project)) {}

bool TrainingRun::isTraining() const {
    return m_executable->project.mode() == core::RunMode::Train;
}

core::Result<TrainingResult> TrainingRun::run(core::ProfileSink& sink, const core::JobContext& job) {
    const std::int64_t epochs = isTraining() ? m_executable->execution.epochs : 1;
    const auto done = beginTraining(sink);
    if (!done)
        return core::failure(done.error());
    for (std::int64_t epoch = *done; epoch < epochs && !m_isStopped; ++epoch) {
        if (auto result = runEpoch(epoch, sink, job); !result)
            return core::failure(result.error());
        if (auto result = validate(epoch, sink, job); !result)
            return core::failure(result.error());
        if (auto result = endEpoch(epoch, sink); !result)
            return core::failure(result.error());
        m_finishedEpochs = epoch + 1;
    }
    MetricMeans& means = m_runner.means();
    if (!isTraining() && means.count() > 0)
        m_journal.addPass(means.names(), "", means.take(), 0, 0, sink);
    for (const auto& callback : m_callbacks)
        callback->trainingEnds();
    auto outputs = finishOutputs(sink, job);
    if (!outputs)
        return core::failure(outputs.error());
    return TrainingResult{m_journal.series(), m_journal.findings(), std::move(*outputs)};
}

std::optional<FinishedTraining> TrainingRun::finished() const {
    if (!isTraining() || m_finishedEpochs == 0)
        return std::nullopt;
    return FinishedTraining{m_finishedEpochs, m_executions, m_journal.series(), m_journal.findings()};
}

core::Result<std::vector<ModelOutput>> TrainingRun::finishOutputs(core::ProfileSink& sink,
                                                                  const core::JobContext& job) {
    if (m_outputPass) {
        const TrainingReplica& evaluated = m_runner.replicas().front();
        if (auto result = m_outputPass->run(evaluated, m_runner.pool(), job); !result)
            return core::failure(result.error());
    }
    const OutputCollector* outputs = m_outputPass ? &m_outputPass->outputs() : m_runner.outputs();
    if (outputs == nullptr)
        return std::vector<ModelOutput>();
    sink.modelOutputs(outputs->records());
    return outputs->outputs();
}

core::Result<void> TrainingRun::runEpoch(std::int64_t epoch, core::ProfileSink& sink,
                                         const core::JobContext& job) {
    const ExecutionShape& execution = m_executable->execution;
    const std::int64_t updates = m_runner.updatesPerEpoch();
    const TrainingControl controls = control(epoch, sink);
    for (std::int64_t update = 0; update < updates && !m_isStopped; ++update) {
        const std::int64_t done = epoch * updates + update;
        job.report(static_cast<double>(done) / static_cast<double>(updates * execution.epochs),
                   isTraining() ? fmt::format("training, epoch {} of {}", epoch + 1, execution.epochs)
                                : "computing");
        auto finding =
            m_runner.run({epoch, update}, m_rateFactor * m_runner.scheduledRate(done), m_recorder, job);
        if (!finding)
            return core::failure(finding.error());
        if (*finding)
            m_journal.addFinding(std::move(**finding));
        if (isTraining())
            endUpdate(done, epoch, controls);
        const bool isExecuted = (update + 1) % execution.updatesPerExecution == 0 || m_isStopped;
        m_executions += isExecuted ? 1 : 0;
        if (isExecuted && m_journal.hasWaiting())
            m_journal.endExecution(m_recorder.take(), sink);
    }
    return {};
}

void TrainingRun::endUpdate(std::int64_t update, std::int64_t epoch, const TrainingControl& control) {
    MetricMeans& means = m_runner.means();
    const std::vector<double> values = means.take();
    m_journal.addUpdate(means.names(), values, m_rateFactor * m_runner.scheduledRate(update), update, epoch);
    for (const auto& callback : m_callbacks) {
        if (callback->updateEnds(epoch, values.front(), control))
            m_isStopped = true;
    }
}

core::Result<void> TrainingRun::validate(std::int64_t epoch, core::ProfileSink& sink,
                                         const core::JobContext& job) {
    if (!m_validation)
        return {};
    const std::int64_t frequency = m_executable->project.project().training.validationFrequency;
    if (m_validation->isMeasured() && (epoch + 1) % frequency != 0)
        return {};
    const auto values = m_validation->run(m_runner.replicas().front(), m_recorder, m_runner.pool(), job);
    if (!values)
        return core::failure(values.error());
    m_recorder.endPass(epoch);
    m_journal.addDetails(m_recorder.take(), sink);
    if (*values)
        m_journal.addPass(m_validation->names(), "val_", **values, (epoch + 1) * m_runner.updatesPerEpoch(),
                          epoch, sink);
    return {};
}

core::Result<std::int64_t> TrainingRun::beginTraining(core::ProfileSink& sink) {
    std::int64_t done = 0;
    const TrainingControl controls = control(-1, sink);
    for (const auto& callback : m_callbacks) {
        const auto epochs = callback->trainingBegins(controls);
        if (!epochs)
            return core::failure(epochs.error());
        done = std::max(done, *epochs);
    }
    return done;
}

core::Result<void> TrainingRun::endEpoch(std::int64_t epoch, core::ProfileSink& sink) {
    if (m_callbacks.empty())
        return {};
    const EpochLogs logs = m_journal.logsOf(epoch);
    const TrainingControl controls = control(epoch, sink);
    for (const auto& callback : m_callbacks) {
        const auto stops = callback->epochEnds(epoch, logs, controls);
        if (!stops)
            return core::failure(stops.error());
        m_isStopped = m_isStopped || *stops;
    }
    return {};
}

TrainingControl TrainingRun::control(std::int64_t epoch, core::ProfileSink& sink) {
    return {.saveWeights =
                [this](const std::filesystem::path& path) {
                    return saveWeightFile(
                        path, storedWeights(m_executable->project.graph(), m_runner.replicas().front()),
                        core::Links::Refuse);
                },
            .keepWeights = [this] { keepWeights(); },
            .restoreWeights = [this] { restoreWeights(); },
            .learningRate = [this, epoch] { return m_rateFactor * scheduledRate(epoch); },
            .setLearningRate =
                [this, epoch](double rate) {
                    const double scheduled = scheduledRate(epoch);
                    m_rateFactor = scheduled > 0 ? rate / scheduled : m_rateFactor;
                },
            .saveBackup = [this](const std::filesystem::path& path,
                                 std::int64_t epochs) { return saveBackup(path, epochs); },
            .loadBackup = [this, &sink](const std::filesystem::path& path) { return loadBackup(path, sink); },
            .tell = [this](const std::string& callback,
                           const std::string& what) { m_journal.addNote(callback, what); }};
}

void TrainingRun::keepWeights() {
    m_keptWeights.clear();
    for (const TrainingReplica& replica : m_runner.replicas()) {
        auto& kept = m_keptWeights.emplace_back();
        for (const LayerWeight& weight : replica.graph().weights)
            kept.push_back(replica.store().read(weight.tensor));
    }
}

void TrainingRun::restoreWeights() {
    for (std::size_t i = 0; i < m_keptWeights.size(); ++i) {
        TrainingReplica& replica = m_runner.replicas()[i];
        for (std::size_t w = 0; w < m_keptWeights[i].size(); ++w)
            replica.store().write(replica.graph().weights[w].tensor, m_keptWeights[i][w]);
    }
}

double TrainingRun::scheduledRate(std::int64_t epoch) const {
    return m_runner.scheduledRate((epoch + 1) * m_runner.updatesPerEpoch());
}

core::Result<void> TrainingRun::saveBackup(const std::filesystem::path& path, std::int64_t epochs) const {
    BackupState state{epochs,
                      m_rateFactor,
                      m_runner.lossScaleState(),
                      core::Json::array(),
                      m_journal.metrics(),
                      m_journal.details()};
    for (const auto& callback : m_callbacks) {
        if (core::Json own = callback->state(); !own.is_null())
            state.callbacks.push_back(std::move(own));
    }
    return simulator::saveBackup(path, m_runner.replicas(), state);
}

core::Result<std::optional<std::int64_t>> TrainingRun::loadBackup(const std::filesystem::path& path,
                                                                  core::ProfileSink& sink) {
    const auto state = simulator::loadBackup(path, m_runner.replicas());
    if (!state)
        return core::failure(state.error());
    if (!*state)
        return std::nullopt;
    m_rateFactor = (*state)->rateFactor;
    const auto restored = restoreState(path, [&] {
        m_runner.setLossScaleState((*state)->lossScale);
        std::size_t next = 0;
        for (const auto& callback : m_callbacks) {
            if (next < (*state)->callbacks.size() && !callback->state().is_null())
                callback->setState((*state)->callbacks[next++]);
        }
    });
    if (!restored)
        return core::failure(restored.error());
    m_recorder.resumeFrom((*state)->trainingRecords);
    m_journal.resumeFrom(**state, sink);
    return (*state)->epochs;
}

std::size_t TrainingRun::memoryBytes() const {
    std::size_t bytes = m_validation ? m_validation->replica().memoryBytes() : 0;
    bytes += m_outputPass ? m_outputPass->replica().memoryBytes() : 0;
    for (const TrainingReplica& replica : m_runner.replicas())
        bytes += replica.memoryBytes();
    return bytes;
}

} // namespace simulator
