#include "core/plan/prediction_interval.h"
#include "tests/support/test_registry.h"
#include "tests/support/workbench.h"

#include <QtTest/QTest>
#include <algorithm>
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
    void theIntervalsOfRunsAreThoseOfTheRows() {
        const Workbench workbench;
        const Json rows = workbench.run({"calibrate", "--json"}).json()["rows"];
        QVERIFY(!rows.empty());
        const auto compare = [&](const char* name, const core::PredictionInterval& interval) {
            const auto row = std::ranges::find_if(rows, [&](const Json& one) {
                return one["class"] == name && !one.value("weak", false) && !one["low"].is_null();
            });
            QVERIFY2(row != rows.end(), name);
            const double predicted = (*row)["predicted"].get<double>();
            QVERIFY2(std::abs((*row)["low"].get<double>() / predicted - interval.low) < 0.005,
                     core::toText(*row).c_str());
            QVERIFY2(std::abs((*row)["high"].get<double>() / predicted - interval.high) < 0.005,
                     core::toText(*row).c_str());
        };
        compare("transformer training", core::throughputInterval(core::ProgramFamily::Transformer));
        compare("convolution training", core::throughputInterval(core::ProgramFamily::Convolutional));
        compare("memory: variables and totals", core::peakInterval());
    }

    void anIntervalHoldsMostRowsThatItWasNotMadeFrom() {
        const Workbench workbench;
        const Json answer = workbench.run({"calibrate", "--json"}).json();
        const double rows = answer["left_out"]["rows"].get<double>();
        const double inside = answer["left_out"]["inside"].get<double>();
        QVERIFY(rows >= 100);
        QVERIFY2(inside >= 0.75 * rows && inside <= 0.90 * rows, core::toText(answer["left_out"]).c_str());
        double sum = 0;
        for (const Json& one : answer["classes"]) {
            QVERIFY(one["left_out_inside"] <= one["left_out"] && one["left_out"] <= one["rows"]);
            sum += one["left_out_inside"].get<double>();
        }
        QCOMPARE(sum, inside);
        const Answer text = workbench.run({"calibrate"});
        const QString line = QString("%1 of %2 rows (").arg(inside).arg(rows);
        QVERIFY(text.out.contains(line.toUtf8()));
    }

    void aRunSaysWhereMeasuredFiguresLie() {
        const Workbench workbench;
        workbench.writeProject("p.ipuproj");
        const Answer run = workbench.run({"run", "p.ipuproj", "--no-numerics", "--json"});
        const Json json = run.json();
        const core::PredictionInterval interval = core::throughputInterval(core::ProgramFamily::Other);
        const Json rate = json["intervals"]["samples_per_second"];
        QCOMPARE(rate[0].get<double>(), json["samples_per_second"].get<double>() * interval.low);
        QCOMPARE(rate[1].get<double>(), json["samples_per_second"].get<double>() * interval.high);
        const Json cycles = json["intervals"]["step_cycles"];
        QVERIFY(cycles[0] < json["step_cycles"] && json["step_cycles"] < cycles[1]);
        const Json shown = workbench.run({"show", "last", "--json"}).json();
        QCOMPARE(core::toText(shown["intervals"]), core::toText(json["intervals"]));
        const QString text = workbench.run({"show", "last"}).out;
        QVERIFY2(
            text.contains(QString("4 of 5 programs lie within %1 to").arg(rate[0].get<double>(), 0, 'f', 1)),
            qPrintable(text));
    }

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
