#pragma once

#include "core/plan/schedule/pipeline_shape.h"
#include "core/project/project.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace core {

/// What may be known about the data of a run before it starts.
struct DatasetFacts {
    /// Samples of one pass, a validation split taken off.
    std::int64_t samples = 0;
};

/// The counts that follow from a project before any rule is asked; meaningful as far as the rules hold.
/// Sources: Keras' replication factor, data handler and gradient accumulation checks.
struct RunFigures {
    bool isTraining = true;
    bool isPipelined = false;
    /// Stages of a pipeline; the steps of a sharded model (`shardStages`); 1 otherwise.
    std::size_t stages = 1;
    std::vector<IpuId> ipuOf;
    /// Highest IPU + 1 of one replica, and that rounded up to a power of two.
    std::int64_t ipusOfModel = 1;
    std::int64_t ipusPerReplica = 1;
    /// IPUs of the device the program runs on.
    std::int64_t ipusOfDevice = 1;
    std::int64_t replicas = 1;
    /// Steps of one epoch, all replicas together, and of each replica; nothing where the data is not known.
    std::optional<std::int64_t> stepsPerEpoch;
    std::optional<std::int64_t> stepsPerReplica;
    /// steps_per_execution, lowered to the steps there are.
    std::int64_t stepsPerExecution = 1;
    /// N.
    std::int64_t microBatches = 1;
    bool hasRemoteMemory = true;
};

[[nodiscard]] RunFigures runFigures(const Project& project, RunMode mode,
                                    const std::optional<DatasetFacts>& facts);

/// What the schedule of a pipeline is made from.
[[nodiscard]] PipelineShape pipelineShape(const Project& project, const RunFigures& figures);

/// The dataset a run of that mode takes its steps from: evaluation takes the validation dataset where there
/// is one; null without a dataset.
[[nodiscard]] const DatasetSpec* datasetOf(const TrainingOptions& training, RunMode mode);

/// Whether the dataset starts again at its end: as it says, else only where steps_per_epoch is given.
[[nodiscard]] bool isRepeated(const DatasetSpec& dataset, const TrainingOptions& training);

} // namespace core
