#include "simulator/engine/training/training_run.h"

#include "core/config/keras_catalogue.h"
#include "core/project/run_figures.h"
#include "simulator/compiler/compile_graph.h"
#include "simulator/compiler/lowering/weight_update.h"
#include "simulator/compiler/staging/build_training_graph.h"
#include "simulator/data/samples/dataset_split.h"
#include "simulator/engine/replica/training_weights.h"
#include "simulator/graph/replica_collective.h"
#include "simulator/numerics/weight_initializer.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <fmt/format.h>
#include <mutex>
#include <thread>

namespace simulator {
namespace {

using core::TensorId;

/// The series of the rate that each update used.
constexpr const char* learningRateName = "learning_rate";

/// The graph as part of the staged graph that holds it.
std::shared_ptr<const TrainingGraph> graphOf(const TrainingProgram& program) {
    return {program.staged, &program.graph()};
}

bool isOn(const core::DatasetSpec& spec, const char* key) {
    const auto found = spec.parameters.find(key);
    return found != spec.parameters.end() && found->is_boolean() && found->get<bool>();
}

DatasetRequest requestFor(const core::DatasetSpec& spec, const TrainingGraph& graph,
                          const std::filesystem::path& folder) {
    return {spec, folder, wantedInputs(graph), wantedTargets(graph)};
}

BatchOptions batchOptions(const core::DatasetSpec& spec, const core::TrainingOptions& training,
                          SampleRange range, unsigned threads) {
    return {training.batchSize, isOn(spec, "shuffle"), training.seed, range.first, range.count, threads != 1};
}

/// The same model for evaluation: what it gives after this much training.
core::Result<TrainingGraph> evaluationGraph(const core::ValidatedProject& project, bool keepsPredictions) {
    TrainingGraphOptions options;
    options.mode = core::RunMode::Evaluate;
    options.keepsPredictions = keepsPredictions;
    options.training = project.project().training;
    options.pipeline = project.project().pipeline;
    return buildTrainingGraph(project.graph(), options);
}

/// Layer weights of one replica into another of the same model.
void copyWeights(const TrainingReplica& from, TrainingReplica& to) {
    std::map<std::pair<core::LayerId, std::size_t>, TensorId> sources;
    for (const LayerWeight& weight : from.graph().weights)
        sources[{weight.layer, weight.index}] = weight.tensor;
    for (const LayerWeight& weight : to.graph().weights)
        if (const auto source = sources.find({weight.layer, weight.index}); source != sources.end())
            std::memcpy(to.store().address(weight.tensor), from.store().address(source->second),
                        static_cast<std::size_t>(to.graph().tensor(weight.tensor).bytes()));
}

} // namespace

core::Result<TrainingRun> TrainingRun::make(const Executable& executable, const TrainingRunOptions& options) {
    TrainingRun run(executable, options);
    for (auto step : {&TrainingRun::openReplicas, &TrainingRun::openFeed, &TrainingRun::openValidation})
        if (auto result = (run.*step)(); !result)
            return core::failure(result.error());
    run.initializeWeights();
    if (auto result = run.loadWeights(); !result)
        return core::failure(result.error());
    run.openCallbacks();
    std::size_t scratch = 0;
    for (const auto* replicas : {&run.m_replicas, &run.m_validation.replica})
        for (const TrainingReplica& replica : *replicas)
            scratch = std::max(scratch, replica.threadScratch());
    run.m_pool->reserveScratch(scratch);
    run.m_means.emplace(run.m_replicas.front().graph());
    return run;
}

core::Result<void> TrainingRun::openReplicas() {
    const auto program = std::make_shared<TrainingProgram>(trainingProgram(*m_executable));
    program->half = halfRounding(m_executable->project.project().ipuConfig);
    const core::KerasObject optimizer = core::optimizerOf(m_executable->project.project().training);
    const TensorId scale = lossScaleTensor(program->graph());
    const auto scaling = unwrapOptimizer(optimizer).dynamicScale;
    // Nobody but the update may want to see the gradients.
    if (m_executable->system.replicas == 1 && !(scaling && scale.isValid()) && !m_recorder.recordsTensors(0))
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

void TrainingRun::openExchange() {
    const TrainingGraph& graph = m_replicas.front().graph();
    const bool isMet = std::ranges::any_of(graph.operations, [&](const Operation& operation) {
        return operation.phase != Phase::WeightUpdate &&
               (replicaCollective(graph, operation).has_value() ||
                std::holds_alternative<HostUpdate>(operation.attributes));
    });
    if (m_replicas.size() < 2 || !isMet)
        return;
    m_exchange = std::make_unique<ReplicaExchange>(static_cast<std::int64_t>(m_replicas.size()));
    for (const TrainingReplica& replica : m_replicas) {
        m_replicaPools.push_back(std::make_unique<ThreadPool>(1));
        m_replicaPools.back()->reserveScratch(replica.threadScratch());
    }
}

core::Result<void> TrainingRun::openFeed() {
    const core::ValidatedProject& project = m_executable->project;
    const core::TrainingOptions& training = project.project().training;
    const core::DatasetSpec& spec = *core::datasetOf(training, project.mode());
    const TrainingProgram& program = m_replicas.front().program();
    const DatasetRequest request = requestFor(spec, program.graph(), m_options.folder);
    auto source = openDataset(request);
    if (!source)
        return core::failure(source.error());
    const std::int64_t samples = (*source)->samples();
    auto weights = SampleWeights::open(request, samples, program.graph().training);
    if (!weights)
        return core::failure(weights.error());
    const SampleRange range = runSamples(samples, training, project.mode());
    auto feed =
        TrainingFeed::make(graphOf(program), *source, batchOptions(spec, training, range, m_options.threads),
                           std::move(*weights));
    if (!feed)
        return core::failure(feed.error());
    m_feed = std::move(*feed);
    return {};
}

core::Result<void> TrainingRun::openValidation() {
    const core::ValidatedProject& project = m_executable->project;
    const core::TrainingOptions& training = project.project().training;
    m_validation.isMeasured = training.validationDataset || training.validationSplit > 0;
    if (project.mode() != core::RunMode::Train ||
        !(m_validation.isMeasured || m_recorder.recordsPredictions()))
        return {};
    auto graph = evaluationGraph(project, m_recorder.recordsPredictions());
    if (!graph)
        return core::failure(graph.error());
    const auto program = std::make_shared<TrainingProgram>(forwardProgram(std::move(*graph)));
    program->half = halfRounding(project.project().ipuConfig);
    auto replica = TrainingReplica::make(program);
    if (!replica)
        return core::failure(replica.error());
    m_validation.replica.push_back(std::move(*replica));
    const core::DatasetSpec& spec =
        training.validationDataset ? *training.validationDataset : *training.dataset;
    const DatasetRequest request = requestFor(spec, program->graph(), m_options.folder);
    auto source = openDataset(request);
    if (!source)
        return core::failure(source.error());
    const std::int64_t samples = (*source)->samples();
    auto weights = SampleWeights::open(request, samples, false);
    if (!weights)
        return core::failure(weights.error());
    BatchOptions options =
        batchOptions(spec, training,
                     training.validationDataset ? SampleRange{0, samples}
                     : m_validation.isMeasured  ? validationSamples(samples, training)
                                                : runSamples(samples, training, project.mode()),
                     m_options.threads);
    options.shuffles = false;
    auto feed = TrainingFeed::make(graphOf(*program), *source, options, std::move(*weights));
    if (!feed)
        return core::failure(feed.error());
    m_validation.feed = std::move(*feed);
    return {};
}

void TrainingRun::initializeWeights() {
    const core::TypedGraph& model = m_executable->project.graph();
    const std::uint64_t seed = m_executable->project.project().training.seed;
    for (const LayerWeight& weight : m_replicas.front().graph().weights) {
        const core::TypedLayer& layer = model.layer(weight.layer);
        const core::WeightSpec& spec = layer.weights[weight.index];
        const Extents& extents = m_replicas.front().graph().tensor(weight.tensor).extents;
        const std::vector<float> values =
            initialWeights(spec.initializer, extents, layer.path + "/" + spec.name, seed);
        for (TrainingReplica& replica : m_replicas)
            replica.store().write(weight.tensor, values);
    }
}

std::int64_t TrainingRun::updatesPerEpoch() const {
    const ExecutionShape& execution = m_executable->execution;
    return execution.executionsPerEpoch * execution.updatesPerExecution;
}

std::int64_t TrainingRun::firstBatch(std::int64_t epoch, std::int64_t update) const {
    const auto perUpdate =
        m_replicas.front().program().microBatches() * static_cast<std::int64_t>(m_replicas.size());
    // With a number of steps an epoch goes on where the last one stopped; without, it is one pass.
    const bool goesOn = m_executable->project.project().training.stepsPerEpoch.has_value();
    const std::int64_t epochStart =
        goesOn ? epoch * updatesPerEpoch() * perUpdate : epoch * m_feed->batchesPerPass();
    return epochStart + update * perUpdate;
}

core::Result<void> TrainingRun::loadWeights() {
    const core::ValidatedProject& project = m_executable->project;
    if (!project.project().training.weights)
        return {};
    const std::filesystem::path path = m_options.folder / *project.project().training.weights;
    const auto stored = readWeightFile(path);
    if (!stored)
        return core::failure(stored.error());
    for (TrainingReplica& replica : m_replicas)
        if (auto result = writeWeights(*stored, path.string(), project.graph(), replica); !result)
            return result;
    return {};
}

void TrainingRun::openCallbacks() {
    if (m_executable->project.mode() != core::RunMode::Train)
        return;
    const auto& callbacks = m_executable->project.project().training.callbacks;
    m_callbacks = makeCallbacks(callbacks, m_options.folder);
    if (const auto config = callbackConfig(callbacks, "BackupAndRestore"))
        m_backup = m_options.folder / config->at("backup_dir").get<std::string>() / "backup.npz";
}

TrainingControl TrainingRun::control(std::int64_t epoch) {
    const auto trained = [](const TrainingReplica& replica) { return replica.graph().weights; };
    return {
        .saveWeights =
            [this](const std::filesystem::path& path) {
                return saveWeightFile(path, storedWeights(m_executable->project.graph(), m_replicas.front()));
            },
        .keepWeights =
            [this, trained] {
                m_keptWeights.clear();
                for (const TrainingReplica& replica : m_replicas) {
                    auto& kept = m_keptWeights.emplace_back();
                    for (const LayerWeight& weight : trained(replica))
                        kept.push_back(replica.store().read(weight.tensor));
                }
            },
        .restoreWeights =
            [this, trained] {
                for (std::size_t i = 0; i < m_keptWeights.size(); ++i)
                    for (std::size_t w = 0; w < m_keptWeights[i].size(); ++w)
                        m_replicas[i].store().write(trained(m_replicas[i])[w].tensor, m_keptWeights[i][w]);
            },
        .learningRate = [this, epoch] { return m_rateFactor * scheduledRate(epoch); },
        .setLearningRate =
            [this, epoch](double rate) {
                const double scheduled = scheduledRate(epoch);
                m_rateFactor = scheduled > 0 ? rate / scheduled : m_rateFactor;
            },
        .tell =
            [this](std::string callback, std::string what) {
                m_findings.push_back({core::Severity::Note,
                                      core::Trouble::Input,
                                      "training/callback",
                                      {{}, "/training/callbacks"},
                                      callback + ": " + what,
                                      {}});
            }};
}

double TrainingRun::scheduledRate(std::int64_t epoch) const {
    return learningRateAt(m_replicas.front().graph().learningRate, (epoch + 1) * updatesPerEpoch());
}

void TrainingRun::record(std::vector<core::MetricRecord> records, std::vector<core::MetricRecord>& into) {
    m_records.insert(m_records.end(), records.begin(), records.end());
    std::ranges::move(records, std::back_inserter(into));
}

EpochLogs TrainingRun::epochLogs(std::int64_t epoch) const {
    EpochLogs logs;
    std::vector<std::int64_t> counts;
    for (const core::MetricRecord& record : m_records) {
        // The rate is no log of Keras: callbacks ask `control` for it.
        if (record.epoch != epoch || record.name == learningRateName)
            continue;
        auto log = std::ranges::find(logs, record.name, &EpochLogs::value_type::first);
        if (log == logs.end()) {
            log = logs.insert(logs.end(), {record.name, 0});
            counts.push_back(0);
        }
        log->second += record.value;
        ++counts[static_cast<std::size_t>(log - logs.begin())];
    }
    for (std::size_t i = 0; i < logs.size(); ++i)
        logs[i].second /= static_cast<double>(counts[i]);
    return logs;
}

core::Result<void> TrainingRun::endEpoch(std::int64_t epoch) {
    if (m_callbacks.empty() && m_backup.empty())
        return {};
    const EpochLogs logs = epochLogs(epoch);
    const TrainingControl controls = control(epoch);
    BackupState state{epoch + 1, 1, nullptr, core::Json::array(), m_records, m_trainingRecords};
    for (const auto& callback : m_callbacks) {
        const auto stops = callback->epochEnds(epoch, logs, controls);
        if (!stops)
            return core::failure(stops.error());
        m_isStopped = m_isStopped || *stops;
        state.callbacks.push_back(callback->state());
    }
    state.rateFactor = m_rateFactor;
    if (m_lossScale)
        state.lossScale = m_lossScale->state();
    return m_backup.empty() ? core::Result<void>() : saveBackup(m_backup, m_replicas, state);
}

core::Result<std::int64_t> TrainingRun::restore(core::ProfileSink& sink) {
    if (m_backup.empty())
        return 0;
    const auto state = loadBackup(m_backup, m_replicas);
    if (!state)
        return core::failure(state.error());
    if (!*state)
        return 0;
    m_rateFactor = (*state)->rateFactor;
    if (m_lossScale && (*state)->lossScale.is_object())
        m_lossScale->setState((*state)->lossScale, m_replicas);
    for (std::size_t i = 0; i < std::min(m_callbacks.size(), (*state)->callbacks.size()); ++i)
        m_callbacks[i]->setState((*state)->callbacks[i]);
    for (const core::MetricRecord& told : (*state)->records)
        (void)m_history.add({told.name}, "", {told.value}, told.update, told.epoch);
    m_records = (*state)->records;
    sink.metrics(m_records);
    m_recorder.goOnAfter((*state)->trainingRecords);
    record(std::move((*state)->trainingRecords), sink);
    control(0).tell("BackupAndRestore", fmt::format("went on after epoch {}", (*state)->epochs));
    return (*state)->epochs;
}

core::Result<TrainingResult> TrainingRun::run(core::ProfileSink& sink, const core::JobContext& job) {
    const bool isTraining = m_executable->project.mode() == core::RunMode::Train;
    const std::int64_t epochs = isTraining ? m_executable->execution.epochs : 1;
    const auto done = restore(sink);
    if (!done)
        return core::failure(done.error());
    for (std::int64_t epoch = *done; epoch < epochs && !m_isStopped; ++epoch) {
        if (auto result = runEpoch(epoch, sink, job); !result)
            return core::failure(result.error());
        if (auto result = validate(epoch, sink, job); !result)
            return core::failure(result.error());
        if (auto result = endEpoch(epoch); !result)
            return core::failure(result.error());
    }
    if (!isTraining && m_means->count() > 0)
        sink.metrics(m_history.add(m_means->names(), "", m_means->take(), 0, 0));
    // As Keras does: a run that came to its end leaves nothing to go on from.
    const auto config =
        callbackConfig(m_executable->project.project().training.callbacks, "BackupAndRestore");
    std::error_code error;
    if (!m_backup.empty() && config && config->at("delete_checkpoint").get<bool>())
        std::filesystem::remove(m_backup, error);
    return TrainingResult{m_history.series(), std::move(m_findings)};
}

core::Result<void> TrainingRun::runEpoch(std::int64_t epoch, core::ProfileSink& sink,
                                         const core::JobContext& job) {
    const ExecutionShape& execution = m_executable->execution;
    const std::int64_t updates = updatesPerEpoch();
    const bool isTraining = m_executable->project.mode() == core::RunMode::Train;
    const bool stopsAtNan =
        callbackConfig(m_executable->project.project().training.callbacks, "TerminateOnNaN").has_value();
    for (std::int64_t update = 0; update < updates && !m_isStopped; ++update) {
        const std::int64_t done = epoch * updates + update;
        job.report(static_cast<double>(done) / static_cast<double>(updates * execution.epochs),
                   isTraining ? fmt::format("training, epoch {} of {}", epoch + 1, execution.epochs)
                              : "computing");
        if (auto result = runUpdate(epoch, update, job); !result)
            return result;
        if (isTraining)
            tellUpdate(done, epoch);
        m_isStopped = isTraining && stopsAtNan && !std::isfinite(m_history.series().front().values.back());
        const bool isExecuted = (update + 1) % execution.updatesPerExecution == 0 || m_isStopped;
        if (isExecuted && !m_pending.empty()) {
            sink.metrics(m_pending);
            m_pending.clear();
            record(m_recorder.take(), sink);
        }
    }
    if (m_isStopped)
        control(epoch).tell("TerminateOnNaN", fmt::format("stopped in epoch {}", epoch + 1));
    return {};
}

void TrainingRun::tellUpdate(std::int64_t update, std::int64_t epoch) {
    record(m_history.add(m_means->names(), "", m_means->take(), update, epoch), m_pending);
    record(m_history.add({learningRateName}, "", {rateAt(update)}, update, epoch), m_pending);
}

double TrainingRun::rateAt(std::int64_t update) const {
    return m_rateFactor * learningRateAt(m_replicas.front().graph().learningRate, update);
}

core::Result<void> TrainingRun::runUpdate(std::int64_t epoch, std::int64_t update,
                                          const core::JobContext& job) {
    const TrainingGraph& graph = m_replicas.front().graph();
    StepState state;
    state.seed = m_executable->project.project().training.seed;
    state.update = epoch * updatesPerEpoch() + update;
    state.learningRate = graph.training ? rateAt(state.update) : 0;
    const std::int64_t batch = firstBatch(epoch, update);
    if (m_exchange)
        if (auto result = runTogether(batch, state, job); !result)
            return result;
    for (std::size_t replica = 0; replica < m_replicas.size(); ++replica) {
        auto result =
            m_exchange ? checkMicroBatches(replica, batch, state) : runReplica(replica, batch, state, job);
        if (!result)
            return result;
    }
    if (!graph.training)
        return {};
    allReduce(m_replicas);
    const double scale = m_lossScale ? static_cast<double>(m_lossScale->scale()) : graph.lossScale;
    const bool isTaken = !m_lossScale || m_lossScale->accepts(m_replicas.front());
    const bool isRecorded = m_recorder.recordsTensors(state.update);
    if (isRecorded)
        m_recorder.addGradients(m_replicas.front(), scale, state.update, epoch);
    if (isTaken)
        for (const TrainingReplica& replica : m_replicas)
            replica.runUpdate(state, *m_pool);
    if (m_lossScale)
        m_lossScale->write(m_replicas);
    if (isRecorded)
        m_recorder.addWeights(m_replicas.front(), state.update, epoch);
    return checkWeights(stateOf(0, state, 0));
}

std::int64_t TrainingRun::batchOf(std::size_t replica, std::int64_t firstBatch,
                                  std::int64_t microBatch) const {
    return firstBatch + microBatch * static_cast<std::int64_t>(m_replicas.size()) +
           static_cast<std::int64_t>(replica);
}

StepState TrainingRun::stateOf(std::size_t replica, StepState state, std::int64_t microBatch) const {
    const std::int64_t perUpdate =
        m_replicas.front().program().microBatches() * static_cast<std::int64_t>(m_replicas.size());
    state.microBatch = microBatch;
    state.replica = static_cast<std::int64_t>(replica);
    state.draw = static_cast<std::uint64_t>(batchOf(replica, state.update * perUpdate, microBatch));
    return state;
}

core::Result<void> TrainingRun::runReplica(std::size_t index, std::int64_t firstBatch, const StepState& state,
                                           const core::JobContext& job) {
    TrainingReplica& replica = m_replicas[index];
    const TrainingReplica::Listener listener{
        [&](std::int64_t microBatch) -> core::Result<void> {
            if (job.isCancelled())
                return core::failure(interrupted());
            return m_feed->write(batchOf(index, firstBatch, microBatch), replica.store());
        },
        [&](std::int64_t microBatch) { return stateOf(index, state, microBatch); },
        [&](std::int64_t) { m_means->add(replica); }};
    if (auto result = replica.runMicroBatches(listener, *m_pool); !result)
        return result;
    return checkMicroBatches(index, firstBatch, state);
}

core::Result<void> TrainingRun::runTogether(std::int64_t firstBatch, const StepState& state,
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
            [&](std::int64_t) { means[index].add(replica); }};
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

core::Result<void> TrainingRun::checkMicroBatches(std::size_t index, std::int64_t firstBatch,
                                                  const StepState& state) {
    const TrainingReplica& replica = m_replicas[index];
    if (m_isBroken)
        return {};
    // Gradients too large for their scale are what a dynamic one is there for.
    const TensorId gradient = m_lossScale ? TensorId() : firstNotFiniteGradient(replica);
    if (m_means->areFinite() && !gradient.isValid())
        return {};
    const auto found = findNotFinite(
        replica,
        [&](std::int64_t microBatch, TensorStore& store) {
            return m_feed->write(batchOf(index, firstBatch, microBatch), store);
        },
        [&](std::int64_t microBatch) { return stateOf(index, state, microBatch); }, *m_pool);
    if (!found)
        return core::failure(found.error());
    return tellNotFinite(found->value_or(NotFinite{-1, {}, gradient}), index, state);
}

core::Result<void> TrainingRun::checkWeights(const StepState& state) {
    if (m_isBroken)
        return {};
    const TensorId weight = firstNotFiniteWeight(m_replicas.front());
    if (!weight.isValid())
        return {};
    const auto found = findNotFiniteUpdate(m_replicas.front(), state, *m_pool);
    if (!found)
        return core::failure(found.error());
    return tellNotFinite(found->value_or(NotFinite{-1, {}, weight}), 0, state);
}

core::Result<void> TrainingRun::tellNotFinite(const NotFinite& found, std::size_t replica,
                                              const StepState& state) {
    m_isBroken = true;
    const TrainingGraph& graph = m_replicas.front().graph();
    const core::TypedGraph& model = m_executable->project.graph();
    core::InvocationId origin;
    std::string what;
    if (found.operation.isValid()) {
        const Operation& operation = graph.operation(found.operation);
        origin = operation.origin;
        what = fmt::format("\"{}\" is the first to make one", operation.name);
    } else if (found.tensor.isValid()) {
        const Tensor& tensor = graph.tensor(found.tensor);
        origin = tensor.origin;
        what = isHostFed(tensor.role)
                   ? fmt::format("the dataset brings one to \"{}\"", tensor.name)
                   : fmt::format("the {} of \"{}\" is the first to be one",
                                 tensor.role == TensorRole::Parameter ? "update" : "sum", tensor.name);
    } else {
        what = "it is the loss of finite values";
    }
    const std::string where = found.microBatch < 0
                                  ? ""
                                  : fmt::format(", micro-batch {}", found.microBatch) +
                                        (m_replicas.size() > 1 ? fmt::format(" of replica {}", replica) : "");
    core::Diagnostic diagnostic{
        core::Severity::Warning,
        core::Trouble::Negative,
        "numerics/not-finite",
        {{}, origin.isValid() ? model.layerOf(origin).path : std::string()},
        fmt::format("NaN or infinity in weight update {}{}: {}", state.update, where, what),
        {"lower the learning rate, clip gradients (clipnorm), or scale the loss in half precision"}};
    const core::IpuConfig& config = m_executable->project.project().ipuConfig;
    const bool stops = std::ranges::any_of(std::array{"inv", "div0", "oflo"}, [&](const char* behaviour) {
        return core::floatingPointBehaviourIsOn(config, behaviour);
    });
    if (stops) {
        diagnostic.severity = core::Severity::Error;
        diagnostic.code = "runtime-error/floating-point-exception";
        return core::failure(std::move(diagnostic));
    }
    m_findings.push_back(std::move(diagnostic));
    return {};
}

core::Result<void> TrainingRun::validate(std::int64_t epoch, core::ProfileSink& sink,
                                         const core::JobContext& job) {
    if (!m_validation.feed)
        return {};
    TrainingReplica& replica = m_validation.replica.front();
    copyWeights(m_replicas.front(), replica);
    MetricMeans means(replica.graph());
    StepState state;
    state.seed = m_executable->project.project().training.seed;
    for (std::int64_t batch = 0; batch < validationBatches(); ++batch) {
        if (job.isCancelled())
            return core::failure(interrupted());
        const TrainingReplica::Listener listener{
            [&](std::int64_t) { return m_validation.feed->write(batch, replica.store()); },
            [&](std::int64_t) { return state; }, [&](std::int64_t) { means.add(replica); }};
        if (auto result = replica.runMicroBatches(listener, *m_pool); !result)
            return result;
        if (m_recorder.recordsPredictions())
            m_recorder.addPredictions(replica, m_validation.feed->samplesOf(batch));
    }
    m_recorder.endPass(epoch);
    record(m_recorder.take(), sink);
    if (!m_validation.isMeasured)
        return {};
    std::vector<core::MetricRecord> told;
    record(m_history.add(means.names(), "val_", means.take(), (epoch + 1) * updatesPerEpoch(), epoch), told);
    sink.metrics(told);
    return {};
}

std::int64_t TrainingRun::validationBatches() const {
    const std::int64_t all = m_validation.feed->batchesPerPass();
    const std::int64_t wanted = m_recorder.samplesWanted();
    if (m_validation.isMeasured || wanted < 0)
        return all;
    const std::int64_t batchSize = m_validation.feed->batchSize();
    return std::min(all, (wanted + batchSize - 1) / batchSize);
}

void TrainingRun::record(core::TrainingRecords records, core::ProfileSink& sink) {
    if (records.isEmpty())
        return;
    sink.trainingRecords(records);
    if (!m_backup.empty())
        m_trainingRecords.append(records);
}

std::size_t TrainingRun::memoryBytes() const {
    std::size_t bytes = 0;
    for (const auto* replicas : {&m_replicas, &m_validation.replica})
        for (const TrainingReplica& replica : *replicas)
            bytes += replica.memoryBytes();
    return bytes;
}

} // namespace simulator
