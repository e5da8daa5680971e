#include "core/model/graph/layer_catalogue.h"
#include "core/model/onnx/onnx_layer.h"
#include "core/model/onnx/onnx_operator.h"
#include "tests/support/test_registry.h"

#include <QtTest/QTest>

namespace {

using core::Json;
using core::Shape;

core::RuleResult<core::CallFacts> describe(const Json& config, std::vector<core::TensorSpec> inputs) {
    return core::describeCall(core::onnxNodeClass, config, inputs, Json::object(), {});
}

core::TensorSpec tensor(Shape shape, core::DataType type = core::DataType::Float32) {
    return {std::move(shape), type};
}

QString shapesOf(const core::RuleResult<core::CallFacts>& facts) {
    QStringList shapes;
    if (!facts)
        return QString::fromStdString(facts.error().message);
    for (const core::TensorSpec& output : facts->outputs)
        shapes << QString::fromStdString(core::toText(output.shape)) +
                      QString::fromUtf8(core::toString(output.type).data());
    return shapes.join(' ');
}

Json integers(std::vector<std::int64_t> values) {
    return {{"type", "int64"}, {"shape", {values.size()}}, {"values", values}};
}

} // namespace

/// One node of an ONNX graph as a layer.
class OnnxNodeLayerTest : public QObject {
    Q_OBJECT

private slots:
    void shapesFollowTheOperator_data() {
        QTest::addColumn<QString>("config");
        QTest::addColumn<QString>("shapes");
        const auto row = [](const char* name, const Json& config, const char* shapes) {
            QTest::newRow(name) << QString::fromStdString(config.dump()) << shapes;
        };
        row("element by element", {{"op_type", "Celu"}, {"opset", 13}}, "(None, 6, 8)float32");
        row("padded", {{"op_type", "Pad"}, {"opset", 13}, {"operands", {0, integers({0, 1, 0, 0, 2, 3})}}},
            "(None, 9, 11)float32");
        row("two outputs",
            {{"op_type", "TopK"}, {"opset", 13}, {"operands", {0, integers({3})}}, {"outputs", {0, 1}}},
            "(None, 6, 3)float32 (None, 6, 3)int32");
        row("the second output only",
            {{"op_type", "TopK"}, {"opset", 13}, {"operands", {0, integers({3})}}, {"outputs", {1}}},
            "(None, 6, 3)int32");
        row("two samples as one",
            {{"op_type", "Reshape"}, {"opset", 13}, {"operands", {0, integers({-1, 96})}}},
            "(None, 96)float32");
        row("the batch summed away",
            {{"op_type", "ReduceSum"},
             {"opset", 13},
             {"attributes", {{"keepdims", 0}}},
             {"operands", {0, integers({0})}}},
            "(6, 8)float32");
        // A constant that says so follows the batch: [batch, 48].
        Json whole = integers({0, 48});
        whole["per_sample"] = {1, 0};
        row("extents that depend on the batch",
            {{"op_type", "Reshape"}, {"opset", 13}, {"operands", {0, whole}}}, "(None, 48)float32");
    }
    void shapesFollowTheOperator() {
        QFETCH(QString, config);
        QFETCH(QString, shapes);
        const Json json = Json::parse(config.toStdString());
        QCOMPARE(shapesOf(describe(json, {tensor({std::nullopt, 6, 8})})), shapes);
    }

    void trainedOperandsAreWeightsOfTheLayer() {
        const Json config{{"op_type", "PRelu"},
                          {"opset", 13},
                          {"operands", {0, {{"weight", "slope"}, {"type", "float"}, {"shape", {8}}}}}};
        const auto facts = describe(config, {tensor({std::nullopt, 8})});
        QVERIFY(facts.has_value());
        QCOMPARE(facts->weights.size(), std::size_t{1});
        QCOMPARE(facts->weights[0].name, std::string("slope"));
        QCOMPARE(facts->weights[0].shape, (Shape{8}));
        QVERIFY(facts->weights[0].trainable);
    }

    void refusalsNameTheOperatorAndTheCure_data() {
        QTest::addColumn<QString>("config");
        QTest::addColumn<QString>("message");
        QTest::addColumn<QString>("hint");
        const auto row = [](const char* name, const Json& config, const char* message, const char* hint) {
            QTest::newRow(name) << QString::fromStdString(config.dump()) << message << hint;
        };
        row("unknown", {{"op_type", "Loop"}, {"opset", 13}}, "Loop", "standard set");
        row("misspelt", {{"op_type", "Sofmax"}, {"opset", 13}}, "Sofmax", "Softmax");
        row("other domain", {{"op_type", "Attention"}, {"domain", "com.microsoft"}, {"opset", 1}},
            "com.microsoft.Attention", "standard set");
        row("an input lacks", {{"op_type", "Add"}, {"opset", 13}}, "without its input 1", "give it");
        row("extents follow from data", {{"op_type", "Reshape"}, {"opset", 13}, {"operands", {0, 0}}},
            "shape changes from run to run", "--value");
        row("not connected", {{"op_type", "Add"}, {"opset", 13}, {"operands", {0, 1}}}, "input 1 of 1",
            "connect");
    }
    void refusalsNameTheOperatorAndTheCure() {
        QFETCH(QString, config);
        QFETCH(QString, message);
        QFETCH(QString, hint);
        const auto facts = describe(Json::parse(config.toStdString()), {tensor({2, 6})});
        QVERIFY(!facts.has_value());
        QVERIFY2(facts.error().message.find(message.toStdString()) != std::string::npos,
                 facts.error().message.c_str());
        QVERIFY2(facts.error().hint.find(hint.toStdString()) != std::string::npos,
                 facts.error().hint.c_str());
    }

    void configurationsSurviveBeingWritten() {
        core::OnnxLayer layer;
        layer.node.operation = "Resize";
        layer.opset = 13;
        const auto attribute = [&](const char* name, core::OnnxAttribute::Kind kind) -> core::OnnxAttribute& {
            core::OnnxAttribute& made = layer.node.attributes[name];
            made.kind = kind;
            return made;
        };
        using Kind = core::OnnxAttribute::Kind;
        attribute("mode", Kind::Text).text = "cubic";
        attribute("cubic_coeff_a", Kind::Number).number = -0.5;
        attribute("extrapolation_value", Kind::Number).number = -std::numeric_limits<double>::infinity();
        attribute("axes", Kind::Integers).integers = {1, 2};
        layer.operands.resize(3);
        layer.operands[0].kind = core::OnnxOperand::Kind::Tensor;
        layer.operands[2].kind = core::OnnxOperand::Kind::Constant;
        layer.operands[2].value = core::tensorOfNumbers(core::OnnxType::Float, {2}, {0.1F, 2});
        layer.outputs = {0};
        const auto read = core::readOnnxLayer(core::onnxLayerConfig(layer));
        QVERIFY2(read.has_value(), read ? "" : read.error().message.c_str());
        QCOMPARE(read->operands, layer.operands);
        QCOMPARE(read->outputs, layer.outputs);
        QCOMPARE(read->node.text("mode", ""), std::string("cubic"));
        QCOMPARE(read->node.number("cubic_coeff_a", 0), -0.5);
        QCOMPARE(read->node.number("extrapolation_value", 0), -std::numeric_limits<double>::infinity());
        QCOMPARE(read->node.integers("axes"), (std::vector<std::int64_t>{1, 2}));
        QVERIFY(read->node.hasInput(0) && !read->node.hasInput(1) && read->node.hasInput(2));
    }

    /// Whatever a hand puts into the configuration is refused with a message.
    void nonsenseIsRefused_data() {
        QTest::addColumn<QString>("config");
        const auto row = [](const char* name, const char* config) { QTest::newRow(name) << config; };
        row("operands are text", R"({"op_type": "Abs", "operands": "x"})");
        row("an operand is text", R"({"op_type": "Abs", "operands": ["x"]})");
        row("a negative position", R"({"op_type": "Abs", "operands": [-1]})");
        row("too few values",
            R"({"op_type": "Abs", "operands": [{"type": "float", "shape": [3], "values": [1]}]})");
        row("a huge constant",
            R"({"op_type": "Abs", "operands": [{"type": "float", "shape": [9e18, 9e18], "values": []}]})");
        row("outputs fall", R"({"op_type": "TopK", "outputs": [1, 0]})");
        row("no output of that number", R"({"op_type": "Abs", "outputs": [7]})");
        row("attributes are a list", R"({"op_type": "Abs", "attributes": [1]})");
    }
    void nonsenseIsRefused() {
        QFETCH(QString, config);
        const auto facts = describe(Json::parse(config.toStdString()), {tensor({2, 6})});
        QVERIFY(!facts.has_value());
        QVERIFY(!facts.error().message.empty());
    }
};

REGISTER_TEST("onnx_node_layer", OnnxNodeLayerTest)
#include "onnx_node_layer_test.moc"
