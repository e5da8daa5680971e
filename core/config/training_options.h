#pragma once

#include "core/base/json.h"
#include "core/config/dataset_spec.h"
#include "core/model/data_type.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace core {

/// A Keras object by class: {"class_name": "SGD", "config": {"learning_rate": 0.01}}. A bare text such as
/// "sgd" or "accuracy" is read as Keras reads it.
struct KerasObject {
    std::string className;
    Json config = Json::object();

    bool operator==(const KerasObject&) const = default;
};

enum class RunMode : std::uint8_t { Train, Evaluate, Predict };

/// Options of the host queues; defaults and limits of IPUInfeedQueue and IPUOutfeedQueue.
struct InfeedOptions {
    /// 1 … 255; 0 in a project file means the default.
    std::int64_t prefetchDepth = 3;
    std::optional<std::string> feedName;

    bool operator==(const InfeedOptions&) const = default;
};
struct OutfeedOptions {
    std::int64_t bufferDepth = 3;
    std::optional<std::string> feedName;

    bool operator==(const OutfeedOptions&) const = default;
};

/// What a run neither takes from nor gives to the host: the categories of --synthetic_data_categories in the
/// environment of the programming system ("infeed", "outfeed", "parameters", "seed", "hostembedding").
struct SyntheticData {
    bool infeed = false;
    bool outfeed = false;
    bool parameters = false;
    bool seed = false;
    bool hostEmbedding = false;

    bool operator==(const SyntheticData&) const = default;
};

/// What Keras' `compile` and `fit` take.
struct TrainingOptions {
    /// Samples of one micro-batch on one replica.
    std::int64_t batchSize = 32;
    std::int64_t stepsPerExecution = 1;
    /// Nothing: the whole dataset.
    std::optional<std::int64_t> stepsPerEpoch;
    std::int64_t epochs = 1;
    std::optional<KerasObject> optimizer;
    /// One per model output; a single one serves every output.
    std::vector<KerasObject> losses;
    /// Measured at every output.
    std::vector<KerasObject> metrics;
    /// Those of each output, in their order; empty: `metrics` say what is measured.
    std::vector<std::vector<KerasObject>> outputMetrics;
    /// "float32", "float16", "mixed_float16".
    std::string precision = "float32";
    std::uint64_t seed = 0;
    /// Without a dataset a run has a profile and no numerics.
    std::optional<DatasetSpec> dataset;
    std::optional<DatasetSpec> validationDataset;
    /// Share of the dataset, 0 … 1, taken from its end as Keras does.
    double validationSplit = 0.0;
    /// Batches of a validation, and of a run that evaluates; nothing: the whole dataset, and as many as an
    /// epoch has.
    std::optional<std::int64_t> validationSteps;
    /// Epochs from one validation to the next: the last of each so many is measured.
    std::int64_t validationFrequency = 1;
    bool asynchronousCallbacks = false;
    /// The strategy by which several processes (ipu_config's process_count) train together.
    std::string distribution = "IPUMultiReplicaStrategy";
    /// Gradients are averaged over replicas, not added up: the optimizer was wrapped in a
    /// CrossReplicaOptimizer.
    bool averagesReplicas = false;
    InfeedOptions infeed;
    OutfeedOptions outfeed;
    /// "ALL" or "LAST", the IPUOutfeedMode of the queue that a loop of one's own makes.
    std::string outfeedMode = "ALL";
    SyntheticData syntheticData;
    /// File of initial weights.
    std::optional<std::string> weights;
    /// What Keras' `fit` calls at the ends of batches and epochs ("EarlyStopping", "ModelCheckpoint", …).
    std::vector<KerasObject> callbacks;

    bool operator==(const TrainingOptions&) const = default;
};

} // namespace core
