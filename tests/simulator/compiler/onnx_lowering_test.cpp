#include "simulator/compiler/onnx/onnx_lowering.h"

#include "core/base/file.h"
#include "core/interchange/onnx/onnx_file.h"
#include "simulator/graph/gradients/differentiate.h"
#include "simulator/numerics/sequence/graph_session.h"
#include "tests/support/shared_data.h"
#include "tests/support/test_registry.h"

#include <QtTest/QTest>
#include <cmath>
#include <random>

namespace {

using core::OnnxTensor;
using core::TensorId;

OnnxTensor tensorOf(const std::vector<std::int64_t>& extents, const std::vector<float>& values) {
    OnnxTensor tensor{"", core::OnnxType::Float, extents, {}, false};
    tensor.data.assign(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(float));
    return tensor;
}

core::OnnxNode node(std::string operation, std::vector<std::string> inputs,
                    std::vector<std::string> outputs) {
    core::OnnxNode result;
    result.operation = std::move(operation);
    result.inputs = std::move(inputs);
    result.outputs = std::move(outputs);
    return result;
}

core::OnnxModel modelOf(std::vector<core::OnnxNode> nodes, const std::string& input,
                        const std::string& output) {
    core::OnnxModel model;
    model.opset = 13;
    model.graph.nodes = std::move(nodes);
    model.graph.inputs.push_back({input, core::OnnxType::Float, {}});
    model.graph.outputs.push_back({output, core::OnnxType::Float, {}});
    return model;
}

struct Computed {
    std::unique_ptr<simulator::TrainingGraph> graph = std::make_unique<simulator::TrainingGraph>();
    simulator::OnnxTensors tensors;
    std::string error;
    std::vector<float> values;
};

std::string firstMessage(const core::Diagnostics& diagnostics) {
    return core::toText(diagnostics.front());
}

/// Lowers and computes the first output.
Computed compute(const core::OnnxModel& model, const std::map<std::string, OnnxTensor>& inputs) {
    Computed computed;
    simulator::GraphBuilder build(*computed.graph);
    const auto tensors = simulator::lowerOnnx(build, {&model, inputs});
    if (!tensors) {
        computed.error = firstMessage(tensors.error());
        return computed;
    }
    computed.tensors = *tensors;
    // An output of its own: an input passed on is none.
    const TensorId result = build.add(simulator::Copy{}, {tensors->outputs.front().tensor}, "result");
    computed.graph->predictions = {result};
    computed.graph->training = false;
    auto session = simulator::GraphSession::make(std::make_shared<simulator::TrainingGraph>(*computed.graph));
    if (!session) {
        computed.error = firstMessage(session.error());
        return computed;
    }
    for (const auto& [name, id] : tensors->inputs) {
        const std::vector<double> numbers = numbersOf(inputs.at(name));
        session->store().write(id, std::vector<float>(numbers.begin(), numbers.end()));
    }
    simulator::ThreadPool pool;
    pool.reserveScratch(session->threadScratch());
    session->runMicroBatch({}, pool);
    computed.values = simulator::readElements(session->graph().tensor(result), session->address(result));
    return computed;
}

core::Result<core::OnnxModel> load(const char* name) {
    const auto path = tests::sharedData() / "onnx" / "whole" / name;
    const auto bytes = core::readFile(path / "model.onnx");
    return bytes ? core::readOnnxModel(*bytes, "model.onnx") : core::failure(bytes.error());
}

OnnxTensor loadTensor(const char* name, const char* file) {
    const auto path = tests::sharedData() / "onnx" / "whole" / name / "test_data_set_0" / file;
    return core::readOnnxTensor(core::readFile(path).value(), file).value();
}

const char* const wholeModels[]{"mlp_784_256_128_64_32_10", "resnet18_narrow", "transformer_encoder_tiny",
                                "lstm_classifier"};

} // namespace

/// ONNX graphs as operations.
class OnnxLoweringTest : public QObject {
    Q_OBJECT

private slots:
    void shapesAreWorkedOutWhileCompiling() {
        // Reshape to [Shape(x)[1], -1], the shape computed by nodes.
        core::OnnxNode shape = node("Shape", {"x"}, {"s"});
        core::OnnxNode index = node("Constant", {}, {"i"});
        index.attributes["value_ints"].kind = core::OnnxAttribute::Kind::Integers;
        index.attributes["value_ints"].integers = {1};
        core::OnnxNode rest = node("Constant", {}, {"r"});
        rest.attributes["value_ints"].kind = core::OnnxAttribute::Kind::Integers;
        rest.attributes["value_ints"].integers = {-1};
        core::OnnxNode join = node("Concat", {"n", "r"}, {"t"});
        const core::OnnxModel model = modelOf(
            {shape, index, rest, node("Gather", {"s", "i"}, {"n"}), join, node("Reshape", {"x", "t"}, {"y"})},
            "x", "y");
        const Computed computed = compute(model, {{"x", tensorOf({2, 3}, {1, 2, 3, 4, 5, 6})}});
        QCOMPARE(computed.error, std::string());
        QCOMPARE(computed.graph->tensor(computed.tensors.outputs[0].tensor).extents,
                 (simulator::Extents{3, 2}));
        QCOMPARE(computed.values, (std::vector<float>{1, 2, 3, 4, 5, 6}));
    }

    void refusesWhatAStaticProgramCannotHave_data() {
        QTest::addColumn<QString>("operation");
        QTest::addColumn<QString>("part");
        QTest::newRow("unknown") << "Telepathy"
                                 << "not among the operations";
        QTest::newRow("too few inputs") << "Add"
                                        << "lacks its input 1";
        QTest::newRow("no matrices") << "Gemm"
                                     << "lacks its input 1";
        QTest::newRow("no field") << "GlobalAveragePool"
                                  << "";
    }
    void refusesWhatAStaticProgramCannotHave() {
        QFETCH(QString, operation);
        QFETCH(QString, part);
        const auto model = modelOf({node(operation.toStdString(), {"x"}, {"y"})}, "x", "y");
        const Computed computed = compute(model, {{"x", tensorOf({4}, {1, 2, 3, 4})}});
        QVERIFY(!computed.error.empty());
        QVERIFY2(computed.error.find(part.toStdString()) != std::string::npos, computed.error.c_str());
    }

    void wholeModelsGiveWhatTheirExporterGave_data() {
        QTest::addColumn<QString>("name");
        for (const char* name : wholeModels)
            QTest::newRow(name) << name;
    }
    void wholeModelsGiveWhatTheirExporterGave() {
        REQUIRE_SHARED_DATA();
        QFETCH(QString, name);
        const QByteArray bytes = name.toUtf8();
        const auto model = load(bytes.constData());
        QVERIFY(model.has_value());
        const std::string input = model->graph.fedInputs().front()->name;
        const Computed computed = compute(*model, {{input, loadTensor(bytes.constData(), "input_0.pb")}});
        QCOMPARE(computed.error, std::string());
        const std::vector<double> expected = numbersOf(loadTensor(bytes.constData(), "output_0.pb"));
        QCOMPARE(computed.values.size(), expected.size());
        for (std::size_t i = 0; i < expected.size(); ++i)
            QVERIFY(std::abs(computed.values[i] - expected[i]) <= 1e-5 + 1e-3 * std::abs(expected[i]));
    }

    void wholeModelsCanBeTrained_data() { wholeModelsGiveWhatTheirExporterGave_data(); }
    /// Every parameter has a gradient.
    void wholeModelsCanBeTrained() {
        REQUIRE_SHARED_DATA();
        QFETCH(QString, name);
        const QByteArray bytes = name.toUtf8();
        const auto model = load(bytes.constData());
        QVERIFY(model.has_value());
        const std::string input = model->graph.fedInputs().front()->name;
        simulator::TrainingGraph graph;
        simulator::GraphBuilder build(graph);
        const auto tensors = simulator::lowerOnnx(
            build, {&*model, {{input, loadTensor(bytes.constData(), "input_0.pb")}}, true});
        QVERIFY2(tensors.has_value(), tensors ? "" : firstMessage(tensors.error()).c_str());
        const TensorId output = tensors->outputs.front().tensor;
        build.setScope({"backward", {}, simulator::Phase::Backward});
        const TensorId ones = build.constant(1, build.extents(output), build.type(output));
        std::vector<TensorId> wanted;
        for (const auto& parameter : tensors->parameters)
            wanted.push_back(parameter.tensor);
        QVERIFY(!wanted.empty());
        const std::vector<simulator::GradientSeed> seeds{{output, ones}};
        const auto gradients = simulator::differentiate(build, seeds, wanted);
        QVERIFY2(gradients.has_value(), gradients ? "" : firstMessage(gradients.error()).c_str());
        for (const TensorId id : wanted)
            QVERIFY2(gradients->contains(id), graph.tensor(id).name.c_str());
    }

    /// Whatever the bytes hold, lowering answers a graph or one diagnostic.
    void damagedModelsAreRefused() {
        REQUIRE_SHARED_DATA();
        const char* const name = "transformer_encoder_tiny";
        const std::string bytes =
            core::readFile(tests::sharedData() / "onnx" / "whole" / name / "model.onnx").value();
        const OnnxTensor x = loadTensor(name, "input_0.pb");
        std::mt19937 random(11);
        int read = 0;
        for (int i = 0; i < 600; ++i) {
            std::string damaged = bytes;
            for (unsigned k = 0; k < 1 + random() % 3; ++k)
                damaged[random() % damaged.size()] = static_cast<char>(random());
            const auto model = core::readOnnxModel(damaged, "model.onnx");
            if (!model || model->graph.fedInputs().empty())
                continue;
            ++read;
            simulator::TrainingGraph graph;
            simulator::GraphBuilder build(graph);
            const auto tensors =
                simulator::lowerOnnx(build, {&*model, {{model->graph.fedInputs().front()->name, x}}});
            QVERIFY(tensors.has_value() || tensors.error().size() == 1);
        }
        QVERIFY(read > 100);
    }
};

REGISTER_TEST("onnx_lowering", OnnxLoweringTest)
#include "onnx_lowering_test.moc"
