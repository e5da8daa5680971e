#include "simulator/compiler/lowering/ipu_operations.h"

#include "tests/support/test_registry.h"

#include <QtTest/QTest>

using namespace simulator;

namespace {

/// Kinds of the operations that an expression becomes, or why it does not.
QString written(const char* expression) {
    TrainingGraph graph;
    GraphBuilder build(graph);
    build.setScope({"e", {}, Phase::Forward});
    const TensorForm form{{2}, core::DataType::Float32};
    const std::vector<core::TensorId> inputs{build.tensor("a", form, TensorRole::Input),
                                             build.tensor("b", form, TensorRole::Input)};
    const auto value = addExpression(build, expression, inputs);
    if (!value)
        return QString::fromStdString(value.error().front().message);
    QStringList kinds;
    for (const Operation& operation : graph.operations) {
        if (const auto* unary = std::get_if<Unary>(&operation.attributes))
            kinds << QString::fromUtf8(toString(unary->function).data());
        if (const auto* binary = std::get_if<Binary>(&operation.attributes))
            kinds << QString::fromUtf8(toString(binary->function).data());
    }
    return kinds.join(' ');
}

} // namespace

class IpuOperationsTest : public QObject {
    Q_OBJECT

private slots:
    void expressionsFollowTheUsualOrder_data() {
        QTest::addColumn<QString>("expression");
        QTest::addColumn<QString>("operations");
        QTest::newRow("product first") << "x0 + x1 * x0"
                                       << "Multiply Add";
        QTest::newRow("parentheses") << "(x0 + x1) * x0"
                                     << "Add Multiply";
        QTest::newRow("left to right") << "x0 - x1 - x0"
                                       << "Subtract Subtract";
        QTest::newRow("power binds tightest") << "-x0 ** 2"
                                              << "Power ScaleShift";
        QTest::newRow("functions") << "tanh(x0) * maximum(x1, 0.5)"
                                   << "Tanh Maximum Multiply";
        QTest::newRow("numbers") << "1e-3 * x0"
                                 << "Multiply";
    }
    void expressionsFollowTheUsualOrder() {
        QFETCH(QString, expression);
        QFETCH(QString, operations);
        QCOMPARE(written(qPrintable(expression)), operations);
    }

    void aWrongExpressionIsRefusedAtItsPlace_data() {
        QTest::addColumn<QString>("expression");
        QTest::addColumn<QString>("reason");
        QTest::newRow("empty") << ""
                               << "ends too early at position 1";
        QTest::newRow("no input") << "x0 + x7"
                                  << "\"x7\", which is no input, at position 6";
        QTest::newRow("no function") << "bar(x0)"
                                     << "\"bar\" with 1 arguments";
        QTest::newRow("open") << "(x0"
                              << "misses a \")\"";
        QTest::newRow("rest") << "x0 x1"
                              << "does not go on like this at position 4";
        QTest::newRow("deep") << QString(1000, '(') << "nested too deeply";
    }
    void aWrongExpressionIsRefusedAtItsPlace() {
        QFETCH(QString, expression);
        QFETCH(QString, reason);
        const QString answer = written(qPrintable(expression));
        QVERIFY2(answer.contains(reason), qPrintable(answer));
    }
};

REGISTER_TEST("ipu_operations", IpuOperationsTest)
#include "ipu_operations_test.moc"
