#include "core/model/graph/model_builder.h"
#include "tests/simulator/engine/simulated_run.h"
#include "tests/simulator/training_support.h"
#include "tests/support/test_registry.h"

#include <QtTest/QTest>
#include <cmath>

using core::Json;
using core::MemoryCategory;
using core::Project;
using core::SpanKind;
using tests::SimulatedRun;
using tests::simulatedRun;
using tests::Trained;

namespace {

constexpr double rate = 0.25;
constexpr int rows = 40;
constexpr int width = 6;

/// Six indices → rows → their mean → two Dense layers, trained by SGD.
Project lookupProject(const char* className, Json attributes, std::int64_t microBatches = 1) {
    attributes["input_dim"] = rows;
    attributes["output_dim"] = width;
    core::ModelBuilder builder("lookups");
    const core::TensorRef in = builder.input("indices", {6}, core::DataType::Int32);
    const core::TensorRef found = builder.call(className, "table", attributes, {in});
    const core::TensorRef mean = builder.call("GlobalAveragePooling1D", "mean", Json::object(), {found});
    const core::TensorRef hidden =
        builder.call("Dense", "hidden", {{"units", 8}, {"activation", "tanh"}}, {mean});
    const core::TensorRef out = builder.call("Dense", "out", {{"units", 3}}, {hidden});
    Project project;
    project.name = "lookups";
    project.model = std::move(builder).build({out});
    project.training.batchSize = 4;
    project.training.stepsPerExecution = microBatches;
    project.training.stepsPerEpoch = 4 * microBatches;
    project.training.optimizer = core::KerasObject{"SGD", {{"learning_rate", rate}}};
    project.training.losses = {core::KerasObject{"MeanSquaredError", Json::object()}};
    project.training.seed = 5;
    project.training.dataset = core::DatasetSpec{"synthetic", {{"samples", 64}, {"seed", 3}}};
    project.pipeline.gradientAccumulationSteps = microBatches;
    project.replicas = 1;
    project.system.ipus = 1;
    return project;
}

Project onHost(std::int64_t microBatches = 1, Json attributes = Json::object()) {
    attributes["learning_rate"] = rate;
    if (!attributes.contains("optimizer"))
        attributes["optimizer"] = microBatches == 1 ? "SGD" : "SGDGA";
    if (microBatches > 1)
        attributes["accumulation_factor"] = microBatches;
    return lookupProject("HostEmbedding", std::move(attributes), microBatches);
}

Project twoStages(Project project) {
    for (const std::size_t stage : {0, 0, 1, 1})
        project.assignment.stages.emplace_back(stage);
    project.system.ipus = 2;
    return project;
}

Project twoReplicas(Project project) {
    project.replicas = 2;
    project.system.ipus *= 2;
    project.training.stepsPerExecution *= 2;
    project.training.stepsPerEpoch = *project.training.stepsPerEpoch * 2;
    return project;
}

void compare(const Trained& found, const Trained& expected) {
    for (const auto& [name, values] : expected.weights) {
        QVERIFY2(found.weights.contains(name), name.c_str());
        const std::vector<float>& own = found.weights.at(name);
        QCOMPARE(own.size(), values.size());
        for (std::size_t i = 0; i < values.size(); ++i)
            QVERIFY2(std::abs(own[i] - values[i]) <= 1e-5F * std::max(1.0F, std::abs(values[i])),
                     qPrintable(QString("%1 [%2]: %3, expected %4")
                                    .arg(QString::fromStdString(name))
                                    .arg(i)
                                    .arg(static_cast<double>(own[i]))
                                    .arg(static_cast<double>(values[i]))));
    }
}

/// Trains both; every weight that the other has must be the same.
void trainsAlike(const Project& found, const Project& expected) {
    const auto one = tests::train(found);
    const auto other = tests::train(expected);
    QVERIFY2(one.has_value(), one ? "" : core::toText(one.error().front()).c_str());
    QVERIFY2(other.has_value(), other ? "" : core::toText(other.error().front()).c_str());
    compare(*one, *other);
}

std::int64_t tableBlocks(const SimulatedRun& run) {
    std::int64_t count = 0;
    for (const auto& ipu : run.executable.memory.ipus)
        for (const auto& block : ipu.blocks) {
            const bool hasTensor = block.tensor.isValid();
            const std::string name =
                hasTensor ? run.executable.graph.tensor(block.tensor).name.str() : std::string();
            count += name.starts_with("table/embeddings") || name.starts_with("table/accumulator") ? 1 : 0;
        }
    return count;
}

Project remote(Project project, const char* strategy = "TOKEN") {
    if (const auto table = project.model.findLayer("table"))
        project.model.layers[table->index()].config["partition_strategy"] = strategy;
    project.ipuConfig.values["experimental.enable_remote_buffer_embedding"] = true;
    return project;
}

} // namespace

/// Rows of a table on the host: trained like an embedding on the device, without its memory there.
class HostEmbeddingTest : public QObject {
    Q_OBJECT

private slots:
    void learnsAsAnEmbeddingOnTheDeviceDoes() {
        trainsAlike(onHost(), lookupProject("Embedding", Json::object()));
    }

    void accumulatesGradientsAsTheModelDoes() {
        trainsAlike(onHost(4), lookupProject("Embedding", Json::object(), 4));
    }

    void aPipelineLearnsTheSame() {
        trainsAlike(twoStages(onHost(4)), lookupProject("Embedding", Json::object(), 4));
    }

    void replicasShareOneTable() {
        trainsAlike(twoReplicas(onHost(2)), twoReplicas(lookupProject("Embedding", Json::object(), 2)));
    }

    void withoutAnOptimizerTheTableStays() {
        const auto trained = tests::train(onHost(1, {{"optimizer", nullptr}}));
        const auto learned = tests::train(onHost());
        QVERIFY(trained && learned);
        Project none = onHost(1, {{"optimizer", nullptr}});
        none.training.stepsPerEpoch = 1;
        none.training.optimizer->config["learning_rate"] = 0;
        const auto fresh = tests::train(none);
        QVERIFY(fresh.has_value());
        QVERIFY(trained->weights.at("table/embeddings") == fresh->weights.at("table/embeddings"));
        QVERIFY(learned->weights.at("table/embeddings") != fresh->weights.at("table/embeddings"));
        QVERIFY(trained->weights.at("out/kernel") != fresh->weights.at("out/kernel"));
    }

    void theTableTakesNoMemoryOfTheDevice() {
        const SimulatedRun host = simulatedRun(onHost(4));
        QCOMPARE(tableBlocks(host), std::int64_t(0));
        const SimulatedRun device = simulatedRun(lookupProject("Embedding", Json::object(), 4));
        QVERIFY(tableBlocks(device) > 0);
        QVERIFY(host.memory(MemoryCategory::Weights) < device.memory(MemoryCategory::Weights));
    }

    void rowsCrossTheHostLinkInEveryMicroBatch() {
        const SimulatedRun host = simulatedRun(onHost(4));
        const SimulatedRun device = simulatedRun(lookupProject("Embedding", Json::object(), 4));
        // 24 indices of 4 bytes and 24 rows of 6 float32 numbers.
        const auto ofLookups = [](const SimulatedRun& run, SpanKind kind) {
            std::vector<core::Bytes> bytes;
            for (const core::SpanRecord& span : run.profile.spans())
                if (span.kind == kind && span.bytes == core::Bytes(24 * width * 4))
                    bytes.push_back(span.bytes);
            return bytes.size();
        };
        QVERIFY(ofLookups(host, SpanKind::Infeed) >= 4);
        QVERIFY(ofLookups(host, SpanKind::Outfeed) >= 4);
        QCOMPARE(ofLookups(device, SpanKind::Outfeed), std::size_t(0));
        const auto* step = host.programStep("table/lookup");
        QVERIFY(step != nullptr);
        QVERIFY(step->kind == core::StepKind::StreamCopy);
        QVERIFY(step->duration > core::Cycles(0));
    }

    void remoteBuffersAreNearerThanTheHost() {
        const SimulatedRun host = simulatedRun(onHost(4));
        const SimulatedRun buffers = simulatedRun(remote(onHost(4)));
        QCOMPARE(tableBlocks(buffers), std::int64_t(0));
        QVERIFY(buffers.summary.step < host.summary.step);
        QVERIFY(buffers.spans(SpanKind::RemoteMemory) > 0);
        trainsAlike(remote(onHost(4)), onHost(4));
        const SimulatedRun token = simulatedRun(twoReplicas(remote(onHost(2))));
        const SimulatedRun encoding = simulatedRun(twoReplicas(remote(onHost(2), "ENCODING")));
        QVERIFY(token.summary.step != encoding.summary.step);
    }

    void refusesWhatCannotBe() {
        Project project = onHost();
        project.training.optimizer =
            core::KerasObject{"LossScaleOptimizer", {{"inner_optimizer", "SGD"}, {"dynamic", true}}};
        const auto trained = tests::train(project);
        QVERIFY(!trained);
        QVERIFY(core::toText(trained.error().front()).find("dynamic loss scale") != std::string::npos);
        const auto wrong = core::validate(onHost(1, {{"optimizer", "SGD"}, {"accumulation_factor", 3}}),
                                          core::RunMode::Train);
        QVERIFY(!wrong);
        QVERIFY(core::toText(wrong.error().front()).find("SGDGA") != std::string::npos);
    }
};

REGISTER_TEST("host_embedding", HostEmbeddingTest)
#include "host_embedding_test.moc"
