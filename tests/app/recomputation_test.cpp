#include "core/base/file.h"
#include "core/plan/recomputation.h"
#include "core/plan/schedule/schedule_catalogue.h"
#include "tests/support/shared_data.h"
#include "tests/support/test_registry.h"
#include "tests/support/workbench.h"

#include <QtTest/QTest>
#include <array>
#include <cmath>

using tests::Answer;
using tests::Workbench;

namespace {

constexpr std::array modes{"RecomputeThenBackpropagate", "RecomputeAndBackpropagateInterleaved"};

/// The encoder's attention reshapes what it recomputes: views are between operations that run again.
void writeEncoder(const Workbench& workbench) {
    const auto path = tests::projectRoot() / "projects" / "encoder" / "encoder.ipuproj";
    workbench.write("encoder.ipuproj", core::readFile(path).value());
}

/// Two updates of training.
Answer runEncoder(const Workbench& workbench, const QStringList& settings) {
    QStringList arguments{"run", "encoder.ipuproj", "--json", "--set", "training.dataset.samples=128"};
    for (const QString& setting : settings)
        arguments << "--set" << setting;
    return workbench.run(arguments);
}

QStringList settingsOf(const core::ScheduleDefinition& definition) {
    QStringList settings{"pipeline.schedule=" + QString::fromUtf8(definition.name.data()),
                         "ipu_config.allow_recompute=true"};
    if (definition.brokenRule != nullptr)
        settings << "pipeline.device_mapping=[0,1,0,1]";
    return settings;
}

} // namespace

/// Recomputation under every schedule, as a user asks for it.
class RecomputationTest : public QObject {
    Q_OBJECT

private slots:
    void everyScheduleLearnsWhatTheModelWithoutStagesLearns_data() {
        QTest::addColumn<QStringList>("settings");
        for (const core::ScheduleDefinition& definition : core::scheduleCatalogue()) {
            if (definition.takesTable)
                continue;
            for (const char* mode : modes)
                if (core::resolveRecomputation(definition.name,
                                               core::recomputationModeFromName(mode).value()))
                    QTest::addRow("%s %s", definition.name.data(), mode)
                        << settingsOf(definition) +
                               QStringList{QString("pipeline.recomputation_mode=") + mode};
        }
    }
    void everyScheduleLearnsWhatTheModelWithoutStagesLearns() {
        QFETCH(QStringList, settings);
        const Workbench workbench;
        writeEncoder(workbench);
        const Answer whole = runEncoder(workbench, {"pipeline.stages=null"});
        QVERIFY2(whole.code == 0, whole.err);
        const Answer split = runEncoder(workbench, settings);
        QVERIFY2(split.code == 0, split.err);
        const core::Json answer = split.json();
        const core::Json& metrics = answer["metrics"];
        QCOMPARE(metrics["loss"].size(), std::size_t(2));
        QVERIFY(metrics["loss"] == whole.json()["metrics"]["loss"]);
        std::int64_t recomputed = 0;
        for (const core::Json& stage : answer["stages"])
            recomputed += stage["recompute_cycles"].get<std::int64_t>();
        QCOMPARE(recomputed > 0, !settings.last().endsWith("Interleaved"));
    }

    void aTableOfOnesOwnRecomputesTooWhereItSaysSo() {
        const Workbench workbench;
        writeEncoder(workbench);
        const Answer cells =
            workbench.run({"schedule", "encoder.ipuproj", "--cells", "--set", "pipeline.schedule=1F1B",
                           "--set", "ipu_config.allow_recompute=true"});
        QVERIFY2(cells.code == 0, cells.err);
        QVERIFY(cells.out.contains("R0"));
        workbench.write("slots.csv", cells.out.toStdString());
        const Answer whole = runEncoder(workbench, {"pipeline.stages=null"});
        const Answer split = runEncoder(
            workbench, {R"(pipeline.schedule={"table": "slots.csv"})", "ipu_config.allow_recompute=true"});
        QVERIFY2(split.code == 0, split.err);
        QVERIFY(split.json()["metrics"]["loss"] == whole.json()["metrics"]["loss"]);
    }

    void theWhatIfsWithTheSameBubbleIdleAboutTheSame() {
        const Workbench workbench;
        writeEncoder(workbench);
        const auto idle = [&](const char* schedule) {
            const Answer answer = workbench.run({"run", "encoder.ipuproj", "--json", "--no-numerics", "--set",
                                                 QString("pipeline.schedule=") + schedule});
            return answer.json()["idle_fraction"].get<double>();
        };
        const double gpipe = idle("GPipe");
        const double turns = idle("1F1B");
        QVERIFY2(std::abs(gpipe - turns) < 0.03, qPrintable(QString("%1 and %2").arg(gpipe).arg(turns)));
        QVERIFY(idle("ZB-H1") < turns);
    }
};

REGISTER_TEST("recomputation", RecomputationTest)
#include "recomputation_test.moc"
