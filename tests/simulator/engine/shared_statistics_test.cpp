#include "core/base/file.h"
#include "simulator/data/files/npy_array.h"
#include "simulator/graph/replica_collective.h"
#include "tests/simulator/training_support.h"
#include "tests/support/test_registry.h"

#include <QTemporaryDir>
#include <QtTest/QTest>
#include <cmath>

using core::Json;
using tests::Trained;

namespace {

constexpr std::string_view groupSize = "norms.experimental.distributed_batch_norm_replica_group_size";
constexpr std::int64_t samples = 48;
constexpr double learningRate = 0.05;

/// Dense, batch normalisation of five channels, Dense.
core::ModelGraph model() {
    core::Diagnostics warnings;
    return core::readKerasModelText(
               R"({"class_name": "Sequential", "config": {"name": "shared", "layers": [
 {"class_name": "InputLayer", "config": {"batch_input_shape": [null, 3], "dtype": "float32", "name": "in"}},
 {"class_name": "Dense", "config": {"name": "first", "units": 5, "activation": "tanh"}},
 {"class_name": "BatchNormalization", "config": {"name": "norm", "momentum": 0.5}},
 {"class_name": "Dense", "config": {"name": "last", "units": 2}}]}})",
               "", warnings)
        .value();
}

core::Project project(std::int64_t replicas, std::int64_t batch, double learningRate,
                      std::int64_t microBatches) {
    core::Project made = tests::denseProject({1}, 1);
    made.model = model();
    made.replicas = replicas;
    made.system.ipus = replicas;
    made.training.batchSize = batch;
    made.training.stepsPerExecution = microBatches;
    made.training.stepsPerEpoch = samples / batch;
    made.training.epochs = 2;
    made.pipeline.gradientAccumulationSteps = microBatches;
    made.training.optimizer = core::KerasObject{"SGD", {{"learning_rate", learningRate}}};
    made.training.dataset =
        core::DatasetSpec{"npy", {{"inputs", "x.npy"}, {"labels", "y.npy"}, {"shuffle", false}}};
    return made;
}

core::Project grouped(core::Project made, std::int64_t group) {
    made.ipuConfig.values[std::string(groupSize)] = group;
    return made;
}

core::Project staged(core::RecomputationMode mode) {
    core::Project made = grouped(project(2, 2, learningRate, 4), 2);
    made.system.ipus = 4;
    made.training.stepsPerExecution = 4;
    made.training.stepsPerEpoch = 8;
    for (const std::size_t stage : {0U, 0U, 1U})
        made.assignment.stages.emplace_back(stage);
    made.pipeline.recomputationMode = mode;
    made.ipuConfig.values["allow_recompute"] = true;
    return made;
}

double largestDifference(const Trained& left, const Trained& right) {
    double largest = 0;
    for (const auto& [name, values] : left.weights)
        for (std::size_t i = 0; i < values.size(); ++i)
            largest = std::max(largest, std::abs(static_cast<double>(values[i]) - right.weights.at(name)[i]));
    return largest;
}

const simulator::Step* globalExchange(const simulator::StageProgram& program) {
    const auto found =
        std::ranges::find(program.steps, core::StepKind::GlobalExchange, &simulator::Step::kind);
    return found == program.steps.end() ? nullptr : &*found;
}

} // namespace

/// Batch normalisation over groups of replicas (distributed batch norm).
class SharedStatisticsTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() {
        std::vector<float> x;
        std::vector<float> y;
        for (int i = 0; i < samples * 3; ++i)
            x.push_back(static_cast<float>(std::sin(i * 1.7) * (1 + i % 5)));
        for (int i = 0; i < samples * 2; ++i)
            y.push_back(static_cast<float>(std::cos(i * 0.9)));
        write("x.npy", {samples, 3}, x);
        write("y.npy", {samples, 2}, y);
    }

    void aGroupTrainsAsOneReplicaWithTheWholeBatch_data() {
        QTest::addColumn<std::int64_t>("replicas");
        QTest::addColumn<std::int64_t>("group");
        QTest::addColumn<std::int64_t>("microBatches");
        QTest::newRow("two replicas") << std::int64_t{2} << std::int64_t{2} << std::int64_t{1};
        QTest::newRow("two replicas, accumulated") << std::int64_t{2} << std::int64_t{2} << std::int64_t{3};
        QTest::newRow("four replicas in pairs") << std::int64_t{4} << std::int64_t{2} << std::int64_t{1};
        QTest::newRow("four replicas together") << std::int64_t{4} << std::int64_t{4} << std::int64_t{1};
    }

    void aGroupTrainsAsOneReplicaWithTheWholeBatch() {
        QFETCH(std::int64_t, replicas);
        QFETCH(std::int64_t, group);
        QFETCH(std::int64_t, microBatches);
        constexpr std::int64_t batch = 2;
        const Trained shared = trained(grouped(project(replicas, batch, learningRate, microBatches), group));
        // Replicas add up their gradients; the mean over a group's samples is a group's share of that sum.
        const Trained whole = trained(project(replicas / group, batch * group,
                                              learningRate * static_cast<double>(group), microBatches));
        QVERIFY(!shared.weights.empty());
        QCOMPARE(shared.weights.size(), whole.weights.size());
        QVERIFY(shared.weights.contains("norm/moving_variance"));
        QVERIFY2(largestDifference(shared, whole) < 2e-5,
                 qPrintable(QString::number(largestDifference(shared, whole))));
        const Trained alone = trained(project(replicas, batch, learningRate, microBatches));
        QVERIFY(largestDifference(alone, whole) > 1e-3);
    }

    void theSameBytesComeEveryTime() {
        const core::Project given = grouped(project(4, 2, learningRate, 1), 2);
        QVERIFY(trained(given).weights == trained(given).weights);
    }

    void eachPassAllReducesTwoNumbersPerChannel() {
        const auto programs = [](const core::Project& given) {
            return simulator::compile(tests::validated(given)).value().stages.front();
        };
        const simulator::StagePrograms alone = programs(project(4, 2, learningRate, 1));
        const simulator::StagePrograms pairs = programs(grouped(project(4, 2, learningRate, 1), 2));
        const simulator::StagePrograms all = programs(grouped(project(4, 2, learningRate, 1), 4));
        for (const auto program : {&simulator::StagePrograms::forward, &simulator::StagePrograms::backward}) {
            QVERIFY(globalExchange(alone.*program) == nullptr);
            const simulator::Step* exchange = globalExchange(pairs.*program);
            QVERIFY(exchange != nullptr);
            QCOMPARE(exchange->bytes.value(), std::int64_t{5 * 2 * 4});
            QVERIFY(exchange->duration > core::Cycles(0));
            QVERIFY(globalExchange(all.*program)->duration > exchange->duration);
            QCOMPARE((pairs.*program).exchange - (alone.*program).exchange, exchange->duration);
            QVERIFY((pairs.*program).sync > (alone.*program).sync);
        }
    }

    void evaluationKeepsToTheMovingStatistics() {
        const auto executable = simulator::compile(
            tests::validated(grouped(project(2, 2, learningRate, 1), 2), core::RunMode::Evaluate));
        QVERIFY(executable.has_value());
        QVERIFY(globalExchange(executable->stages.front().forward) == nullptr);
        // Nothing is shared there, so nothing has to divide.
        QVERIFY(
            core::validate(grouped(project(2, 2, learningRate, 1), 3), core::RunMode::Evaluate).has_value());
    }

    void recomputationSharesAgainUnlessItIsInsideTheBackwardPass() {
        core::Project apart = staged(core::RecomputationMode::RecomputeThenBackpropagate);
        core::Project inside = staged(core::RecomputationMode::RecomputeAndBackpropagateInterleaved);
        const auto again = simulator::compile(tests::validated(apart));
        const auto once = simulator::compile(tests::validated(inside));
        QVERIFY(again.has_value() && once.has_value());
        QVERIFY(globalExchange(again->stages.front().recompute) != nullptr);
        const auto exchanges = [](const simulator::StageProgram& program) {
            return std::ranges::count(program.steps, core::StepKind::GlobalExchange, &simulator::Step::kind);
        };
        QCOMPARE(exchanges(once->stages.front().backward), 1);
        QCOMPARE(exchanges(once->stages.front().recompute), 0);
    }

    void aGroupThatDoesNotFitIsRefused() {
        const auto codes = [](const core::Project& given) {
            const auto outcome = core::validateAll(given, core::RunMode::Train);
            std::vector<std::string> found;
            for (const core::Diagnostic& finding : outcome.findings)
                found.push_back(finding.code);
            return found;
        };
        QCOMPARE(codes(grouped(project(2, 2, learningRate, 1), 2)), std::vector<std::string>{});
        QCOMPARE(codes(grouped(project(2, 2, learningRate, 1), 4)),
                 std::vector<std::string>{"value-error/batch-norm-group"});
        QCOMPARE(codes(grouped(project(4, 2, learningRate, 1), 3)),
                 std::vector<std::string>{"value-error/batch-norm-group"});
        core::Project withIoTiles = grouped(project(2, 2, learningRate, 1), 2);
        withIoTiles.ipuConfig.values["io_tiles.num_io_tiles"] = 32;
        QVERIFY(std::ranges::count(codes(withIoTiles), "unimplemented/batch-norm-group") == 1);
        QVERIFY(std::ranges::count(codes(staged(core::RecomputationMode::Auto)),
                                   "warning/distributed-batch-norm") == 1);
    }

private:
    void write(const char* name, const simulator::Extents& extents, const std::vector<float>& values) const {
        QVERIFY(core::writeFileAtomically(path() / name, simulator::npyBytes(extents, values),
                                          core::Overwrite::Replace)
                    .has_value());
    }
    [[nodiscard]] std::filesystem::path path() const { return m_folder.path().toStdString(); }
    [[nodiscard]] Trained trained(const core::Project& given) const {
        auto result = tests::train(given, 1, path());
        if (!result)
            qWarning("%s", core::toText(result.error().front()).c_str());
        return result.value_or(Trained{});
    }

    QTemporaryDir m_folder;
};

REGISTER_TEST("shared_statistics", SharedStatisticsTest)
#include "shared_statistics_test.moc"
