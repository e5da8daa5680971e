#include "simulator/engine/training/output_pass.h"

#include "core/project/run_figures.h"
#include "simulator/compiler/compile_graph.h"
#include "simulator/compiler/staging/build_training_graph.h"
#include "simulator/data/samples/dataset_split.h"
#include "simulator/engine/replica/forward_replica.h"
#include "simulator/engine/replica/training_weights.h"

namespace simulator {

core::Result<OutputPass> OutputPass::make(const Executable& executable, std::int64_t batches,
                                          const std::filesystem::path& folder,
                                          const core::ProjectGrants& grants, unsigned threads) {
    const core::ValidatedProject& project = executable.project;
    const core::TrainingOptions& training = project.project().training;
    TrainingGraphOptions graphOptions;
    graphOptions.mode = core::RunMode::Predict;
    graphOptions.training = training;
    graphOptions.pipeline = project.project().pipeline;
    auto graph = buildTrainingGraph(project.graph(), graphOptions);
    if (!graph)
        return core::failure(graph.error());
    auto replica = forwardReplica(std::move(*graph), project.project().ipuConfig, folder, grants);
    if (!replica)
        return core::failure(replica.error());
    FeedOptions options{*core::datasetOf(training, project.mode()), training, folder, threads};
    options.isShuffled = false;
    options.range = [&](std::int64_t samples) { return runSamples(samples, training, project.mode()); };
    auto feed = openFeed(graphOf(replica->program()), options);
    if (!feed)
        return core::failure(feed.error());
    auto outputs = OutputCollector::make(*replica, project.graph(), batches, true);
    if (!outputs)
        return core::failure(outputs.error());
    return OutputPass(std::move(*replica), std::move(*feed), std::move(*outputs), batches, training.seed);
}

core::Result<void> OutputPass::run(const TrainingReplica& evaluated, ThreadPool& pool,
                                   const core::JobContext& job) {
    copyWeights(evaluated, m_replica);
    pool.reserveScratch(m_replica.threadScratch());
    StepState state;
    state.seed = m_seed;
    for (std::int64_t batch = 0; batch < m_batches; ++batch) {
        if (job.isCancelled())
            return core::failure(interrupted());
        const TrainingReplica::Listener listener{
            [&](std::int64_t) { return m_feed.write(batch, m_replica.store()); },
            [&](std::int64_t) { return state; }, [](std::int64_t) {},
            [&](std::size_t stage, std::int64_t) { m_outputs.add(m_replica, stage, batch); }, job.stopToken};
        if (auto result = m_replica.runMicroBatches(listener, pool); !result)
            return result;
    }
    return {};
}

} // namespace simulator
