#include "simulator/graph/rules/differentiate.h"
#include "simulator/numerics/bindings/user_library_host.h"
#include "tests/support/numerics/central_differences.h"
#include "tests/support/test_registry.h"
#include "tests/tools/oracle/graph_run.h"

#include <QDir>
#include <QElapsedTimer>
#include <QTemporaryDir>
#include <QtTest/QTest>
#include <array>
#include <cmath>
#include <cstdlib>
#include <dlfcn.h>
#include <thread>

using namespace simulator;

namespace {

/// Three numbers and a user operation of them.
struct UserGraph {
    explicit UserGraph(const char* library, const char* entry, UserPatience patience = {}) {
        graph.callIn(host = std::make_shared<UserLibraryHost>(patience));
        graph.build().setScope({"model", {}, Phase::Forward});
        TensorForm form;
        form.extents = {3};
        oracles::Values values;
        values.form = form;
        values.data = {1, 2, 3};
        const core::TensorId x = graph.feed("x", values);
        y = graph.build().addAs(UserOperation{library, entry, "0.5"}, {x}, "user", form);
    }

    /// The first refusal, or what the operation gives.
    QString answer() {
        if (const auto run = graph.run({y}); !run)
            return QString::fromStdString(run.error().front().message);
        if (const auto state = host->state(); !state)
            return QString::fromStdString(state.error().front().message);
        QStringList answer;
        for (const float value : graph.read(y))
            answer << QString::number(static_cast<double>(value));
        return answer.join(' ');
    }
    /// The same of another call.
    QString again() {
        graph.rerun();
        const auto state = host->state();
        return state ? QString() : QString::fromStdString(state.error().front().message);
    }

    std::shared_ptr<UserLibraryHost> host;
    oracles::GraphRun graph;
    core::TensorId y;
};

QString answerOf(const char* library, const char* entry) {
    return UserGraph(library, entry).answer();
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

    void noLibraryIsEverLoadedInTheProgram() {
        const QTemporaryDir folder;
        const QString before = QDir::currentPath();
        QVERIFY(QDir::setCurrent(folder.path()));
        const auto restore = qScopeGuard([&] { QDir::setCurrent(before); });
        QFile log("who-loaded.txt");
        QVERIFY(log.open(QIODevice::WriteOnly));
        log.close();
        QCOMPARE(answerOf(MISBEHAVING_OPERATION, "prints"), QString("1 2 3"));
        QVERIFY(answerOf(MISBEHAVING_OPERATION, "crashes").contains("crashes"));
        QVERIFY(log.open(QIODevice::ReadOnly));
        const QList<QByteArray> processes = log.readAll().trimmed().split('\n');
        QCOMPARE(processes.size(), 2);
        const QByteArray own = QByteArray::number(QCoreApplication::applicationPid()) + ' ';
        QVERIFY(!processes[0].startsWith(own) && !processes[1].startsWith(own));
        QVERIFY(processes[0] != processes[1]);
        QFile map("/proc/self/maps");
        QVERIFY(map.open(QIODevice::ReadOnly));
        QVERIFY(!map.readAll().contains("misbehaving"));
    }

    void aLibraryThatMisbehavesLaterEndsTheRun_data() {
        QTest::addColumn<QString>("entry");
        QTest::addColumn<QString>("reason");
        QTest::newRow("crash") << "crashes_later"
                               << "\"crashes_later\" crashes (Segmentation fault)";
        QTest::newRow("abort") << "aborts_later"
                               << "\"aborts_later\" crashes (Aborted)";
        QTest::newRow("exit") << "exits_later"
                              << "\"exits_later\" ends the program";
        QTest::newRow("error") << "fails_later"
                               << "\"fails_later\" fails: the moon is in the wrong phase";
        QTest::newRow("outside") << "writes_outside_later"
                                 << "\"writes_outside_later\" writes outside its tensors";
        QTest::newRow("late") << "loops_later"
                              << "\"loops_later\" does not come back within 0.3 seconds";
        QTest::newRow("hidden") << "closes_later"
                                << "\"closes_later\" ends the program";
    }

    void aLibraryThatMisbehavesLaterEndsTheRun() {
        QFETCH(QString, entry);
        QFETCH(QString, reason);
        // What ends is noticed without it.
        UserPatience patience;
        if (reason.contains("seconds"))
            patience.call = std::chrono::milliseconds(300);
        const QByteArray name = entry.toUtf8();
        UserGraph graph(MISBEHAVING_OPERATION, name.constData(), patience);
        QCOMPARE(graph.answer(), QString("1 2 3"));
        QCOMPARE(graph.again(), reason);
        for (const float value : graph.graph.read(graph.y))
            QVERIFY(std::isnan(value));
        // Nobody is asked after that.
        QCOMPARE(graph.again(), reason);
    }

    void aCallEndsSoonAfterItIsStopped() {
        UserGraph graph(MISBEHAVING_OPERATION, "loops_later");
        QCOMPARE(graph.answer(), QString("1 2 3"));
        std::stop_source stop;
        graph.host->obey(stop.get_token());
        QElapsedTimer passed;
        const std::jthread stopping([&] {
            std::this_thread::sleep_for(std::chrono::milliseconds(200));
            passed.start();
            stop.request_stop();
        });
        QCOMPARE(graph.again(), QString());
        QVERIFY2(passed.elapsed() < 500, std::to_string(passed.elapsed()).c_str());
        QVERIFY(graph.host->isStopped());
    }

    void severalThreadsCallAtOnce() {
        UserGraph graph(EXAMPLE_OPERATION, "scaled_square");
        QCOMPARE(graph.answer(), QString("0.5 2 4.5"));
        std::array<std::array<float, 3>, 4> results{};
        std::vector<std::jthread> threads;
        for (std::size_t i = 0; i < results.size(); ++i)
            threads.emplace_back([&, i] {
                std::array<float, 3> x{1, 2, static_cast<float>(i)};
                Tensor tensor;
                tensor.extents = {3};
                Operation operation;
                operation.attributes = UserOperation{EXAMPLE_OPERATION, "scaled_square", "0.5"};
                BindRequest request;
                request.operation = &operation;
                request.inputs = {{&tensor, reinterpret_cast<std::byte*>(x.data())}};
                request.outputs = {{&tensor, reinterpret_cast<std::byte*>(results[i].data())}};
                const UserCall call(request);
                for (int count = 0; count < 200; ++count)
                    graph.host->call(EXAMPLE_OPERATION, call);
            });
        threads.clear();
        QVERIFY(graph.host->state().has_value());
        for (std::size_t i = 0; i < results.size(); ++i)
            QCOMPARE(results[i][2], 0.5F * static_cast<float>(i * i));
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
