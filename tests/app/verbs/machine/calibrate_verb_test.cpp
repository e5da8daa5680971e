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
        compare("transformer training", core::publishedIntervals().rate(core::ProgramFamily::Transformer));
        compare("convolution training", core::publishedIntervals().rate(core::ProgramFamily::Convolutional));
        compare("memory: variables and totals", core::publishedIntervals().peak());
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
        const core::PredictionInterval interval = core::publishedIntervals().rate(core::ProgramFamily::Other);
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

    /// One row says where the machine is slower, not why.
    void aSingleRowMovesNoFigure() {
        const Workbench workbench;
        workbench.write("one.csv", "operation,arguments,measured,metric,target\n"
                                   "all-reduce,bytes=1048576 replicas=4,1000000,cycles,ipu2\n");
        const Answer fitted = workbench.run({"calibrate", "one.csv", "--fit", "mine.json", "--json"});
        QVERIFY2(fitted.code == 0, fitted.err.constData());
        const Json fit = fitted.json()["fit"];
        QVERIFY(fit["figures"].empty());
        QCOMPARE(fit["most_figures"].get<int>(), 0);
        const Answer said = workbench.run({"calibrate", "one.csv", "--fit", "mine.json", "--force"});
        QVERIFY2(said.out.contains("No figure is fitted: 1 row would be followed"), said.out.constData());
        // It holds the row, and says that the published interval was widened for one.
        QCOMPARE(fit["intervals"][0]["own_rows"].get<int>(), 1);
        QVERIFY2(said.out.contains("16 published measurements, widened to hold 1 of your own"),
                 said.out.constData());
        const Json cost =
            workbench
                .run({"cost", "all-reduce", "bytes=1048576", "replicas=4", "--target", "mine.json", "--json"})
                .json();
        QCOMPARE(cost["intervals"]["own_rows"].get<int>(), 1);
        workbench.writeProject("p.ipuproj");
        const Answer run =
            workbench.run({"run", "p.ipuproj", "--no-numerics", "--set", "system.target=mine.json"});
        QVERIFY2(run.out.contains("(by 3 published measurements, widened to hold 1 of your own; memory: "
                                  "5 measurements)"),
                 run.out.constData());
        QVERIFY(cost["intervals"]["cycles"][1].get<double>() >= 999'999);
        QVERIFY(cost["intervals"]["cycles"][0] < cost["cycles"]);
    }

    /// Each predicted figure of a target with intervals of its own has those, in every verb.
    void everyPredictedFigureHasTheIntervalOfItsTarget() {
        const Workbench workbench;
        workbench.write("mine.json", R"({"format": "ipu-workbench-target", "version": 1, "name": "mine",
            "based_on": "ipu2", "intervals": {
              "other training": {"low": 0.5, "high": 2, "rows": 7},
              "memory: variables and totals": {"low": 0.75, "high": 1.5, "rows": 8},
              "planned product": {"low": 0.25, "high": 4, "rows": 9}}})");
        workbench.writeProject("p.ipuproj");
        const QStringList target{"--set", "system.target=mine.json"};
        const auto isRate = [](const Json& low, const Json& high, const Json& of) {
            return std::abs(low.get<double>() - of.get<double>() / 2) < 1e-6 * of.get<double>() &&
                   std::abs(high.get<double>() - of.get<double>() * 2) < 1e-6 * of.get<double>();
        };
        const auto isPeak = [](const Json& low, const Json& high, const Json& of) {
            return std::abs(low.get<double>() - of.get<double>() * 0.75) <= 1 &&
                   std::abs(high.get<double>() - of.get<double>() * 1.5) <= 1;
        };
        const auto hasBoth = [&](const Json& row) {
            return isRate(row["samples_per_second_low"], row["samples_per_second_high"],
                          row["samples_per_second"]) &&
                   isPeak(row["peak_bytes_low"], row["peak_bytes_high"], row["peak_bytes"]);
        };
        const Json run =
            workbench.run(QStringList{"run", "p.ipuproj", "--no-numerics", "--json"} + target).json();
        const Json& rate = run["intervals"]["samples_per_second"];
        QVERIFY(isRate(rate[0], rate[1], run["samples_per_second"]));
        QCOMPARE(run["intervals"]["rows"]["samples_per_second"].get<int>(), 7);
        QCOMPARE(run["intervals"]["rows"]["peak_bytes"].get<int>(), 8);
        QCOMPARE(workbench.run({"show", "last", "--json"}).json()["intervals"], run["intervals"]);

        const Json cost =
            workbench.run({"cost", "matmul", "m=64", "k=64", "n=64", "--target", "mine.json", "--json"})
                .json();
        QCOMPARE(cost["intervals"]["cycles"][1].get<std::int64_t>(), 4 * cost["cycles"].get<std::int64_t>());

        workbench.write("s.json", R"({"format": "ipu-workbench-sweep", "version": 1, "project": "p.ipuproj",
            "grid": {"system.target": ["mine.json", "ipu2"], "pipeline.schedule": ["Grouped", "Sequential"]}})");
        const Json sweep = workbench.run({"sweep", "s.json", "--json"}).json();
        QCOMPARE(sweep["rows"].size(), std::size_t(4));
        int own = 0;
        for (const Json& row : sweep["rows"]) {
            QVERIFY2(row["samples_per_second_low"] < row["samples_per_second"], core::toText(row).c_str());
            own += hasBoth(row) ? 1 : 0;
        }
        QCOMPARE(own, 2);
        QVERIFY(
            workbench.run({"sweep", "s.json", "--resume", "--csv"}).out.contains("samples_per_second_low"));

        const Json plan =
            workbench.run(QStringList{"plan", "p.ipuproj", "--stages", "2", "--json"} + target).json();
        const Json& compiled = plan["compiled"];
        QVERIFY(isPeak(compiled["intervals"]["peak_bytes"][0], compiled["intervals"]["peak_bytes"][1],
                       compiled["peak_bytes"]));
        QCOMPARE(compiled["intervals"]["slowest_stage_cycles"][1].get<std::int64_t>(),
                 2 * compiled["slowest_stage_cycles"].get<std::int64_t>());
        const Json search =
            workbench.run(QStringList{"plan", "p.ipuproj", "--ipus", "2", "--search", "--json"} + target)
                .json();
        QVERIFY(!search["front"].empty());
        for (const Json& row : search["front"])
            QVERIFY2(hasBoth(row), core::toText(row).c_str());
        const Json advised = workbench.run(QStringList{"advise", "p.ipuproj", "--json"} + target).json();
        const Json& present = advised["present"];
        QVERIFY(isRate(present["intervals"]["samples_per_second"][0],
                       present["intervals"]["samples_per_second"][1], present["samples_per_second"]));
        for (const Json& row : advised["advice"])
            QVERIFY2(hasBoth(row), core::toText(row).c_str());
        int compared = 0;
        const Json schedules =
            workbench.run(QStringList{"schedule", "p.ipuproj", "--all", "--json"} + target).json();
        for (const Json& row : schedules["schedules"]) {
            if (row["samples_per_second"].is_null())
                continue;
            QVERIFY2(hasBoth(row), core::toText(row).c_str());
            ++compared;
        }
        QVERIFY(compared >= 2);
        const Json orders =
            workbench.run(QStringList{"compare", "--schedulers", "p.ipuproj", "--json"} + target).json();
        for (const Json& row : orders["schedulers"]) {
            QVERIFY2(isPeak(row["peak_bytes_low"], row["peak_bytes_high"], row["peak_bytes"]),
                     core::toText(row).c_str());
            for (const Json& ipu : row["ipus"])
                QVERIFY(isPeak(ipu["peak_bytes_low"], ipu["peak_bytes_high"], ipu["peak_bytes"]));
        }
        for (const Json& row : orders["executions"])
            QVERIFY(isRate(row["samples_per_second_low"], row["samples_per_second_high"],
                           row["samples_per_second"]));
        const Json checks =
            workbench
                .run(QStringList{"check", "p.ipuproj", "--json", "--min-samples-per-second", "1",
                                 "--max-peak-fraction", "0.5", "--max-idle-fraction", "1"} +
                     target)
                .json()["checks"];
        for (const Json& row : checks) {
            const double value = row["value"].get<double>();
            if (row["name"] == "samples_per_second") {
                QVERIFY(isRate(row["value_low"], row["value_high"], row["value"]));
                QCOMPARE(row["certain"].get<bool>(), true);
            } else if (row["name"] == "peak_fraction") {
                QCOMPARE(row["value_low"].get<double>(), value * 0.75);
                QCOMPARE(row["value_high"].get<double>(), value * 1.5);
                QCOMPARE(row["certain"].get<bool>(), value * 1.5 < 0.5);
            } else {
                QVERIFY2(row["value_low"].is_null() && row["certain"].is_null(), core::toText(row).c_str());
            }
        }
    }

    /// Two runs of one model differ by what the target's own measurements leave, not by what others' do.
    void aComparisonHasTheIntervalOfItsTarget() {
        const Workbench workbench;
        const auto widthOn = [&](const std::string& intervals) {
            workbench.write("mine.json", R"({"format": "ipu-workbench-target", "version": 1,
                "name": "mine", "based_on": "ipu2", "intervals": )" +
                                             intervals + "}");
            workbench.writeProject("p.ipuproj");
            std::filesystem::remove(workbench.path("p.profiles.sqlite"));
            for (const char* batch : {"4", "8"}) {
                const Answer run =
                    workbench.run({"run", "p.ipuproj", "--no-numerics", "--set", "system.target=mine.json",
                                   "--set", QStringLiteral("training.batch_size=%1").arg(batch)});
                if (run.code != 0)
                    return -1.0;
            }
            const Json compared = workbench.run({"compare", "1", "2", "--json"}).json();
            const Json& rate = compared["metrics"][0];
            const double quotient = rate["values"][1].get<double>() / rate["values"][0].get<double>();
            const Json& interval = rate["relative_intervals"][1];
            return (1 + interval[1].get<double>()) / quotient;
        };
        const double published = core::publishedIntervals().of(core::FigureClass::Scaling).high;
        QVERIFY(std::abs(widthOn("{}") - published) < 1e-9);
        // All are 20 % faster than predicted, give or take 1 %: two of them differ by little more.
        QVERIFY(
            std::abs(std::log(widthOn(R"({"other training": {"low": 1.188, "high": 1.212, "rows": 9}})")) -
                     std::sqrt(2) * std::log(1.212 / 1.188) / 2) < 1e-9);
        // The target's own pairs say it best; one row says nothing of pairs.
        QVERIFY(std::abs(widthOn(R"({"other training": {"low": 1.188, "high": 1.212, "rows": 9},
                                     "scaling": {"low": 0.5, "high": 1.5, "rows": 6}})") -
                         1.5) < 1e-9);
        QVERIFY(
            std::abs(widthOn(R"({"other training": {"low": 0.8, "high": 1.2, "rows": 4, "own_rows": 1}})") -
                     published) < 1e-9);
    }

    void theRowsOfASweepAreNotRounded() {
        const Workbench workbench;
        workbench.writeProject("p.ipuproj");
        workbench.write("s.json", R"({"format": "ipu-workbench-sweep", "version": 1, "project": "p.ipuproj",
            "grid": {"training.batch_size": [4]}})");
        const Json row = workbench.run({"sweep", "s.json", "--json"}).json()["rows"][0];
        const QList<QByteArray> lines =
            workbench.run({"sweep", "s.json", "--resume", "--csv"}).out.split('\n');
        const qsizetype column = lines[0].trimmed().split(',').indexOf("samples_per_second_low");
        QVERIFY(column >= 0);
        QCOMPARE(lines[1].trimmed().split(',')[column].toDouble(),
                 row["samples_per_second_low"].get<double>());
    }

    void anIntervalUpsideDownIsRefused() {
        const Workbench workbench;
        workbench.write("mine.json", R"({"format": "ipu-workbench-target", "version": 1, "name": "mine",
            "intervals": {"planned product": {"low": 4, "high": 2}, "planed": {}}})");
        const Answer answer = workbench.run({"cost", "relu", "elements=64", "--target", "mine.json"});
        QCOMPARE(answer.code, 3);
        QVERIFY2(answer.err.contains("mine.json:/intervals/planned product/low"), answer.err.constData());
        QVERIFY2(answer.err.contains("mine.json:/intervals/planed"), answer.err.constData());
    }

    void aFitOfRowsThatSayNothingNamesThem() {
        const Workbench workbench;
        workbench.write("bad.csv", "operation,arguments,measured,target\nrelu,elements=x,700,ipu2\n"
                                   "relux,elements=64,700,ipu2\n");
        const Answer refused = workbench.run({"calibrate", "bad.csv", "--fit", "mine.json"});
        QCOMPARE(refused.code, 3);
        QVERIFY2(refused.err.contains("bad.csv:line 2: error:") && refused.err.contains("cannot be \"x\"") &&
                     refused.err.contains("bad.csv:line 3: error:") && refused.err.contains("did you mean") &&
                     refused.err.contains("hint:"),
                 refused.err.constData());
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
