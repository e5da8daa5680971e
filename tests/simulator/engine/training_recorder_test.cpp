#include "simulator/engine/training/training_recorder.h"

#include "tests/simulator/training_support.h"
#include "tests/support/test_registry.h"

#include <QTemporaryDir>
#include <QtTest/QTest>
#include <cmath>
#include <limits>

using core::Json;
using core::TrainedTensorKind;

namespace {

/// Three epochs of one update each; a layer and its classes.
core::Project recordedProject() {
    core::Project made = tests::denseProject({16, 5}, 1);
    made.model = tests::denseModel({16, 5}, 12);
    made.training.batchSize = 8;
    made.training.stepsPerExecution = 1;
    made.training.stepsPerEpoch = 8;
    made.pipeline.gradientAccumulationSteps = 1;
    made.training.epochs = 3;
    made.training.optimizer = core::KerasObject{"SGD", {{"learning_rate", 0.5}}};
    made.training.losses = {core::KerasObject{"SparseCategoricalCrossentropy", Json{{"from_logits", true}}}};
    made.training.metrics = {core::KerasObject{"accuracy", Json::object()}};
    made.training.dataset = core::DatasetSpec{"synthetic", {{"samples", 64}, {"seed", 3}}};
    return made;
}

core::KerasObject recording(int tensorStatistics, bool confusion, int samples) {
    return {"RecordTraining",
            {{"tensor_statistics", tensorStatistics},
             {"histogram_bins", 8},
             {"confusion_matrix", confusion},
             {"sample_predictions", samples}}};
}

struct RecordedTraining {
    core::MemoryProfile profile;
    std::map<std::string, std::vector<float>> weights;
};

std::unique_ptr<RecordedTraining> recordedTraining(const core::Project& given,
                                                   const std::filesystem::path& folder = {},
                                                   std::stop_source stop = {},
                                                   const std::string& stopAt = "never") {
    auto result = std::make_unique<RecordedTraining>();
    const auto executable = simulator::compile(tests::validated(given));
    if (!executable)
        return nullptr;
    auto run = simulator::TrainingRun::make(*executable, {1, folder});
    if (!run)
        return nullptr;
    (void)run->run(result->profile, {stop.get_token(), [&](double, std::string_view activity) {
                                         if (activity.starts_with(stopAt))
                                             stop.request_stop();
                                     }});
    result->weights = tests::weightsOf(run->replica());
    return result;
}

} // namespace

class TrainingRecorderTest : public QObject {
    Q_OBJECT

private slots:
    void statisticsAreThoseOfTheFiniteValues() {
        constexpr float infinity = std::numeric_limits<float>::infinity();
        const std::vector<float> values{-3, 4, infinity, 0, NAN, 1};
        const core::TensorStatisticsRecord record = simulator::statisticsOf(values, 7);
        QCOMPARE(record.elements, std::int64_t{6});
        QCOMPARE(record.notFinite, std::int64_t{2});
        QCOMPARE(record.norm, std::sqrt(26.0));
        QCOMPARE(record.minimum, -3.0);
        QCOMPARE(record.maximum, 4.0);
        QCOMPARE(record.mean, 0.5);
        QCOMPARE(record.histogram, (std::vector<std::int64_t>{1, 0, 0, 1, 1, 0, 1}));
        QVERIFY(std::isnan(simulator::statisticsOf(std::vector<float>{NAN}, 2).norm));
        QCOMPARE(simulator::statisticsOf(std::vector<float>{2, 2}, 2).histogram,
                 (std::vector<std::int64_t>{2, 0}));
    }

    void picturesAreGreyOrColour() {
        const std::vector<float> unit{0, 0.5, 1, 0.2F};
        QCOMPARE(simulator::imageOf({2, 2}, unit)->pixels, (std::vector<std::uint8_t>{0, 128, 255, 51}));
        QCOMPARE(simulator::imageOf({2, 2, 1}, std::vector<float>{-1, 0, 1, 1})->pixels,
                 (std::vector<std::uint8_t>{0, 128, 255, 255}));
        QCOMPARE(simulator::imageOf({1, 1, 3}, std::vector<float>{0, 1, 0.5})->channels, std::int64_t{3});
        QVERIFY(!simulator::imageOf({4}, unit));
        QVERIFY(!simulator::imageOf({1, 2, 2}, unit));
    }

    void nothingIsRecordedThatWasNotAskedFor() {
        const auto plain = recordedTraining(recordedProject());
        QVERIFY(plain != nullptr);
        QVERIFY(plain->profile.trainingRecords().isEmpty());
    }

    void recordingChangesNothing() {
        core::Project watched = recordedProject();
        watched.training.callbacks = {recording(1, true, 4)};
        const auto plain = recordedTraining(recordedProject());
        const auto all = recordedTraining(watched);
        QVERIFY(all->weights == plain->weights);
        QVERIFY(all->profile.metrics() == plain->profile.metrics());
    }

    void plainDescentMovesWeightsByTheRecordedGradient() {
        core::Project watched = recordedProject();
        watched.training.callbacks = {recording(8, false, 0)};
        const auto all = recordedTraining(watched);
        const auto& tensors = all->profile.trainingRecords().tensors;
        // Updates 0, 8 and 16 of 24; two layers of kernel and bias; weights and gradients.
        QCOMPARE(tensors.size(), std::size_t{3 * 4 * 2});
        // bias := bias − 0.5 · gradient, from 0: after the first update the bias is the gradient times −0.5.
        const auto of = [&](const std::string& name, TrainedTensorKind kind) {
            return *std::ranges::find_if(tensors, [&](const core::TensorStatisticsRecord& r) {
                return r.tensor == name && r.kind == kind;
            });
        };
        for (const std::string layer : {"dense0", "dense1"}) {
            const auto bias = of(layer + "/bias", TrainedTensorKind::Weight);
            const auto gradient = of(layer + "/bias", TrainedTensorKind::Gradient);
            QCOMPARE(bias.layer, layer);
            QVERIFY(gradient.norm > 0);
            QVERIFY(std::abs(bias.norm - 0.5 * gradient.norm) < 1e-6 * gradient.norm);
            QVERIFY(std::abs(bias.maximum + 0.5 * gradient.minimum) < 1e-6);
        }
        QCOMPARE(tensors.back().update, std::int64_t{16});
        QCOMPARE(tensors.back().epoch, std::int64_t{2});
    }

    void theDiagonalOfTheConfusionIsTheAccuracy() {
        core::Project watched = recordedProject();
        watched.training.validationSplit = 0.25;
        watched.training.callbacks = {recording(0, true, 0)};
        const auto all = recordedTraining(watched);
        const auto& cells = all->profile.trainingRecords().confusion;
        std::vector<double> accuracies;
        for (const core::MetricRecord& metric : all->profile.metrics())
            if (metric.name == "val_accuracy")
                accuracies.push_back(metric.value);
        QCOMPARE(accuracies.size(), std::size_t{3});
        for (std::int64_t epoch = 0; epoch < 3; ++epoch) {
            double right = 0;
            double count = 0;
            for (const core::ConfusionRecord& cell : cells) {
                if (cell.epoch != epoch)
                    continue;
                QCOMPARE(cell.output, std::string("dense1"));
                count += static_cast<double>(cell.count);
                right += cell.truth == cell.predicted ? static_cast<double>(cell.count) : 0;
            }
            QCOMPARE(count, 16.0);
            QVERIFY(std::abs(right / count - accuracies[static_cast<std::size_t>(epoch)]) < 1e-6);
        }
    }

    void samplesKeepTheirNumbersAndTheirProbabilities() {
        core::Project watched = recordedProject();
        watched.training.validationSplit = 0.25;
        watched.training.callbacks = {recording(0, false, 5)};
        const auto all = recordedTraining(watched);
        const auto& predictions = all->profile.trainingRecords().predictions;
        QCOMPARE(predictions.size(), std::size_t{15});
        for (std::size_t i = 0; i < predictions.size(); ++i) {
            QCOMPARE(predictions[i].sample, static_cast<std::int64_t>(48 + i % 5));
            QCOMPARE(predictions[i].epoch, static_cast<std::int64_t>(i / 5));
            // The most probable of five.
            QVERIFY(predictions[i].probability >= 0.2 && predictions[i].probability <= 1);
            QCOMPARE(predictions[i].truth, predictions[i % 5].truth);
        }
    }

    void withoutValidationTheTrainingDataAreLookedAt() {
        core::Project watched = recordedProject();
        watched.training.callbacks = {recording(0, true, 2)};
        const auto all = recordedTraining(watched);
        std::int64_t count = 0;
        for (const core::ConfusionRecord& cell : all->profile.trainingRecords().confusion)
            count += cell.epoch == 0 ? cell.count : 0;
        QCOMPARE(count, std::int64_t{64});
        QCOMPARE(all->profile.trainingRecords().predictions.front().sample, std::int64_t{0});
        for (const core::MetricRecord& metric : all->profile.metrics())
            QVERIFY(!metric.name.starts_with("val_"));
    }

    void aRunThatGoesOnTellsWhatItsFirstPartRecorded() {
        QTemporaryDir folder;
        const std::filesystem::path path = folder.path().toStdString();
        core::Project watched = recordedProject();
        watched.training.callbacks = {{"BackupAndRestore", {{"backup_dir", "backup"}}},
                                      recording(4, true, 3)};
        const auto whole = recordedTraining(watched, path);
        (void)recordedTraining(watched, path, {}, "training, epoch 3");
        const auto rest = recordedTraining(watched, path);
        QVERIFY(rest->profile.trainingRecords() == whole->profile.trainingRecords());
    }
};

REGISTER_TEST("training_recorder", TrainingRecorderTest)
#include "training_recorder_test.moc"
