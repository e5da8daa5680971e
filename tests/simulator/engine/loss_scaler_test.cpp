#include "simulator/engine/training/loss_scaler.h"

#include "tests/simulator/training_support.h"
#include "tests/support/test_registry.h"

#include <QtTest/QTest>
#include <cmath>

using core::Json;
using tests::Trained;

namespace {

core::Project project(const core::KerasObject& optimizer, std::int64_t updates) {
    core::Project made = tests::denseProject({8, 3}, 1);
    made.model = tests::denseModel({8, 3}, 5);
    made.training.batchSize = 4;
    made.training.stepsPerExecution = 1;
    made.training.stepsPerEpoch = updates;
    made.training.epochs = 1;
    made.pipeline.gradientAccumulationSteps = 1;
    made.training.optimizer = optimizer;
    made.training.dataset = core::DatasetSpec{"synthetic", {{"samples", 16}}};
    return made;
}

const core::KerasObject inner{"SGD", {{"learning_rate", 0.05}, {"momentum", 0.5}}};

core::KerasObject scaled(const Json& rules) {
    core::KerasObject optimizer{"LossScaleOptimizer",
                                {{"inner_optimizer", {{"class_name", "SGD"}, {"config", inner.config}}}}};
    optimizer.config.update(rules);
    return optimizer;
}

Trained trained(const core::Project& given) {
    auto result = tests::train(given);
    if (!result)
        qWarning("%s", core::toText(result.error().front()).c_str());
    return result.value_or(Trained{});
}

} // namespace

class LossScalerTest : public QObject {
    Q_OBJECT

private slots:
    void aScaleThatGrowsByPowersOfTwoChangesNothing() {
        const Trained plain = trained(project(inner, 9));
        QVERIFY(!plain.weights.empty());
        const Trained dynamic =
            trained(project(scaled({{"initial_scale", 8.0}, {"dynamic_growth_steps", 2}}), 9));
        QVERIFY(dynamic.weights == plain.weights);
        QCOMPARE(dynamic.series("loss"), plain.series("loss"));
        const Trained fixed = trained(project(scaled({{"dynamic", false}, {"initial_scale", 128.0}}), 9));
        QVERIFY(fixed.weights == plain.weights);
    }

    void anUpdateWithInfiniteGradientsIsLeftOut() {
        // The first gradients of a loss times 2¹²⁷ are infinite; each update halves the scale until they fit.
        const core::KerasObject optimizer = scaled({{"initial_scale", 0x1p127}});
        core::Project still = project(inner, 1);
        still.training.optimizer->config["learning_rate"] = 0.0;
        // Its slope is 100 over the target.
        still.training.losses = {core::KerasObject{"MeanAbsolutePercentageError", {{"reduction", "sum"}}}};
        const Trained untrained = trained(still);
        core::Project one = project(optimizer, 1);
        one.training.losses = still.training.losses;
        const Trained first = trained(one);
        QVERIFY(!first.weights.empty());
        QVERIFY(first.weights == untrained.weights);
        // It is what a dynamic scale is there for, so nothing is reported.
        QVERIFY(first.findings.empty());
        one.training.stepsPerEpoch = 40;
        const Trained many = trained(one);
        QVERIFY(many.weights != untrained.weights);
        for (const auto& [name, values] : many.weights)
            for (const float value : values)
                QVERIFY2(std::isfinite(value), name.c_str());
    }

    void theRulesAreThoseOfKeras() {
        core::Project given = project(scaled({{"initial_scale", 4.0}, {"dynamic_growth_steps", 2}}), 1);
        const auto executable = simulator::compile(tests::validated(given));
        QVERIFY(executable.has_value());
        auto replica = simulator::TrainingReplica::make(
            std::make_shared<simulator::TrainingProgram>(simulator::trainingProgram(*executable)));
        QVERIFY(replica.has_value());
        const core::TensorId scale = simulator::lossScaleTensor(replica->graph());
        QVERIFY(scale.isValid());
        simulator::LossScaler scaler({4, 2}, scale);
        const simulator::Tensor& gradient = replica->graph().tensor(replica->gradients().front());
        std::byte* data = replica->address(gradient.id);
        const auto step = [&](float value) {
            simulator::writeElements(gradient, data, std::span(&value, 1));
            return scaler.accepts(*replica);
        };
        QVERIFY(step(1) && scaler.scale() == 4);
        QVERIFY(step(1) && scaler.scale() == 8);
        QVERIFY(step(1) && scaler.scale() == 8);
        // A bad one halves and starts the count anew.
        QVERIFY(!step(INFINITY) && scaler.scale() == 4);
        QVERIFY(step(1) && scaler.scale() == 4);
        QVERIFY(step(1) && scaler.scale() == 8);
        for (int i = 0; i < 10; ++i)
            QVERIFY(!step(NAN));
        QCOMPARE(scaler.scale(), 1.0F);
        std::vector<simulator::TrainingReplica> replicas;
        replicas.push_back(std::move(*replica));
        scaler.write(replicas);
        QCOMPARE(replicas.front().store().read(scale), std::vector<float>{1});
    }
};

REGISTER_TEST("loss_scaler", LossScalerTest)
#include "loss_scaler_test.moc"
