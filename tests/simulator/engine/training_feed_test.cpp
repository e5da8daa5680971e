#include "simulator/engine/training/training_feed.h"

#include "core/base/file.h"
#include "simulator/data/files/npy_array.h"
#include "tests/simulator/data/picture_bytes.h"
#include "tests/simulator/training_support.h"
#include "tests/support/test_registry.h"

#include <QTemporaryDir>
#include <QtTest/QTest>
#include <array>
#include <cmath>

using core::Json;
using tests::Trained;

namespace {

const std::vector<float> inputs{1, 2, 2, 1, 3, 0, 1, 1};
const std::vector<float> targets{1, 2, 0, 1};
constexpr std::array<double, 4> sampleWeights{1, 0, 2, 0.5};
constexpr double feedRate = 0.1;

/// The prediction of a layer with the kernel (0.5, 0.25) and the bias 0.1; above 0, so its relu does nothing.
double prediction(std::size_t sample) {
    return 0.5 * inputs[2 * sample] + 0.25 * inputs[2 * sample + 1] + 0.1;
}

/// Keras: the sum of weight · (p − t)², divided by the number of samples.
double weightedLoss(const std::array<double, 4>& weights, std::size_t first, std::size_t count) {
    double sum = 0;
    for (std::size_t i = first; i < first + count; ++i)
        sum += weights[i] * std::pow(prediction(i) - targets[i], 2);
    return sum / static_cast<double>(count);
}

double biasAfter(const std::array<double, 4>& weights, std::size_t count) {
    double slope = 0;
    for (std::size_t i = 0; i < count; ++i)
        slope += weights[i] * 2 * (prediction(i) - targets[i]) / static_cast<double>(count);
    return 0.1 - feedRate * slope;
}

bool isNear(double a, double b) {
    return std::abs(a - b) <= 1e-6 * std::max(1.0, std::abs(b));
}

} // namespace

class TrainingFeedTest : public QObject {
    Q_OBJECT

private slots:
    void init() {
        m_folder = std::make_unique<QTemporaryDir>();
        write("x.npy", {4, 2}, inputs);
        write("y.npy", {4}, targets);
        write("w.npy", {4}, std::vector<float>(sampleWeights.begin(), sampleWeights.end()));
    }

    void samplesCountForTheirWeights() {
        const Trained result = trained({{"sample_weights", "w.npy"}});
        QVERIFY(isNear(result.series("loss").front(), weightedLoss(sampleWeights, 0, 4)));
        QVERIFY(isNear(result.weights.at("dense0/bias").front(), biasAfter(sampleWeights, 4)));
    }

    void classesCountForTheirWeights() {
        // The targets are the classes 1, 2, 0, 1.
        constexpr std::array<double, 4> weights{2, 0.25, 3, 2};
        const Trained result = trained({{"class_weights", {3, 2, 0.25}}});
        QVERIFY(isNear(result.series("loss").front(), weightedLoss(weights, 0, 4)));
        QVERIFY(isNear(result.weights.at("dense0/bias").front(), biasAfter(weights, 4)));
    }

    void bothWeightsMultiply() {
        constexpr std::array<double, 4> weights{2, 0, 6, 1};
        const Trained result = trained({{"class_weights", {3, 2, 0.25}}, {"sample_weights", "w.npy"}});
        QVERIFY(isNear(result.series("loss").front(), weightedLoss(weights, 0, 4)));
    }

    void aSplitSplitsTheWeightsToo() {
        // Samples 2 and 3 validate, with the weights of the trained model and without class weights.
        core::Project split = project({{"sample_weights", "w.npy"}, {"class_weights", {3, 2, 0.25}}});
        split.training.batchSize = 2;
        split.training.validationSplit = 0.5;
        split.training.optimizer = core::KerasObject{"SGD", {{"learning_rate", 0.0}}};
        const Trained result = trainedOf(split);
        QVERIFY(isNear(result.series("loss").front(), weightedLoss({2, 0, 0, 0}, 0, 2)));
        QVERIFY(isNear(result.series("val_loss").front(), weightedLoss(sampleWeights, 2, 2)));
    }

    void metricsStayUnweighted() {
        core::Project measured = project({{"sample_weights", "w.npy"}});
        measured.training.metrics = {core::KerasObject{"MeanSquaredError", Json::object()}};
        const Trained result = trainedOf(measured);
        QVERIFY(isNear(result.series("mean_squared_error").front(), weightedLoss({1, 1, 1, 1}, 0, 4)));
    }

    void theWeightsOfOneHotTargetsAreThoseOfTheirClass() {
        core::Project classes = project({{"class_weights", {4, 0.5}}});
        classes.model = tests::denseModel({2}, 2);
        write("y.npy", {4, 2}, {1, 0, 0, 1, 1, 0, 0, 1});
        const Trained weighted = trainedOf(classes);
        write("w.npy", {4}, {4, 0.5, 4, 0.5});
        classes.training.dataset->parameters.erase("class_weights");
        classes.training.dataset->parameters["sample_weights"] = "w.npy";
        const Trained same = trainedOf(classes);
        QCOMPARE(weighted.series("loss"), same.series("loss"));
        QVERIFY(weighted.weights == same.weights);
    }

    void wrongWeightsAreToldApart() {
        write("short.npy", {3}, {1, 1, 1});
        write("wide.npy", {4, 2}, std::vector<float>(8, 1));
        QCOMPARE(refusal({{"sample_weights", "absent.npy"}}), QString("file/missing"));
        QCOMPARE(refusal({{"sample_weights", "short.npy"}}), QString("dataset/sample-counts"));
        QCOMPARE(refusal({{"sample_weights", "wide.npy"}}), QString("dataset/shape"));
        QCOMPARE(refusal({{"class_weights", {1, 2}}}), QString("dataset/class-weight"));
    }

    void picturesTrainTheSameWhoeverReadsThem() {
        core::Project pictures = pictureProject();
        for (const bool shuffles : {false, true}) {
            pictures.training.dataset->parameters["shuffle"] = shuffles;
            const auto alone = tests::train(pictures, 1, path());
            const auto ahead = tests::train(pictures, 2, path());
            QVERIFY2(alone.has_value() && ahead.has_value(),
                     alone ? "" : core::toText(alone.error().front()).c_str());
            QCOMPARE(ahead->series("loss"), alone->series("loss"));
            QVERIFY(ahead->weights == alone->weights);
        }
    }

    void aPictureThatCannotBeReadStopsTheTraining() {
        const core::Project pictures = pictureProject();
        QVERIFY(core::writeFileAtomically(path() / "pets/dogs/2.png", "no picture", core::Overwrite::Replace)
                    .has_value());
        for (const unsigned threads : {1U, 2U}) {
            const auto refused = tests::train(pictures, threads, path());
            QVERIFY(!refused.has_value());
            QVERIFY2(QString::fromStdString(refused.error().front().location.file).endsWith("2.png"),
                     core::toText(refused.error().front()).c_str());
        }
    }

private:
    /// Two classes of four pictures of two grey pixels.
    [[nodiscard]] core::Project pictureProject() const {
        for (int label = 0; label < 2; ++label) {
            const std::filesystem::path folder = path() / "pets" / (label == 0 ? "cats" : "dogs");
            std::filesystem::create_directories(folder);
            for (int i = 0; i < 4; ++i) {
                const auto first = static_cast<std::uint8_t>(10 + 100 * label + 7 * i);
                (void)core::writeFileAtomically(folder / (std::to_string(i) + ".png"),
                                                tests::pngBytes(1, 2, 1, {first, 30}),
                                                core::Overwrite::Replace);
            }
        }
        core::Project made = project(Json::object());
        made.training.batchSize = 2;
        made.training.stepsPerEpoch = 4;
        made.training.epochs = 3;
        made.training.dataset = core::DatasetSpec{
            "image_folder", {{"folder", "pets"}, {"channels", "grayscale"}, {"scale", 255.0}}};
        return made;
    }
    void write(const char* name, const simulator::Extents& extents, const std::vector<float>& values) const {
        QVERIFY(core::writeFileAtomically(path() / name, simulator::npyBytes(extents, values),
                                          core::Overwrite::Replace)
                    .has_value());
    }
    [[nodiscard]] std::filesystem::path path() const { return m_folder->path().toStdString(); }
    static core::Project project(const Json& weights) {
        core::Project made = tests::denseProject({1}, 1);
        made.model = tests::denseModel({1}, 2);
        made.training.batchSize = 4;
        made.training.stepsPerExecution = 1;
        made.training.stepsPerEpoch = 1;
        made.training.epochs = 1;
        made.pipeline.gradientAccumulationSteps = 1;
        made.training.optimizer = core::KerasObject{"SGD", {{"learning_rate", feedRate}}};
        made.training.dataset = core::DatasetSpec{"npy", {{"inputs", "x.npy"}, {"labels", "y.npy"}}};
        made.training.dataset->parameters.update(weights);
        return made;
    }
    [[nodiscard]] core::Result<Trained> outcome(const core::Project& given) const {
        return tests::train(given, 1, path(), core::RunMode::Train, [](simulator::TrainingReplica& replica) {
            for (const simulator::LayerWeight& weight : replica.graph().weights) {
                const auto count = static_cast<std::size_t>(replica.graph().tensor(weight.tensor).elements());
                const std::vector<float> kernel{0.5, 0.25, 0.125, 0.75};
                const std::vector<float> bias{0.1F, 0.2F};
                const std::vector<float>& values = weight.index == 0 ? kernel : bias;
                replica.store().write(weight.tensor, std::span(values).first(count));
            }
        });
    }
    [[nodiscard]] Trained trainedOf(const core::Project& given) const {
        auto result = outcome(given);
        if (!result)
            qWarning("%s", core::toText(result.error().front()).c_str());
        return result.value_or(Trained{});
    }
    [[nodiscard]] Trained trained(const Json& weights) const { return trainedOf(project(weights)); }
    [[nodiscard]] QString refusal(const Json& weights) const {
        const auto result = outcome(project(weights));
        return result ? "trained" : QString::fromStdString(result.error().front().code);
    }

    std::unique_ptr<QTemporaryDir> m_folder;
};

REGISTER_TEST("training_feed", TrainingFeedTest)
#include "training_feed_test.moc"
