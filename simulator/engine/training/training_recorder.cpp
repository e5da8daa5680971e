#include "simulator/engine/training/training_recorder.h"

#include "simulator/engine/training/training_callbacks.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace simulator {
namespace {

using core::TensorId;

/// How the values of an output name a class.
enum class ClassForm : std::uint8_t {
    None,   ///< values, no classes
    Widest, ///< the class with the largest value along the last axis
    Binary, ///< one value per position: class 1 above one half (logit above 0)
};

/// One output as a confusion matrix sees it.
struct RecordedOutput {
    TensorId prediction;
    TensorId target;
    /// The layer that makes it.
    std::string name;
    ClassForm form = ClassForm::None;
    bool isLogits = false;
    bool targetIsClass = false;
    /// Targets that the loss leaves out.
    double ignored = -1e9;
    std::int64_t width = 1;
    std::int64_t samples = 1;
    /// Positions of one sample, each with a prediction of its own.
    std::int64_t positions = 1;
};

bool isAnyOf(const std::string& name, std::span<const std::string_view> names) {
    return std::ranges::find(names, name) != names.end();
}

ClassForm formOf(const Loss& loss, std::int64_t width) {
    constexpr std::array<std::string_view, 5> overClasses{
        "CategoricalCrossentropy", "SparseCategoricalCrossentropy", "CategoricalFocalCrossentropy",
        "CategoricalHinge", "KLDivergence"};
    constexpr std::array<std::string_view, 2> binary{"BinaryCrossentropy", "BinaryFocalCrossentropy"};
    if (width > 1)
        return isAnyOf(loss.className, overClasses) ? ClassForm::Widest : ClassForm::None;
    return isAnyOf(loss.className, binary) ? ClassForm::Binary : ClassForm::None;
}

/// Whether a loss reads the prediction as it is, or what its activation is taken of: not with axes swapped.
bool isPredictionOrLogits(const TrainingGraph& graph, TensorId read, TensorId prediction) {
    return read == prediction || std::ranges::any_of(graph.operations, [&](const Operation& operation) {
               return operation.outputs.front() == prediction && operation.inputs.front() == read;
           });
}

/// The outputs that a loss compares with targets.
std::vector<RecordedOutput> recordedOutputs(const TrainingGraph& graph, const core::TypedGraph& model) {
    std::vector<RecordedOutput> outputs;
    for (std::size_t i = 0; i < std::min(graph.targets.size(), graph.predictions.size()); ++i) {
        const Tensor& prediction = graph.tensor(graph.predictions[i]);
        const auto operation = std::ranges::find_if(graph.operations, [&](const Operation& candidate) {
            return std::holds_alternative<Loss>(candidate.attributes) &&
                   candidate.inputs[1] == graph.targets[i] &&
                   isPredictionOrLogits(graph, candidate.inputs[0], prediction.id);
        });
        if (operation == graph.operations.end() || prediction.extents.empty())
            continue;
        const auto& loss = std::get<Loss>(operation->attributes);
        RecordedOutput output{prediction.id, graph.targets[i],
                              model.layerOf(model.outputs[i].invocation).path};
        output.width = prediction.extents.size() > 1 ? prediction.extents.back() : 1;
        output.form = formOf(loss, output.width);
        // A loss of the logits before a softmax (sigmoid) leaves probabilities in the prediction.
        output.isLogits = loss.fromLogits && operation->inputs[0] == prediction.id;
        output.targetIsClass = !core::isFloating(graph.tensor(output.target).type);
        output.ignored = output.targetIsClass ? loss.parameter : output.ignored;
        output.samples = prediction.extents.front();
        output.positions = prediction.elements() / std::max<std::int64_t>(1, output.samples * output.width);
        outputs.push_back(std::move(output));
    }
    return outputs;
}

std::int64_t widest(std::span<const float> values) {
    return std::ranges::max_element(values) - values.begin();
}

double sigmoid(double x) {
    return 1 / (1 + std::exp(-x));
}

double softmaxOf(std::span<const float> logits, std::int64_t at) {
    double sum = 0;
    for (const float logit : logits)
        sum += std::exp(static_cast<double>(logit) - logits[static_cast<std::size_t>(at)]);
    return 1 / sum;
}

struct PositionPrediction {
    double truth = 0;
    double predicted = 0;
    double probability = std::numeric_limits<double>::quiet_NaN();
    bool isLeftOut = false;
};

PositionPrediction predictionAt(const RecordedOutput& output, std::span<const float> row,
                                std::span<const float> target) {
    PositionPrediction position;
    if (output.form == ClassForm::Widest) {
        const std::int64_t predicted = widest(row);
        position.truth = output.targetIsClass ? target.front() : static_cast<double>(widest(target));
        position.predicted = static_cast<double>(predicted);
        position.probability =
            output.isLogits ? softmaxOf(row, predicted) : row[static_cast<std::size_t>(predicted)];
        position.isLeftOut = output.targetIsClass && position.truth == output.ignored;
        return position;
    }
    position.truth = target.front();
    position.predicted = row.front();
    if (output.form == ClassForm::Binary) {
        const double probability = output.isLogits ? sigmoid(row.front()) : row.front();
        position.truth = std::round(position.truth);
        position.predicted = probability > 0.5 ? 1 : 0;
        position.probability = probability > 0.5 ? probability : 1 - probability;
    }
    return position;
}

std::string layerOf(const core::TypedGraph& model, const Tensor& tensor) {
    return tensor.origin.isValid() ? model.layerOf(tensor.origin).path : std::string();
}

} // namespace

TrainingRecording trainingRecording(const std::vector<core::KerasObject>& callbacks) {
    const auto config = callbackConfig(callbacks, "RecordTraining");
    if (!config)
        return {};
    return {config->at("tensor_statistics").get<std::int64_t>(),
            config->at("histogram_bins").get<std::int64_t>(), config->at("confusion_matrix").get<bool>(),
            config->at("sample_predictions").get<std::int64_t>()};
}

core::TensorStatisticsRecord statisticsOf(std::span<const float> values, std::int64_t bins) {
    core::TensorStatisticsRecord record;
    record.elements = static_cast<std::int64_t>(values.size());
    double least = std::numeric_limits<double>::infinity();
    double largest = -least;
    double sum = 0;
    double squares = 0;
    std::int64_t finite = 0;
    for (const float value : values) {
        if (!std::isfinite(value))
            continue;
        ++finite;
        least = std::min<double>(least, value);
        largest = std::max<double>(largest, value);
        sum += value;
        squares += static_cast<double>(value) * value;
    }
    record.notFinite = record.elements - finite;
    record.histogram.assign(static_cast<std::size_t>(bins), 0);
    if (finite == 0) {
        record.norm = record.minimum = record.maximum = record.mean =
            std::numeric_limits<double>::quiet_NaN();
        return record;
    }
    record.norm = std::sqrt(squares);
    record.minimum = least;
    record.maximum = largest;
    record.mean = sum / static_cast<double>(finite);
    const double width = (largest - least) / static_cast<double>(bins);
    for (const float value : values) {
        if (!std::isfinite(value))
            continue;
        const auto bin = width > 0 ? static_cast<std::int64_t>((value - least) / width) : 0;
        ++record.histogram[static_cast<std::size_t>(std::min(bin, bins - 1))];
    }
    return record;
}

std::optional<core::SampleImageRecord> imageOf(const Extents& extents, std::span<const float> values) {
    const bool isGrey = extents.size() == 2;
    const bool hasChannels = extents.size() == 3 && (extents[2] == 1 || extents[2] == 3 || extents[2] == 4);
    if ((!isGrey && !hasChannels) || values.empty())
        return std::nullopt;
    const auto [least, largest] = std::ranges::minmax(values);
    const bool isUnit = least >= 0 && largest <= 1;
    const double low = isUnit ? 0 : least;
    const double range = isUnit ? 1 : static_cast<double>(largest) - least;
    core::SampleImageRecord image{0, extents[0], extents[1], isGrey ? 1 : extents[2], {}};
    image.pixels.reserve(values.size());
    for (const float value : values) {
        const double share = range > 0 ? std::clamp((value - low) / range, 0.0, 1.0) : 0;
        image.pixels.push_back(static_cast<std::uint8_t>(std::lround(share * 255)));
    }
    return image;
}

void TrainingRecorder::addTensor(const TrainingReplica& replica, TensorId parameter, TensorId values,
                                 double factor, const Moment& moment) {
    std::vector<float> numbers = readElements(replica.graph().tensor(values), replica.address(values));
    if (factor != 1)
        for (float& number : numbers)
            number = static_cast<float>(number * factor);
    core::TensorStatisticsRecord record = statisticsOf(numbers, m_options.histogramBins);
    const Tensor& named = replica.graph().tensor(parameter);
    record.tensor = named.name;
    record.layer = layerOf(*m_model, named);
    record.kind = moment.kind;
    record.update = moment.update;
    record.epoch = moment.epoch;
    m_records.tensors.push_back(std::move(record));
}

void TrainingRecorder::addGradients(const TrainingReplica& replica, double scale, std::int64_t update,
                                    std::int64_t epoch) {
    const Moment moment{core::TrainedTensorKind::Gradient, update, epoch};
    std::size_t next = 0;
    for (const ParameterSlots& slots : replica.graph().parameters)
        if (!slots.gradients.empty())
            addTensor(replica, slots.parameter, replica.gradients()[next++], 1 / scale, moment);
}

void TrainingRecorder::addWeights(const TrainingReplica& replica, std::int64_t update, std::int64_t epoch) {
    for (const ParameterSlots& slots : replica.graph().parameters)
        addTensor(replica, slots.parameter, slots.parameter, 1,
                  {core::TrainedTensorKind::Weight, update, epoch});
}

void TrainingRecorder::addPredictions(const TrainingReplica& replica, std::span<const std::int64_t> samples) {
    const TrainingGraph& graph = replica.graph();
    for (const RecordedOutput& output : recordedOutputs(graph, *m_model)) {
        const std::vector<float> predictions =
            readElements(graph.tensor(output.prediction), replica.address(output.prediction));
        const std::vector<float> targets =
            readElements(graph.tensor(output.target), replica.address(output.target));
        const auto width = static_cast<std::size_t>(output.width);
        const std::size_t targetWidth = output.targetIsClass ? 1 : width;
        const auto rows = static_cast<std::size_t>(output.samples * output.positions);
        if (predictions.size() < rows * width || targets.size() < rows * targetWidth)
            continue;
        for (std::size_t row = 0; row < rows; ++row) {
            const PositionPrediction at =
                predictionAt(output, std::span(predictions).subspan(row * width, width),
                             std::span(targets).subspan(row * targetWidth, targetWidth));
            if (m_options.confusionMatrix && output.form != ClassForm::None && !at.isLeftOut)
                ++m_confusion[output.name]
                             [{static_cast<std::int64_t>(at.truth), static_cast<std::int64_t>(at.predicted)}];
            const bool isOne = output.positions == 1 && (output.form != ClassForm::None || output.width == 1);
            const std::int64_t number = m_samplesSeen + static_cast<std::int64_t>(row);
            if (isOne && number < m_options.samplePredictions)
                m_predictions.push_back(
                    {output.name, 0, samples[row], at.truth, at.predicted, at.probability});
        }
    }
    addImages(replica, samples);
    m_samplesSeen += static_cast<std::int64_t>(samples.size());
}

/// The pictures stay the same, so the first pass records them.
void TrainingRecorder::addImages(const TrainingReplica& replica, std::span<const std::int64_t> samples) {
    if (m_hasImages || replica.graph().inputs.empty())
        return;
    const Tensor& input = replica.graph().tensor(replica.graph().inputs.front());
    const std::vector<float> values = readElements(input, replica.address(input.id));
    const std::size_t elements = values.size() / samples.size();
    for (std::size_t i = 0; i < samples.size(); ++i) {
        if (m_samplesSeen + static_cast<std::int64_t>(i) >= m_options.samplePredictions)
            return;
        auto image = imageOf({input.extents.begin() + 1, input.extents.end()},
                             std::span(values).subspan(i * elements, elements));
        if (!image)
            return;
        image->sample = samples[i];
        m_records.images.push_back(std::move(*image));
    }
}

void TrainingRecorder::endPass(std::int64_t epoch) {
    for (const auto& [output, cells] : m_confusion)
        for (const auto& [cell, count] : cells)
            m_records.confusion.push_back({output, epoch, cell.first, cell.second, count});
    for (core::SamplePredictionRecord& prediction : m_predictions) {
        prediction.epoch = epoch;
        m_records.predictions.push_back(std::move(prediction));
    }
    m_confusion.clear();
    m_predictions.clear();
    m_samplesSeen = 0;
    m_hasImages = true;
}

core::TrainingRecords TrainingRecorder::take() {
    core::TrainingRecords taken = std::move(m_records);
    m_records = {};
    return taken;
}

} // namespace simulator
