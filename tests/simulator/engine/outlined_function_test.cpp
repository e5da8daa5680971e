#include "core/model/graph/model_builder.h"
#include "tests/simulator/engine/simulated_run.h"
#include "tests/simulator/training_support.h"
#include "tests/support/test_registry.h"

#include <QtTest/QTest>

using core::Json;
using core::MemoryCategory;
using core::Project;
using tests::SimulatedRun;
using tests::simulatedRun;

namespace {

constexpr int callsIn = 4;

Json dense() {
    return {{"class_name", "Dense"},
            {"config",
             {{"units", 48},
              {"activation", "tanh"},
              {"kernel_regularizer", {{"class_name", "L2"}, {"config", {{"l2", 0.01}}}}}}}};
}

Project projectWith(core::ModelGraph model) {
    Project project;
    project.name = "blocks";
    project.model = std::move(model);
    project.training.batchSize = 8;
    project.training.stepsPerExecution = 2;
    project.training.stepsPerEpoch = 6;
    project.training.optimizer = core::KerasObject{"Adam", {{"learning_rate", 0.02}}};
    project.training.losses = {core::KerasObject{"MeanSquaredError", Json::object()}};
    project.training.seed = 5;
    project.training.dataset = core::DatasetSpec{"synthetic", {{"samples", 96}, {"seed", 3}}};
    project.pipeline.gradientAccumulationSteps = 2;
    project.replicas = 1;
    project.system.ipus = 1;
    return project;
}

/// One block, called four times in a row.
Project oneBlock(const char* className, const Json& config) {
    core::ModelBuilder builder("blocks");
    core::TensorRef x = builder.input("in", {48});
    x = builder.call(className, "block", config, {x});
    for (int i = 1; i < callsIn; ++i)
        x = builder.callAgain("block", {x});
    const core::TensorRef out = builder.call("Dense", "out", {{"units", 3}}, {x});
    return projectWith(std::move(builder).build({out}));
}

/// Four blocks, each with weights of its own.
Project fourBlocks(const char* className, const Json& config) {
    core::ModelBuilder builder("blocks");
    core::TensorRef x = builder.input("in", {48});
    for (int i = 0; i < callsIn; ++i)
        x = builder.call(className, "block" + std::to_string(i), config, {x});
    const core::TensorRef out = builder.call("Dense", "out", {{"units", 3}}, {x});
    return projectWith(std::move(builder).build({out}));
}

Json outlined(Json config = Json::object(), Json layer = dense()) {
    config["layer"] = std::move(layer);
    return config;
}

core::Bytes codeOf(const SimulatedRun& run) {
    return run.memory(MemoryCategory::ExchangeCode) + run.memory(MemoryCategory::VertexState) +
           run.memory(MemoryCategory::ControlCode);
}

void trainsAsInline(const Project& found, const Project& expected) {
    const auto one = tests::train(found);
    const auto other = tests::train(expected);
    QVERIFY2(one.has_value(), one ? "" : core::toText(one.error().front()).c_str());
    QVERIFY2(other.has_value(), other ? "" : core::toText(other.error().front()).c_str());
    QVERIFY(one->weights == other->weights);
    QVERIFY(one->series("loss") == other->series("loss"));
}

} // namespace

/// Blocks whose callsIn share their code: what they compute is the same, what they take is not.
class OutlinedFunctionTest : public QObject {
    Q_OBJECT

private slots:
    void computesWhatItsLayerDoes() {
        trainsAsInline(oneBlock("OutlinedFunction", outlined()), oneBlock("Dense", dense()["config"]));
        trainsAsInline(fourBlocks("OutlinedFunction", outlined({{"function", "block"}})),
                       fourBlocks("Dense", dense()["config"]));
    }

    void callsShareTheirCodeAndCopyTheirArguments() {
        const SimulatedRun inlined = simulatedRun(oneBlock("Dense", dense()["config"]));
        const SimulatedRun called = simulatedRun(oneBlock("OutlinedFunction", outlined()));
        QVERIFY(codeOf(called) < codeOf(inlined));
        QVERIFY(called.memory(MemoryCategory::VertexState) < inlined.memory(MemoryCategory::VertexState));
        QVERIFY(called.summary.step > inlined.summary.step);
        // The same codelets, once on a tile either way; copies come on top.
        QVERIFY(called.memory(MemoryCategory::VertexCode) >= inlined.memory(MemoryCategory::VertexCode));
    }

    void aFunctionIsSharedByItsName() {
        const SimulatedRun apart = simulatedRun(fourBlocks("OutlinedFunction", outlined()));
        const SimulatedRun shared =
            simulatedRun(fourBlocks("OutlinedFunction", outlined({{"function", "block"}})));
        QVERIFY(codeOf(shared) < codeOf(apart));
        // Weights are arguments, too.
        QVERIFY(shared.summary.step > apart.summary.step);
        QCOMPARE(shared.memory(MemoryCategory::Weights), apart.memory(MemoryCategory::Weights));
    }

    void theFirstCallMayKeepItsLayouts() {
        const SimulatedRun copied = simulatedRun(oneBlock("OutlinedFunction", outlined()));
        const SimulatedRun kept =
            simulatedRun(oneBlock("OutlinedFunction", outlined({{"keep_input_layouts", true}})));
        QVERIFY(kept.summary.step < copied.summary.step);
        trainsAsInline(oneBlock("OutlinedFunction", outlined({{"keep_input_layouts", true}})),
                       oneBlock("OutlinedFunction", outlined()));
    }

    void aBlockThatDrawsRandomNumbersIsInlined() {
        const Json dropout{{"class_name", "Dropout"}, {"config", {{"rate", 0.5}}}};
        const SimulatedRun called =
            simulatedRun(oneBlock("OutlinedFunction", outlined(Json::object(), dropout)));
        const SimulatedRun inlined = simulatedRun(oneBlock("Dropout", dropout["config"]));
        QVERIFY(called.executable.graph.outlinedCalls.empty());
        QCOMPARE(codeOf(called), codeOf(inlined));
        QCOMPARE(called.summary.step, inlined.summary.step);
    }
};

REGISTER_TEST("outlined_function", OutlinedFunctionTest)
#include "outlined_function_test.moc"
