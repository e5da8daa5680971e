#include "tests/support/shared_data.h"
#include "tests/support/test_registry.h"
#include "tests/support/workbench.h"

#include <QtTest/QTest>
#include <algorithm>

using tests::Answer;
using tests::Workbench;

/// The verb `advise`.
class AdviseVerbTest : public QObject {
    Q_OBJECT

private slots:
    void whatIsPromisedIsWhatARunGives() {
        const Workbench workbench;
        workbench.writeProject("p.ipuproj");
        const Answer answer = workbench.run({"advise", "p.ipuproj", "--json"});
        QVERIFY2(answer.code == 0, answer.err);
        const core::Json json = answer.json();
        const core::Json present = workbench.run({"run", "p.ipuproj", "--no-numerics", "--json"}).json();
        QCOMPARE(json["present"]["step_cycles"], present["step_cycles"]);
        QVERIFY(!json["advice"].empty());
        double before = 1e300;
        bool changesBatch = false;
        for (const core::Json& piece : json["advice"]) {
            // What changes the training stands behind the rest.
            QVERIFY(piece["changes_batch"].get<bool>() >= changesBatch);
            QVERIFY(piece["changes_batch"].get<bool>() != changesBatch ||
                    piece["gain"].get<double>() <= before);
            changesBatch = piece["changes_batch"].get<bool>();
            before = piece["gain"].get<double>();
            QStringList line{"run", "p.ipuproj", "--no-numerics", "--json"};
            for (const core::Json& setting : piece["set"])
                line << "--set" << QString::fromStdString(setting.get<std::string>());
            const core::Json run = workbench.run(line).json();
            QCOMPARE(run["step_cycles"], piece["step_cycles"]);
            QCOMPARE(run["samples_per_second"], piece["samples_per_second"]);
        }
    }

    void whatTakesLessMemoryIsToldWithItsPrice() {
        const Workbench workbench;
        std::filesystem::copy_file(tests::projectRoot() / "projects/resnet50/resnet50.ipuproj",
                                   workbench.path("p.ipuproj"));
        const core::Json json = workbench.run({"advise", "p.ipuproj", "--json"}).json();
        const double peak = json["present"]["peak_bytes"].get<double>();
        QVERIFY(!json["remedies"].empty() && json["remedies"].size() <= 3);
        double before = 1e300;
        bool changesBatch = false;
        for (const core::Json& remedy : json["remedies"]) {
            QVERIFY2(remedy["peak_bytes"].get<double>() <= 0.99 * peak, remedy.dump().c_str());
            // The cheapest first.
            QVERIFY(remedy["changes_batch"].get<bool>() >= changesBatch);
            QVERIFY(remedy["changes_batch"].get<bool>() != changesBatch ||
                    remedy["samples_per_second"].get<double>() <= before);
            changesBatch = remedy["changes_batch"].get<bool>();
            before = remedy["samples_per_second"].get<double>();
            QStringList line{"run", "p.ipuproj", "--no-numerics", "--json"};
            for (const core::Json& setting : remedy["set"])
                line << "--set" << QString::fromStdString(setting.get<std::string>());
            const core::Json run = workbench.run(line).json();
            QCOMPARE(run["samples_per_second"], remedy["samples_per_second"]);
            std::int64_t most = 0;
            for (const core::Json& memory : run["memory"])
                most = std::max(most, memory["peak_bytes"].get<std::int64_t>());
            QCOMPARE(most, remedy["peak_bytes"].get<std::int64_t>());
        }
        QVERIFY(workbench.run({"advise", "p.ipuproj"}).out.contains("cheapest with a lower peak"));
    }

    void theBestPieceBecomesAProject() {
        const Workbench workbench;
        workbench.writeProject("p.ipuproj");
        const core::Json best = workbench.run({"advise", "p.ipuproj", "--json"}).json()["advice"][0];
        const Answer applied = workbench.run({"advise", "p.ipuproj", "--apply", "1", "-o", "better.ipuproj"});
        QVERIFY2(applied.code == 0, applied.err);
        const core::Json run = workbench.run({"run", "better.ipuproj", "--no-numerics", "--json"}).json();
        QCOMPARE(run["step_cycles"], best["step_cycles"]);
    }

    void aProjectThatDoesNotFitIsRepaired() {
        const Workbench workbench;
        workbench.writeProject("p.ipuproj");
        const QStringList large{"--set", "model.config.layers.1.config.units=20000000"};
        const Answer answer = workbench.run(QStringList{"advise", "p.ipuproj", "--json"} + large);
        QVERIFY2(answer.code == 0, answer.err);
        QCOMPARE(answer.json()["present"]["fits"].get<bool>(), false);
        for (const core::Json& piece : answer.json()["advice"])
            QVERIFY(piece["repairs"].get<bool>());
    }

    void wrongRequestsAreRefusedWithACure_data() {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<int>("code");
        QTest::newRow("no file for the project") << QStringList{"p.ipuproj", "--apply", "1"} << 2;
        QTest::newRow("no such piece") << QStringList{"p.ipuproj", "--apply", "99", "-o", "-"} << 2;
        QTest::newRow("no project") << QStringList{"q.ipuproj"} << 4;
        QTest::newRow("broken rule") << QStringList{"p.ipuproj", "--set", "pipeline.stages=[0,2]"} << 3;
    }
    void wrongRequestsAreRefusedWithACure() {
        QFETCH(const QStringList, arguments);
        QFETCH(const int, code);
        const Workbench workbench;
        workbench.writeProject("p.ipuproj");
        const Answer answer = workbench.run(QStringList{"advise"} + arguments);
        QVERIFY2(answer.code == code, answer.err);
        QVERIFY2(answer.err.contains("hint:"), answer.err);
    }
};

REGISTER_TEST("advise_verb", AdviseVerbTest)
#include "advise_verb_test.moc"
