#pragma once

#include "core/base/ids.h"
#include "core/profile/records/callback_record.h"
#include "core/profile/records/output_records.h"
#include "core/profile/records/training_records.h"
#include "core/profile/schema/profile_database.h"

#include <vector>

namespace core {

/// Every value that arrived from the host queues, series after series in the order of the run's summary, each
/// in order of arrival.
[[nodiscard]] Result<std::vector<MetricRecord>> loadMetrics(const ProfileDatabase& database, RunId run);

/// The callbacks of one execution, in the order of their calls. Empty for a run recorded without them.
[[nodiscard]] Result<std::vector<CallbackRecord>> loadCallbacks(const ProfileDatabase& database, RunId run);

/// Norms and histograms of all tensors in the order of their updates; of one update weights before gradients,
/// by name. Empty where the run recorded none.
[[nodiscard]] Result<std::vector<TensorStatisticsRecord>>
loadTensorStatistics(const ProfileDatabase& database, RunId run);
/// Cells that are not 0, by output, epoch, truth, prediction.
[[nodiscard]] Result<std::vector<ConfusionRecord>> loadConfusion(const ProfileDatabase& database, RunId run);
/// By output, epoch, sample.
[[nodiscard]] Result<std::vector<SamplePredictionRecord>>
loadSamplePredictions(const ProfileDatabase& database, RunId run);
[[nodiscard]] Result<std::vector<SampleImageRecord>> loadSampleImages(const ProfileDatabase& database,
                                                                      RunId run);

/// What a run that predicts computed, in the order of the model's outputs. Empty for other runs.
[[nodiscard]] Result<std::vector<ModelOutputRecord>> loadModelOutputs(const ProfileDatabase& database,
                                                                      RunId run);
/// The values of them that are stored, by output, sample, element.
[[nodiscard]] Result<std::vector<OutputValueRecord>> loadOutputValues(const ProfileDatabase& database,
                                                                      RunId run);

} // namespace core
