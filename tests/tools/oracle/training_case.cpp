// Whole training runs: losses of every step against an independent implementation.
#include "core/interchange/keras/keras_json.h"
#include "core/model/graph/infer_shapes.h"
#include "simulator/compiler/staging/build_training_graph.h"
#include "simulator/graph/learning_rate.h"
#include "tests/tools/oracle/graph_session.h"
#include "tests/tools/oracle/oracle_case.h"

#include <cmath>
#include <fmt/format.h>
#include <regex>

namespace oracles {
namespace {

using core::Json;
using core::TensorId;
using namespace simulator;

std::uint32_t mixed(std::uint32_t x) {
    x ^= x >> 16;
    x *= 0x7feb352dU;
    x ^= x >> 15;
    x *= 0x846ca68bU;
    return x ^ x >> 16;
}
std::uint32_t drawn(std::uint32_t seed, std::uint32_t index) {
    return mixed(seed * 0x9E3779B9U + index + 1);
}

/// The made-up dataset that a case describes: one template per class plus noise.
struct Dataset {
    std::uint32_t dimension = 0;
    std::uint32_t classes = 0;
    std::uint32_t samples = 0;
    std::uint32_t templateSeed = 0;
    std::uint32_t labelSeed = 0;
    std::uint32_t noiseSeed = 0;
    double templateShare = 1;
    double noiseShare = 1;
    double divisor = 1;

    [[nodiscard]] std::uint32_t label(std::uint32_t sample) const {
        return drawn(labelSeed, sample) % classes;
    }
    [[nodiscard]] float value(std::uint32_t sample, std::uint32_t place) const {
        const std::uint32_t t = drawn(templateSeed, label(sample) * dimension + place) & 255U;
        const std::uint32_t n = drawn(noiseSeed, sample * dimension + place) & 255U;
        return static_cast<float>((templateShare * t + noiseShare * n) / divisor);
    }
};

/// The number a pattern's first group finds in the text.
std::optional<double> found(const std::string& text, const std::string& pattern) {
    std::smatch match;
    if (!std::regex_search(text, match, std::regex(pattern)))
        return std::nullopt;
    return match[1].length() == 0 ? 1.0 : std::stod(match[1]);
}

std::optional<Dataset> readDataset(const std::string& text) {
    const auto dimension = found(text, "dim=(\\d+)");
    const auto classes = found(text, "classes=(\\d+)");
    const auto samples = found(text, "[ ,]n=(\\d+)");
    const auto templates = found(text, "T\\[c\\]\\[p\\]=u32\\((\\d+),");
    const auto labels = found(text, "y\\[s\\]=u32\\((\\d+),");
    const auto noise = found(text, "N\\[s\\]\\[p\\]=u32\\((\\d+),");
    const auto templateShare = found(text, "=\\((\\d*)\\*?T");
    const auto noiseShare = found(text, "\\+(\\d*)\\*?N");
    const auto divisor = found(text, "\\)/(\\d+)");
    for (const auto& number :
         {dimension, classes, samples, templates, labels, noise, templateShare, noiseShare, divisor}) {
        if (!number)
            return std::nullopt;
    }
    const auto whole = [](const std::optional<double>& number) {
        return static_cast<std::uint32_t>(*number);
    };
    return Dataset{whole(dimension), whole(classes), whole(samples), whole(templates), whole(labels),
                   whole(noise),     *templateShare, *noiseShare,    *divisor};
}

/// {"name": …, options…} as {"class_name", "config"}.
core::KerasObject kerasObject(const Json& json) {
    core::KerasObject object;
    object.className = json["name"].get<std::string>();
    for (const auto& [key, value] : json.items()) {
        if (key != "name" && key != "reduction")
            object.config[key] = value;
    }
    return object;
}

class TrainingRun {
public:
    explicit TrainingRun(const Json& document)
        : m_document(document)
        , m_batch(document["batch_size"].get<std::int64_t>()) {}

    Verdict run() {
        const auto dataset = readDataset(m_document["dataset"].get<std::string>());
        if (!dataset)
            return unsupported("the dataset's formula cannot be read");
        m_dataset = *dataset;
        if (auto result = make(); !result)
            return failed(result.error());
        if (!writeWeights())
            return unsupported("the initial weights do not match the model's");
        return train();
    }

private:
    core::Result<void> make() {
        core::Diagnostics warnings;
        const auto model = core::readKerasModel(m_document["model"], "case", warnings);
        if (!model)
            return core::failure(model.error());
        core::InferenceOptions inference;
        inference.batchSize = m_batch;
        const auto typed = core::inferShapes(*model, inference);
        if (!typed)
            return core::failure(typed.error());
        TrainingGraphOptions options;
        options.training.optimizer = kerasObject(m_document["optimizer"]);
        options.training.losses = {kerasObject(m_document["loss"])};
        options.training.metrics = {{"accuracy", Json::object()}};
        auto graph = buildTrainingGraph(*typed, options);
        if (!graph)
            return core::failure(graph.error());
        auto session = GraphSession::make(std::make_shared<TrainingGraph>(std::move(*graph)));
        if (!session)
            return core::failure(session.error());
        m_session = std::make_unique<GraphSession>(std::move(*session));
        return {};
    }

    bool writeWeights() {
        const Json& weights = m_document["initial_weights"];
        const auto& own = m_session->graph().weights;
        if (own.size() != weights.size())
            return false;
        for (std::size_t i = 0; i < own.size(); ++i) {
            const auto values = valuesFromJson(weights[i]);
            if (!values || values->form.extents != m_session->graph().tensor(own[i].tensor).extents)
                return false;
            m_session->store().write(own[i].tensor, values->data);
        }
        return true;
    }

    void writeBatch(std::uint32_t step) {
        std::vector<float> x;
        std::vector<float> y;
        for (std::int64_t q = 0; q < m_batch; ++q) {
            const std::uint32_t sample =
                (step * static_cast<std::uint32_t>(m_batch) + static_cast<std::uint32_t>(q)) %
                m_dataset.samples;
            for (std::uint32_t p = 0; p < m_dataset.dimension; ++p)
                x.push_back(m_dataset.value(sample, p));
            y.push_back(static_cast<float>(m_dataset.label(sample)));
        }
        m_session->store().write(m_session->graph().inputs.front(), x);
        m_session->store().write(m_session->graph().targets.front(), y);
    }

    Verdict train() {
        ThreadPool pool;
        pool.reserveScratch(m_session->threadScratch());
        const Json& expected = m_document["expected"];
        std::vector<float> losses;
        std::vector<float> accuracies;
        for (std::uint32_t step = 0; step < m_document["steps"].get<std::uint32_t>(); ++step) {
            writeBatch(step);
            StepState state;
            state.update = step;
            state.learningRate = learningRateAt(m_session->graph().learningRate, step);
            m_session->runMicroBatch(state, pool);
            losses.push_back(m_session->scalar(m_session->graph().loss));
            accuracies.push_back(m_session->scalar(m_session->graph().metrics.front().tensor));
            m_session->runUpdate(state, pool);
        }
        Verdict verdict;
        const auto given = m_document.find("tolerance");
        const double tolerance = given == m_document.end() ? 1e-3 : given->value("loss_rtol", 1e-3);
        verdict.compare("loss", losses, expected["loss_float64"].get<std::vector<float>>(), {tolerance, 0});
        if (expected.contains("batch_accuracy")) {
            // One sample on the edge may fall the other way.
            const double oneSample = 1.01 / static_cast<double>(m_batch);
            verdict.compare("accuracy", accuracies, expected["batch_accuracy"].get<std::vector<float>>(),
                            {0, oneSample});
        }
        compareNorms(verdict, expected);
        return verdict;
    }

    void compareNorms(Verdict& verdict, const Json& expected) const {
        if (!expected.contains("final_weight_l2_norms"))
            return;
        const Json& norms = expected["final_weight_l2_norms"];
        for (std::size_t i = 0; i < norms.size(); ++i) {
            double sum = 0;
            for (const float value : m_session->store().read(m_session->graph().weights[i].tensor))
                sum += static_cast<double>(value) * value;
            verdict.compare(fmt::format("norm of weight {}", i), {static_cast<float>(std::sqrt(sum))},
                            {norms[i].get<float>()}, {1e-3, 1e-5});
        }
    }

    const Json& m_document;
    std::int64_t m_batch;
    Dataset m_dataset;
    std::unique_ptr<GraphSession> m_session;
};

} // namespace

Verdict runTrainingCase(const Json& document) {
    return TrainingRun(document).run();
}

} // namespace oracles
