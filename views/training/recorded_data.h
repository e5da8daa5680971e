#pragma once

#include "core/base/ids.h"
#include "core/profile/records/training_records.h"
#include "core/profile/schema/profile_database.h"

#include <cstdint>
#include <string>
#include <vector>

namespace views {

/// What a run recorded about its training beside the metrics (callback `RecordTraining`).
struct RecordedTraining {
    std::vector<core::TensorStatisticsRecord> tensors;
    std::vector<core::ConfusionRecord> confusion;
    std::vector<core::SamplePredictionRecord> predictions;
    std::vector<core::SampleImageRecord> images;
};

[[nodiscard]] core::Result<RecordedTraining> loadRecorded(const core::ProfileDatabase& database,
                                                          core::RunId run);

/// The classes of an output at the end of an epoch: how often a truth was predicted as what.
struct ConfusionMatrix {
    std::size_t classes = 0;
    /// Row by row: truths are rows, predictions columns.
    std::vector<std::int64_t> counts;

    [[nodiscard]] std::int64_t at(std::size_t truth, std::size_t predicted) const {
        return counts[truth * classes + predicted];
    }
    [[nodiscard]] std::int64_t ofTruth(std::size_t truth) const;
    [[nodiscard]] std::int64_t total() const;
    [[nodiscard]] std::int64_t correct() const;
};

/// All outputs of an epoch have as many classes as the largest number that any of their samples has.
[[nodiscard]] ConfusionMatrix confusionOf(const RecordedTraining& recorded, const std::string& output,
                                          std::int64_t epoch);

/// Names to choose from, in the order in which they were recorded.
[[nodiscard]] std::vector<std::string> confusedOutputs(const RecordedTraining& recorded);
[[nodiscard]] std::vector<std::string> predictedOutputs(const RecordedTraining& recorded);
[[nodiscard]] std::vector<std::int64_t> confusedEpochs(const RecordedTraining& recorded,
                                                       const std::string& output);
[[nodiscard]] std::vector<std::int64_t> predictedEpochs(const RecordedTraining& recorded,
                                                        const std::string& output);

/// A tensor that was recorded, and its records in the order of their updates.
struct RecordedTensor {
    std::string name;
    core::TrainedTensorKind kind = core::TrainedTensorKind::Weight;
    std::vector<const core::TensorStatisticsRecord*> updates;
};
/// Weights before gradients; `recorded` owns the records.
[[nodiscard]] std::vector<RecordedTensor> recordedTensors(const RecordedTraining& recorded);

} // namespace views
