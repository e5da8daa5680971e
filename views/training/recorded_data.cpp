#include "views/training/recorded_data.h"

#include "core/profile/queries/training_queries.h"

#include <algorithm>
#include <optional>

namespace views {

namespace {

template <class Value, class Record, class Get>
std::vector<Value> distinctOf(const std::vector<Record>& records, Get get) {
    std::vector<Value> values;
    for (const Record& record : records)
        if (const std::optional<Value> value = get(record);
            value && std::find(values.begin(), values.end(), *value) == values.end())
            values.push_back(*value);
    return values;
}

template <class Record>
std::vector<std::string> outputsOf(const std::vector<Record>& records) {
    return distinctOf<std::string>(records, [](const Record& r) { return std::optional(r.output); });
}

template <class Record>
std::vector<std::int64_t> epochsOf(const std::vector<Record>& records, const std::string& output) {
    return distinctOf<std::int64_t>(
        records, [&](const Record& r) { return r.output == output ? std::optional(r.epoch) : std::nullopt; });
}

} // namespace

core::Result<RecordedTraining> loadRecorded(const core::ProfileDatabase& database, core::RunId run) {
    auto tensors = core::loadTensorStatistics(database, run);
    if (!tensors)
        return core::failure(tensors.error());
    auto confusion = core::loadConfusion(database, run);
    if (!confusion)
        return core::failure(confusion.error());
    auto predictions = core::loadSamplePredictions(database, run);
    if (!predictions)
        return core::failure(predictions.error());
    auto images = core::loadSampleImages(database, run);
    if (!images)
        return core::failure(images.error());
    return RecordedTraining{*std::move(tensors), *std::move(confusion), *std::move(predictions),
                            *std::move(images)};
}

std::int64_t ConfusionMatrix::ofTruth(std::size_t truth) const {
    std::int64_t sum = 0;
    for (std::size_t predicted = 0; predicted < classes; ++predicted)
        sum += at(truth, predicted);
    return sum;
}

std::int64_t ConfusionMatrix::total() const {
    std::int64_t sum = 0;
    for (const std::int64_t count : counts)
        sum += count;
    return sum;
}

std::int64_t ConfusionMatrix::correct() const {
    std::int64_t sum = 0;
    for (std::size_t truth = 0; truth < classes; ++truth)
        sum += at(truth, truth);
    return sum;
}

ConfusionMatrix confusionOf(const RecordedTraining& recorded, const std::string& output, std::int64_t epoch) {
    ConfusionMatrix matrix;
    for (const core::ConfusionRecord& cell : recorded.confusion)
        if (cell.output == output)
            matrix.classes =
                std::max(matrix.classes, static_cast<std::size_t>(std::max(cell.truth, cell.predicted)) + 1);
    matrix.counts.resize(matrix.classes * matrix.classes);
    for (const core::ConfusionRecord& cell : recorded.confusion)
        if (cell.output == output && cell.epoch == epoch)
            matrix.counts[static_cast<std::size_t>(cell.truth) * matrix.classes +
                          static_cast<std::size_t>(cell.predicted)] += cell.count;
    return matrix;
}

std::vector<std::string> confusedOutputs(const RecordedTraining& recorded) {
    return outputsOf(recorded.confusion);
}

std::vector<std::string> predictedOutputs(const RecordedTraining& recorded) {
    return outputsOf(recorded.predictions);
}

std::vector<std::int64_t> confusedEpochs(const RecordedTraining& recorded, const std::string& output) {
    return epochsOf(recorded.confusion, output);
}

std::vector<std::int64_t> predictedEpochs(const RecordedTraining& recorded, const std::string& output) {
    return epochsOf(recorded.predictions, output);
}

std::vector<RecordedTensor> recordedTensors(const RecordedTraining& recorded) {
    std::vector<RecordedTensor> tensors;
    for (const core::TensorStatisticsRecord& record : recorded.tensors) {
        auto tensor = std::find_if(tensors.begin(), tensors.end(), [&](const RecordedTensor& known) {
            return known.name == record.tensor && known.kind == record.kind;
        });
        if (tensor == tensors.end())
            tensor = tensors.insert(tensors.end(), {record.tensor, record.kind, {}});
        tensor->updates.push_back(&record);
    }
    std::stable_sort(tensors.begin(), tensors.end(),
                     [](const auto& a, const auto& b) { return a.kind < b.kind; });
    return tensors;
}

} // namespace views
