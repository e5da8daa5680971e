#include "core/interchange/project/compile_config.h"

#include "core/config/loss_weight.h"
#include "core/interchange/importer_catalogue.h"
#include "tests/support/test_registry.h"

#include <QtTest/QTest>

namespace {

using core::Json;

const std::string compiledModel = R"({"class_name": "Sequential", "config": {"name": "s", "layers": [
    {"class_name": "Dense", "config": {"name": "d", "batch_input_shape": [null, 8], "units": 4}}]}})";

/// The configuration of a document that Keras 2 writes, or TensorFlow.js.
core::ProjectFile imported(const std::string& training) {
    const auto file = core::importProject(
        R"({"model_config": )" + compiledModel + R"(, "training_config": )" + training + "}", "m.json");
    return file ? *file : core::ProjectFile{};
}

} // namespace

class CompileConfigTest : public QObject {
    Q_OBJECT

private slots:
    void kerasTwoKeepsItsOptimizerLossAndMetrics() {
        const core::ProjectFile file = imported(R"({
            "loss": {"class_name": "SparseCategoricalCrossentropy", "config":
                {"reduction": "auto", "name": "sparse_categorical_crossentropy", "from_logits": true, "axis": -1}},
            "metrics": [[{"class_name": "MeanMetricWrapper", "config":
                {"name": "accuracy", "dtype": "float32", "fn": "sparse_categorical_accuracy"}}]],
            "weighted_metrics": null, "loss_weights": null,
            "optimizer_config": {"class_name": "SGD", "config": {"name": "SGD", "learning_rate": 0.25, "decay": 0.0,
                "momentum": 0.5, "nesterov": false, "is_legacy_optimizer": false, "clipnorm": null}}})");
        QVERIFY2(file.warnings.empty(),
                 file.warnings.empty() ? "" : core::toText(file.warnings.front()).c_str());
        const core::TrainingOptions& training = file.project.training;
        QVERIFY(training.optimizer.has_value());
        QCOMPARE(training.optimizer->className, std::string("SGD"));
        QCOMPARE(training.optimizer->config.value("learning_rate", 0.0), 0.25);
        QCOMPARE(training.optimizer->config.value("momentum", 0.0), 0.5);
        QCOMPARE(training.losses.size(), std::size_t(1));
        QVERIFY(training.losses[0].config.value("from_logits", false));
        QCOMPARE(training.metrics.size(), std::size_t(1));
    }

    void metricsStayWithTheirOutputs() {
        const core::ProjectFile file = imported(R"({"loss": ["mse"], "metrics": {"d": ["mae"]}})");
        QVERIFY(file.project.training.metrics.empty());
        QCOMPARE(file.project.training.outputMetrics.at(0).at(0).className, std::string("MeanAbsoluteError"));
    }

    void weightsOfLossesAreKept() {
        const core::ProjectFile file = imported(R"({"loss": {"d": "mse"}, "loss_weights": {"d": 0.5}})");
        QVERIFY(file.warnings.empty());
        QCOMPARE(core::lossWeight(file.project.training.losses.at(0)), 0.5);
    }

    void kerasThreeKeepsThemInsideTheModel() {
        std::string whole = compiledModel;
        whole.insert(1,
                     R"("compile_config": {"optimizer": {"module": "keras.optimizers", "class_name": "Adam",
            "config": {"name": "adam", "learning_rate": 0.5, "weight_decay": null, "use_ema": false, "beta_1": 0.75},
            "registered_name": null}, "loss": "mse", "metrics": ["mae"], "steps_per_execution": 4, "jit_compile": true}, )");
        const auto file = core::importProject(whole, "m.json");
        QVERIFY(file.has_value());
        const core::TrainingOptions& training = file->project.training;
        QCOMPARE(training.optimizer->className, std::string("Adam"));
        QCOMPARE(training.optimizer->config.value("beta_1", 0.0), 0.75);
        QCOMPARE(training.losses.at(0).className, std::string("MeanSquaredError"));
        QCOMPARE(training.metrics.size(), std::size_t(1));
        QCOMPARE(training.stepsPerExecution, std::int64_t(4));
    }

    /// The rest is taken, and the model is imported.
    void whatMeansNothingHereIsLeftOutInWords() {
        const core::ProjectFile file = imported(
            R"({"loss": "my_own_loss", "metrics": ["accuracy"], "optimizer_config": {"class_name": "SGD", "config": {"learning_rate": 0.125}}})");
        QCOMPARE(file.warnings.size(), std::size_t(1));
        QCOMPARE(file.warnings[0].code, std::string("import/compile-config"));
        QVERIFY(file.warnings[0].message.find("loss") != std::string::npos);
        QVERIFY(file.project.training.losses.empty());
        QCOMPARE(file.project.training.optimizer->config.value("learning_rate", 0.0), 0.125);
        QVERIFY(!file.project.model.layers.empty());
    }

    void aModelThatWasNeverCompiledHasNone() {
        QVERIFY(core::compileConfigOf(Json::parse(compiledModel)).is_null());
        QVERIFY(!imported("null").project.training.optimizer.has_value());
    }
};

REGISTER_TEST("compile_config", CompileConfigTest)
#include "compile_config_test.moc"
