#pragma once

#include "core/base/job_context.h"
#include "core/base/write_door.h"
#include "simulator/engine/training/output_collector.h"
#include "simulator/engine/training/training_feed.h"
#include "simulator/program/executable.h"

#include <filesystem>

namespace simulator {

/// Another pass of an evaluated model over its data, as one stage, that keeps what the model gives: the
/// compiled evaluation has no predictions where its loss takes the logits.
class OutputPass {
public:
    /// `batches`: micro-batches that the evaluation takes. Errors: those of the dataset, of TrainingReplica
    /// and of OutputCollector.
    [[nodiscard]] static core::Result<OutputPass> make(const Executable& executable, std::int64_t batches,
                                                       const std::filesystem::path& folder,
                                                       const core::ProjectGrants& grants, unsigned threads);

    /// With the weights of the evaluated replica. Cancelled through `job`: a diagnostic of
    /// Trouble::Interrupted.
    [[nodiscard]] core::Result<void> run(const TrainingReplica& evaluated, ThreadPool& pool,
                                         const core::JobContext& job);
    [[nodiscard]] const OutputCollector& outputs() const { return m_outputs; }
    [[nodiscard]] const TrainingReplica& replica() const { return m_replica; }

private:
    OutputPass(TrainingReplica replica, TrainingFeed feed, OutputCollector outputs, std::int64_t batches,
               std::uint64_t seed)
        : m_replica(std::move(replica))
        , m_feed(std::move(feed))
        , m_outputs(std::move(outputs))
        , m_batches(batches)
        , m_seed(seed) {}

    TrainingReplica m_replica;
    TrainingFeed m_feed;
    OutputCollector m_outputs;
    std::int64_t m_batches;
    std::uint64_t m_seed;
};

} // namespace simulator
