#include "tests/support/test_registry.h"
#include "tests/support/workbench.h"

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

    void whatAPassGivesIsPrinted() {
        const Workbench workbench;
        workbench.writeProject("p.ipuproj");
        const Answer routed = workbench.run({"compile", "p.ipuproj", "--dump-after", "routed"});
        QVERIFY2(routed.code == 0, routed.err);
        QVERIFY2(routed.out.startsWith("# routed: "), routed.out);
        QVERIFY2(routed.out.contains("inter-IPU copy"), routed.out);
        const Answer both =
            workbench.run({"compile", "p.ipuproj", "--dump-after", "routed", "-o", "p.ipuexe"});
        QCOMPARE(both.out, routed.out);
        QVERIFY(std::filesystem::exists(workbench.path("p.ipuexe")));
        const Answer json = workbench.run({"compile", "p.ipuproj", "--dump-after", "routed", "--json"});
        QCOMPARE(json.json()["dump"]["text"].get<std::string>(), routed.out.toStdString());
        QVERIFY(!json.json().contains("bytes"));
    }

    void anUnknownPassIsAnsweredWithThePassesThereAre() {
        const Workbench workbench;
        workbench.writeProject("p.ipuproj");
        const Answer answer = workbench.run({"compile", "p.ipuproj", "--dump-after", "route", "--json"});
        QCOMPARE(answer.code, 2);
        QCOMPARE(answer.codes(), QString("usage/unknown-pass"));
        const QByteArray help = workbench.run({"compile", "--help"}).out;
        for (const char* name :
             {"staged", "scheduled", "routed", "kept", "planned", "ordered", "lowered", "laid-out"}) {
            QVERIFY2(answer.err.contains(name), answer.err);
            QVERIFY2(help.contains(name), help);
        }
        QCOMPARE(workbench.run({"compile", "p.ipuproj", "--dump-after", "kept", "-o", "-"}).code, 2);
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

    void whatIsCompiledWithoutADeviceRunsWhereOneAttaches() {
        const Workbench workbench;
        workbench.writeProject("p.ipuproj");
        const auto with = [](const QStringList& options) {
            QStringList arguments;
            for (const QString& option : options)
                arguments << "--set"
                          << "ipu_config.device_connection." + option;
            return arguments;
        };
        const QStringList remote{"enable_remote_buffers=true"};
        const QStringList detached{"type=PRE_COMPILE", "version=ipu2"};
        const Answer compiled = workbench.run(
            QStringList{"compile", "p.ipuproj", "-o", "remote.ipuexe", "--json"} + with(detached + remote));
        QVERIFY2(compiled.code == 0, compiled.err);
        const core::Json connection = compiled.json()["connection"];
        QCOMPARE(connection["type"].get<std::string>(), std::string("PRE_COMPILE"));
        QCOMPARE(connection["attaches"].get<std::string>(), std::string("never"));
        QVERIFY(connection["remote_memory"].get<bool>());
        QCOMPARE(
            workbench.run(QStringList{"compile", "p.ipuproj", "-o", "chip.ipuexe"} + with(detached)).code, 0);

        const auto run = [&](const char* executable, const QStringList& options) {
            QStringList arguments{"run", "p.ipuproj", "--no-numerics", "--json"};
            if (*executable != '\0')
                arguments << "--executable" << executable;
            return workbench.run(arguments + with(options));
        };
        const Answer direct = run("", {});
        QVERIFY2(direct.code == 0, direct.err);
        for (const QStringList& attached : {QStringList{}, QStringList{"type=ON_DEMAND"} + remote}) {
            const Answer loaded = run("remote.ipuexe", attached);
            QVERIFY2(loaded.code == 0, loaded.err);
            QVERIFY(loaded.json()["step_cycles"] == direct.json()["step_cycles"]);
        }
        QCOMPARE(run("chip.ipuexe", {"type=ON_DEMAND"}).code, 0);
        // Each was planned for a memory that the other system does not have.
        for (const Answer& refused : {run("chip.ipuexe", {}), run("remote.ipuexe", {"type=ON_DEMAND"})}) {
            QCOMPARE(refused.code, 3);
            QCOMPARE(refused.codes(), QString("executable/options"));
            QVERIFY2(refused.err.contains("system.remote_memory"), refused.err);
        }
        for (const char* type : {"type=PRE_COMPILE", "type=NEVER"}) {
            const Answer refused = run("remote.ipuexe", {type, "version=ipu2"});
            QCOMPARE(refused.code, 3);
            QCOMPARE(refused.codes(), QString("failed-precondition/not-attached"));
        }
    }

    void theVersionToCompileForIsTheTargets() {
        const Workbench workbench;
        workbench.writeProject("p.ipuproj");
        const QStringList compile{"compile", "p.ipuproj", "-o",    "p.ipuexe",
                                  "--json",  "--force",   "--set", "ipu_config.device_connection.type=NEVER"};
        QCOMPARE(workbench.run(compile).codes(), QString("value-error/connection-version"));
        const QStringList first{"--set", "ipu_config.device_connection.version=ipu1"};
        const Answer refused = workbench.run(compile + first);
        QCOMPARE(refused.code, 3);
        QCOMPARE(refused.codes(), QString("value-error/connection-version"));
        QVERIFY2(refused.err.contains("ipu1") && refused.err.contains("ipu2"), refused.err);
        const QStringList second{"--set", "ipu_config.device_connection.version=ipu2"};
        QCOMPARE(workbench.run(compile + second).code, 0);
        QCOMPARE(workbench.run(compile + second + QStringList{"--set", "system.target=bow"}).code, 0);
    }

    void theListingSaysHowAProjectAttaches() {
        const Workbench workbench;
        workbench.writeProject("p.ipuproj");
        const auto connection = [&](const QStringList& settings) {
            QStringList arguments{"devices", "p.ipuproj", "--json"};
            for (const QString& setting : settings)
                arguments << "--set" << setting;
            return workbench.run(arguments).json()["connection"];
        };
        const QStringList eight{"system.ipus=8"};
        const core::Json always = connection(eight);
        QCOMPARE(always["attaches"].get<std::string>(), std::string("when it is configured"));
        QVERIFY(always["remote_memory"].get<bool>());
        const core::Json chosen = connection(eight + QStringList{"ipu_config.select_ipus=9"});
        QVERIFY(chosen["devices"] == core::Json({9}));
        const core::Json late =
            connection(eight + QStringList{"ipu_config.auto_select_ipus=4",
                                           "ipu_config.device_connection.type=ON_DEMAND"});
        QCOMPARE(late["attaches"].get<std::string>(), std::string("when it first runs"));
        // Eight single IPUs, four pairs, then the quads.
        QVERIFY(late["devices"] == core::Json({12}));
        QVERIFY(!late["remote_memory"].get<bool>());
        const core::Json never = connection(eight + QStringList{"ipu_config.device_connection.type=NEVER"});
        QCOMPARE(never["attaches"].get<std::string>(), std::string("never"));
        QVERIFY(never["devices"].empty());
        const Answer none =
            workbench.run({"devices", "p.ipuproj", "--json", "--set", "ipu_config.auto_select_ipus=64"});
        QCOMPARE(none.codes(), QString("failed-precondition/no-device"));
        QVERIFY(workbench.run({"devices", "p.ipuproj", "--ipus", "4"}).code != 0);
        QVERIFY(workbench.run({"devices", "--set", "system.ipus=4"}).code != 0);
    }
};

REGISTER_TEST("compile_verb", CompileVerbTest)

#include "compile_verb_test.moc"
