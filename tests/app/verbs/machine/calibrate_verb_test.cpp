#include "tests/support/test_registry.h"
#include "tests/support/workbench.h"

#include <QtTest/QTest>
#include <cmath>

using core::Json;
using tests::Answer;
using tests::Workbench;

namespace {

/// Operations that a machine with slower links, streaming memory and supersteps shows it by.
const QStringList measuredOperations{
    "all-reduce bytes=1048576 replicas=4", "all-reduce bytes=33554432 replicas=16",
    "inter-ipu-copy bytes=262144",         "inter-ipu-copy bytes=8388608",
    "streaming-memory-copy bytes=1048576", "streaming-memory-copy bytes=67108864"};

/// What the program says that they take on a target, as somebody's measurements.
std::string measurementsOn(const Workbench& workbench, const char* target) {
    std::string csv = "operation,arguments,measured,metric,target\n";
    for (const QString& operation : measuredOperations) {
        const QStringList words = operation.split(' ');
        const Answer answer =
            workbench.run(QStringList{"cost"} + words + QStringList{"--target", target, "--json"});
        csv += (words[0] + ',' + words.mid(1).join(' ') + ',' +
                QString::number(answer.json()["cycles"].get<double>(), 'g', 17) + ",cycles,ipu2\n")
                   .toStdString();
    }
    return csv;
}

} // namespace

/// The verb that holds the cost model against measurements, and fits a target to them.
class CalibrateVerbTest : public QObject {
    Q_OBJECT

private slots:
    void aFittedTargetIsTheOneThatWasMeasured() {
        const Workbench workbench;
        workbench.write("slow.json", R"({"format": "ipu-workbench-target", "version": 1, "name": "slow",
            "based_on": "ipu2", "link_efficiency": 0.5, "streaming_memory_bytes_per_second": 1e10})");
        workbench.write("mine.csv", measurementsOn(workbench, "slow.json"));
        const Answer fitted = workbench.run({"calibrate", "mine.csv", "--fit", "mine.json", "--json"});
        QVERIFY2(fitted.code == 0, fitted.err.constData());
        const Json fit = fitted.json()["fit"];
        QVERIFY(fit["mean_error_before"].get<double>() > 0.2);
        QVERIFY2(fit["mean_error_after"].get<double>() < 0.05, core::toText(fit).c_str());
        for (const Json& row : fitted.json()["rows"])
            QVERIFY2(std::abs(row["error"].get<double>()) < 0.15, core::toText(row).c_str());
        // What was written is a target: the same rows on it are those of the slow one.
        const auto cyclesOn = [&](const char* target) {
            return workbench
                .run({"cost", "streaming-memory-copy", "bytes=33554432", "--target", target, "--json"})
                .json()["cycles"]
                .get<double>();
        };
        QVERIFY(std::abs(cyclesOn("mine.json") / cyclesOn("slow.json") - 1) < 0.1);
        QVERIFY(cyclesOn("ipu2") < 0.8 * cyclesOn("mine.json"));
        // Another fit does not take its place unasked.
        QCOMPARE(workbench.run({"calibrate", "mine.csv", "--fit", "mine.json"}).code, 4);
        const Answer said = workbench.run({"calibrate", "mine.csv", "--fit", "mine.json", "--force"});
        QVERIFY2(said.out.contains("streaming_memory_bytes_per_second") && said.out.contains("after it"),
                 said.out.constData());
    }

    void whatCannotBeFittedIsRefused() {
        const Workbench workbench;
        const Answer published = workbench.run({"calibrate", "--fit", "mine.json"});
        QCOMPARE(published.code, 2);
        QVERIFY2(published.err.contains("hint:"), published.err.constData());
        workbench.write("two.csv", "operation,arguments,measured,target\nrelu,elements=1048576,700,ipu2\n"
                                   "relu,elements=1048576,700,bow\n");
        const Answer two = workbench.run({"calibrate", "two.csv", "--fit", "mine.json"});
        QCOMPARE(two.code, 3);
        QVERIFY2(two.err.contains("calibration/targets"), two.err.constData());
        QVERIFY(!std::filesystem::exists(workbench.path("mine.json")));
    }
};

REGISTER_TEST("calibrate_verb", CalibrateVerbTest)
#include "calibrate_verb_test.moc"
