#include "core/base/file.h"
#include "tests/support/shared_data.h"
#include "tests/support/test_registry.h"
#include "tests/support/workbench.h"

#include <QtTest/QTest>
#include <set>

using tests::Answer;
using tests::Workbench;

namespace {

/// What a line of projects/README.md promises, as figures of a run without numerics.
struct Promise {
    const char* file;
    int ipus;
    int replicas;
    int effectiveBatch;
    std::vector<int> fifoDepths;
    bool fits = true;
};

const std::vector<Promise>& promises() {
    static const std::vector<Promise> list{
        {"tutorial/1-single-functional.ipuproj", 1, 1, 32, {0}},
        {"tutorial/2-single-sequential.ipuproj", 1, 1, 32, {0}},
        {"tutorial/3-pipelined-functional.ipuproj", 2, 1, 4 * 32, {2, 0}},
        {"tutorial/4-pipelined-sequential.ipuproj", 2, 1, 4 * 32, {2, 0}},
        {"tutorial/5-interleaved.ipuproj", 2, 1, 4 * 32, {1, 0}},
        {"accumulation/accumulation.ipuproj", 1, 1, 10 * 16, {0}},
        {"sharding/sharding.ipuproj", 2, 1, 4 * 32, {0, 0}},
        {"replicas/replicas.ipuproj", 8, 4, 4 * 4 * 8, {2, 0}},
        {"resnet50/resnet50.ipuproj", 2, 1, 16, {2, 0}},
        {"encoder/encoder.ipuproj", 4, 1, 16 * 4, {6, 4, 2, 0}},
        {"too-large/too-large.ipuproj", 2, 1, 8 * 8, {2, 0}, false},
    };
    return list;
}

std::filesystem::path projectsFolder() {
    return tests::projectRoot() / "projects";
}

QString bundledExample(const char* file) {
    return QString::fromStdString((projectsFolder() / file).string());
}

/// A run of an example, recorded in the workbench's own folder.
Answer runExample(const Workbench& workbench, const char* file, const QStringList& options) {
    return workbench.run(QStringList{"run", bundledExample(file), "--json", "--database", "runs.sqlite"} +
                         options);
}

} // namespace

/// The bundled examples show what projects/README.md says.
class ProjectsTest : public QObject {
    Q_OBJECT

private slots:
    void theReadmeNamesEveryProject() {
        std::set<std::string> files;
        for (const auto& entry : std::filesystem::recursive_directory_iterator(projectsFolder())) {
            if (entry.path().extension() == ".ipuproj")
                files.insert(entry.path().lexically_relative(projectsFolder()).generic_string());
        }
        std::set<std::string> promised;
        const auto readme = core::readFile(projectsFolder() / "README.md");
        QVERIFY(readme.has_value());
        for (const Promise& promise : promises()) {
            promised.insert(promise.file);
            QVERIFY2(QByteArray::fromStdString(*readme).contains(QByteArray("(") + promise.file + ")"),
                     promise.file);
        }
        QVERIFY(files == promised);
    }

    void isValid_data() { addRows(); }
    void isValid() {
        QFETCH(const std::size_t, index);
        const Promise& promise = promises()[index];
        const Workbench workbench;
        const Answer answer = workbench.run({"validate", bundledExample(promise.file), "--json"});
        QVERIFY2(answer.code == 0, answer.err);
        QVERIFY(answer.json()["valid"].get<bool>());
        QCOMPARE(workbench.run({"summary", bundledExample(promise.file)}).code, 0);
    }

    void keepsItsPromise_data() { addRows(); }
    void keepsItsPromise() {
        QFETCH(const std::size_t, index);
        const Promise& promise = promises()[index];
        const Workbench workbench;
        const Answer answer = runExample(workbench, promise.file, {"--no-numerics"});
        QVERIFY2(answer.code == (promise.fits ? 0 : 1), answer.err);
        const core::Json run = answer.json();
        QCOMPARE(run["fits"].get<bool>(), promise.fits);
        QCOMPARE(run["ipus"].get<int>(), promise.ipus);
        QCOMPARE(run["replicas"].get<int>(), promise.replicas);
        QCOMPARE(run["effective_batch"].get<int>(), promise.effectiveBatch);
        std::vector<int> depths;
        for (const core::Json& stage : run["stages"])
            depths.push_back(stage["fifo_depth"].get<int>());
        QCOMPARE(depths, promise.fifoDepths);
    }

    void theTutorialLearns_data() {
        QTest::addColumn<QString>("file");
        for (const Promise& promise : promises()) {
            if (QByteArray(promise.file).startsWith("tutorial/"))
                QTest::newRow(promise.file) << QString(promise.file);
        }
    }

    void theTutorialLearns() {
        QFETCH(const QString, file);
        const Workbench workbench;
        const Answer answer = runExample(workbench, qPrintable(file), {});
        QVERIFY2(answer.code == 0, answer.err);
        const core::Json metrics = answer.json()["metrics"];
        const auto values = metrics["loss"].get<std::vector<double>>();
        // One value per weight update: four epochs of sixty steps, four steps per update in a pipeline.
        QCOMPARE(values.size(), std::size_t(file.contains("single") ? 240 : 60));
        QVERIFY(values.back() < values.front() - 0.1);
    }

    /// The order in which stages take turns changes nothing of what is computed.
    void interleavedTrainsAsGroupedDoes() {
        const Workbench workbench;
        const auto metrics = [&](const char* file) {
            return runExample(workbench, file, {}).json()["metrics"];
        };
        QVERIFY(metrics("tutorial/5-interleaved.ipuproj") ==
                metrics("tutorial/4-pipelined-sequential.ipuproj"));
    }

    void accumulationIsValidatedAfterEachEpoch() {
        const Workbench workbench;
        const core::Json metrics =
            runExample(workbench, "accumulation/accumulation.ipuproj", {}).json()["metrics"];
        QCOMPARE(metrics["loss"].size(), std::size_t{20});
        QCOMPARE(metrics["val_loss"].size(), std::size_t{2});
        QVERIFY(metrics["val_accuracy"].back().get<double>() > 0.6);
    }

    void resnetIsCutAtTheTutorialsLayer() {
        const Workbench workbench;
        const core::Json summary =
            workbench.run({"summary", bundledExample("resnet50/resnet50.ipuproj"), "--json"}).json();
        bool isBefore = true;
        for (const core::Json& entry : summary["stage_assignment"]) {
            QCOMPARE(entry["stage"].get<int>(), isBefore ? 0 : 1);
            isBefore = isBefore && entry["layer"] != "conv4_block2_add";
        }
        QVERIFY(!isBefore);
        QCOMPARE(summary["total_parameters"].get<int>(), 25636712);
    }

    void interleavedStashesLessThanGrouped() {
        const Workbench workbench;
        const auto stash = [&](const char* file) {
            return runExample(workbench, file, {"--no-numerics"})
                .json()["stages"][0]["stash_bytes"]
                .get<std::int64_t>();
        };
        QVERIFY(stash("tutorial/5-interleaved.ipuproj") < stash("tutorial/4-pipelined-sequential.ipuproj"));
    }

    void whatDoesNotFitSaysByHowMuchAndWhatHelps() {
        const Workbench workbench;
        const Answer answer = runExample(workbench, "too-large/too-large.ipuproj", {"--no-numerics"});
        QCOMPARE(answer.code, 1);
        QVERIFY(answer.err.contains("too-large.ipuproj:IPU 0: error: IPU 0: tile"));
        QVERIFY(answer.err.contains("[memory/out-of-memory]"));
        QVERIFY(answer.err.contains("hint: move layers to another stage, recompute"));
        const core::Json memory = answer.json()["memory"][0];
        QVERIFY(memory["peak_bytes"].get<std::int64_t>() > memory["limit_bytes"].get<std::int64_t>());
    }

private:
    static void addRows() {
        QTest::addColumn<std::size_t>("index");
        for (std::size_t index = 0; index < promises().size(); ++index)
            QTest::newRow(promises()[index].file) << index;
    }
};

REGISTER_TEST("projects", ProjectsTest)
#include "projects_test.moc"
