#include "simulator/engine/training/update_runner.h"

#include "core/config/keras_catalogue.h"
#include "core/project/run_figures.h"
#include "simulator/compiler/compile_graph.h"
#include "simulator/compiler/lowering/weight_update.h"
#include "simulator/data/samples/dataset_split.h"
#include "simulator/engine/replica/training_weights.h"
#include "simulator/engine/replica/user_libraries.h"
#include "simulator/graph/replica_collective.h"

#include <algorithm>
#include <mutex>
#include <thread>

namespace simulator {

core::Result<UpdateRunner> UpdateRunner::make(const Executable& executable, const TrainingRecorder& recorder,
                                              const std::filesystem::path& folder,
                                              const core::ProjectGrants& grants, unsigned threads) {
    UpdateRunner runner(executable, threads);
    if (auto result = runner.openReplicas(recorder, folder, grants); !result)
        return core::failure(result.error());
    if (auto result = runner.openFeed(folder, threads); !result)
        return core::failure(result.error());
    initializeWeights(executable.project.graph(), executable.project.project().training.seed,
                      runner.m_replicas);
    runner.m_means.emplace(runner.m_replicas.front().graph());
    runner.m_keepsLast = keepsLastOnly(executable.project);
    return runner;
}

core::Result<void> UpdateRunner::openReplicas(const TrainingRecorder& recorder,
                                              const std::filesystem::path& folder,
                                              const core::ProjectGrants& grants) {
    const auto program = std::make_shared<TrainingProgram>(trainingProgram(*m_executable));
    if (auto result = admitUserLibraries(*program, folder, grants); !result)
        return result;
    program->half = halfRounding(m_executable->project.project().ipuConfig);
    const core::KerasObject optimizer = core::optimizerOf(m_executable->project.project().training);
    const core::TensorId scale = lossScaleTensor(program->graph());
    const auto scaling = unwrapOptimizer(optimizer).dynamicScale;
    // Nobody but the update may want to see the gradients.
    if (m_executable->system.replicas == 1 && !(scaling && scale.isValid()) && !recorder.recordsTensors(0))
        deferGradients(*program);
    for (std::int64_t i = 0; i < m_executable->system.replicas; ++i) {
        auto replica = TrainingReplica::make(program);
        if (!replica)
            return core::failure(replica.error());
        m_replicas.push_back(std::move(*replica));
    }
    openExchange();
    if (scaling && scale.isValid())
        m_lossScale.emplace(*scaling, scale);
    return {};
}

void UpdateRunner::openExchange() {
    const TrainingGraph& graph = m_replicas.front().graph();
    const bool exchanges = std::ranges::any_of(graph.operations, [&](const Operation& operation) {
        return operation.phase != Phase::WeightUpdate &&
               (replicaCollective(graph, operation).has_value() ||
                std::holds_alternative<HostUpdate>(operation.attributes));
    });
    if (m_replicas.size() < 2 || !exchanges)
        return;
    m_exchange = std::make_unique<ReplicaExchange>(static_cast<std::int64_t>(m_replicas.size()));
    for (const TrainingReplica& replica : m_replicas) {
        m_replicaPools.push_back(std::make_unique<ThreadPool>(1));
        m_replicaPools.back()->reserveScratch(replica.threadScratch());
    }
}

core::Result<void> UpdateRunner::openFeed(const std::filesystem::path& folder, unsigned threads) {
    const core::ValidatedProject& project = m_executable->project;
    const core::TrainingOptions& training = project.project().training;
    const TrainingProgram& program = m_replicas.front().program();
    FeedOptions options{*core::datasetOf(training, project.mode()), training, folder, threads};
    options.isWeighted = program.graph().training;
    // What is predicted comes in the order of the dataset, so that a person knows which sample it is of.
    options.isShuffled = project.mode() != core::RunMode::Predict;
    options.range = [&](std::int64_t samples) { return runSamples(samples, training, project.mode()); };
    auto feed = simulator::openFeed(graphOf(program), options);
    if (!feed)
        return core::failure(feed.error());
    m_feed = std::move(*feed);
    return {};
}

core::Result<void> UpdateRunner::loadWeights(const std::filesystem::path& folder) {
    const core::ValidatedProject& project = m_executable->project;
    if (!project.project().training.weights)
        return {};
    const std::filesystem::path path = folder / *project.project().training.weights;
    const auto stored = readWeightFile(path, weightNeeds(project.graph(), m_replicas.front()));
    if (!stored)
        return core::failure(stored.error());
    for (TrainingReplica& replica : m_replicas)
        if (auto result = writeWeights(*stored, path.string(), project.graph(), replica); !result)
            return result;
    return {};
}

core::Result<void> UpdateRunner::collectOutputs(bool keepsAll) {
    auto outputs =
        OutputCollector::make(m_replicas.front(), m_executable->project.graph(), batchesPerEpoch(), keepsAll);
    if (!outputs)
        return core::failure(outputs.error());
    m_outputs = std::make_unique<OutputCollector>(std::move(*outputs));
    return {};
}

void UpdateRunner::collect(std::size_t replica, std::size_t stage, std::int64_t firstBatch,
                           std::int64_t microBatch) {
    if (m_outputs)
        m_outputs->add(m_replicas[replica], stage, batchOf(replica, firstBatch, microBatch));
}

std::int64_t UpdateRunner::batchesPerEpoch() const {
    return updatesPerEpoch() * m_replicas.front().program().microBatches() *
           static_cast<std::int64_t>(m_replicas.size());
}

std::int64_t UpdateRunner::updatesPerEpoch() const {
    const ExecutionShape& execution = m_executable->execution;
    return execution.executionsPerEpoch * execution.updatesPerExecution;
}

double UpdateRunner::scheduledRate(std::int64_t update) const {
    return learningRateAt(m_replicas.front().graph().learningRate, update);
}

core::Json UpdateRunner::lossScaleState() const {
    return m_lossScale ? m_lossScale->state() : core::Json();
}

void UpdateRunner::setLossScaleState(const core::Json& state) {
    if (m_lossScale && state.is_object())
        m_lossScale->setState(state, m_replicas);
}

std::int64_t UpdateRunner::firstBatch(const UpdatePlace& place) const {
    const auto perUpdate =
        m_replicas.front().program().microBatches() * static_cast<std::int64_t>(m_replicas.size());
    // With a number of steps an epoch goes on where the last one stopped; without, it is one pass.
    const bool goesOn = m_executable->project.project().training.stepsPerEpoch.has_value();
    const std::int64_t epochStart =
        goesOn ? place.epoch * updatesPerEpoch() * perUpdate : place.epoch * m_feed->batchesPerPass();
    return epochStart + place.update * perUpdate;
}

std::int64_t UpdateRunner::batchOf(std::size_t replica, std::int64_t firstBatch,
                                   std::int64_t microBatch) const {
    return firstBatch + microBatch * static_cast<std::int64_t>(m_replicas.size()) +
           static_cast<std::int64_t>(replica);
}

StepState UpdateRunner::stateOf(std::size_t replica, StepState state, std::int64_t microBatch) const {
    const std::int64_t perUpdate =
        m_replicas.front().program().microBatches() * static_cast<std::int64_t>(m_replicas.size());
    state.microBatch = microBatch;
    state.replica = static_cast<std::int64_t>(replica);
    state.draw = static_cast<std::uint64_t>(batchOf(replica, state.update * perUpdate, microBatch));
    return state;
}

core::Result<std::optional<core::Diagnostic>> UpdateRunner::run(const UpdatePlace& place, double learningRate,
                                                                TrainingRecorder& recorder,
                                                                const core::JobContext& job) {
    const TrainingGraph& graph = m_replicas.front().graph();
    StepState state;
    state.seed = m_executable->project.project().training.seed;
    state.update = place.epoch * updatesPerEpoch() + place.update;
    state.learningRate = graph.training ? learningRate : 0;
    const std::int64_t batch = firstBatch(place);
    std::optional<core::Diagnostic> finding;
    if (m_exchange)
        if (auto result = runTogether(batch, state, job); !result)
            return core::failure(result.error());
    for (std::size_t replica = 0; replica < m_replicas.size(); ++replica) {
        if (!m_exchange)
            if (auto result = runReplica(replica, batch, state, job); !result)
                return core::failure(result.error());
        auto found = checkMicroBatches(replica, batch, state);
        if (!found)
            return found;
        if (*found)
            finding = std::move(*found);
    }
    if (!graph.training)
        return finding;
    updateWeights(state, place.epoch, recorder);
    auto found = m_watch.checkWeights(m_replicas.front(), stateOf(0, state, 0), *m_pool);
    return !found || *found ? found : finding;
}

void UpdateRunner::updateWeights(const StepState& state, std::int64_t epoch, TrainingRecorder& recorder) {
    allReduce(m_replicas);
    const double scale =
        m_lossScale ? static_cast<double>(m_lossScale->scale()) : m_replicas.front().graph().lossScale;
    const bool isTaken = !m_lossScale || m_lossScale->accepts(m_replicas.front());
    const bool isRecorded = recorder.recordsTensors(state.update);
    if (isRecorded)
        recorder.addGradients(m_replicas.front(), scale, state.update, epoch);
    if (isTaken)
        for (const TrainingReplica& replica : m_replicas)
            replica.runUpdate(state, *m_pool);
    if (m_lossScale)
        m_lossScale->write(m_replicas);
    if (isRecorded)
        recorder.addWeights(m_replicas.front(), state.update, epoch);
}

core::Result<void> UpdateRunner::runReplica(std::size_t index, std::int64_t firstBatch,
                                            const StepState& state, const core::JobContext& job) {
    TrainingReplica& replica = m_replicas[index];
    MetricMeans last(replica.graph());
    const TrainingReplica::Listener listener{
        [&](std::int64_t microBatch) -> core::Result<void> {
            if (job.isCancelled())
                return core::failure(interrupted());
            return m_feed->write(batchOf(index, firstBatch, microBatch), replica.store());
        },
        [&](std::int64_t microBatch) { return stateOf(index, state, microBatch); },
        [&](std::int64_t) {
            if (m_keepsLast)
                static_cast<void>(last.take());
            (m_keepsLast ? last : *m_means).add(replica);
        },
        [&](std::size_t stage, std::int64_t microBatch) { collect(index, stage, firstBatch, microBatch); },
        job.stopToken};
    auto result = replica.runMicroBatches(listener, *m_pool);
    m_means->add(last);
    return result;
}

core::Result<void> UpdateRunner::runTogether(std::int64_t firstBatch, const StepState& state,
                                             const core::JobContext& job) {
    std::mutex feeding;
    std::vector<core::Result<void>> outcomes(m_replicas.size());
    // Each counts for itself, so that the sums do not depend on who comes first.
    std::vector<MetricMeans> means(m_replicas.size(), MetricMeans(m_replicas.front().graph()));
    const auto runOne = [&](std::size_t index) {
        TrainingReplica& replica = m_replicas[index];
        const TrainingReplica::Listener listener{
            [&](std::int64_t microBatch) -> core::Result<void> {
                if (job.isCancelled() || m_exchange->isBroken())
                    return core::failure(interrupted());
                const std::scoped_lock lock(feeding);
                return m_feed->write(batchOf(index, firstBatch, microBatch), replica.store());
            },
            [&](std::int64_t microBatch) {
                StepState own = stateOf(index, state, microBatch);
                own.exchange = m_exchange.get();
                return own;
            },
            [&](std::int64_t) {
                if (m_keepsLast)
                    static_cast<void>(means[index].take());
                means[index].add(replica);
            },
            [&](std::size_t stage, std::int64_t microBatch) {
                collect(index, stage, firstBatch, microBatch);
            },
            job.stopToken};
        outcomes[index] = replica.runMicroBatches(listener, *m_replicaPools[index]);
        if (!outcomes[index])
            m_exchange->leave();
    };
    {
        std::vector<std::jthread> threads;
        for (std::size_t index = 0; index < m_replicas.size(); ++index)
            threads.emplace_back(runOne, index);
    }
    // The first refusal that is more than the echo of another one's.
    const auto isRefused = [](const core::Result<void>& outcome) {
        return !outcome && outcome.error().front().trouble != core::Trouble::Interrupted;
    };
    const auto refused = std::ranges::find_if(outcomes, isRefused);
    if (refused != outcomes.end())
        return *refused;
    for (core::Result<void>& outcome : outcomes)
        if (!outcome)
            return outcome;
    for (MetricMeans& one : means)
        m_means->add(one);
    return {};
}

core::Result<std::optional<core::Diagnostic>>
UpdateRunner::checkMicroBatches(std::size_t index, std::int64_t firstBatch, const StepState& state) {
    // Gradients too large for their scale are what a dynamic one is there for.
    const core::TensorId gradient =
        m_watch.hasFound() || m_lossScale ? core::TensorId() : firstNotFiniteGradient(m_replicas[index]);
    if (m_means->areFinite() && !gradient.isValid())
        return std::nullopt;
    return m_watch.findInMicroBatches(
        m_replicas[index], gradient,
        [&](std::int64_t microBatch, TensorStore& store) {
            return m_feed->write(batchOf(index, firstBatch, microBatch), store);
        },
        [&](std::int64_t microBatch) { return stateOf(index, state, microBatch); }, *m_pool);
}

} // namespace simulator
