#include "core/interchange/onnx/onnx_weights.h"

#include "core/interchange/onnx/onnx_importer.h"
#include "tests/support/test_registry.h"

#include <QtTest/QTest>
#include <fmt/format.h>
#include <numeric>

namespace {

/// Elements 0, 1, 2, … in row-major order.
core::OnnxTensor counting(std::vector<std::int64_t> extents, std::string name = {}) {
    core::OnnxTensor tensor;
    tensor.name = std::move(name);
    tensor.type = core::OnnxType::Float;
    tensor.extents = std::move(extents);
    std::vector<float> values(static_cast<std::size_t>(tensor.elements()));
    std::iota(values.begin(), values.end(), 0.0F);
    tensor.data.assign(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(float));
    return tensor;
}

core::OnnxNode node(std::string operation, std::vector<std::string> inputs, std::string output) {
    core::OnnxNode result;
    result.operation = std::move(operation);
    result.name = output;
    result.inputs = std::move(inputs);
    result.outputs = {std::move(output)};
    return result;
}

} // namespace

/// Values of weights in Keras' arrangement.
class OnnxWeightsTest : public QObject {
    Q_OBJECT

private slots:
    void axesMove() {
        const core::OnnxWeight weight(counting({2, 3}));
        constexpr std::array<std::size_t, 2> swapped{1, 0};
        const core::OnnxWeight turned = weight.transposed(swapped);
        QCOMPARE(turned.extents, (std::vector<std::int64_t>{3, 2}));
        QCOMPARE(turned.values, (std::vector<float>{0, 3, 1, 4, 2, 5}));
    }

    /// [2 filters, 3 inputs, 1, 2] → [1, 2, 3 inputs, 2 filters].
    void aConvolutionHasItsFiltersLast() {
        const core::OnnxWeight kernel = core::convolutionKernel(counting({2, 3, 1, 2}));
        QCOMPARE(kernel.extents, (std::vector<std::int64_t>{1, 2, 3, 2}));
        QCOMPARE(kernel.values, (std::vector<float>{0, 6, 2, 8, 4, 10, 1, 7, 3, 9, 5, 11}));
    }

    /// One unit, one input: the gates i, o, f, c of ONNX are 0, 1, 2, 3.
    void theGatesOfALstmStandInKerasOrder() {
        const core::OnnxTensor gates = counting({1, 4, 1});
        const core::OnnxTensor bias = counting({1, 8});
        const core::OnnxRecurrence weights =
            core::recurrenceWeights("LSTM", 0, gates, gates, &bias, core::OnnxRecurrence::Bias::Joint);
        QCOMPARE(weights.kernel.extents, (std::vector<std::int64_t>{1, 4}));
        QCOMPARE(weights.kernel.values, (std::vector<float>{0, 2, 3, 1}));
        QCOMPARE(weights.recurrentKernel.values, (std::vector<float>{0, 2, 3, 1}));
        QCOMPARE(weights.bias.values, (std::vector<float>{0 + 4, 2 + 6, 3 + 7, 1 + 5}));
    }

    void aGruThatResetsAfterwardsKeepsBothBiases() {
        const core::OnnxTensor gates = counting({2, 3, 1});
        const core::OnnxTensor bias = counting({2, 6});
        const core::OnnxRecurrence weights =
            core::recurrenceWeights("GRU", 1, gates, gates, &bias, core::OnnxRecurrence::Bias::Separate);
        QCOMPARE(weights.kernel.values, (std::vector<float>{3, 4, 5}));
        QCOMPARE(weights.bias.extents, (std::vector<std::int64_t>{2, 3}));
        QCOMPARE(weights.bias.values, (std::vector<float>{6, 7, 8, 9, 10, 11}));
    }

    /// y = x·W + b, then a product with a learned vector: the product and its bias are one layer, the vector
    /// a weight by itself.
    void initializersBecomeWeightsOfTheirLayers() {
        core::OnnxModel model;
        model.opset = 13;
        model.graph.inputs.push_back({"x", core::OnnxType::Float, core::Shape{1, 2}});
        model.graph.outputs.push_back({"z", core::OnnxType::Float, {}});
        model.graph.initializers = {counting({2, 3}, "W"), counting({3}, "b"), counting({3}, "gain")};
        model.graph.nodes = {node("MatMul", {"x", "W"}, "p"), node("Add", {"p", "b"}, "y"),
                             node("Mul", {"y", "gain"}, "z")};
        const std::vector<core::StoredWeight> weights = core::weightsFromOnnx(model);
        QCOMPARE(weights.size(), std::size_t{3});
        QCOMPARE(weights[0].name, std::string("p/kernel"));
        QCOMPARE(weights[1].name, std::string("p/bias"));
        QCOMPARE(weights[2].name, std::string("gain/value"));
        QCOMPARE(weights[2].values, (std::vector<float>{0, 1, 2}));
        core::Diagnostics warnings;
        const auto graph = core::modelFromOnnx(model, "model.onnx", warnings);
        QVERIFY(graph.has_value());
        QVERIFY(warnings.empty());
    }

    void valuesInAnotherFileAreRefused() {
        // A ModelProto: a graph with one initializer whose data_location is EXTERNAL, and one operator set.
        const std::string initializer("\x08\x02\x10\x01\x42\x01w\x70\x01", 9);
        const std::string output("\x62\x03\x0a\x01w", 5);
        const std::string graph = fmt::format("\x2a\x09{}{}", initializer, output);
        const std::string model =
            fmt::format("\x08\x08\x3a{}{}\x42\x02\x10\x0d", static_cast<char>(graph.size()), graph);
        const auto weights = core::readOnnxWeights(model, "model.onnx");
        QVERIFY(!weights.has_value());
        QCOMPARE(weights.error().front().code, std::string("onnx/external-weights"));
    }
};

REGISTER_TEST("onnx_weights", OnnxWeightsTest)
#include "onnx_weights_test.moc"
