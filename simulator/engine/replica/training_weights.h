#pragma once

#include "core/base/file.h"
#include "core/interchange/keras/hdf5_weights.h"
#include "core/model/typed_graph.h"
#include "simulator/engine/replica/training_replica.h"

#include <filesystem>
#include <span>

namespace simulator {

/// How many elements a model's weights have: what a file announces beyond is not read.
struct WeightNeeds {
    std::int64_t largest = 0;
    std::int64_t total = 0;
};
[[nodiscard]] WeightNeeds weightNeeds(const core::TypedGraph& model, const TrainingReplica& replica);

/// The weights of a file, whatever its kind: Keras' HDF5 files (whole models and weights alone), `.keras`
/// archives, ONNX models, NumPy `.npz` archives of "layer/weight" or of `model.get_weights()` ("arr_0",
/// "arr_1", …). A weight larger than the model's largest comes without its values.
/// Errors: those of the file; "weights/unknown-format", "weights/size".
[[nodiscard]] core::Result<std::vector<core::StoredWeight>> readWeightFile(const std::filesystem::path& path,
                                                                           const WeightNeeds& needs);

/// Writes stored weights into a replica: layer by layer, found by the layer's name (or, in files of Keras 3,
/// by its class and number), weight by weight in Keras' order. Refuses a file that lacks a layer with weights
/// ("weights/missing-layer") or holds other shapes ("weights/shape").
[[nodiscard]] core::Result<void> writeWeights(const std::vector<core::StoredWeight>& stored,
                                              const std::string& file, const core::TypedGraph& model,
                                              TrainingReplica& replica);

/// The weights of a replica, in Keras' order.
[[nodiscard]] std::vector<core::StoredWeight> storedWeights(const core::TypedGraph& model,
                                                            const TrainingReplica& replica);

/// A file of weights by its extension: `.h5`, `.hdf5` and `.keras` give Keras' HDF5, everything else `.npz`.
[[nodiscard]] core::Result<std::string> weightFileBytes(const std::filesystem::path& path,
                                                        const std::vector<core::StoredWeight>& weights);
/// Writes them and replaces the old file atomically.
[[nodiscard]] core::Result<void> saveWeightFile(const std::filesystem::path& path,
                                                const std::vector<core::StoredWeight>& weights,
                                                core::Links links = core::Links::Follow);

/// The first weights of a run in all its replicas, by the initializers of the layers. They depend on the seed
/// and the names of the weights alone.
void initializeWeights(const core::TypedGraph& model, std::uint64_t seed,
                       std::span<TrainingReplica> replicas);

/// The layers' weights of one replica into another of the same model.
void copyWeights(const TrainingReplica& from, TrainingReplica& to);

} // namespace simulator
