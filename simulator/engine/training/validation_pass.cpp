#include "simulator/engine/training/validation_pass.h"

#include "simulator/compiler/compile_graph.h"
#include "simulator/compiler/staging/build_training_graph.h"
#include "simulator/data/samples/dataset_split.h"
#include "simulator/engine/replica/forward_replica.h"
#include "simulator/engine/replica/training_weights.h"

#include <algorithm>

namespace simulator {
namespace {

/// The same model for evaluation: what it gives after this much training.
core::Result<TrainingGraph> evaluationGraph(const core::ValidatedProject& project, bool keepsPredictions) {
    TrainingGraphOptions options;
    options.mode = core::RunMode::Evaluate;
    options.keepsPredictions = keepsPredictions;
    options.training = project.project().training;
    options.pipeline = project.project().pipeline;
    return buildTrainingGraph(project.graph(), options);
}

} // namespace

core::Result<std::optional<ValidationPass>> ValidationPass::make(const Executable& executable,
                                                                 const TrainingRecorder& recorder,
                                                                 const std::filesystem::path& folder,
                                                                 const core::ProjectGrants& grants,
                                                                 unsigned threads) {
    const core::ValidatedProject& project = executable.project;
    const core::TrainingOptions& training = project.project().training;
    const bool isMeasured = training.validationDataset || training.validationSplit > 0;
    if (project.mode() != core::RunMode::Train || !(isMeasured || recorder.recordsPredictions()))
        return std::nullopt;
    auto graph = evaluationGraph(project, recorder.recordsPredictions());
    if (!graph)
        return core::failure(graph.error());
    auto replica = forwardReplica(std::move(*graph), project.project().ipuConfig, folder, grants);
    if (!replica)
        return core::failure(replica.error());
    FeedOptions options{training.validationDataset ? *training.validationDataset : *training.dataset,
                        training, folder, threads};
    options.isShuffled = false;
    options.range = [&](std::int64_t samples) {
        return training.validationDataset ? SampleRange{0, samples}
               : isMeasured               ? validationSamples(samples, training)
                                          : runSamples(samples, training, project.mode());
    };
    auto feed = openFeed(graphOf(replica->program()), options);
    if (!feed)
        return core::failure(feed.error());
    return ValidationPass(std::move(*replica), std::move(*feed), isMeasured, training);
}

core::Result<std::optional<std::vector<double>>> ValidationPass::run(const TrainingReplica& trained,
                                                                     TrainingRecorder& recorder,
                                                                     ThreadPool& pool,
                                                                     const core::JobContext& job) {
    copyWeights(trained, m_replica);
    m_means = MetricMeans(m_replica.graph());
    StepState state;
    state.seed = m_seed;
    for (std::int64_t batch = 0; batch < batches(recorder); ++batch) {
        if (job.isCancelled())
            return core::failure(interrupted());
        const TrainingReplica::Listener listener{
            [&](std::int64_t) { return m_feed.write(batch, m_replica.store()); },
            [&](std::int64_t) { return state; },
            [&](std::int64_t) { m_means.add(m_replica); },
            {},
            job.stopToken};
        if (auto result = m_replica.runMicroBatches(listener, pool); !result)
            return core::failure(result.error());
        if (recorder.recordsPredictions())
            recorder.addPredictions(m_replica, m_feed.samplesOf(batch));
    }
    if (!m_isMeasured)
        return std::nullopt;
    return m_means.take();
}

std::int64_t ValidationPass::batches(const TrainingRecorder& recorder) const {
    const std::int64_t whole = m_feed.batchesPerPass();
    const std::int64_t all = m_isMeasured ? std::min(whole, m_steps.value_or(whole)) : whole;
    const std::int64_t wanted = recorder.samplesWanted();
    if (m_isMeasured || wanted < 0)
        return all;
    const std::int64_t batchSize = m_feed.batchSize();
    return std::min(all, (wanted + batchSize - 1) / batchSize);
}

} // namespace simulator
