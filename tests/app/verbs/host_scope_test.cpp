#include "core/base/file.h"
#include "tests/support/test_registry.h"
#include "tests/support/workbench.h"

#include <QtTest/QTest>
#include <functional>

using tests::Answer;
using tests::Workbench;

namespace {

/// Three layers, of which the middle one may be computed on the host.
std::string programOf(bool isOnHost, const char* units = "2") {
    const std::string scope =
        isOnHost ? "    with ipu.scopes.outside_compilation_scope():\n        " : "    ";
    return std::string("import tensorflow as tf\n"
                       "from tensorflow import keras\n"
                       "from tensorflow.python import ipu\n"
                       "cfg = ipu.config.IPUConfig()\n"
                       "cfg.auto_select_ipus = 1\n"
                       "cfg.configure_ipu_system()\n"
                       "with ipu.ipu_strategy.IPUStrategy().scope():\n"
                       "    inputs = keras.Input((4,), batch_size=8)\n"
                       "    x = keras.layers.Dense(3)(inputs)\n") +
           scope + "x = keras.layers.Dense(" + units +
           ", name='on_host')(x)\n"
           "    model = keras.Model(inputs, keras.layers.Dense(1)(x))\n"
           "    model.compile('sgd', 'mse', steps_per_execution=4)\n"
           "    model.fit(tf.data.Dataset.from_tensor_slices((tf.ones((64, 4)), tf.ones((64, 1)))).batch(8, "
           "drop_remainder=True), epochs=2)\n";
}

core::Json ran(const Workbench& workbench, const std::string& program, const QStringList& settings = {}) {
    workbench.write("p.py", program);
    const Answer imported = workbench.run({"import", "p.py", "-o", "p.ipuproj", "--force"});
    if (imported.code != 0)
        QTest::qFail(imported.err, __FILE__, __LINE__);
    const Answer run =
        workbench.run(QStringList{"run", "p.ipuproj", "--json", "--database", "r.sqlite"} + settings);
    if (run.code != 0)
        QTest::qFail(run.err, __FILE__, __LINE__);
    return run.json();
}

std::int64_t cyclesOf(const core::Json& run) {
    return run["step_cycles"].get<std::int64_t>();
}

} // namespace

/// What stands in an outside_compilation_scope() is computed on the host: the device waits for two ways.
class HostScopeTest : public QObject {
    Q_OBJECT

private slots:
    void aVisitOfTheHostCostsTwoRendezvous() {
        const Workbench workbench;
        const core::Json inside = ran(workbench, programOf(false));
        const core::Json outside = ran(workbench, programOf(true));
        const double seconds = static_cast<double>(cyclesOf(outside) - cyclesOf(inside)) /
                               outside["target"]["clock_hz"].get<double>();
        // Two rendezvous of the target, and little data; the layer itself takes nothing.
        QVERIFY2(seconds > 5e-6 && seconds < 500e-6, qPrintable(QString::number(seconds)));
        QVERIFY(outside["host_stall_fraction"].get<double>() > inside["host_stall_fraction"].get<double>());
        QVERIFY(outside["metrics"]["loss"] == inside["metrics"]["loss"]);
    }

    void whatTheHostComputesTakesTheDeviceNothing() {
        const Workbench workbench;
        const std::int64_t small = cyclesOf(ran(workbench, programOf(true), {"--mode", "predict"}));
        const std::int64_t large = cyclesOf(ran(workbench, programOf(true, "512"), {"--mode", "predict"}));
        const std::int64_t onDevice =
            cyclesOf(ran(workbench, programOf(false, "512"), {"--mode", "predict"})) -
            cyclesOf(ran(workbench, programOf(false), {"--mode", "predict"}));
        QVERIFY(onDevice > 0);
        QVERIFY(large > small); // more comes back, and the layer behind it is larger
    }

    void theImportAndTheFiguresSayIt() {
        const Workbench workbench;
        workbench.write("p.py", programOf(true));
        const Answer imported = workbench.run({"import", "p.py", "-o", "p.ipuproj"});
        QCOMPARE(imported.code, 0);
        QVERIFY2(imported.err.contains("\"on_host\" is computed on the host") &&
                     imported.err.contains("[python/host]"),
                 imported.err);
        QVERIFY(workbench.run({"run", "p.ipuproj", "--database", "r.sqlite"}).code == 0);
        const Answer explained =
            workbench.run({"explain", "last", "host_stall_fraction", "--database", "r.sqlite"});
        QVERIFY2(explained.code == 0 && explained.out.contains("outside_compilation_scope"),
                 explained.out + explained.err);
    }

    /// A project file can say what no program does.
    void whatGoesToTheHostComesBackToItsStage() {
        const Workbench workbench;
        workbench.write("p.py", programOf(true));
        QCOMPARE(workbench.run({"import", "p.py", "-o", "p.ipuproj"}).code, 0);
        const core::Json project = core::Json::parse(core::readFile(workbench.path("p.ipuproj")).value());
        const auto refused = [&](const std::function<void(core::Json&)>& change) {
            core::Json changed = project;
            change(changed);
            workbench.write("q.ipuproj", changed.dump());
            const Answer answer = workbench.run({"validate", "q.ipuproj"});
            return answer.code == 0 ? QByteArray() : answer.err + answer.out;
        };
        const auto turn = [](core::Json& changed, std::size_t which, const char* direction) {
            std::size_t seen = 0;
            for (core::Json& layer : changed["model"]["config"]["layers"])
                if (layer["class_name"] == "HostTransfer" && seen++ == which)
                    layer["config"]["direction"] = direction;
        };
        QCOMPARE(refused([](core::Json&) {}), QByteArray());
        const QByteArray neverWent = refused([&](core::Json& p) { turn(p, 0, "from_host"); });
        QVERIFY2(neverWent.contains("brings back from the host what never went there"), neverWent);
        const QByteArray twice = refused([&](core::Json& p) { turn(p, 1, "to_host"); });
        QVERIFY2(twice.contains("takes to the host what is there already"), twice);
        const QByteArray apart = refused([](core::Json& p) {
            p["pipeline"]["stages"] = {0, 0, 1, 1, 1}; // Dense, to the host, there, back, Dense
            p["pipeline"]["gradient_accumulation_steps_per_replica"] = 4;
            p["system"]["ipus"] = 2;
        });
        QVERIFY2(apart.contains("on stage 1 reads") && apart.contains("on one stage"), apart);
    }

    void theExportPutsTheScopeBack() {
        const Workbench workbench;
        const core::Json before = ran(workbench, programOf(true));
        const Answer exported = workbench.run({"export", "p.ipuproj", "--format", "python"});
        QVERIFY2(exported.code == 0, exported.err);
        QVERIFY2(
            exported.out.contains("with ipu.scopes.outside_compilation_scope():\n        on_host_out = "),
            exported.out);
        QVERIFY(!exported.out.contains("HostTransfer"));
        const auto comment = exported.out.lastIndexOf("# ipu-workbench: ");
        const QByteArray plain = comment < 0 ? exported.out : exported.out.left(comment);
        QCOMPARE(cyclesOf(ran(workbench, plain.toStdString())), cyclesOf(before));
    }
};

REGISTER_TEST("host_scope", HostScopeTest)
#include "host_scope_test.moc"
