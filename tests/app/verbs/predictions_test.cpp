#include "core/base/file.h"
#include "core/interchange/archive/zip_archive.h"
#include "tests/support/shared_data.h"
#include "tests/support/test_registry.h"
#include "tests/support/workbench.h"

#include <QtTest/QTest>
#include <algorithm>
#include <cmath>
#include <cstring>
#include <vector>

using tests::Answer;
using tests::Workbench;

namespace {

QString predictedProject(const char* name) {
    return QString::fromStdString((tests::projectRoot() / "projects/tutorial" / name).string());
}

/// A run of the tutorial's model over 256 samples.
Answer predictionRun(const Workbench& workbench, const QString& project, const char* mode,
                     const QStringList& more) {
    QStringList arguments{"run",    project,      "--mode",
                          mode,     "--database", "runs.sqlite",
                          "--json", "--set",      "training.steps_per_epoch=8"};
    return workbench.run(arguments << "--set"
                                   << "training.steps_per_execution=8"
                                   << "--set"
                                   << "training.batch_size=32" << more);
}

/// The lines of a CSV file, cut into cells; no cell of these files is quoted.
std::vector<QStringList> cellsOf(const Workbench& workbench, const char* file) {
    const auto text = core::readFile(workbench.path(file));
    std::vector<QStringList> rows;
    if (text)
        for (const QString& line : QString::fromStdString(*text).split("\r\n", Qt::SkipEmptyParts))
            rows.push_back(line.split(','));
    return rows;
}

/// The header and the numbers of a file of NumPy's format 1.0, read by its definition.
std::pair<std::string, std::vector<float>> numbersOf(const std::string& npy) {
    if (npy.size() < 10 || npy.compare(0, 8, std::string("\x93NUMPY\x01\x00", 8)) != 0)
        return {};
    const auto length = std::size_t(static_cast<unsigned char>(npy[8])) +
                        256 * std::size_t(static_cast<unsigned char>(npy[9]));
    std::vector<float> numbers((npy.size() - 10 - length) / sizeof(float));
    std::memcpy(numbers.data(), npy.data() + 10 + length, numbers.size() * sizeof(float));
    return {npy.substr(10, length), numbers};
}

} // namespace

/// What a run predicts, by the verbs that write and list it.
class PredictionsTest : public QObject {
    Q_OBJECT

private slots:
    void aPredictionIsWrittenStoredAndListed() {
        const Workbench workbench;
        const QString project = predictedProject("2-single-sequential.ipuproj");
        const Answer answer = predictionRun(workbench, project, "predict", {"--predictions", "out.csv"});
        QVERIFY2(answer.code == 0, answer.err.constData());
        QVERIFY2(answer.err.contains("wrote out.csv"), answer.err.constData());
        const core::Json output = answer.json()["outputs"][0];
        QCOMPARE(output["shape"], core::Json({256, 10}));
        QCOMPARE(output["type"], core::Json("float32"));
        QCOMPARE(output["stored_samples"], core::Json(256));
        QCOMPARE(answer.json()["predictions"], core::Json("out.csv"));

        const QString name = QString::fromStdString(output["name"].get<std::string>());
        const auto rows = cellsOf(workbench, "out.csv");
        QCOMPARE(rows.size(), 257U);
        QCOMPARE(rows[0].size(), 11);
        QCOMPARE(rows[0][1], name + "[0]");
        for (std::size_t row = 1; row < rows.size(); ++row) {
            double sum = 0;
            for (int column = 1; column <= 10; ++column)
                sum += rows[row][column].toDouble();
            QVERIFY2(std::abs(sum - 1) < 1e-5, qPrintable(rows[row].join(","))); // a softmax
        }

        const Answer shown = workbench.run({"show", "last", "--database", "runs.sqlite"});
        QVERIFY2(shown.out.contains("256 × 10"), shown.out.constData());
        const Answer exported = workbench.run(
            {"export", "last", "--format", "csv", "--table", "predictions", "--database", "runs.sqlite"});
        const QStringList lines = QString::fromUtf8(exported.out).split("\r\n", Qt::SkipEmptyParts);
        QCOMPARE(lines.size(), 2561);
        QCOMPARE(lines[0], QStringLiteral("output,sample,element,value"));
        // Sample 1, element 3: the same number as in the file.
        QCOMPARE(lines[14].section(',', 0, 2), name + ",1,3");
        QCOMPARE(float(lines[14].section(',', 3).toDouble()), rows[2][4].toFloat());
    }

    void theArchiveIsOneThatNumPyReads() {
        const Workbench workbench;
        const QString project = predictedProject("2-single-sequential.ipuproj");
        const Answer answer = predictionRun(workbench, project, "predict", {"--predictions", "out.npz"});
        QVERIFY2(answer.code == 0, answer.err.constData());
        QVERIFY(predictionRun(workbench, project, "predict", {"--predictions", "out.csv"}).code == 0);
        const auto bytes = core::readFile(workbench.path("out.npz"));
        const auto archive = core::ZipArchive::open(*bytes, "out.npz");
        const std::string name = answer.json()["outputs"][0]["name"].get<std::string>();
        QCOMPARE(archive->names(), std::vector<std::string>{name + ".npy"});
        const auto [header, numbers] = numbersOf(archive->read(name + ".npy", 1 << 20).value());
        QVERIFY2(header.starts_with("{'descr': '<f4', 'fortran_order': False, 'shape': (256, 10), }"),
                 header.c_str());
        QCOMPARE(header.back(), '\n');
        QCOMPARE((header.size() + 10) % 64, std::size_t{0});
        const auto rows = cellsOf(workbench, "out.csv");
        QCOMPARE(numbers.size(), std::size_t{2560});
        for (std::size_t i = 0; i < numbers.size(); ++i)
            QCOMPARE(numbers[i], rows[1 + i / 10][int(1 + i % 10)].toFloat());
    }

    /// What an operation answers in whole numbers is written so.
    void wholeNumbersStayWhole() {
        const Workbench workbench;
        workbench.write("top.py", "import tensorflow as tf\n"
                                  "i = tf.keras.Input((6,))\n"
                                  "p = tf.keras.layers.Dense(4, name='scores')(i)\n"
                                  "m = tf.keras.Model(i, [p, tf.argmax(p, axis=-1)])\n");
        QCOMPARE(workbench.run({"import", "top.py", "-o", "top.ipuproj"}).code, 0);
        const auto predict = [&](const char* file) {
            return workbench.run({"run", "top.ipuproj", "--mode", "predict", "--set",
                                  R"(training.dataset={"kind": "synthetic"})", "--set",
                                  "training.batch_size=4", "--set", "training.steps_per_epoch=2",
                                  "--predictions", file, "--database", "runs.sqlite", "--json"});
        };
        const Answer answer = predict("out.csv");
        QVERIFY2(answer.code == 0, answer.err.constData());
        QCOMPARE(answer.json()["outputs"][1]["type"], core::Json("int32"));
        const auto rows = cellsOf(workbench, "out.csv");
        QCOMPARE(rows.size(), std::size_t{9});
        for (std::size_t row = 1; row < rows.size(); ++row) {
            int best = 0;
            for (int i = 1; i < 4; ++i)
                best = rows[row][1 + i].toDouble() > rows[row][1 + best].toDouble() ? i : best;
            QCOMPARE(rows[row].back(), QString::number(best));
        }
        QCOMPARE(predict("out.npz").code, 0);
        const auto archive = core::ZipArchive::open(*core::readFile(workbench.path("out.npz")), "out.npz");
        const std::string numbers = archive->read("tf.argmax.npy", 1 << 20).value();
        QVERIFY(numbers.find("'descr': '<i4'") != std::string::npos);
        std::int32_t first = -1;
        std::memcpy(&first, numbers.data() + numbers.size() - 8 * sizeof(first), sizeof(first));
        QCOMPARE(QString::number(first), rows[1].back());
    }

    /// The evaluation takes its predictions from another program; both start from the same weights.
    void anEvaluationGivesWhatAPredictionGives() {
        const Workbench workbench;
        const QString project = predictedProject("2-single-sequential.ipuproj");
        const Answer evaluated = predictionRun(workbench, project, "evaluate", {"--predictions", "e.csv"});
        QVERIFY2(evaluated.code == 0, evaluated.err.constData());
        QVERIFY(evaluated.json()["metrics"].contains("loss"));
        QVERIFY(predictionRun(workbench, project, "predict", {"--predictions", "p.csv"}).code == 0);
        const auto rows = cellsOf(workbench, "e.csv");
        QCOMPARE(rows.size(), 257U);
        QVERIFY(rows == cellsOf(workbench, "p.csv"));
        // Without a file an evaluation keeps nothing, and its figures are the same.
        const Answer plain = predictionRun(workbench, project, "evaluate", {});
        QVERIFY(!plain.json().contains("outputs"));
        QCOMPARE(plain.json()["metrics"], evaluated.json()["metrics"]);
        QCOMPARE(plain.json()["step_cycles"], evaluated.json()["step_cycles"]);
    }

    /// Stages, micro-batches and replicas change who computes a sample, not what is computed nor where it is
    /// written.
    void aPipelineOnReplicasPredictsTheSame() {
        const Workbench workbench;
        const auto rowsOf = [&](const char* project, const char* file, const QStringList& more) {
            const Answer answer = predictionRun(workbench, predictedProject(project), "predict",
                                                QStringList{"--predictions", file} << more);
            return answer.code == 0 ? cellsOf(workbench, file) : std::vector<QStringList>();
        };
        const auto alone = rowsOf("2-single-sequential.ipuproj", "alone.csv", {});
        QCOMPARE(alone.size(), 257U);
        // The same layers in two stages.
        QVERIFY(rowsOf("4-pipelined-sequential.ipuproj", "stages.csv", {}) == alone);
        QVERIFY(rowsOf("2-single-sequential.ipuproj", "replicas.csv",
                       {"--set", "system.ipus=2", "--set", "ipu_config.auto_select_ipus=2"}) == alone);
    }

    void anExistingFileIsKeptWithoutForce() {
        const Workbench workbench;
        const QString project = predictedProject("2-single-sequential.ipuproj");
        workbench.write("out.npz", "mine");
        const Answer refused = predictionRun(workbench, project, "predict", {"--predictions", "out.npz"});
        QVERIFY2(refused.codes().contains("file/exists"), refused.out.constData());
        QCOMPARE(core::readFile(workbench.path("out.npz")).value(), std::string("mine"));
        // Known before the run, which therefore left nothing.
        QVERIFY(!std::filesystem::exists(workbench.path("runs.sqlite")));
        QVERIFY(predictionRun(workbench, project, "predict", {"--predictions", "out.npz", "--force"}).code ==
                0);
        QVERIFY(core::readFile(workbench.path("out.npz"))->starts_with("PK"));
        const Answer nowhere = predictionRun(workbench, project, "predict", {"--predictions", "no/out.npz"});
        QVERIFY2(nowhere.codes().contains("file/missing-folder"), nowhere.out.constData());
    }

    void aRunWithoutPredictionsRefusesTheFile_data() {
        QTest::addColumn<QString>("mode");
        QTest::addColumn<QStringList>("more");
        QTest::addColumn<QString>("says");
        QTest::newRow("training") << "train" << QStringList{"--predictions", "out.npz"} << "trains";
        QTest::newRow("times only") << "predict" << QStringList{"--predictions", "out.npz", "--no-numerics"}
                                    << "--no-numerics";
        QTest::newRow("ending") << "predict" << QStringList{"--predictions", "out.txt"} << ".npz nor .csv";
        QTest::newRow("one file twice")
            << "predict" << QStringList{"--predictions", "out.csv", "-o", "./out.csv"} << "-o";
    }
    void aRunWithoutPredictionsRefusesTheFile() {
        QFETCH(const QString, mode);
        QFETCH(const QStringList, more);
        QFETCH(const QString, says);
        const Workbench workbench;
        const Answer answer = predictionRun(workbench, predictedProject("2-single-sequential.ipuproj"),
                                            mode.toLatin1().constData(), more);
        QCOMPARE(answer.codes(), QStringLiteral("usage/predictions"));
        QVERIFY2(answer.err.contains(says.toUtf8()), answer.err.constData());
        QVERIFY(!std::filesystem::exists(workbench.path("out.npz")));
    }
};

REGISTER_TEST("predictions", PredictionsTest)

#include "predictions_test.moc"
