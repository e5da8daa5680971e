#include "simulator/engine/replica/training_replica.h"

#include "core/base/file.h"
#include "simulator/data/files/npy_array.h"
#include "tests/simulator/training_support.h"
#include "tests/support/test_registry.h"

#include <QTemporaryDir>
#include <QtTest/QTest>
#include <array>
#include <cmath>
#include <functional>

using core::Json;
using tests::Trained;

namespace {

constexpr double replicaRate = 0.01;
/// Two replicas with two samples of three replicaInputs each; all so large that the layers' relu does
/// nothing.
const std::vector<float> replicaInputs{1, 2, 3, 2, 1, 1, 3, 1, 2, 1, 1, 4};
const std::vector<float> firstKernel{0.5, 0.25, 0.125, 0.5, 0.25, 0.75};
const std::vector<float> firstBias{0.25, 0.5};

using Row = std::vector<double>;

/// What a layer gives to each replica of what each has: 2 × 2 numbers, row by row.
using Exchange = std::function<std::array<Row, 2>(const std::array<Row, 2>&)>;

/// The sum of both replicas' mean squared errors, by the definitions of the layers.
double totalLoss(const Row& kernel, const Exchange& exchange, const std::vector<float>& targets) {
    std::array<Row, 2> hidden;
    for (std::size_t sample = 0; sample < 4; ++sample)
        for (std::size_t unit = 0; unit < 2; ++unit) {
            double value = firstBias[unit];
            for (std::size_t i = 0; i < 3; ++i)
                value += replicaInputs[sample * 3 + i] * kernel[i * 2 + unit];
            hidden[sample / 2].push_back(value);
        }
    const std::array<Row, 2> outputs = exchange(hidden);
    double loss = 0;
    for (std::size_t replica = 0; replica < 2; ++replica) {
        const Row& given = outputs[replica];
        for (std::size_t i = 0; i < given.size(); ++i)
            loss += std::pow(given[i] - targets[replica * given.size() + i], 2) /
                    static_cast<double>(given.size());
    }
    return loss;
}

/// The kernel after an update of plain descent; the loss is quadratic, so central differences are exact.
Row updatedKernel(const Exchange& exchange, const std::vector<float>& targets) {
    Row kernel(firstKernel.begin(), firstKernel.end());
    Row updated = kernel;
    for (std::size_t i = 0; i < kernel.size(); ++i) {
        Row up = kernel;
        Row down = kernel;
        up[i] += 0.01;
        down[i] -= 0.01;
        updated[i] -=
            replicaRate * (totalLoss(up, exchange, targets) - totalLoss(down, exchange, targets)) / 0.02;
    }
    return updated;
}

/// A Dense layer of two units and a layer that exchanges.
core::ModelGraph replicatedModel(const std::string& layer, const std::string& config) {
    core::Diagnostics warnings;
    return core::readKerasModelText(
               fmt::format(
                   R"({{"class_name": "Sequential", "config": {{"name": "meeting", "layers": [)"
                   R"({{"class_name": "InputLayer", "config": {{"batch_input_shape": [null, 3], "dtype": "float32", "name": "in"}}}},)"
                   R"({{"class_name": "Dense", "config": {{"name": "dense", "units": 2, "activation": "relu"}}}},)"
                   R"({{"class_name": "{}", "config": {{"name": "meet"{}}}}}]}}}})",
                   layer, config),
               "", warnings)
        .value();
}

core::Project replicatedProject(const core::ModelGraph& given) {
    core::Project made = tests::denseProject({1}, 1);
    made.model = given;
    made.replicas = 2;
    made.system.ipus = 2;
    made.training.batchSize = 2;
    made.training.stepsPerExecution = 1;
    made.training.stepsPerEpoch = 2;
    made.training.epochs = 1;
    made.pipeline.gradientAccumulationSteps = 1;
    made.training.optimizer = core::KerasObject{"SGD", {{"learning_rate", replicaRate}}};
    made.training.dataset = core::DatasetSpec{"npy", {{"inputs", "x.npy"}, {"labels", "y.npy"}}};
    return made;
}

double sumAt(const std::array<Row, 2>& hidden, std::size_t i) {
    return hidden[0][i] + hidden[1][i];
}

} // namespace

class TrainingReplicaTest : public QObject {
    Q_OBJECT

private slots:
    void init() {
        m_folder = std::make_unique<QTemporaryDir>();
        write("x.npy", {4, 3}, replicaInputs);
    }

    void replicasThatMeetTrainAsTheFormulasSay_data() {
        QTest::addColumn<QString>("layer");
        QTest::addColumn<QString>("config");
        QTest::addColumn<Exchange>("exchange");
        /// Of the targets of one sample.
        QTest::addColumn<QList<int>>("extents");
        const auto row = [](const char* name, const char* layer, const char* config, const Exchange& exchange,
                            const QList<int>& extents) {
            QTest::newRow(name) << QString(layer) << QString(config) << exchange << extents;
        };
        row("sum", "CrossReplicaSum", "",
            [](const auto& hidden) {
                Row all;
                for (std::size_t i = 0; i < 4; ++i)
                    all.push_back(sumAt(hidden, i));
                return std::array<Row, 2>{all, all};
            },
            {2});
        row("mean", "CrossReplicaMean", "",
            [](const auto& hidden) {
                Row all;
                for (std::size_t i = 0; i < 4; ++i)
                    all.push_back(sumAt(hidden, i) / 2);
                return std::array<Row, 2>{all, all};
            },
            {2});
        row("gather", "AllGather", R"(, "replication_factor": 2)",
            [](const auto& hidden) {
                Row all = hidden[0];
                all.insert(all.end(), hidden[1].begin(), hidden[1].end());
                return std::array<Row, 2>{all, all};
            },
            {2, 2});
        row("all to all", "AllToAll", R"(, "number_of_replicas": 2)",
            [](const auto& hidden) {
                return std::array<Row, 2>{Row{hidden[0][0], hidden[0][1], hidden[1][0], hidden[1][1]},
                                          Row{hidden[0][2], hidden[0][3], hidden[1][2], hidden[1][3]}};
            },
            {2});
        row("scattered sum", "ReduceScatter", R"(, "replication_factor": 2)",
            [](const auto& hidden) {
                return std::array<Row, 2>{Row{sumAt(hidden, 0), sumAt(hidden, 1)},
                                          Row{sumAt(hidden, 2), sumAt(hidden, 3)}};
            },
            {});
        row("scattered mean", "ReduceScatter", R"(, "replication_factor": 2, "op": "COLLECTIVE_OP_MEAN")",
            [](const auto& hidden) {
                return std::array<Row, 2>{Row{sumAt(hidden, 0) / 2, sumAt(hidden, 1) / 2},
                                          Row{sumAt(hidden, 2) / 2, sumAt(hidden, 3) / 2}};
            },
            {});
    }

    void replicasThatMeetTrainAsTheFormulasSay() {
        QFETCH(QString, layer);
        QFETCH(QString, config);
        QFETCH(Exchange, exchange);
        QFETCH(QList<int>, extents);
        simulator::Extents shape{4};
        for (const int extent : extents)
            shape.push_back(extent);
        std::vector<float> targets;
        for (std::int64_t i = 0; i < simulator::elementCount(shape); ++i)
            targets.push_back(static_cast<float>(i % 5) - 1);
        write("y.npy", shape, targets);
        const Trained result =
            trained(replicatedProject(replicatedModel(layer.toStdString(), config.toStdString())));
        QVERIFY(!result.weights.empty());
        const Row expected = updatedKernel(exchange, targets);
        const std::vector<float>& kernel = result.weights.at("dense/kernel");
        for (std::size_t i = 0; i < expected.size(); ++i)
            QVERIFY2(std::abs(kernel[i] - expected[i]) < 1e-5 * std::max(1.0, std::abs(expected[i])),
                     qPrintable(QString("%1: %2 and %3").arg(i).arg(kernel[i]).arg(expected[i])));
        const Row start(firstKernel.begin(), firstKernel.end());
        QVERIFY(std::abs(result.series("loss").front() - totalLoss(start, exchange, targets) / 2) < 1e-4);
    }

    void meetingReplicasGiveTheSameBytesEveryTime() {
        write("y.npy", {4, 2}, {1, 2, 3, 4, 5, 6, 7, 8});
        core::Project given = replicatedProject(replicatedModel("CrossReplicaSum", ""));
        given.training.stepsPerEpoch = 20;
        const Trained first = trained(given);
        for (int again = 0; again < 3; ++again) {
            const Trained next = trained(given);
            QVERIFY(next.weights == first.weights);
            QCOMPARE(next.series("loss"), first.series("loss"));
        }
    }

    void aCancelledMeetingEnds() {
        write("y.npy", {4, 2}, {1, 2, 3, 4, 5, 6, 7, 8});
        core::Project given = replicatedProject(replicatedModel("CrossReplicaSum", ""));
        given.training.epochs = 5;
        const auto executable = simulator::compile(tests::validated(given));
        QVERIFY(executable.has_value());
        auto run = simulator::TrainingRun::make(*executable, {1, path()});
        QVERIFY(run.has_value());
        std::stop_source stop;
        core::MemoryProfile profile;
        const auto result = run->run(profile, {stop.get_token(), [&](double, std::string_view activity) {
                                                   if (activity.starts_with("training, epoch 3"))
                                                       stop.request_stop();
                                               }});
        QVERIFY(!result.has_value());
        QVERIFY(result.error().front().trouble == core::Trouble::Interrupted);
    }

private:
    void write(const char* name, const simulator::Extents& extents, const std::vector<float>& values) const {
        QVERIFY(core::writeFileAtomically(path() / name, simulator::npyBytes(extents, values),
                                          core::Overwrite::Replace)
                    .has_value());
    }
    [[nodiscard]] std::filesystem::path path() const { return m_folder->path().toStdString(); }
    [[nodiscard]] Trained trained(const core::Project& given) const {
        auto result =
            tests::train(given, 1, path(), core::RunMode::Train, [](simulator::TrainingReplica& replica) {
                for (const simulator::LayerWeight& weight : replica.graph().weights)
                    replica.store().write(weight.tensor, weight.index == 0 ? firstKernel : firstBias);
            });
        if (!result)
            qWarning("%s", core::toText(result.error().front()).c_str());
        return result.value_or(Trained{});
    }

    std::unique_ptr<QTemporaryDir> m_folder;
};

REGISTER_TEST("training_replica", TrainingReplicaTest)
#include "training_replica_test.moc"
