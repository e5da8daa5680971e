#include "core/base/file.h"
#include "tests/support/shared_data.h"
#include "tests/support/test_registry.h"
#include "tests/support/workbench.h"

#include <QtTest/QTest>

using tests::Answer;
using tests::Workbench;

/// The verb `import` on programs.
class ImportVerbTest : public QObject {
    Q_OBJECT

private slots:
    void severalModelsAreListedUnlessOneIsNamed() {
        const Workbench workbench;
        workbench.write("two.py", "import tensorflow as tf\n"
                                  "for width in [2, 3]:\n"
                                  "    net = tf.keras.Sequential([tf.keras.layers.Dense(width, "
                                  "input_shape=(4,))], name='net')\n"
                                  "    net.compile('sgd', 'mse')\n");
        const Answer asked = workbench.run({"import", "two.py", "-o", "net.ipuproj"});
        QVERIFY(asked.code != 0);
        QVERIFY2(asked.err.contains("net, net-2") && asked.err.contains("--model net-2"), asked.err);
        QCOMPARE(workbench.run({"import", "two.py", "--json"}).codes(), "import/several-models");
        const Answer taken =
            workbench.run({"import", "two.py", "--model", "net-2", "-o", "net.ipuproj", "--json"});
        QVERIFY2(taken.code == 0, taken.out + taken.err);
        QCOMPARE(taken.json()["total_parameters"].get<int>(), 4 * 3 + 3);
        QCOMPARE(workbench.run({"import", "two.py", "--model", "x", "--json"}).codes(),
                 "import/no-such-model");
    }

    /// What only the simulated machine knows is refused where the program says it.
    void moreInputTilesThanTilesAreRefusedAtTheirLine() {
        const Workbench workbench;
        workbench.write("net.py", "import tensorflow as tf\n"
                                  "from tensorflow.python import ipu\n"
                                  "cfg = ipu.config.IPUConfig()\n"
                                  "cfg.io_tiles.num_io_tiles = 2000\n"
                                  "cfg.configure_ipu_system()\n"
                                  "with ipu.ipu_strategy.IPUStrategy().scope():\n"
                                  "    net = tf.keras.Sequential([tf.keras.layers.Dense(2, "
                                  "input_shape=(4,))])\n"
                                  "    net.compile('sgd', 'mse')\n");
        const Answer refused = workbench.run({"import", "net.py", "-o", "net.ipuproj"});
        QCOMPARE(refused.code, 3);
        QVERIFY2(refused.err.contains("net.py:4:") && refused.err.contains("[value-error/io-tiles]"),
                 refused.err);
    }

    void aDocumentIsNoModel() {
        const Workbench workbench;
        workbench.write("README.md",
                        "# A program\n\nTo import `keras` write\n\n```python\nimport keras\n```\n");
        const Answer answer = workbench.run({"import", "README.md"});
        QVERIFY2(answer.err.contains("no model of a known format") && answer.err.contains("hint: known are"),
                 answer.err);
        QCOMPARE(workbench.run({"import", "README.md", "--json"}).codes(), "import/unknown-format");
    }

    /// What a program is started with decides what it makes.
    void aCommandLineIsGivenToTheProgram_data() {
        QTest::addColumn<QString>("program");
        QTest::addColumn<QString>("arguments");
        QTest::addColumn<QString>("summary");
        const QString net = "import tensorflow as tf\n"
                            "net = tf.keras.Sequential([tf.keras.Input((4,))])\n"
                            "for units in widths:\n"
                            "    net.add(tf.keras.layers.Dense(units, use_bias=bias))\n"
                            "net.compile('sgd', 'mse')\n";
        const QString parsed =
            "import argparse\n"
            "p = argparse.ArgumentParser()\n"
            "p.add_argument('--widths', '-w', type=int, nargs='+', default=[2])\n"
            "p.add_argument('--no-bias', dest='bias', action='store_false')\n"
            "p.add_argument('kind', nargs='?', choices=['small', 'big'], default='small')\n"
            "a = p.parse_args()\n"
            "widths, bias = a.widths, a.bias\n"
            "if a.kind == 'big':\n    widths = widths + [10]\n" +
            net;
        const QString flags = "from absl import app, flags\n"
                              "flags.DEFINE_list('widths', ['2'], 'of the layers')\n"
                              "flags.DEFINE_bool('bias', True, 'whether')\n"
                              "F = flags.FLAGS\n"
                              "def main(_):\n"
                              "    widths, bias = [int(w) for w in F.widths], F.bias\n    " +
                              QString(net).replace("\n", "\n    ").trimmed() + "\napp.run(main)\n";
        const QString words =
            "import sys\nwidths, bias = [int(w) for w in sys.argv[1:]] or [2], True\n" + net;
        QTest::newRow("its defaults") << parsed << ""
                                      << "parameters: 10 ";
        QTest::newRow("a list") << parsed << "--widths 3 5"
                                << "parameters: 35 ";
        QTest::newRow("with =") << parsed << "-w=3 --no-bias"
                                << "parameters: 12 ";
        QTest::newRow("a short prefix") << parsed << "--wid 3"
                                        << "parameters: 15 ";
        QTest::newRow("by position") << parsed << "big --no-bias"
                                     << "parameters: 28 ";
        QTest::newRow("absl's defaults") << flags << ""
                                         << "parameters: 10 ";
        QTest::newRow("absl's list") << flags << "--widths=3,5 --nobias"
                                     << "parameters: 27 ";
        QTest::newRow("words") << words << "3 5"
                               << "parameters: 35 ";
    }
    void aCommandLineIsGivenToTheProgram() {
        QFETCH(const QString, program);
        QFETCH(const QString, arguments);
        QFETCH(const QString, summary);
        const Workbench workbench;
        workbench.write("net.py", program.toStdString());
        QStringList words{"import", "net.py", "--summary"};
        if (!arguments.isEmpty())
            words << "--arguments=" + arguments;
        const Answer answer = workbench.run(words);
        QVERIFY2(answer.code == 0, answer.err);
        QVERIFY2(answer.out.contains(summary.toUtf8()), answer.out);
    }

    void aCommandLineThatDoesNotFitIsRefused() {
        const Workbench workbench;
        workbench.write("net.py", "import argparse\nimport tensorflow as tf\n"
                                  "p = argparse.ArgumentParser()\n"
                                  "p.add_argument('--units', type=int, required=True)\n"
                                  "a = p.parse_args()\n"
                                  "net = tf.keras.Sequential([tf.keras.layers.Dense(a.units, "
                                  "input_shape=(4,))])\n"
                                  "net.compile('sgd', 'mse')\n");
        const Answer missing = workbench.run({"import", "net.py", "-o", "net.ipuproj"});
        QCOMPARE(missing.code, 3);
        QVERIFY2(missing.err.contains("--arguments") && missing.err.contains("--units"), missing.err);
        for (const char* wrong : {"--units many", "--units 3 --depth 4", "--units"})
            QCOMPARE(workbench.run({"import", "net.py", "--json", QString("--arguments=") + wrong}).codes(),
                     "python/arguments");
        workbench.write("plain.py",
                        "import tensorflow as tf\n"
                        "net = tf.keras.Sequential([tf.keras.layers.Dense(3, input_shape=(4,))])\n"
                        "net.compile('sgd', 'mse')\n");
        const Answer unasked = workbench.run({"import", "plain.py", "--summary", "--arguments=--units 3"});
        QVERIFY(unasked.code == 0);
        QVERIFY2(unasked.err.contains("does not ask for arguments"), unasked.err);
        QCOMPARE(workbench.run({"import", "plain.py", "-o", "p.ipuproj"}).code, 0);
        QCOMPARE(workbench.run({"export", "p.ipuproj", "--format", "keras-json", "-o", "p.json"}).code, 0);
        QCOMPARE(workbench.run({"import", "p.json", "--json", "--arguments=--units 3"}).codes(),
                 "import/no-program");
    }

    /// A program of each kind goes through import and validate.
    void programsBecomeValidProjects_data() {
        QTest::addColumn<QString>("name");
        for (const char* name : {"24_replicated", "21_selected", "21_pipeline_sequential", "tf1_pipeline",
                                 "tf1_loop", "tf1_estimator", "tf1_pipeline_estimator"})
            QTest::newRow(name) << name;
    }
    void programsBecomeValidProjects() {
        QFETCH(const QString, name);
        const Workbench workbench;
        const auto folder = tests::projectRoot() / "tests" / "core" / "interchange" / "python_programs";
        const auto text = core::readFile(folder / (name + ".py").toStdString());
        QVERIFY(text.has_value());
        workbench.write("program.py", *text);
        const Answer imported = workbench.run({"import", "program.py", "-o", "p.ipuproj"});
        QVERIFY2(imported.code == 0, imported.err);
        const Answer valid = workbench.run({"validate", "p.ipuproj"});
        QVERIFY2(valid.code == 0, valid.out + valid.err);
    }
};

REGISTER_TEST("import_verb", ImportVerbTest)
#include "import_verb_test.moc"
