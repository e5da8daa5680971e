#include "core/base/file.h"
#include "tests/support/shared_data.h"
#include "tests/support/test_registry.h"
#include "tests/support/workbench.h"

#include <QProcess>
#include <QtTest/QTest>
#include <algorithm>
#include <filesystem>

using tests::Answer;
using tests::Workbench;

namespace fs = std::filesystem;

namespace {

/// Lines of the example's page that one pastes into a shell.
QStringList pastedLines(const QString& program) {
    const fs::path page = tests::projectRoot() / "resources/user_operation/README.md";
    QStringList lines;
    for (const QString& line : QString::fromStdString(core::readFile(page).value_or("")).split('\n'))
        if (line.startsWith("    " + program + ' '))
            lines << line.trimmed();
    return lines;
}

/// What a shell answers in the folder of a workbench; its errors.
QByteArray errorsOf(const Workbench& workbench, const QString& line) {
    QProcess shell;
    shell.setWorkingDirectory(QString::fromStdString(workbench.path(".").string()));
    shell.start("/bin/sh", {"-c", line});
    constexpr int patienceMs = 60'000;
    const bool isDone = shell.waitForFinished(patienceMs) && shell.exitCode() == 0;
    return isDone ? QByteArray() : line.toUtf8() + "\n" + shell.readAllStandardError() + "failed";
}

} // namespace

/// The worked example of an operation of one's own, as its page says to build and run it.
class UserOperationExampleTest : public QObject {
    Q_OBJECT

private slots:
    void isBuiltAndRunAsItsPageSays() {
        const Workbench workbench;
        fs::create_directory_symlink(tests::projectRoot() / "resources", workbench.path("resources"));
        fs::create_directory_symlink(tests::projectRoot() / "simulator", workbench.path("simulator"));
        const QStringList builds = pastedLines("c++");
        QCOMPARE(builds.size(), 2);
        QCOMPARE(errorsOf(workbench, builds[0]), QByteArray());
        predicts(workbench);
        // It has a gradient, so it trains, and it is not loaded unasked.
        const QString train = pastedLines("ipu-workbench")[1].section(' ', 1).remove(
            "--mode predict --predictions own.csv --force ");
        const Answer trained = workbench.runLine(train + " --json");
        QVERIFY2(trained.code == 0, trained.err.constData());
        QVERIFY(trained.json()["metrics"]["loss"].size() > 1);
        const Answer refused = workbench.runLine(QString(train).remove("--allow-user-code "));
        QCOMPARE(refused.code, 3);
        QVERIFY2(refused.err.contains("--allow-user-code"), refused.err.constData());
    }

    void isBuiltWithWhatIsInstalled() {
        const Workbench workbench;
        const fs::path build = fs::path(qEnvironmentVariable("IPU_WORKBENCH").toStdString()).parent_path();
        const QString prefix = QString::fromStdString(workbench.path("usr").string());
        QCOMPARE(errorsOf(workbench, QString("cmake --install %1 --prefix %2")
                                         .arg(QString::fromStdString(build.string()), prefix)),
                 QByteArray());
        QVERIFY(fs::exists(workbench.path("usr/include/ipu-workbench/user_operation.h")));
        QCOMPARE(errorsOf(workbench, QString(pastedLines("c++")[1]).replace("/usr/local", prefix)),
                 QByteArray());
        predicts(workbench);
    }

private:
    static void predicts(const Workbench& workbench) {
        for (const QString& line : pastedLines("ipu-workbench")) {
            const Answer answer = workbench.runLine(line.section(' ', 1));
            QVERIFY2(answer.code == 0, (line.toUtf8() + "\n" + answer.err).constData());
        }
        const QByteArray table =
            QByteArray::fromStdString(core::readFile(workbench.path("own.csv")).value_or(""));
        const QList<QByteArray> lines = table.trimmed().replace("\r", "").split('\n').mid(1);
        QCOMPARE(lines.size(), 1024);
        for (const QByteArray& line : lines)
            QCOMPARE(line.mid(line.indexOf(',') + 1), QByteArray("4.5,4.5,4.5,4.5,4.5,4.5,4.5,4.5"));
    }
};

REGISTER_TEST("user_operation_example", UserOperationExampleTest)
#include "user_operation_example_test.moc"
