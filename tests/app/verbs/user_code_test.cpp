#include "core/base/file.h"
#include "tests/support/test_registry.h"
#include "tests/support/workbench.h"

#include <QElapsedTimer>
#include <QFile>
#include <QtTest/QTest>
#include <csignal>

using tests::Answer;
using tests::Workbench;

namespace fs = std::filesystem;

namespace {

/// A project whose operation is a function of the library that misbehaves.
void writeUserProject(const Workbench& workbench, const char* function) {
    fs::copy_file(MISBEHAVING_OPERATION, workbench.path("user.so"), fs::copy_options::overwrite_existing);
    workbench.write("m.json", QString(R"({"class_name": "Sequential", "config": {"name": "m", "layers": [
        {"class_name": "InputLayer", "config": {"batch_input_shape": [null, 8], "name": "in"}},
        {"class_name": "Dense", "config": {"name": "first", "units": 8}},
        {"class_name": "UserOperation", "config": {"name": "user", "library_path": "./user.so",
            "op_name": "%1", "flops": 10}}]}})")
                                  .arg(function)
                                  .toStdString());
    QCOMPARE(workbench.run({"import", "m.json", "-o", "u.ipuproj", "--force"}).code, 0);
}

QStringList predicting() {
    return {"run",
            "u.ipuproj",
            "--mode",
            "predict",
            "--predictions",
            "o.csv",
            "--force",
            "--allow-user-code",
            "--json",
            "--set",
            R"(training.dataset={"kind": "synthetic"})"};
}

} // namespace

/// Code of somebody that a run was allowed to load.
class UserCodeTest : public QObject {
    Q_OBJECT

private slots:
    void isLoadedInAProcessOfItsOwnAlone() {
        const Workbench workbench;
        writeUserProject(workbench, "prints");
        workbench.write("who-loaded.txt", "");
        const Answer answer = workbench.run(predicting());
        QVERIFY2(answer.code == 0, answer.err.constData());
        // What it prints is no part of the answer.
        QCOMPARE(answer.json()["mode"].get<std::string>(), std::string("predict"));
        QVERIFY(answer.err.contains("copied"));
        const QByteArray processes =
            QByteArray::fromStdString(core::readFile(workbench.path("who-loaded.txt")).value_or(""));
        QVERIFY(!processes.isEmpty());
        for (const QByteArray& line : processes.trimmed().split('\n'))
            QVERIFY2(line.endsWith(" --as-helper-process"), line.constData());
    }

    void thatGoesWrongInTheMiddleEndsTheRun_data() {
        QTest::addColumn<QString>("words");
        QTest::newRow("crashes_later") << "crashes (Segmentation fault)";
        QTest::newRow("exits_later") << "ends the program";
        QTest::newRow("fails_later") << "fails: the moon is in the wrong phase";
        QTest::newRow("writes_outside_later") << "writes outside its tensors";
    }

    void thatGoesWrongInTheMiddleEndsTheRun() {
        QFETCH(QString, words);
        const Workbench workbench;
        writeUserProject(workbench, QTest::currentDataTag());
        const Answer answer = workbench.run(predicting());
        QCOMPARE(answer.code, 3);
        QCOMPARE(answer.codes(), QString("numerics/user-operation"));
        QCOMPARE(answer.err.count("error:"), 1);
        QVERIFY2(answer.err.contains(words.toUtf8()), answer.err.constData());
    }

    void whatItStartsEndsWithTheRun() {
        const Workbench workbench;
        writeUserProject(workbench, "leaves_a_process");
        const Answer answer = workbench.run(predicting());
        QVERIFY2(answer.code == 0, answer.err.constData());
        const QByteArray process =
            QByteArray::fromStdString(core::readFile(workbench.path("left-process.txt")).value_or(""))
                .trimmed();
        QVERIFY(!process.isEmpty());
        // Gone, or only not yet buried.
        const auto isOver = [&] {
            QFile status("/proc/" + process + "/stat");
            return !status.open(QIODevice::ReadOnly) || status.readAll().contains(") Z ");
        };
        QTRY_VERIFY(isOver());
    }

    void thatHangsIsInterrupted() {
        const Workbench workbench;
        writeUserProject(workbench, "loops_later");
        workbench.write("who-loaded.txt", "");
        QElapsedTimer passed;
        passed.start();
        // Its third call hangs, a moment after it was loaded.
        QCOMPARE(workbench.stop(predicting(), "who-loaded.txt", SIGINT), 130);
        QVERIFY2(passed.elapsed() < 5000, std::to_string(passed.elapsed()).c_str());
    }
};

REGISTER_TEST("user_code", UserCodeTest)
#include "user_code_test.moc"
