#include "tests/support/shared_data.h"
#include "tests/support/test_registry.h"
#include "tests/support/workbench.h"

#include <QRegularExpression>
#include <QtTest/QTest>
#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <fstream>

using tests::Answer;
using tests::Workbench;

/// A run beside a trace of another recorder; runs beside one another are in run_verbs_test.
class CompareVerbTest : public QObject {
    Q_OBJECT

    Workbench m_workbench;

    [[nodiscard]] Answer beside(const QStringList& more) const {
        return m_workbench.run(QStringList{"compare", "last", "--trace"} + more);
    }

private slots:
    void initTestCase() {
        m_workbench.writeProject("p.ipuproj");
        QCOMPARE(m_workbench.run({"run", "p.ipuproj", "--no-numerics"}).code, 0);
        for (const char* format : {"chrome-trace", "perfetto"})
            QCOMPARE(m_workbench.run({"export", "last", "--format", format, "-o", format}).code, 0);
    }

    void aRunDiffersInNothingFromItsOwnTraces() {
        for (const char* format : {"chrome-trace", "perfetto"}) {
            const Answer answer = beside({format, "--json"});
            QVERIFY2(answer.code == 0, answer.err.constData());
            const core::Json json = answer.json();
            QCOMPARE(json["schema"].get<std::string>(), std::string("ipu-workbench/compare"));
            QCOMPARE(json["baseline"].get<int>(), 1);
            QCOMPARE(json["trace"].get<std::string>(), std::string(format));
            std::size_t both = 0;
            for (const core::Json& row : json["events"]) {
                if (row["run_count"] == 0)
                    continue;
                QVERIFY2(row["difference_ns"] == 0, row.dump().c_str());
                QCOMPARE(row["trace_total_ns"].get<std::int64_t>(), row["run_total_ns"].get<std::int64_t>());
                ++both;
            }
            QVERIFY(both > 8);
        }
    }

    void oneMovedLayerIsThatLayerAndItsTwoStages() {
        const Workbench workbench;
        const auto path = tests::projectRoot() / "projects/encoder/encoder.ipuproj";
        std::ifstream file(path);
        core::Json project = core::Json::parse(file);
        const auto run = [&] {
            workbench.write("p.ipuproj", project.dump());
            QCOMPARE(workbench.run({"run", "p.ipuproj", "--no-numerics"}).code, 0);
        };
        run();
        run();
        core::Json& stages = project["pipeline"]["stages"];
        // A residual branch ends there: its gradients are summed on the stage of the reader.
        const auto moved = std::ranges::find(stages, core::Json(2));
        *moved = 1;
        run();
        const QStringList database{"--database", "p.profiles.sqlite", "--json"};
        const core::Json same = workbench.run(QStringList{"compare", "1", "2"} + database).json();
        QVERIFY(same["model_diff"].empty() && same["option_diff"].empty());
        for (const char* group : {"metrics", "step_parts", "pieces", "layers"})
            for (const core::Json& figure : same[group])
                QVERIFY2(figure["deltas"][1].is_null() || figure["deltas"][1] == 0.0, figure.dump().c_str());
        const core::Json other = workbench.run(QStringList{"compare", "1", "3"} + database).json();
        QCOMPARE(other["model_diff"].size(), std::size_t(1));
        const core::Json& difference = other["model_diff"][0];
        QCOMPARE(difference["change"].get<std::string>(), std::string("moved"));
        QCOMPARE(difference["layer"].get<std::string>(), std::string("layer2_self_attention"));
        QCOMPARE(difference["before"].get<std::string>(), std::string("2"));
        QCOMPARE(difference["after"].get<std::string>(), std::string("1"));
        const core::Json changed =
            workbench
                .run(QStringList{"sql", "SELECT a.stage FROM v_stage_summary a JOIN v_stage_summary b ON "
                                        "a.stage = b.stage AND a.run = 1 AND b.run = 3 WHERE "
                                        "a.forward_cycles <> b.forward_cycles"} +
                     database)
                .json()["rows"];
        QCOMPARE(changed, core::Json::parse("[[1],[2]]"));
    }

    void layersAreComparedByWhatTheyTakeOfTheStep() {
        const Workbench workbench;
        workbench.writeProject("p.ipuproj");
        for (const char* recompute : {"false", "true"})
            QCOMPARE(workbench
                         .run({"run", "p.ipuproj", "--no-numerics", "--set",
                               QStringLiteral("ipu_config.allow_recompute=%1").arg(QLatin1String(recompute))})
                         .code,
                     0);
        const QStringList database{"--database", "p.profiles.sqlite"};
        const core::Json layers =
            workbench.run(QStringList{"compare", "1", "2", "--json"} + database).json()["layers"];
        const core::Json spans =
            workbench
                .run(QStringList{"sql",
                                 "SELECT layer, sum(duration_cycles) FILTER (WHERE run = 1), "
                                 "sum(duration_cycles) FILTER (WHERE run = 2) FROM v_operation_span WHERE "
                                 "layer IS NOT NULL GROUP BY 1",
                                 "--json"} +
                     database)
                .json()["rows"];
        std::map<std::string, core::Json> ofLayer;
        for (const core::Json& row : spans)
            ofLayer[row[0].get<std::string>()] = {row[1], row[2]};
        QVERIFY(ofLayer.size() > 1 && layers.size() >= ofLayer.size());
        bool isDearer = false;
        for (const core::Json& layer : layers) {
            const auto found = ofLayer.find(layer["name"].get<std::string>());
            if (found == ofLayer.end())
                continue;
            QVERIFY2(layer["cycles"] == found->second, (layer.dump() + found->second.dump()).c_str());
            isDearer = isDearer || layer["deltas"][1] > 0;
        }
        QVERIFY(isDearer);
        const QByteArray text = workbench.run(QStringList{"compare", "1", "2"} + database).out;
        QVERIFY2(text.contains("layer, cycles of a step on all IPUs"), text);
    }

    void aRangeNeedsATimelineAndIsWhatIsWrittenAsCsv() {
        const Workbench workbench;
        workbench.writeProject("p.ipuproj");
        for (const char* level : {"ipu", "ipu", "device"})
            QCOMPARE(workbench.run({"run", "p.ipuproj", "--no-numerics", "--profile", level}).code, 0);
        const QStringList range{"--from", "25%", "--to", "50%", "--database", "p.profiles.sqlite"};
        const auto written = workbench.run(QStringList{"compare", "1", "2", "--csv"} + range);
        QVERIFY2(written.code == 0, written.err);
        const core::Json parts =
            workbench.run(QStringList{"compare", "1", "2", "--json"} + range).json()["range_parts"];
        QVERIFY(!parts.empty());
        for (const core::Json& part : parts)
            QVERIFY2(written.out.contains(part["name"].get<std::string>().c_str()), written.out.constData());
        const auto refused = workbench.run(QStringList{"compare", "1", "3"} + range);
        QCOMPARE(refused.code, 3);
        QVERIFY2(refused.err.contains("without a timeline") && refused.err.contains("--profile ipu"),
                 refused.err);
    }

    void aRangeOfTheUpdateIsComparedToo() {
        const Workbench workbench;
        workbench.writeProject("p.ipuproj");
        for (const char* schedule : {"Grouped", "Sequential"})
            QCOMPARE(workbench
                         .run({"run", "p.ipuproj", "--no-numerics", "--set",
                               QStringLiteral("pipeline.schedule=%1").arg(QLatin1String(schedule))})
                         .code,
                     0);
        const QStringList database{"--database", "p.profiles.sqlite"};
        const auto ask = [&](const QStringList& more) {
            return workbench.run(QStringList{"compare", "1", "2", "--json"} + more + database).json();
        };
        const core::Json whole = ask({});
        QVERIFY(!whole.contains("range_parts"));
        const auto stepOf = [&](int run) {
            return workbench.run(QStringList{"show", QString::number(run), "--json"} + database)
                .json()["step_cycles"]
                .get<std::int64_t>();
        };
        // The same time of both, in cycles; the same share of each.
        const std::int64_t from = stepOf(1) / 4;
        const std::int64_t to = stepOf(1) / 2;
        const core::Json same = ask({"--from", QString::number(from), "--to", QString::number(to)});
        const core::Json share = ask({"--from", "25%", "--to", "50%"});
        for (const auto& [answer, ranges] :
             {std::pair(same, core::Json::parse(fmt::format("[[{0},{1}],[{0},{1}]]", from, to))),
              std::pair(share,
                        core::Json::parse(fmt::format(
                            "[[{},{}],[{},{}]]", std::llround(stepOf(1) / 4.0), std::llround(stepOf(1) / 2.0),
                            std::llround(stepOf(2) / 4.0), std::llround(stepOf(2) / 2.0))))}) {
            QCOMPARE(answer["step_parts"], whole["step_parts"]);
            QVERIFY(answer["pieces"].size() < whole["pieces"].size() && !answer["pieces"].empty());
            for (std::size_t run = 0; run < 2; ++run) {
                const std::int64_t first = ranges[run][0].get<std::int64_t>();
                const std::int64_t last = ranges[run][1].get<std::int64_t>();
                QCOMPARE(answer["ranges"][run]["from_cycles"].get<std::int64_t>(), first);
                QCOMPARE(answer["ranges"][run]["to_cycles"].get<std::int64_t>(), last);
                // Counted from the spans of every IPU.
                const core::Json rows =
                    workbench
                        .run(
                            QStringList{"sql",
                                        QStringLiteral(
                                            "SELECT CASE kind WHEN 'idle' THEN 'idle.' || cause ELSE kind "
                                            "END, sum(min(start_cycles + duration_cycles, %3) - "
                                            "max(start_cycles, %2)) / (SELECT count(*) * 1.0 FROM v_lane "
                                            "WHERE run = %1 AND kind = 'compute') FROM v_span WHERE run = %1 "
                                            "AND lane IN (SELECT lane FROM v_lane WHERE run = %1 AND kind = "
                                            "'compute') AND start_cycles < %3 AND start_cycles + "
                                            "duration_cycles > %2 GROUP BY 1")
                                            .arg(run + 1)
                                            .arg(first)
                                            .arg(last),
                                        "--json"} +
                            database)
                        .json()["rows"];
                std::map<std::string, double> expected;
                for (const core::Json& row : rows)
                    expected[row[0].get<std::string>()] = row[1].get<double>();
                std::int64_t sum = 0;
                for (const core::Json& part : answer["range_parts"]) {
                    const auto cycles = part["cycles"][run].get<std::int64_t>();
                    sum += cycles;
                    QVERIFY2(std::abs(double(cycles) - expected[part["name"].get<std::string>()]) <= 1,
                             part.dump().c_str());
                }
                QCOMPARE(sum, last - first);
            }
        }
        const QByteArray text =
            workbench.run(QStringList{"compare", "1", "2", "--from", "25%"} + database).out;
        QVERIFY2(text.contains("part of the range"), text);
        for (const QStringList& wrong :
             {QStringList{"--from", "50%", "--to", "25%"}, QStringList{"--from", "99999999999"},
              QStringList{"--to", "120%"}, QStringList{"--from", "soon"}, QStringList{"--to", "0"}}) {
            const Answer answer = workbench.run(QStringList{"compare", "1", "2"} + wrong + database);
            QCOMPARE(answer.code, 2);
            QVERIFY2(answer.err.contains(wrong.front().toUtf8()) ||
                         answer.err.contains(wrong.back().toUtf8()),
                     answer.err);
        }
        const Answer ofTrace = beside({"chrome-trace", "--from", "25%"});
        QCOMPARE(ofTrace.code, 2);
    }

    void aSmallDifferenceOfPredictionsIsNotCertain() {
        const Workbench workbench;
        workbench.writeProject("p.ipuproj");
        const auto run = [&](const QString& set) {
            QCOMPARE(workbench.run({"run", "p.ipuproj", "--no-numerics", "--set", set}).code, 0);
        };
        run("pipeline.schedule=Grouped");
        run("pipeline.schedule=Grouped");
        run("training.infeed.prefetch_depth=1");
        run("pipeline.schedule=Sequential");
        const QStringList arguments{"compare", "1", "2", "3", "4", "--database", "p.profiles.sqlite"};
        const core::Json json = workbench.run(arguments + QStringList{"--json"}).json();
        const core::Json& rate = json["metrics"][0];
        QCOMPARE(rate["name"].get<std::string>(), std::string("samples_per_second"));
        QVERIFY(rate["relative_intervals"][0].is_null() && rate["certain"][0].is_null());
        QCOMPARE(rate["relative_intervals"][1], core::Json({0.0, 0.0}));
        const double before = rate["values"][0].get<double>();
        for (const std::size_t of : {2, 3}) {
            const double relative = rate["deltas"][of].get<double>() / before;
            const double low = rate["relative_intervals"][of][0].get<double>();
            const double high = rate["relative_intervals"][of][1].get<double>();
            QVERIFY(low < relative && relative < high);
            QCOMPARE(rate["certain"][of].get<bool>(), low > 0 || high < 0);
        }
        QVERIFY(!rate["certain"][2].get<bool>());
        QVERIFY(rate["certain"][3].get<bool>());
        const QByteArray text = workbench.run(arguments).out;
        QVERIFY2(text.contains("run 2: as fast as run 1"), text);
        std::vector<std::int64_t> sums(4);
        std::vector<std::int64_t> pieceSums(4);
        const auto sumUp = [](const core::Json& rows, std::vector<std::int64_t>& into) {
            for (const core::Json& row : rows) {
                QCOMPARE(row["deltas"][1].get<std::int64_t>(), 0);
                for (std::size_t of = 0; of < into.size(); ++of)
                    into[of] += row["deltas"][of].get<std::int64_t>();
            }
        };
        sumUp(json["step_parts"], sums);
        sumUp(json["pieces"], pieceSums);
        QCOMPARE(pieceSums, sums);
        QVERIFY2(text.contains("slot or micro-batch of the step"), text);
        const auto steps = std::ranges::find_if(
            json["metrics"], [](const core::Json& metric) { return metric["name"] == "step_cycles"; });
        for (std::size_t of = 0; of < sums.size(); ++of)
            QCOMPARE(sums[of], (*steps)["deltas"][of].get<std::int64_t>());
        QVERIFY(sums[3] > 0);
        QVERIFY2(text.contains("part of the step"), text);
        QVERIFY2(text.contains(" % than run 1: not certain"), text);
        QVERIFY2(text.contains("run 4: slower by "), text);
        // What is certain does not reach down to no difference at all.
        const QRegularExpression sure("by ([0-9.]+) ± ([0-9.]+) % than run 1: (not )?certain");
        int lines = 0;
        for (auto found = sure.globalMatch(QString::fromUtf8(text)); found.hasNext(); ++lines) {
            const QRegularExpressionMatch line = found.next();
            const double change = line.captured(1).toDouble();
            const double margin = line.captured(2).toDouble();
            QVERIFY2(line.captured(3).isEmpty() ? change >= margin : change <= margin, text);
        }
        QVERIFY(lines >= 2);
    }

    void aTraceOfHardwareStandsWhereOneSays() {
        m_workbench.write("hardware.json", R"({"traceEvents": [
            {"ph": "M", "name": "process_name", "pid": 1, "args": {"name": "chip a"}},
            {"ph": "M", "name": "thread_name", "pid": 1, "tid": 2, "args": {"name": "tiles"}},
            {"ph": "X", "name": "F0", "cat": "forward", "pid": 1, "tid": 2, "ts": 10, "dur": 1000},
            {"ph": "X", "name": "F1", "cat": "forward", "pid": 1, "tid": 2, "ts": 1010, "dur": 3000},
            {"ph": "b", "id": 1, "ts": 0}]})");
        const Answer answer =
            beside({"hardware.json", "--lane", "chip a/tiles=IPU 0/compute", "--by", "category", "--json"});
        QVERIFY2(answer.code == 0, answer.err.constData());
        QVERIFY(answer.err.contains("1 asynchronous events"));
        const core::Json json = answer.json();
        const auto row = std::ranges::find_if(json["events"], [](const core::Json& event) {
            return event["lane"] == "IPU 0/compute" && event["name"] == "forward";
        });
        QVERIFY(row != json["events"].end());
        QCOMPARE((*row)["trace_count"].get<int>(), 2);
        QCOMPARE((*row)["trace_mean_ns"].get<double>(), 2e6);
        QCOMPARE((*row)["difference_ns"].get<double>(), 2e6 - (*row)["run_mean_ns"].get<double>());
        QCOMPARE((*row)["relative"].get<double>(),
                 (*row)["difference_ns"].get<double>() / (*row)["run_mean_ns"].get<double>());
        QVERIFY(beside({"hardware.json", "--csv"})
                    .out.startsWith("lane,name,run count,run total ns,run mean ns,trace count,"));
        QVERIFY(beside({"hardware.json"}).out.contains("chip a/tiles"));
    }

    void whatCannotBeComparedIsRefusedWithACure_data() {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<int>("code");
        QTest::addColumn<QString>("words");
        QTest::newRow("no file") << QStringList{"none.json"} << 4 << "none.json";
        QTest::newRow("a database") << QStringList{"p.profiles.sqlite"} << 3 << "[trace/format]";
        QTest::newRow("a project") << QStringList{"p.ipuproj"} << 3 << "no list \"traceEvents\"";
        QTest::newRow("a negative duration")
            << QStringList{"negative.json"} << 3
            << "negative.json:/0: error: the duration -1 is negative [trace/time]";
        QTest::newRow("a lane of the trace")
            << QStringList{"chrome-trace", "--lane", "IPU 0/computer=IPU 0/compute"} << 2
            << "did you mean \"IPU 0/compute\"?";
        QTest::newRow("a pair of one")
            << QStringList{"chrome-trace", "--lane", "IPU 0/compute"} << 2 << "names no two lanes";
        QTest::newRow("another grouping") << QStringList{"chrome-trace", "--by", "nam"} << 2 << "name";
        QTest::newRow("two runs") << QStringList{"chrome-trace", "1"} << 2 << "a trace stands beside one run";
    }
    void whatCannotBeComparedIsRefusedWithACure() {
        m_workbench.write("negative.json", R"([{"ph": "X", "name": "a", "ts": 0, "dur": -1}])");
        QFETCH(QStringList, arguments);
        QFETCH(int, code);
        QFETCH(QString, words);
        const Answer answer = beside(arguments);
        QVERIFY2(answer.code == code, answer.err.constData());
        QVERIFY2(QString::fromUtf8(answer.err).contains(words), answer.err.constData());
        QVERIFY2(answer.err.contains("hint: "), answer.err.constData());
    }

    void lanesNeedATrace() { QCOMPARE(m_workbench.run({"compare", "1", "1", "--lane", "a=b"}).code, 2); }
};

REGISTER_TEST("compare_verb", CompareVerbTest)
#include "compare_verb_test.moc"
