#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

namespace core {

/// A value that arrived from the host queues.
struct MetricRecord {
    /// "loss", "accuracy", "val_loss", …
    std::string name;
    /// Weight updates before this value (training), or 0.
    std::int64_t update = 0;
    std::int64_t epoch = 0;
    double value = 0;

    bool operator==(const MetricRecord&) const = default;
};

struct MetricSeries {
    std::string name;
    std::vector<double> values;

    bool operator==(const MetricSeries&) const = default;
};

/// What a tensor of the training is to its layer.
enum class TrainedTensorKind : std::uint8_t {
    Weight,   ///< after the update
    Gradient, ///< as the optimizer receives it: reduced over micro-batches and replicas, loss scale taken out
};
inline constexpr std::size_t trainedTensorKindCount = 2;
/// "weight", "gradient".
[[nodiscard]] std::string_view toString(TrainedTensorKind kind);

/// The spread of one tensor's values at one weight update. Norm, extremes and mean are over the finite values
/// and NaN where there are none.
struct TensorStatisticsRecord {
    /// Layer and weight: "dense/kernel".
    std::string tensor;
    std::string layer;
    TrainedTensorKind kind = TrainedTensorKind::Weight;
    /// Counted from 0 over the whole run, as in MetricRecord.
    std::int64_t update = 0;
    std::int64_t epoch = 0;
    std::int64_t elements = 0;
    /// Elements that are NaN or infinite.
    std::int64_t notFinite = 0;
    /// Square root of the sum of squares.
    double norm = 0;
    double minimum = 0;
    double maximum = 0;
    double mean = 0;
    /// Finite elements in equal bins from the minimum to the maximum; the last bin holds the maximum too.
    std::vector<std::int64_t> histogram;

    bool operator==(const TensorStatisticsRecord&) const = default;
};

/// One cell of the confusion matrix of an output at the end of an epoch.
struct ConfusionRecord {
    std::string output;
    std::int64_t epoch = 0;
    std::int64_t truth = 0;
    std::int64_t predicted = 0;
    std::int64_t count = 0;

    bool operator==(const ConfusionRecord&) const = default;
};

/// What the model says of one sample at the end of an epoch: classes with the probability of the predicted
/// one, or, where the output is no class, values with NaN for the probability.
struct SamplePredictionRecord {
    std::string output;
    std::int64_t epoch = 0;
    /// Number in its dataset.
    std::int64_t sample = 0;
    double truth = 0;
    double predicted = 0;
    double probability = std::numeric_limits<double>::quiet_NaN();

    bool operator==(const SamplePredictionRecord&) const = default;
};

/// The picture of a sample whose predictions are recorded.
struct SampleImageRecord {
    std::int64_t sample = 0;
    std::int64_t rows = 0;
    std::int64_t columns = 0;
    /// 1 (grey), 3 (red, green, blue) or 4 (and alpha).
    std::int64_t channels = 1;
    /// Row by row, channels last. Values from 0 to 1 become 0 to 255; others are spread from the sample's
    /// smallest value to its largest.
    std::vector<std::uint8_t> pixels;

    bool operator==(const SampleImageRecord&) const = default;
};

/// Details of a training run that are recorded where the project asks for them.
struct TrainingRecords {
    std::vector<TensorStatisticsRecord> tensors;
    std::vector<ConfusionRecord> confusion;
    std::vector<SamplePredictionRecord> predictions;
    std::vector<SampleImageRecord> images;

    [[nodiscard]] bool isEmpty() const {
        return tensors.empty() && confusion.empty() && predictions.empty() && images.empty();
    }
    void append(const TrainingRecords& more);
    bool operator==(const TrainingRecords&) const = default;
};

} // namespace core
