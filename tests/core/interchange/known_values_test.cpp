#include "core/interchange/onnx/known_values.h"

#include "core/interchange/onnx/input_values.h"
#include "core/interchange/onnx/onnx_file.h"
#include "core/interchange/onnx/onnx_importer.h"
#include "tests/support/onnx_graphs.h"
#include "tests/support/test_registry.h"

#include <QtTest/QTest>

namespace {

using core::BatchNumber;
using core::OnnxModel;
using tests::integerTensor;
using tests::onnxModel;
using tests::onnxNode;

/// A graph whose input x is [openBatch, 6, 8].
core::KnownValues valuesOf(const OnnxModel& model) {
    return core::KnownValues(model.graph, true, [](const std::string& name) {
        return name == "x" ? std::optional(core::Shape{core::openBatch, 6, 8}) : std::nullopt;
    });
}

} // namespace

/// Constants of ONNX graphs, folded while importing.
class KnownValuesTest : public QObject {
    Q_OBJECT

private slots:
    /// [Shape(x)[0], Shape(x)[1] · 8] as exporters write it: the batch stays open.
    void shapesAreWorkedOutWithTheBatchOpen() {
        OnnxModel model =
            onnxModel({onnxNode("Shape", {"x"}, {"s"}), onnxNode("Gather", {"s", "first"}, {"n"}),
                       onnxNode("Gather", {"s", "second"}, {"c"}), onnxNode("Mul", {"c", "width"}, {"m"}),
                       onnxNode("Concat", {"n", "m"}, {"t"})},
                      {"x"}, {"t"});
        model.graph.initializers = {integerTensor("first", {0}), integerTensor("second", {1}),
                                    integerTensor("width", {8})};
        core::KnownValues values = valuesOf(model);
        const core::KnownValue* target = values.find("t");
        QVERIFY(target != nullptr);
        QCOMPARE(target->elements, (std::vector<BatchNumber>{{0, 1}, {48, 0}}));
        QVERIFY(target->dependsOnBatch());
    }

    void theBatchIsAddedAndMultipliedButNotRaised() {
        OnnxModel model = onnxModel(
            {onnxNode("Size", {"x"}, {"count"}), onnxNode("Div", {"count", "six"}, {"d"}),
             onnxNode("Mul", {"count", "count"}, {"square"}), onnxNode("Pow", {"six", "two"}, {"power"})},
            {"x"}, {"d"});
        model.graph.initializers = {integerTensor("six", {6}), integerTensor("two", {2})};
        core::KnownValues values = valuesOf(model);
        QCOMPARE(values.find("count")->elements, (std::vector<BatchNumber>{{0, 48}}));
        QCOMPARE(values.find("d")->elements, (std::vector<BatchNumber>{{0, 8}}));
        QVERIFY(values.find("square") == nullptr);
        QCOMPARE(values.find("power")->elements, (std::vector<BatchNumber>{{36, 0}}));
    }

    void zerosAreKnownThoughTheirExtentsAreNot() {
        OnnxModel model =
            onnxModel({onnxNode("Shape", {"x"}, {"s"}), onnxNode("ConstantOfShape", {"s"}, {"z"}),
                       onnxNode("Unsqueeze", {"z", "first"}, {"u"})},
                      {"x"}, {"u"});
        model.graph.initializers = {integerTensor("first", {0})};
        core::KnownValues values = valuesOf(model);
        QVERIFY(values.find("z") == nullptr);
        QVERIFY(values.isZero("u"));
        QVERIFY(!values.isZero("s"));
    }

    void elementsAreMovedAsNumPyDoes_data() {
        QTest::addColumn<QString>("operation");
        QTest::addColumn<QList<qint64>>("argument");
        QTest::addColumn<QList<qint64>>("expected");
        QTest::newRow("gather from the end") << "Gather" << QList<qint64>{-1, 0} << QList<qint64>{40, 10};
        QTest::newRow("reshape") << "Reshape" << QList<qint64>{2, -1} << QList<qint64>{10, 20, 30, 40};
        QTest::newRow("expand") << "Expand" << QList<qint64>{2, 4}
                                << QList<qint64>{10, 20, 30, 40, 10, 20, 30, 40};
        QTest::newRow("subtract") << "Sub" << QList<qint64>{5} << QList<qint64>{5, 15, 25, 35};
        QTest::newRow("less") << "Less" << QList<qint64>{25} << QList<qint64>{1, 1, 0, 0};
    }
    void elementsAreMovedAsNumPyDoes() {
        QFETCH(QString, operation);
        QFETCH(QList<qint64>, argument);
        QFETCH(QList<qint64>, expected);
        OnnxModel model = onnxModel({onnxNode(operation.toStdString(), {"a", "b"}, {"c"})}, {"x"}, {"c"});
        model.graph.initializers = {integerTensor("a", {10, 20, 30, 40}),
                                    integerTensor("b", {argument.begin(), argument.end()})};
        core::KnownValues values = valuesOf(model);
        const core::KnownValue* found = values.find("c");
        QVERIFY(found != nullptr);
        QList<qint64> numbers;
        for (const double number : found->numbers())
            numbers << static_cast<qint64>(number);
        QCOMPARE(numbers, expected);
    }

    /// What decides extents, and what lacks the batch axis.
    void inputsThatCannotBeFedAreNamed() {
        OnnxModel model =
            onnxModel({onnxNode("Cast", {"shape"}, {"s"}), onnxNode("Reshape", {"x", "s"}, {"y"}),
                       onnxNode("Add", {"y", "b"}, {"z"})},
                      {"x", "shape", "b"}, {"z"});
        model.graph.inputs[0].shape = core::Shape{4, 6};
        model.graph.inputs[1].shape = core::Shape{2};
        model.graph.inputs[2].shape = core::Shape{24};
        const auto fixed = core::inputsToFix(model);
        QCOMPARE(fixed.size(), std::size_t{2});
        QCOMPARE(fixed[0], (core::OnnxFixedInput{"shape", "Reshape", "Reshape"}));
        QCOMPARE(fixed[1], (core::OnnxFixedInput{"b", "", ""}));
        core::Diagnostics warnings;
        QVERIFY(core::modelFromOnnx(model, "m.onnx", warnings).has_value());
        QCOMPARE(warnings.size(), std::size_t{2});
        QVERIFY(warnings[0].hints.front().find("--value shape=") != std::string::npos);
    }

    void numbersBecomeValuesOfInputs() {
        const core::OnnxValue input{"shape", core::OnnxType::Int64, core::Shape{2}};
        const auto value = core::inputValue(input, "3,-1");
        QVERIFY(value.has_value());
        QCOMPARE(core::integersOf(*value), (std::vector<std::int64_t>{3, -1}));
        QVERIFY(!core::inputValue(input, "3,x").has_value());
        QVERIFY(!core::inputValue(input, "1,2,3").has_value());
    }
};

REGISTER_TEST("known_values", KnownValuesTest)
#include "known_values_test.moc"
