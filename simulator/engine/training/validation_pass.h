#pragma once

#include "core/base/job_context.h"
#include "core/base/write_door.h"
#include "simulator/engine/replica/training_replica.h"
#include "simulator/engine/training/training_feed.h"
#include "simulator/engine/training/training_metrics.h"
#include "simulator/engine/training/training_recorder.h"
#include "simulator/program/executable.h"

#include <filesystem>
#include <optional>

namespace simulator {

/// The pass over data after each epoch, with the weights of a replica: the validation, or, where predictions
/// are recorded and there is none, another pass over the training data.
class ValidationPass {
public:
    /// Nothing when neither is asked for. Errors: those of the dataset and of TrainingReplica.
    [[nodiscard]] static core::Result<std::optional<ValidationPass>>
    make(const Executable& executable, const TrainingRecorder& recorder, const std::filesystem::path& folder,
         const core::ProjectGrants& grants, unsigned threads);

    /// Hands the predictions to the recorder. Answers what `names` names; nothing when there is no
    /// validation.
    [[nodiscard]] core::Result<std::optional<std::vector<double>>> run(const TrainingReplica& trained,
                                                                       TrainingRecorder& recorder,
                                                                       ThreadPool& pool,
                                                                       const core::JobContext& job);
    /// "loss", then the metrics.
    [[nodiscard]] const std::vector<std::string>& names() const { return m_means.names(); }
    [[nodiscard]] const TrainingReplica& replica() const { return m_replica; }

    /// It is the validation, not only what the recorder wants to see.
    [[nodiscard]] bool isMeasured() const { return m_isMeasured; }

private:
    ValidationPass(TrainingReplica replica, TrainingFeed feed, bool isMeasured,
                   const core::TrainingOptions& training)
        : m_replica(std::move(replica))
        , m_feed(std::move(feed))
        , m_means(m_replica.graph())
        , m_isMeasured(isMeasured)
        , m_seed(training.seed)
        , m_steps(training.validationSteps) {}

    /// Of the validation all, or as many as the project says; of another pass, what the recorder wants.
    [[nodiscard]] std::int64_t batches(const TrainingRecorder& recorder) const;

    TrainingReplica m_replica;
    TrainingFeed m_feed;
    MetricMeans m_means;
    bool m_isMeasured;
    std::uint64_t m_seed;
    /// Batches that are measured; nothing: all of them.
    std::optional<std::int64_t> m_steps;
};

} // namespace simulator
