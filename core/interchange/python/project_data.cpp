#include "core/interchange/python/project_data.h"

#include "core/base/file.h"
#include "core/interchange/python/apis/data/fed_samples.h"
#include "core/interchange/python/draft/constant_array.h"
#include "core/interchange/python/draft/tensor_shape.h"
#include "core/interchange/python/syntax/messages.h"
#include "core/model/graph/model_summary.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>

namespace core {

namespace {

using Arrays = std::vector<std::shared_ptr<const PythonArray>>;

DataArray storedArray(std::string name, const PythonArray& array) {
    DataArray stored{std::move(name), array.extents, {}};
    constexpr double most = std::numeric_limits<std::int32_t>::max();
    const bool isWhole = array.kind != PythonArray::Kind::Real &&
                         std::ranges::all_of(array.numbers, [](double one) { return std::abs(one) <= most; });
    if (isWhole)
        stored.numbers = std::vector<std::int32_t>(array.numbers.begin(), array.numbers.end());
    else
        stored.numbers = std::vector<float>(array.numbers.begin(), array.numbers.end());
    return stored;
}

/// Extents of an input of the model without those of a batch; nothing where one is open.
std::optional<std::vector<std::int64_t>> sampleExtents(const ModelGraph& model, std::size_t input) {
    std::vector<std::int64_t> extents;
    const Json shape = declaredInputShape(model.layer(model.inputs[input].invocation).config);
    if (shape.is_null())
        return std::nullopt;
    for (std::size_t i = 1; i < shape.size(); ++i) {
        if (!shape[i].is_number_integer())
            return std::nullopt;
        extents.push_back(shape[i].get<std::int64_t>());
    }
    return extents;
}

std::int64_t productOf(const std::vector<std::int64_t>& extents) {
    std::int64_t product = 1;
    for (const std::int64_t extent : extents)
        product *= extent;
    return product;
}

std::vector<std::string> namesOfInputs(const ModelGraph& model) {
    std::vector<std::string> names;
    for (const TensorRef& input : model.inputs)
        names.push_back(model.layer(input.invocation).name);
    return names;
}

/// Extents of the labels of a sample that a loss function of the program takes; nothing of other losses.
std::optional<std::vector<std::int64_t>> labelExtents(const KerasObject& loss) {
    const Json layers =
        loss.config.value("model", Json::object()).value("config", Json::object()).value("layers", Json());
    if (!layers.is_array() || layers.empty())
        return std::nullopt;
    const Json shape = declaredInputShape(layers.front().value("config", Json::object()));
    std::vector<std::int64_t> extents;
    for (std::size_t i = 1; i < shape.size(); ++i) {
        if (!shape[i].is_number_integer())
            return std::nullopt;
        extents.push_back(shape[i].get<std::int64_t>());
    }
    return shape.is_array() ? std::optional(extents) : std::nullopt;
}

class ProjectData {
public:
    ProjectData(const PythonFacts& facts, const PythonModel& model, ProjectFile& file,
                const ImportChoice& choice, Diagnostics& warnings)
        : m_stored(choice.data)
        , m_digits(choice.digits)
        , m_facts(facts)
        , m_model(model)
        , m_file(file)
        , m_warnings(warnings) {}

    void take(const PythonFed& fed, const char* part, std::optional<DatasetSpec>& dataset) {
        if (dataset)
            return;
        const std::string unfit = whyUnfit(fed);
        const std::int64_t samples = samplesOf(fed);
        if (auto digits = digitsOf(fed, part))
            dataset = std::move(digits);
        else if (unfit.empty())
            dataset = stored(fed, part);
        else if (samples > 0 && isQuick(samples))
            dataset = madeUp(fed, samples, unfit);
        else
            return warn(fed,
                        unfit + (samples > 0
                                     ? ", and a run on made-up samples of these extents would take long"
                                     : ", nor is it known how many samples there are"),
                        fmt::format("set {} to train on data of your own", pathOf(part)));
        if (!m_model.classWeights.is_null() && part == std::string_view("train"))
            dataset->parameters["class_weights"] = m_model.classWeights;
    }

private:
    static std::string pathOf(std::string_view part) {
        return part == "train" ? "training.dataset" : "training.validation_dataset";
    }

    /// Why arrays cannot be the samples; empty: they can.
    [[nodiscard]] std::string whyUnfit(const PythonFed& fed) const {
        const ModelGraph& model = m_file.project.model;
        if (fed.inputs.empty())
            return fed.reason.empty() ? "their numbers are not worked out while the program is read"
                                      : fed.reason;
        std::int64_t numbers = 0;
        for (const Arrays* arrays : {&fed.inputs, &fed.labels})
            for (const auto& array : *arrays)
                numbers += static_cast<std::int64_t>(array->numbers.size());
        if (m_stored == nullptr)
            return "there is no folder to store them in";
        if (numbers > mostArrayNumbers)
            return fmt::format("they are {} MiB, and at most 16 MiB are stored", numbers * 4 >> 20);
        if (fed.inputs.size() != model.inputs.size() ||
            (!fed.labels.empty() && fed.labels.size() != model.outputs.size()))
            return "they are not one array for each input and output of the model";
        for (std::size_t i = 0; i < fed.inputs.size(); ++i) {
            const auto extents = sampleExtents(model, i);
            const auto& own = fed.inputs[i]->extents;
            const bool isSame = extents && std::ranges::equal(std::span(own).subspan(1), *extents);
            const bool isReshaped = extents && model.inputs.size() == 1 && own.front() > 0 &&
                                    productOf(*extents) == productOf(own) / own.front();
            if (extents && !isSame && !isReshaped)
                return "their extents are not those of the model's inputs";
        }
        return "";
    }

    DatasetSpec stored(const PythonFed& fed, const std::string& part) {
        DatasetSpec dataset{"npz", {{"file", std::string(dataFileName)}}};
        const auto store = [&](const Arrays& arrays, const std::string& stem, const char* key) {
            Json names = Json::array();
            for (std::size_t i = 0; i < arrays.size(); ++i) {
                names.push_back(arrays.size() == 1 ? stem + part : fmt::format("{}{}_{}", stem, part, i));
                m_stored->push_back(storedArray(names.back().get<std::string>(), *arrays[i]));
            }
            if (!arrays.empty())
                dataset.parameters[key] = arrays.size() == 1 ? names[0] : names;
        };
        store(fed.inputs, "x_", "inputs");
        store(fed.labels.empty() ? labelsOfNothing(fed) : fed.labels, "y_", "labels");
        const auto extents = sampleExtents(m_file.project.model, 0);
        const auto& own = fed.inputs.front()->extents;
        if (extents && !extents->empty() && !std::ranges::equal(std::span(own).subspan(1), *extents))
            dataset.parameters["shape"] = *extents;
        takeOrder(fed, dataset);
        return dataset;
    }

    /// A loss of layers whose labels are inputs of the model (CTC, NCE) takes labels that count nothing; a
    /// dataset without labels has its inputs for them, which are not of their extents.
    [[nodiscard]] Arrays labelsOfNothing(const PythonFed& fed) const {
        const std::vector<KerasObject>& losses = m_file.project.training.losses;
        const std::size_t outputs = m_file.project.model.outputs.size();
        Arrays labels;
        for (std::size_t i = 0; i < outputs && !losses.empty(); ++i) {
            const auto extents = labelExtents(losses[std::min(i, losses.size() - 1)]);
            const bool areInputs =
                fed.inputs.size() == outputs && sampleExtents(m_file.project.model, i) == extents;
            if (!extents || areInputs || productOf(*extents) * fed.samples > mostArrayNumbers)
                return {};
            PythonArray zeros;
            zeros.extents = {fed.samples};
            zeros.extents.insert(zeros.extents.end(), extents->begin(), extents->end());
            zeros.numbers.resize(static_cast<std::size_t>(fed.samples * productOf(*extents)));
            labels.push_back(std::make_shared<const PythonArray>(std::move(zeros)));
        }
        return labels;
    }

    /// keras.datasets.mnist: the digits that come with this program, as often as there are samples.
    std::optional<DatasetSpec> digitsOf(const PythonFed& fed, const std::string& part) {
        if (fed.dataset != "mnist" || m_stored == nullptr || m_digits.empty() ||
            m_file.project.model.inputs.size() != 1)
            return std::nullopt;
        const std::string set = part == "train" ? "/train-2k" : "/test-500";
        const auto images = readFile(m_digits + set + "-images-idx3-ubyte");
        const auto labels = readFile(m_digits + set + "-labels-idx1-ubyte");
        constexpr std::size_t imagesHead = 16;
        constexpr std::size_t labelsHead = 8;
        constexpr std::int64_t side = 28;
        if (!images || !labels || labels->size() <= labelsHead ||
            images->size() != imagesHead + (labels->size() - labelsHead) * side * side)
            return std::nullopt;
        const auto count = static_cast<std::int64_t>(labels->size() - labelsHead);
        const auto numbers = [](std::string_view bytes) {
            std::vector<std::int32_t> whole;
            for (const char byte : bytes)
                whole.push_back(static_cast<unsigned char>(byte));
            return whole;
        };
        m_stored->push_back(
            {"x_" + part, {count, side, side}, numbers(std::string_view(*images).substr(imagesHead))});
        m_stored->push_back({"y_" + part, {count}, numbers(std::string_view(*labels).substr(labelsHead))});
        DatasetSpec dataset{
            "npz", {{"file", std::string(dataFileName)}, {"inputs", "x_" + part}, {"labels", "y_" + part}}};
        if (fed.divisor != 1)
            dataset.parameters["scale"] = fed.divisor;
        const auto extents = sampleExtents(m_file.project.model, 0);
        if (extents && *extents != std::vector<std::int64_t>{side, side})
            dataset.parameters["shape"] = *extents;
        dataset.parameters["repeat"] = part == "train";
        takeOrder(fed, dataset);
        warn(fed, fmt::format("the {} digits of MNIST that come with this program take their place", count),
             "name the whole set in training.dataset to train on all of it");
        return dataset;
    }

    static void takeOrder(const PythonFed& fed, DatasetSpec& dataset) {
        if (fed.isShuffled)
            dataset.parameters["shuffle"] = true;
        if (fed.keepsRemainder)
            dataset.parameters["drop_remainder"] = false;
    }

    /// Of a dataset that repeats for ever, and is not known, those of an epoch.
    [[nodiscard]] std::int64_t samplesOf(const PythonFed& fed) const {
        const TrainingOptions& training = m_file.project.training;
        return fed.samples > 0 ? fed.samples : training.stepsPerEpoch.value_or(0) * training.batchSize;
    }

    /// A synthetic dataset takes its extents from the model.
    DatasetSpec madeUp(const PythonFed& fed, std::int64_t samples, const std::string& reason) {
        warn(fed, reason + ": made-up samples of the same extents take their place",
             "store them in an .npz file and name it in training.dataset to train on them");
        DatasetSpec dataset{"synthetic", {{"samples", samples}}};
        takeOrder(fed, dataset);
        return dataset;
    }

    /// Whether numbers are computed in about a minute: a run without data has a profile at once.
    [[nodiscard]] bool isQuick(std::int64_t samples) {
        constexpr double most = 5e11;
        constexpr double passes = 3; // forward, and twice that backward
        if (!m_flops)
            m_flops = flopsOfSample();
        const auto epochs = static_cast<double>(m_file.project.training.epochs);
        return passes * *m_flops * static_cast<double>(samples) * epochs <= most;
    }

    /// What the model computes forward; without end where that is not known.
    [[nodiscard]] double flopsOfSample() const {
        const auto summary = summarize(m_file.project.model, 1);
        if (!summary)
            return std::numeric_limits<double>::infinity();
        double flops = 0;
        for (const LayerSummary& layer : summary->layers)
            flops += static_cast<double>(layer.flops.value_or(0));
        return flops;
    }

    void warn(const PythonFed& fed, const std::string& reason, std::string hint) {
        const PythonPlace place = fed.place == PythonPlace() ? m_model.trainingPlace : fed.place;
        m_warnings.push_back(
            makeWarning(Trouble::Input, "python/dataset", pythonLocation(m_facts.files, place),
                        "the samples are not part of the project: " + reason, {std::move(hint)}));
    }

    std::vector<DataArray>* m_stored;
    std::string m_digits;
    const PythonFacts& m_facts;
    const PythonModel& m_model;
    ProjectFile& m_file;
    Diagnostics& m_warnings;
    /// Of one sample; nothing until it is asked for.
    std::optional<double> m_flops;
};

} // namespace

void takeData(const PythonFacts& facts, std::int64_t index, ProjectFile& file, const ImportChoice& choice,
              Diagnostics& warnings) {
    const PythonModel& model = facts.draft.models[static_cast<std::size_t>(index)];
    ProjectData data(facts, model, file, choice, warnings);
    TrainingOptions& training = file.project.training;
    const auto fed =
        model.fed ? model.fed
                  : fedByLoops(facts, namesOfInputs(file.project.model), file.project.model.outputs.size());
    if (fed)
        data.take(*fed, "train", training.dataset);
    if (model.validated && training.dataset)
        data.take(*model.validated, "validation", training.validationDataset);
}

} // namespace core
