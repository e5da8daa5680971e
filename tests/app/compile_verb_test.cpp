#include "tests/app/workbench.h"
#include "tests/support/test_registry.h"

#include <QtTest/QTest>

using tests::Answer;
using tests::Workbench;

/// `compile`, and `run --executable`.
class CompileVerbTest : public QObject {
    Q_OBJECT

private slots:
    void anExecutableRunsAsTheProjectDoes() {
        const Workbench workbench;
        workbench.writeProject("p.ipuproj");
        const Answer compiled = workbench.run({"compile", "p.ipuproj", "-o", "p.ipuexe", "--json"});
        QVERIFY2(compiled.code == 0, compiled.err);
        QCOMPARE(compiled.json()["schema"].get<std::string>(), std::string("ipu-workbench/compile"));
        QVERIFY(compiled.json()["operations"].get<int>() > 0);
        const Answer direct = workbench.run({"run", "p.ipuproj", "--no-numerics", "--json"});
        const Answer loaded =
            workbench.run({"run", "p.ipuproj", "--no-numerics", "--json", "--executable", "p.ipuexe"});
        QVERIFY2(loaded.code == 0, loaded.err);
        for (const char* key : {"step_cycles", "memory", "stages", "samples_per_second"})
            QVERIFY2(loaded.json()[key] == direct.json()[key], key);
    }

    void anExecutableOfSomethingElseIsRefused() {
        const Workbench workbench;
        workbench.writeProject("p.ipuproj");
        QCOMPARE(workbench.run({"compile", "p.ipuproj", "-o", "p.ipuexe"}).code, 0);
        const QStringList run{"run", "p.ipuproj", "--no-numerics", "--json", "--executable", "p.ipuexe"};
        const Answer options = workbench.run(run + QStringList{"--set", "training.batch_size=2"});
        QCOMPARE(options.code, 3);
        QCOMPARE(options.codes(), QString("executable/options"));
        QVERIFY(options.err.contains("training.batch_size"));
        const Answer target = workbench.run(run + QStringList{"--set", "system.target=bow"});
        QVERIFY(target.codes().contains("executable/target"));
        QCOMPARE(workbench.run(run + QStringList{"--mode", "predict"}).codes(), QString("executable/mode"));
        workbench.write("p.ipuexe", "no executable");
        QCOMPARE(workbench.run(run).codes(), QString("executable/format"));
    }

    void aFileIsNeeded() {
        const Workbench workbench;
        workbench.writeProject("p.ipuproj");
        QCOMPARE(workbench.run({"compile", "p.ipuproj", "--json"}).codes(), QString("usage/missing-option"));
        QVERIFY(workbench.run({"compile", "p.ipuproj", "-o", "p.ipuexe"}).code == 0);
        QVERIFY(workbench.run({"compile", "p.ipuproj", "-o", "p.ipuexe"}).code != 0);
        QVERIFY(workbench.run({"compile", "p.ipuproj", "-o", "p.ipuexe", "--force"}).code == 0);
    }

    void whatNeverAttachesCanBeCompiled() {
        const Workbench workbench;
        workbench.writeProject("p.ipuproj");
        const QStringList detached{"--set", "ipu_config.device_connection.type=PRE_COMPILE", "--set",
                                   "ipu_config.device_connection.version=ipu2"};
        const Answer compiled =
            workbench.run(QStringList{"compile", "p.ipuproj", "-o", "p.ipuexe"} + detached);
        QVERIFY2(compiled.code == 0, compiled.err);
        QVERIFY(workbench.run(QStringList{"run", "p.ipuproj", "--no-numerics"} + detached).code == 3);
    }
};

REGISTER_TEST("compile_verb", CompileVerbTest)

#include "compile_verb_test.moc"
