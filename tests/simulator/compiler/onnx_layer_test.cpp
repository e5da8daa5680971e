#include "core/model/onnx/onnx_layer.h"

#include "core/base/file.h"
#include "core/catalogue/functions.h"
#include "core/interchange/onnx/onnx_file.h"
#include "core/interchange/onnx/onnx_importer.h"
#include "core/model/graph/infer_shapes.h"
#include "core/model/onnx/onnx_operator.h"
#include "simulator/compiler/lowering/onnx/onnx_call.h"
#include "simulator/compiler/staging/build_training_graph.h"
#include "tests/support/onnx_graphs.h"
#include "tests/support/shared_data.h"
#include "tests/support/test_registry.h"

#include <QtTest/QTest>
#include <random>

namespace {

using tests::floatTensor;
using tests::integerTensor;
using tests::onnxModel;
using tests::onnxNode;

std::string firstMessage(const core::Diagnostics& diagnostics) {
    return core::toText(diagnostics.front());
}

/// The model as it is trained in micro-batches of 2.
core::Result<simulator::TrainingGraph> trainingGraph(const core::OnnxModel& onnx) {
    core::Diagnostics warnings;
    const auto model = core::modelFromOnnx(onnx, "model.onnx", warnings);
    if (!model)
        return core::failure(model.error());
    core::InferenceOptions inference;
    inference.batchSize = 2;
    inference.requiresKnownShapes = true;
    const auto typed = core::inferShapes(*model, inference);
    if (!typed)
        return core::failure(typed.error());
    simulator::TrainingGraphOptions options;
    options.training.optimizer = core::KerasObject{"SGD", core::Json::object()};
    options.training.losses.assign(typed->outputs.size(), {"MeanSquaredError", core::Json::object()});
    return simulator::buildTrainingGraph(*typed, options);
}

std::vector<std::string> trainedNames(const simulator::TrainingGraph& graph) {
    std::vector<std::string> names;
    for (const simulator::ParameterSlots& parameter : graph.parameters)
        names.push_back(graph.tensor(parameter.parameter).name);
    return names;
}

} // namespace

/// Nodes of ONNX graphs as layers, and as operations.
class OnnxLayerTest : public QObject {
    Q_OBJECT

private slots:
    /// A function of the catalogue needs no other row to be an operator.
    void everyOnnxNameOfAFunctionIsAnOperator() {
        std::size_t count = 0;
        const auto hasAllParts = [&](std::string_view operation) {
            const core::OnnxNode node = onnxNode(std::string(operation), {"x"}, {"y"});
            ++count;
            return core::findOnnxOperator(node) != nullptr && simulator::findOnnxEntry(operation) != nullptr;
        };
        for (const core::UnaryDefinition& function : core::unaryDefinitions()) {
            QVERIFY2(function.onnx.empty() || hasAllParts(function.onnx), function.name.data());
            QVERIFY2(function.onnx.empty() || core::unaryOfOnnx(function.onnx)->function == function.function,
                     function.name.data());
        }
        for (const core::BinaryDefinition& function : core::binaryDefinitions()) {
            QVERIFY2(function.onnx.empty() || hasAllParts(function.onnx), function.name.data());
            QVERIFY2(function.onnx.empty() ||
                         core::binaryOfOnnx(function.onnx)->function == function.function,
                     function.name.data());
        }
        QVERIFY(count >= 39);
        QVERIFY(core::unaryOfOnnx("") == nullptr && core::binaryOfOnnx("") == nullptr);
    }

    /// Every operator with shapes has operations.
    void theTablesOfShapesAndOperationsAgree() {
        std::size_t count = 0;
        for (const core::OnnxOperator* known : core::onnxOperators()) {
            QVERIFY2(simulator::findOnnxEntry(known->name) != nullptr, known->name.data());
            ++count;
        }
        QVERIFY(count >= 160);
        for (const auto family :
             {simulator::onnxElementwise(), simulator::onnxReductions(), simulator::onnxProducts(),
              simulator::onnxWindows(), simulator::onnxMovements(), simulator::onnxNormalizations(),
              simulator::onnxIndexing(), simulator::onnxResizing(), simulator::onnxRecurrences(),
              simulator::onnxLosses(), simulator::onnxQuantization(), simulator::onnxConstants(),
              simulator::onnxSignals(), simulator::onnxSampling(), simulator::onnxOptimizers()}) {
            for (const simulator::OnnxEntry& entry : family) {
                core::OnnxNode node;
                node.operation = entry.operation;
                QVERIFY2(core::findOnnxOperator(node) != nullptr, entry.operation.data());
            }
        }
    }

    /// A convolution to whose kernel a gain is multiplied, a padding by reflection, an activation that Keras
    /// has not: kernel and gain are weights, and trained.
    void weightsOfNodesAreTrained() {
        core::OnnxNode pad = onnxNode("Pad", {"x", "pads"}, {"p"});
        pad.attributes["mode"].kind = core::OnnxAttribute::Kind::Text;
        pad.attributes["mode"].text = "reflect";
        core::OnnxModel model =
            onnxModel({pad, onnxNode("Mul", {"kernel", "gain"}, {"k"}), onnxNode("Conv", {"p", "k"}, {"c"}),
                       onnxNode("Celu", {"c"}, {"y"})},
                      {"x"}, {"y"});
        model.graph.inputs[0].shape = core::Shape{std::nullopt, 2, 6};
        // Longer than what is folded.
        constexpr std::int64_t filters = 12000;
        model.graph.initializers = {
            integerTensor("pads", {0, 0, 1, 0, 0, 1}),
            floatTensor("kernel", {filters, 2, 3}, std::vector<double>(filters * 6, 0.5)),
            floatTensor("gain", {2, 1}, {1, 2})};
        const auto graph = trainingGraph(model);
        QVERIFY2(graph.has_value(), graph ? "" : firstMessage(graph.error()).c_str());
        QCOMPARE(trainedNames(*graph), (std::vector<std::string>{"Mul/kernel", "Mul/gain"}));
        QCOMPARE(graph->tensor(graph->predictions.front()).extents, (simulator::Extents{2, filters, 6}));
    }

    void wholeModelsCanBeTrained_data() {
        QTest::addColumn<QString>("name");
        for (const char* name :
             {"mlp_784_256_128_64_32_10", "resnet18_narrow", "transformer_encoder_tiny", "lstm_classifier"})
            QTest::newRow(name) << name;
    }
    void wholeModelsCanBeTrained() {
        REQUIRE_SHARED_DATA();
        QFETCH(QString, name);
        const auto path = tests::sharedData() / "onnx/whole" / name.toStdString() / "model.onnx";
        const auto model = core::readOnnxModel(core::readFile(path).value(), "model.onnx");
        QVERIFY(model.has_value());
        const auto graph = trainingGraph(*model);
        QVERIFY2(graph.has_value(), graph ? "" : firstMessage(graph.error()).c_str());
        QVERIFY(!graph->parameters.empty());
    }

    /// Several inputs, several outputs and whole numbers: the largest element of x per row, and its place in
    /// y.
    void nodesTakeAndGiveSeveralTensors() {
        core::OnnxModel model = onnxModel({onnxNode("TopK", {"x", "one"}, {"value", "place"}),
                                           onnxNode("GatherElements", {"y", "place"}, {"picked"})},
                                          {"x", "y"}, {"value", "place", "picked"});
        model.graph.inputs[0].shape = core::Shape{std::nullopt, 5};
        model.graph.inputs[1].shape = core::Shape{std::nullopt, 5};
        model.graph.initializers = {integerTensor("one", {1})};
        for (core::OnnxNode& node : model.graph.nodes) {
            node.attributes["axis"].kind = core::OnnxAttribute::Kind::Integer;
            node.attributes["axis"].integer = 1;
        }
        core::Diagnostics warnings;
        const auto graph = core::modelFromOnnx(model, "model.onnx", warnings);
        QVERIFY(graph.has_value());
        const auto typed = core::inferShapes(*graph, {});
        QVERIFY2(typed.has_value(), typed ? "" : firstMessage(typed.error()).c_str());
        QCOMPARE(typed->outputs.size(), std::size_t{3});
        QCOMPARE(typed->spec(typed->outputs[0]).shape, (core::Shape{std::nullopt, 1}));
        QVERIFY(typed->spec(typed->outputs[1]).type == core::DataType::Int32);
        QCOMPARE(typed->spec(typed->outputs[2]).shape, (core::Shape{std::nullopt, 1}));
    }

    /// Whatever the bytes hold, importing and lowering answer a graph or diagnostics.
    void damagedModelsAreRefused() {
        REQUIRE_SHARED_DATA();
        const auto folder = tests::sharedData() / "onnx/whole";
        const std::string bytes = core::readFile(folder / "transformer_encoder_tiny" / "model.onnx").value();
        std::mt19937 random(11);
        int read = 0;
        for (int i = 0; i < 150; ++i) {
            std::string damaged = bytes;
            for (unsigned k = 0; k < 1 + random() % 3; ++k)
                damaged[random() % damaged.size()] = static_cast<char>(random());
            const auto model = core::readOnnxModel(damaged, "model.onnx");
            if (!model)
                continue;
            ++read;
            const auto graph = trainingGraph(*model);
            QVERIFY(graph.has_value() || !graph.error().empty());
        }
        QVERIFY(read > 25);
    }
};

REGISTER_TEST("onnx_layer", OnnxLayerTest)
#include "onnx_layer_test.moc"
