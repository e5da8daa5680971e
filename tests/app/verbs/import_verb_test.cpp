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

    void aDocumentIsNoModel() {
        const Workbench workbench;
        workbench.write("README.md",
                        "# A program\n\nTo import `keras` write\n\n```python\nimport keras\n```\n");
        const Answer answer = workbench.run({"import", "README.md"});
        QVERIFY2(answer.err.contains("no model of a known format") && answer.err.contains("hint: known are"),
                 answer.err);
        QCOMPARE(workbench.run({"import", "README.md", "--json"}).codes(), "import/unknown-format");
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
