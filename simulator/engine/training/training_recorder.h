#pragma once

#include "core/config/training_options.h"
#include "core/model/typed_graph.h"
#include "core/profile/records/training_records.h"
#include "simulator/engine/replica/training_replica.h"

#include <map>
#include <span>

namespace simulator {

/// The spread of some values; a histogram of `bins` equal bins from the least finite value to the largest.
/// Fills in all but the names.
[[nodiscard]] core::TensorStatisticsRecord statisticsOf(std::span<const float> values, std::int64_t bins);

/// An 8-bit picture of a sample's input, or nothing where the extents are no picture's: [rows, columns] or
/// [rows, columns, 1, 3 or 4].
[[nodiscard]] std::optional<core::SampleImageRecord> imageOf(const Extents& extents,
                                                             std::span<const float> values);

/// What the callback "RecordTraining" asks for; everything costs time and space, so nothing is the default.
struct TrainingRecording {
    /// Norms and histograms of every weight and gradient at every so manieth weight update; 0: none.
    std::int64_t tensorStatistics = 0;
    std::int64_t histogramBins = 32;
    /// Of every output that is a class, at the end of each epoch.
    bool confusionMatrix = false;
    /// Predictions, and pictures, of so many samples at the end of each epoch.
    std::int64_t samplePredictions = 0;
};
[[nodiscard]] TrainingRecording trainingRecording(const std::vector<core::KerasObject>& callbacks);

/// Collects what the callback "RecordTraining" asks for: norms and histograms at weight updates,
/// confusion matrices and predictions of samples while a replica passes over data at the end of an epoch.
class TrainingRecorder {
public:
    TrainingRecorder(const TrainingRecording& options, const core::TypedGraph& model)
        : m_options(options)
        , m_model(&model) {}

    [[nodiscard]] bool recordsTensors(std::int64_t update) const {
        return m_options.tensorStatistics > 0 && update % m_options.tensorStatistics == 0;
    }
    [[nodiscard]] bool recordsPredictions() const {
        return m_options.confusionMatrix || m_options.samplePredictions > 0;
    }
    /// Samples a pass has to see: −1 for all.
    [[nodiscard]] std::int64_t samplesWanted() const {
        return m_options.confusionMatrix ? -1 : m_options.samplePredictions;
    }

    /// The gradients of a replica after their reduction, before the update takes them; they are those of the
    /// loss times `scale`.
    void addGradients(const TrainingReplica& replica, double scale, std::int64_t update, std::int64_t epoch);
    /// The weights after it.
    void addWeights(const TrainingReplica& replica, std::int64_t update, std::int64_t epoch);
    /// What a replica without a backward pass made of these samples, the micro-batch it ran last.
    void addPredictions(const TrainingReplica& replica, std::span<const std::int64_t> samples);
    /// A pass is over: its matrices are complete.
    void endPass(std::int64_t epoch);

    /// An earlier part of the run recorded these.
    void resumeFrom(const core::TrainingRecords& records) { m_hasImages = !records.images.empty(); }
    /// What came since the last call.
    [[nodiscard]] core::TrainingRecords take();

private:
    using Cell = std::pair<std::int64_t, std::int64_t>;

    /// The moment a record belongs to.
    struct Moment {
        core::TrainedTensorKind kind = core::TrainedTensorKind::Weight;
        std::int64_t update = 0;
        std::int64_t epoch = 0;
    };

    /// `values` times `factor` under the name of the parameter.
    void addTensor(const TrainingReplica& replica, core::TensorId parameter, core::TensorId values,
                   double factor, const Moment& moment);
    void addImages(const TrainingReplica& replica, std::span<const std::int64_t> samples);

    TrainingRecording m_options;
    const core::TypedGraph* m_model;
    core::TrainingRecords m_records;
    /// Of the pass that is going on, by output.
    std::map<std::string, std::map<Cell, std::int64_t>> m_confusion;
    std::vector<core::SamplePredictionRecord> m_predictions;
    std::int64_t m_samplesSeen = 0;
    bool m_hasImages = false;
};

} // namespace simulator
