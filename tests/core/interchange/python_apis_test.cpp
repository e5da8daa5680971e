#include "core/base/file.h"
#include "core/interchange/python/apis/api_catalogue.h"
#include "core/interchange/python/python_program.h"
#include "tests/support/shared_data.h"
#include "tests/support/test_registry.h"

#include <QtCore/QRegularExpression>
#include <QtTest/QTest>
#include <algorithm>

namespace {

/// The shortest name that fits a pattern: "ipu.**.*optimizer*.**" → "ipu.optimizer".
std::string shortestName(const std::string& pattern) {
    std::string name;
    for (const QString& part : QString::fromStdString(pattern).split('.')) {
        const QString letters = part == "*" ? QString("x") : QString(part).remove('*');
        if (!letters.isEmpty())
            name += (name.empty() ? "" : ".") + letters.toStdString();
    }
    return name;
}

/// Names of the Python API reference with how they are read: read, host, refused. "": all.
void listPublicNames(const QString& wanted) {
    QTest::addColumn<QString>("name");
    QTest::addColumn<QString>("kind");
    const auto list = core::readFile(tests::projectRoot() / "tests/core/interchange/python_names/names.txt");
    for (const QString& line : QString::fromStdString(list.value_or("")).split('\n', Qt::SkipEmptyParts)) {
        const QStringList parts = line.split(' ');
        if (wanted.isEmpty() || parts[1] == wanted)
            QTest::newRow(qPrintable(parts[0])) << parts[0] << parts[1];
    }
}

/// A program that calls a name in its fourth line.
QString callOf(const QString& name) {
    return "import tensorflow as tf\nfrom tensorflow.python import ipu\n"
           "model = tf.keras.Sequential([tf.keras.layers.Dense(2, input_shape=(4,))])\nmade = " +
           name + "(1)\n";
}

} // namespace

/// The tables of the names that programs use.
class PythonApisTest : public QObject {
    Q_OBJECT

private slots:
    void everyRowIsReachedAndSaysWhatItMeans() {
        std::size_t rows = 0;
        for (const core::PythonApiTable* api : core::pythonApis()) {
            for (const core::PythonApiName& row : api->names) {
                ++rows;
                const std::string name = shortestName(row.pattern);
                QVERIFY2(core::fitsPattern(row.pattern, name), name.c_str());
                QVERIFY2(core::findPythonName(name) == &row,
                         (row.pattern + " is hidden behind an earlier row").c_str());
                using Reading = core::PythonApiName::Reading;
                const bool speaks = row.reading == Reading::Warned || row.reading == Reading::Refused;
                QCOMPARE(static_cast<bool>(row.meaning), row.reading == Reading::Read);
                QCOMPARE(!row.cause.empty(), speaks);
                QCOMPARE(!row.cure.empty(), speaks);
            }
        }
        QVERIFY(rows > 150);
    }

    /// Every public name of the Python API has a row of its own, which says how it is read.
    void everyPublicNameIsKnown_data() { listPublicNames(""); }
    void everyPublicNameIsKnown() {
        QFETCH(const QString, name);
        QFETCH(const QString, kind);
        const core::PythonApiName* row =
            core::findPythonName(core::fullPythonName("tensorflow.python." + name.toStdString()));
        QVERIFY(row != nullptr);
        // Families of names stand for what nobody names.
        for (const char* family : {"ipu.**", "ipu.**.utils.**", "ipu.**.horovod.**", "ipu.**.*optimizer*.**",
                                   "ipu.**.*ipu_compiler*.**"})
            QVERIFY2(row->pattern != family, "only a family fits this name");
        using Reading = core::PythonApiName::Reading;
        QCOMPARE(row->reading, kind == "read"   ? Reading::Read
                               : kind == "host" ? Reading::Warned
                                                : Reading::Refused);
    }

    /// What runs on the host is left out with a warning that names it and its line; the import goes on.
    void namesOfTheHostEndNoImport_data() { listPublicNames("host"); }
    void namesOfTheHostEndNoImport() {
        QFETCH(const QString, name);
        const auto file = core::readPythonProgram(callOf(name).toStdString(), "p.py");
        QVERIFY2(file.has_value(), file ? "" : core::toText(file.error().front()).c_str());
        const bool isNamed = std::ranges::any_of(file->warnings, [&](const core::Diagnostic& warning) {
            return warning.location.place.starts_with("4:") && !warning.hints.empty() &&
                   QString::fromStdString(warning.message).contains(name.section('.', -1));
        });
        QVERIFY(isNamed);
    }

    void patternsFitWholeParts_data() {
        QTest::addColumn<QString>("pattern");
        QTest::addColumn<QString>("name");
        QTest::addColumn<bool>("fits");
        const auto row = [](const char* pattern, const char* name, bool fits) {
            QTest::addRow("%s %s", pattern, name) << pattern << name << fits;
        };
        row("keras.Input", "keras.Input", true);
        row("keras.Input", "keras.Inputs", false);
        row("keras.*.Input", "keras.layers.Input", true);
        row("keras.*.Input", "keras.Input", false);
        row("keras.**.Input", "keras.Input", true);
        row("keras.**.Input", "keras.a.b.Input", true);
        row("keras.**.Input", "keras.Input.a", false);
        row("ipu.**.*optimizer*.**", "ipu.sharded_optimizer.X", true);
        row("ipu.**.*optimizer*.**", "ipu.keras.X", false);
        row("np.**", "npy.load", false);
    }
    void patternsFitWholeParts() {
        QFETCH(const QString, pattern);
        QFETCH(const QString, name);
        QTEST(core::fitsPattern(pattern.toStdString(), name.toStdString()), "fits");
    }

    /// Programs import one thing from several modules.
    void modulesHaveOneName_data() {
        QTest::addColumn<QString>("imported");
        QTest::addColumn<QString>("expected");
        const auto row = [](const char* imported, const char* expected) {
            QTest::newRow(imported) << imported << expected;
        };
        row("tensorflow.keras.layers.Dense", "keras.layers.Dense");
        row("tensorflow.python.keras.layers.Dense", "keras.layers.Dense");
        row("tensorflow.compat.v1.keras.Input", "keras.Input");
        row("tensorflow.compat.v1.placeholder", "tf.placeholder");
        row("tensorflow.python.ipu.config.IPUConfig", "ipu.config.IPUConfig");
        row("tensorflow.python.ops.math_ops.reduce_mean", "tf.reduce_mean");
        row("numpy.prod", "np.prod");
        row("tensorflowlite.x", "tensorflowlite.x");
    }
    void modulesHaveOneName() {
        QFETCH(const QString, imported);
        QTEST(QString::fromStdString(core::fullPythonName(imported.toStdString())), "expected");
    }

    /// Of the reference, and no others: an argument that no signature has ends the reading at its line. What
    /// looks at its arguments itself is not asked here.
    void everySignatureIsThatOfTheReference() {
        const auto table =
            core::readFile(tests::projectRoot() / "tests/core/interchange/python_export/ipu_api.txt");
        const QRegularExpression row("^(?:function|class) ([\\w.]+)\\((.*)\\)");
        const QRegularExpression others(
            "\\.(set_\\w+|(auto_)?select_ipus|AttributeMetadata|VerificationOptions|"
            "codelet_expression_op|compile|IPU(In|Out)feedQueue|IPUStrategy|"
            "(Pipeline)?(Model|Sequential)|PipelineStageOptions|pipeline)$");
        int asked = 0;
        for (const QString& line : QString::fromStdString(table.value_or("")).split('\n')) {
            const auto match = row.match(line);
            if (!match.hasMatch() || others.match(match.captured(1)).hasMatch())
                continue;
            ++asked;
            const std::string program = "from tensorflow.python import ipu\nipu." +
                                        match.captured(1).toStdString() + "(unheard_of=1)\n";
            const auto file = core::readPythonProgram(program, "p.py");
            QVERIFY(!file.has_value());
            QVERIFY2(file.error().front().message.ends_with("has no argument \"unheard_of\""),
                     (program + file.error().front().message).c_str());
            QCOMPARE(file.error().front().location.place.substr(0, 2), std::string("2:"));
        }
        QVERIFY(asked > 90);
    }

    /// A row without a meaning of its own: what it says reaches the person with line and cure.
    void refusedNamesSayWhereWhyAndWhatInstead() {
        const auto file = core::readPythonProgram(
            "from tensorflow.python.ipu import optimizers\noptimizers.Nothing([])\n", "p.py");
        QVERIFY(!file.has_value());
        const core::Diagnostic& error = file.error().front();
        QCOMPARE(QString::fromStdString(error.location.place), QString("2:1"));
        QVERIFY(error.message.starts_with("\"ipu.optimizers.Nothing\" is no optimizer"));
        QVERIFY(!error.hints.empty());
    }
};

REGISTER_TEST("python_apis", PythonApisTest)
#include "python_apis_test.moc"
