#include "tests/tools/oracle/graph_session.h"

#include "core/model/graph/infer_shapes.h"
#include "core/model/graph/model_builder.h"
#include "simulator/compiler/staging/build_training_graph.h"
#include "simulator/graph/graph_builder.h"
#include "simulator/numerics/sequence/fuse_operations.h"
#include "simulator/numerics/weight_initializer.h"
#include "tests/simulator/project_support.h"
#include "tests/support/allocations/allocation_count.h"
#include "tests/support/numerics/random_operands.h"
#include "tests/support/test_registry.h"

#include <QtTest/QTest>
#include <set>

using namespace simulator;

namespace {

core::Project trainedProject() {
    core::Project project = tests::denseProject({48, 32, 8}, 1);
    project.training.optimizer = core::KerasObject{"Adam", {{"learning_rate", 0.01}}};
    project.pipeline.gradientAccumulationSteps = 2;
    return project;
}

/// A session of a small network with the same weights and data every time.
class Training {
public:
    explicit Training(const core::Project& project, bool fuses = true, unsigned threads = 1)
        : m_microBatches(project.pipeline.gradientAccumulationSteps.value_or(1))
        , m_pool(threads)
        , m_graph(std::make_shared<TrainingGraph>(*buildTrainingGraph(tests::validated(project))))
        , m_session(*GraphSession::make(m_graph, {fuses})) {
        m_pool.reserveScratch(m_session.threadScratch());
        tests::RandomOperands random(3, 0);
        for (const LayerWeight& weight : m_graph->weights) {
            const Tensor& tensor = m_graph->tensor(weight.tensor);
            m_session.store().write(weight.tensor,
                                    initialWeights(core::Json::object(), tensor.extents, tensor.name, 1));
        }
        for (const auto& ids : {m_graph->inputs, m_graph->targets}) {
            for (const core::TensorId id : ids)
                m_session.store().write(id, random.between(m_graph->tensor(id).elements(), -1, 1));
        }
    }

    float step() {
        m_state.learningRate = 0.01;
        for (m_state.microBatch = 0; m_state.microBatch < m_microBatches; ++m_state.microBatch) {
            m_session.runMicroBatch(m_state, m_pool);
            ++m_state.draw;
        }
        m_session.runUpdate(m_state, m_pool);
        ++m_state.update;
        return m_session.scalar(m_graph->loss);
    }

    std::vector<float> losses(int steps) {
        std::vector<float> result;
        for (int i = 0; i < steps; ++i)
            result.push_back(step());
        return result;
    }

    [[nodiscard]] std::vector<std::vector<float>> weights() const {
        std::vector<std::vector<float>> all;
        for (const LayerWeight& weight : m_graph->weights)
            all.push_back(m_session.store().read(weight.tensor));
        return all;
    }

    [[nodiscard]] const TrainingGraph& graph() const { return *m_graph; }
    [[nodiscard]] const GraphSession& session() const { return m_session; }

private:
    std::int64_t m_microBatches;
    ThreadPool m_pool;
    std::shared_ptr<const TrainingGraph> m_graph;
    GraphSession m_session;
    StepState m_state;
};

/// A network of products and batch normalisations.
core::ModelGraph normalisedModel() {
    using core::Json;
    const Json plain = Json::object();
    const auto filters = [](int count, int size, int groups) {
        return Json{{"filters", count}, {"kernel_size", {size, size}}, {"groups", groups}};
    };
    return core::sequentialModel(
        "normalised", {9, 9, 3},
        {{"Conv2D", "wide", {{"filters", 20}, {"kernel_size", {3, 3}}, {"use_bias", false}}},
         {"BatchNormalization", "after_wide", plain},
         {"Conv2D", "pointwise", filters(12, 1, 1)},
         {"BatchNormalization", "after_pointwise", {{"epsilon", 0.25}}},
         {"ReLU", "relu", plain},
         {"Conv2D", "grouped", filters(36, 3, 2)},
         {"BatchNormalization", "after_grouped", {{"scale", false}}},
         {"Flatten", "flatten", plain},
         // Behind no product.
         {"BatchNormalization", "alone", plain},
         {"Dense", "dense", {{"units", 70}, {"activation", "linear"}}},
         {"BatchNormalization", "after_dense", {{"center", false}}},
         {"Activation", "activation", {{"activation", "relu"}}}});
}

/// Sums around products: of two products, of one with what it was made from, in groups, of matrices.
core::ModelGraph residualModel() {
    using core::Json;
    using core::TensorRef;
    core::ModelBuilder builder("residual");
    const auto convolution = [&](const char* name, TensorRef x, int size, int groups) {
        const TensorRef y = builder.call("Conv2D", name,
                                         {{"filters", 36},
                                          {"kernel_size", {size, size}},
                                          {"padding", "same"},
                                          {"groups", groups},
                                          {"use_bias", false}},
                                         {x});
        return builder.call("BatchNormalization", std::string(name) + "_norm", Json::object(), {y});
    };
    const auto sum = [&](const char* name, TensorRef a, TensorRef b) {
        return builder.call("ReLU", std::string(name) + "_relu", Json::object(),
                            {builder.call("Add", name, Json::object(), {a, b})});
    };
    TensorRef x = builder.input("x", {7, 7, 4});
    x = sum("of_two", convolution("shortcut", x, 1, 1), convolution("wide", x, 3, 1));
    x = sum("around_one", x, convolution("pointwise", x, 1, 1));
    x = sum("around_groups", convolution("grouped", x, 3, 2), x);
    x = builder.call("Flatten", "flatten", Json::object(), {x});
    x = builder.call("Dense", "dense", {{"units", 70}, {"activation", "relu"}}, {x});
    const TensorRef y = builder.call("Dense", "again", {{"units", 70}, {"activation", "linear"}}, {x});
    return std::move(builder).build({builder.call("Add", "of_matrices", Json::object(), {x, y})});
}

/// What a network predicts for three samples, with weights and statistics at random.
class Prediction {
public:
    explicit Prediction(const core::ModelGraph& model, bool fuses, unsigned threads = 1)
        : m_pool(threads) {
        core::InferenceOptions inference;
        inference.batchSize = 3;
        TrainingGraphOptions options;
        options.mode = core::RunMode::Predict;
        m_graph = std::make_shared<TrainingGraph>(
            *buildTrainingGraph(*core::inferShapes(model, inference), options));
        m_session = std::make_unique<GraphSession>(*GraphSession::make(m_graph, {fuses}));
        m_pool.reserveScratch(m_session->threadScratch());
        tests::RandomOperands random(5, 0);
        for (const LayerWeight& weight : m_graph->weights)
            m_session->store().write(weight.tensor,
                                     random.between(m_graph->tensor(weight.tensor).elements(), 0.1, 0.9));
        for (const core::TensorId id : m_graph->inputs)
            m_session->store().write(id, random.between(m_graph->tensor(id).elements(), -1, 1));
        m_session->runMicroBatch({}, m_pool);
    }

    [[nodiscard]] const GraphSession& session() const { return *m_session; }
    [[nodiscard]] std::vector<float> results() const {
        const core::TensorId id = m_graph->predictions.front();
        const auto* values = reinterpret_cast<const float*>(m_session->address(id));
        return {values, values + m_graph->tensor(id).elements()};
    }

private:
    ThreadPool m_pool;
    std::shared_ptr<TrainingGraph> m_graph;
    std::unique_ptr<GraphSession> m_session;
};

/// Weights, slots, host-fed tensors, and the activations that the backward pass reads.
std::int64_t neededBytes(const TrainingGraph& graph) {
    std::set<core::TensorId> needed;
    for (const Tensor& tensor : graph.tensors) {
        if (isStored(tensor.role))
            needed.insert(tensor.id);
    }
    for (const Operation& operation : graph.operations) {
        if (operation.phase != Phase::Backward)
            continue;
        for (const core::TensorId id : operation.inputs) {
            if (graph.tensor(id).role == TensorRole::Activation)
                needed.insert(id);
        }
    }
    std::int64_t bytes = 0;
    for (const core::TensorId id : needed)
        bytes += graph.tensor(id).bytes();
    return bytes;
}

} // namespace

class GraphSessionTest : public QObject {
    Q_OBJECT

    static void compareResults(const std::vector<float>& results, const std::vector<float>& expected) {
        QCOMPARE(results.size(), expected.size());
        QVERIFY(std::ranges::any_of(expected, [](float value) { return value != 0; }));
        for (std::size_t i = 0; i < results.size(); ++i)
            QVERIFY2(std::abs(results[i] - expected[i]) <= 1e-5F * (1 + std::abs(expected[i])),
                     qPrintable(QString("%1: %2, not %3").arg(i).arg(results[i]).arg(expected[i])));
    }

private slots:
    void trainingLowersTheLoss() {
        const std::vector<float> losses = Training(trainedProject()).losses(60);
        QVERIFY2(losses.back() < 0.5F * losses.front(),
                 qPrintable(QString("%1 → %2").arg(losses.front()).arg(losses.back())));
    }

    void theNumberOfThreadsChangesNoBit() {
        QCOMPARE(Training(trainedProject(), true, 1).losses(10),
                 Training(trainedProject(), true, 3).losses(10));
    }

    void fusingChangesNoResult() {
        const std::vector<float> fused = Training(trainedProject(), true).losses(10);
        const std::vector<float> plain = Training(trainedProject(), false).losses(10);
        for (std::size_t i = 0; i < fused.size(); ++i)
            QVERIFY(std::abs(fused[i] - plain[i]) <= 1e-4F * plain[i]);
    }

    void aNormalisationByMovingStatisticsIsPartOfItsProduct() {
        const Prediction fused(normalisedModel(), true);
        const Prediction plain(normalisedModel(), false);
        std::size_t normalisations = 0;
        for (std::size_t i = 0; i < fused.session().microBatch().size(); ++i)
            normalisations += fused.session().microBatch().group(i).normalization.isValid() ? 1 : 0;
        QCOMPARE(normalisations, std::size_t(4));
        compareResults(fused.results(), plain.results());
    }

    void aResidualAdditionIsPartOfItsProduct() {
        const Prediction fused(residualModel(), true);
        const Prediction plain(residualModel(), false);
        std::size_t additions = 0;
        for (std::size_t i = 0; i < fused.session().microBatch().size(); ++i)
            additions += fused.session().microBatch().group(i).addend.isValid() ? 1 : 0;
        QCOMPARE(additions, std::size_t(4));
        compareResults(fused.results(), plain.results());
        QCOMPARE(Prediction(residualModel(), true, 3).results(), fused.results());
    }

    void aStepAllocatesNothing() {
        Training training(trainedProject());
        training.step();
        const std::size_t before = tests::allocationCount();
        for (int i = 0; i < 5; ++i)
            training.step();
        QCOMPARE(tests::allocationCount(), before);
    }

    void memoryIsLittleMoreThanTheTensors() {
        core::Project project = tests::denseProject({512, 512, 256, 10}, 1);
        project.training.batchSize = 256;
        const Training training(project);
        const auto needed = static_cast<double>(neededBytes(training.graph()));
        const auto used = static_cast<double>(training.session().memoryBytes());
        QVERIFY2(used <= 1.3 * needed, qPrintable(QString("%1 of %2 bytes").arg(used).arg(needed)));
    }

    void gradientsAreComputedWithTheirUpdate_data() {
        QTest::addColumn<QString>("config");
        QTest::newRow("SGD") << "{}";
        QTest::newRow("SGD, momentum") << R"({"momentum": 0.9})";
        QTest::newRow("SGD, Nesterov") << R"({"momentum": 0.9, "nesterov": true})";
        QTest::newRow("RMSprop") << R"({"centered": true, "momentum": 0.5})";
        QTest::newRow("Adam") << R"({"amsgrad": true})";
        QTest::newRow("Adamax") << "{}";
        QTest::newRow("Lion") << "{}";
        QTest::newRow("Nadam") << "{}";
        QTest::newRow("Adagrad") << "{}";
        QTest::newRow("Adadelta") << "{}";
        QTest::newRow("Ftrl") << "{}";
    }

    /// Kernels of more than one panel of rows, and of columns.
    void gradientsAreComputedWithTheirUpdate() {
        QFETCH(const QString, config);
        const QString name = QString(QTest::currentDataTag()).section(',', 0, 0);
        core::Project project = tests::denseProject({7001, 40}, 1);
        project.training.batchSize = 4;
        project.training.optimizer =
            core::KerasObject{name.toStdString(), core::Json::parse(config.toStdString())};
        project.pipeline.gradientAccumulationSteps.reset();
        Training pieces(project, true, 2);
        Training whole(project, false);
        QCOMPARE(deferrableGradients(pieces.graph()).size(), std::size_t(2));
        QCOMPARE(pieces.losses(3), whole.losses(3));
        QVERIFY(pieces.weights() == whole.weights());
        const auto kernels = std::size_t(64 * 7001 + 7001 * 40) * sizeof(float);
        // The last layer's inputs and gradients live longer.
        QVERIFY(pieces.session().memoryBytes() + kernels * 9 / 10 <= whole.session().memoryBytes());
    }

    void gradientsThatOthersReadAreWhole() {
        core::Project project = tests::denseProject({48, 32}, 1);
        project.training.batchSize = 2;
        project.pipeline.gradientAccumulationSteps.reset();
        const auto deferred = [&](core::KerasObject optimizer) {
            project.training.optimizer = std::move(optimizer);
            return deferrableGradients(*buildTrainingGraph(tests::validated(project))).size();
        };
        QCOMPARE(deferred({"SGD", core::Json::object()}), std::size_t(2));
        QCOMPARE(deferred({"SGD", {{"global_clipnorm", 1.0}}}), std::size_t(0));
        QCOMPARE(deferred({"LAMB", core::Json::object()}), std::size_t(0));
        // Smaller than what they are computed from: kept, and the activations die sooner.
        project.training.batchSize = 512;
        QCOMPARE(deferred({"SGD", core::Json::object()}), std::size_t(0));
    }

    void anOperationWithoutKernelIsRefusedWithACure() {
        auto graph = std::make_shared<TrainingGraph>();
        GraphBuilder build(*graph);
        build.setScope({"layer", {}, Phase::Forward});
        const TensorForm form{{2, 3}, core::DataType::Float32};
        const core::TensorId x = build.tensor("x", form, TensorRole::Input);
        graph->inputs = {x};
        graph->predictions = {build.addAs(Opaque{10}, {x}, "opaque", form)};
        graph->training = false;
        const auto session = GraphSession::make(graph);
        QVERIFY(!session);
        QCOMPARE(session.error().front().code, std::string("numerics/no-kernel"));
        QVERIFY(!session.error().front().hints.empty());
    }
};

REGISTER_TEST("graph_session", GraphSessionTest)
#include "graph_session_test.moc"
