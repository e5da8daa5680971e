#include "simulator/graph/rules/differentiate.h"
#include "tests/support/numerics/central_differences.h"
#include "tests/support/test_registry.h"
#include "tests/tools/oracle/graph_run.h"

#include <QtTest/QTest>
#include <cstdlib>
#include <dlfcn.h>

using namespace simulator;

namespace {

/// The first refusal of an operation of `library` on three numbers, or what it gives.
QString answerOf(const char* library, const char* entry) {
    oracles::GraphRun graph;
    graph.build().setScope({"model", {}, Phase::Forward});
    TensorForm form;
    form.extents = {3};
    oracles::Values values;
    values.form = form;
    values.data = {1, 2, 3};
    const core::TensorId x = graph.feed("x", values);
    const core::TensorId y = graph.build().addAs(UserOperation{library, entry, "0.5"}, {x}, "user", form);
    if (const auto run = graph.run({y}); !run)
        return QString::fromStdString(run.error().front().message);
    QStringList answer;
    for (const float value : graph.read(y))
        answer << QString::number(static_cast<double>(value));
    return answer.join(' ');
}

/// The file of the library that holds a function.
QString libraryOf(const void* function) {
    Dl_info info{};
    return dladdr(function, &info) != 0 ? QString::fromLocal8Bit(info.dli_fname) : QString();
}

} // namespace

class UserOperationTest : public QObject {
    Q_OBJECT

private slots:
    void theExampleComputes() {
        QCOMPARE(answerOf(EXAMPLE_OPERATION, "scaled_square"), QString("0.5 2 4.5"));
    }

    void theExamplesGradientAgreesWithDifferences() {
        tests::RandomOperands random(1, 0);
        const Extents extents{2, 3};
        tests::GradientCase one;
        one.attributes = UserOperation{EXAMPLE_OPERATION, "scaled_square", "0.5"};
        one.output.emplace();
        one.output->extents = extents;
        tests::TestOperand& x = one.operands.emplace_back();
        x.form = *one.output;
        x.values = random.apart(6, 0);
        QCOMPARE(tests::gradientDisagreement(one, random), std::string());
    }

    void aLibraryThatMisbehavesIsRefusedWithTheReason_data() {
        QTest::addColumn<QString>("entry");
        QTest::addColumn<QString>("reason");
        QTest::newRow("crash") << "crashes"
                               << "crashes";
        QTest::newRow("exit") << "exits"
                              << "ends the program";
        QTest::newRow("error") << "fails"
                               << "the moon is in the wrong phase";
        QTest::newRow("outside") << "writes_outside"
                                 << "writes outside its tensors";
        QTest::newRow("input") << "changes_input"
                               << "changes its inputs";
        QTest::newRow("left out") << "leaves_out"
                                  << "leaves elements of its outputs unwritten";
        QTest::newRow("missing") << "nobody"
                                 << "no function \"nobody\"";
    }

    void aLibraryThatMisbehavesIsRefusedWithTheReason() {
        QFETCH(QString, entry);
        QFETCH(QString, reason);
        const QString answer = answerOf(MISBEHAVING_OPERATION, qPrintable(entry));
        QVERIFY2(answer.contains(reason), qPrintable(answer));
    }

    void aMissingLibraryIsRefused() {
        QVERIFY(answerOf("/nowhere/lib.so", "any").contains("cannot be loaded"));
    }

    void aLibraryWithoutTheInterfaceIsRefused() {
        QVERIFY(answerOf(qPrintable(libraryOf(reinterpret_cast<const void*>(&::strtol))), "abs")
                    .contains("does not export"));
        // What the system keeps is not searched.
        QVERIFY(answerOf("libc.so.6", "abs").contains("without its folder"));
    }
};

REGISTER_TEST("user_operation", UserOperationTest)
#include "user_operation_test.moc"
