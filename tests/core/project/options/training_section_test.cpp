#include "core/project/options/option_sections.h"
#include "tests/support/test_registry.h"

#include <QtTest/QTest>

using core::Json;

namespace {

core::TrainingOptions readTraining(const char* text, core::Diagnostics& findings) {
    const std::vector<std::string> outputs{"left", "right"};
    core::Project project;
    core::readTrainingOptions(Json::parse(text), outputs, "p", "/training", findings, project);
    return project.training;
}

Json section(const core::TrainingOptions& training) {
    core::Project project;
    project.training = training;
    return core::trainingSection(project);
}

} // namespace

class TrainingSectionTest : public QObject {
    Q_OBJECT

private slots:
    void writesBackExactlyWhatDiffersFromTheDefaults() {
        const char* text =
            R"({"batch_size":16,"steps_per_execution":64,"steps_per_epoch":128,"epochs":2,)"
            R"("optimizer":{"class_name":"SGD","config":{"learning_rate":0.01,"momentum":0.9}},)"
            R"("loss":{"class_name":"SparseCategoricalCrossentropy","config":{"from_logits":true}},)"
            R"("metrics":["accuracy"],"precision":"float16","seed":7,)"
            R"("dataset":{"kind":"idx","images":"a","labels":"b","scale":255.0,"shape":[28,28,1]},)"
            R"("validation_split":0.25,"asynchronous_callbacks":true,"infeed":{"prefetch_depth":5},)"
            R"("outfeed":{"buffer_depth":7},"weights":"w.h5"})";
        core::Diagnostics findings;
        const core::TrainingOptions training = readTraining(text, findings);
        QVERIFY(findings.empty());
        QCOMPARE(core::toText(section(training), -1), std::string(text));
    }

    void readsLossesByOutputName() {
        core::Diagnostics findings;
        const auto training = readTraining(R"({"loss": {"right": "mae", "left": "mse"}})", findings);
        QVERIFY(findings.empty());
        QCOMPARE(training.losses.at(0).className, std::string("MeanSquaredError"));
        QCOMPARE(training.losses.at(1).className, std::string("MeanAbsoluteError"));
        (void)readTraining(R"({"loss": {"left": "mse", "rihgt": "mae"}})", findings);
        QCOMPARE(findings.size(), std::size_t{2});
        QCOMPARE(findings[1].hints[0], std::string("did you mean \"right\"?"));
    }

    void readsMetricsByOutput() {
        core::Diagnostics findings;
        const auto named = readTraining(R"({"metrics": {"right": ["mae", "mse"], "left": "mse"}})", findings);
        QVERIFY(findings.empty());
        QVERIFY(named.metrics.empty());
        QCOMPARE(named.outputMetrics.at(0).size(), std::size_t{1});
        QCOMPARE(named.outputMetrics.at(1).at(0).className, std::string("MeanAbsoluteError"));
        const core::Json lists = section(named)["metrics"];
        QCOMPARE(QString::fromStdString(lists.dump()), QString(R"([["mse"],["mae","mse"]])"));
        const auto listed = readTraining(R"({"metrics": [["mse"], ["mae", "mse"]]})", findings);
        QVERIFY(findings.empty());
        QVERIFY(listed.outputMetrics == named.outputMetrics);
        (void)readTraining(R"({"metrics": [["mse"], [], ["mae"]]})", findings);
        QCOMPARE(findings.size(), std::size_t{1});
        QCOMPARE(findings[0].location.place, std::string("/training/metrics"));
    }

    void takesAPrefetchDepthOfZeroAsTheDefault() {
        core::Diagnostics findings;
        QCOMPARE(readTraining(R"({"infeed": {"prefetch_depth": 0}})", findings).infeed.prefetchDepth,
                 std::int64_t{3});
    }

    void refusesWrongValues_data() {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QByteArray>("code");
        const auto row = [](const char* text, const char* code) {
            QTest::newRow(text) << QByteArray(text) << QByteArray(code);
        };
        row(R"({"infeed": {"prefetch_depth": 256}})", "value-error/prefetch-depth");
        row(R"({"infeed": {"dataset": 1}})", "value-error/forbidden-key");
        row(R"({"outfeed": {"outfeed_mode": "ALL"}})", "value-error/forbidden-key");
        row(R"({"batch_size": 0})", "project/out-of-range");
        row(R"({"batch_size": 1000000000000})", "project/out-of-range");
        row(R"({"precision": "float64"})", "project/unknown-value");
        row(R"({"validation_split": 1.5})", "project/out-of-range");
        row(R"({"dataset": {"kind": "idxx", "images": "a"}})", "project/unknown-value");
        row(R"({"dataset": {"kind": "idx"}})", "project/missing-key");
        row(R"({"dataset": {"kind": "idx", "images": "a", "scales": 2}})", "project/unknown-key");
        row(R"({"dataset": {"kind": "npy", "inputs": ["a", 5]}})", "project/wrong-type");
        row(R"({"dataset": {"kind": "npy", "inputs": []}})", "project/value");
        row(R"({"dataset": {"kind": "text", "file": "a", "vocabulary": "b"}})", "project/missing-key");
        row(R"({"dataset": {"kind": "image_folder", "folder": "a", "channels": "bgr"}})",
            "project/unknown-value");
        row(R"({"dataset": {"kind": "synthetic", "samples": -5}})", "project/out-of-range");
        row(R"({"dataset": 5})", "project/wrong-type");
        row(R"({"loss": "sparse_categorical_crossentrophy"})", "value-error/unknown-loss");
        row(R"({"optimiser": "sgd"})", "project/unknown-key");
    }

    void refusesWrongValues() {
        QFETCH(QByteArray, text);
        QFETCH(QByteArray, code);
        core::Diagnostics findings;
        (void)readTraining(text.constData(), findings);
        QVERIFY(!findings.empty());
        QCOMPARE(findings[0].code, code.toStdString());
        QVERIFY(!findings[0].hints.empty());
    }
};

REGISTER_TEST("training_section", TrainingSectionTest)
#include "training_section_test.moc"
