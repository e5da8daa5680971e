#include "simulator/calibration/calibration_bars.h"
#include "simulator/calibration/calibration_fit.h"
#include "simulator/calibration/target_fit.h"
#include "tests/support/test_registry.h"

#include <QtTest/QTest>
#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <random>
#include <set>

using namespace simulator;

namespace {

std::vector<CalibrationCase> casesOf(CalibrationKind kind) {
    std::vector<CalibrationCase> cases;
    for (const CalibrationCase& item : publishedCases())
        if (item.kind == kind)
            cases.push_back(item);
    return cases;
}

const core::Result<CalibrationReport>& applications() {
    static const core::Result<CalibrationReport> report = calibrate(casesOf(CalibrationKind::Application));
    return report;
}

const CalibrationClass* classOf(const CalibrationReport& report, std::string_view name) {
    const auto found = std::ranges::find(report.classes, name, &CalibrationClass::name);
    return found == report.classes.end() ? nullptr : &*found;
}

} // namespace

class CalibrationTest : public QObject {
    Q_OBJECT

private slots:
    void theProgramBringsThePublishedRows() {
        QCOMPARE(publishedCases().size(), std::size_t(141));
        for (const CalibrationCase& item : publishedCases()) {
            QVERIFY2(!item.source.empty() && !item.what.empty(), item.id.c_str());
            QVERIFY2(item.measured > 0, item.id.c_str());
        }
    }

    void vertexAndProgramRowsKeepTheirBars() {
        const auto report = calibrate(casesOf(CalibrationKind::Micro));
        QVERIFY(report);
        for (const CalibrationRow& row : report->rows) {
            const double bar = row.className == "AMP vertex"        ? 0.03
                               : row.className == "planned product" ? 0.15
                                                                    : 0.05;
            QVERIFY2(row.weak || std::abs(row.error) <= bar, fmt::format("{} {}", row.id, row.error).c_str());
        }
        QVERIFY(classOf(*report, "AMP vertex")->medianError < 0.01);
        QCOMPARE(classOf(*report, "AMP vertex")->rows, std::size_t(11));
        QVERIFY(classOf(*report, "vendor model and program")->medianError < 0.02);
    }

    void memoryRowsKeepTheirBars() {
        const auto report = calibrate(casesOf(CalibrationKind::Memory));
        QVERIFY(report);
        const CalibrationClass* totals = classOf(*report, "memory: variables and totals");
        QVERIFY(totals && totals->rows == 5);
        QVERIFY2(totals->medianError <= 0.03 && totals->worstError <= 0.1,
                 fmt::format("{} {}", totals->medianError, totals->worstError).c_str());
        const CalibrationClass* code = classOf(*report, "memory: code and state");
        QVERIFY(code && code->rows == 12);
        QVERIFY2(code->medianError <= 0.3, fmt::format("{}", code->medianError).c_str());
    }

    void applicationsAndTheirScalingKeepTheirBars() {
        const core::Result<CalibrationReport>& report = applications();
        QVERIFY(report);
        const auto bars = calibrationBars(*report);
        QCOMPARE(bars.size(), std::size_t(4));
        for (const CalibrationBar& bar : bars)
            QVERIFY2(bar.isKept(), fmt::format("{}: {}", bar.name, bar.value).c_str());
    }

    void aBarIsBrokenByRowsBeyondIt() {
        CalibrationReport report;
        CalibrationRow row;
        row.className = "scaling";
        row.error = 0.2;
        report.rows = {row, row};
        report.rows.back().error = 1;
        report.rows.back().weak = true;
        const auto bars = calibrationBars(report);
        QCOMPARE(bars.size(), std::size_t(1));
        QVERIFY(!bars.front().isKept());
        QCOMPARE(bars.front().value, 0.2);
    }

    void rowsThatDisagreeAreNamedWithTheReason() {
        const core::Result<CalibrationReport>& report = applications();
        QVERIFY(report);
        std::set<std::string> named;
        for (const CalibrationRow& row : report->rows)
            if (!row.inconsistency.empty())
                named.insert(row.id);
        QVERIFY(named.contains("cal-040") && named.contains("cal-044") && named.contains("cal-042/cal-041"));
        for (const CalibrationCase& item : publishedCases())
            for (const std::string& other : item.inconsistentWith)
                QVERIFY2(std::ranges::find(publishedCases(), other, &CalibrationCase::id) !=
                             publishedCases().end(),
                         item.id.c_str());
    }

    /// Rows of operations that scatter by 10 %: the interval of some holds four of five of the others.
    void ownIntervalsHoldMostRowsThatWereHeldBack() {
        std::mt19937 generator(1);
        std::normal_distribution<double> scatter(0.05, 0.1);
        const auto rowsOf = [&](std::size_t count) {
            std::vector<CalibrationRow> rows(count);
            for (CalibrationRow& row : rows) {
                row.figure = core::FigureClass::Product;
                row.ratio = std::exp(scatter(generator));
            }
            return rows;
        };
        int inside = 0;
        int all = 0;
        for (int repeated = 0; repeated < 50; ++repeated) {
            const core::PredictionIntervals known = intervalsOfRows(rowsOf(12), 2);
            const core::PredictionInterval& interval = known.of(core::FigureClass::Product);
            QCOMPARE(interval.rows, std::int64_t(12));
            for (const CalibrationRow& row : rowsOf(40)) {
                ++all;
                inside += row.ratio >= interval.low && row.ratio <= interval.high ? 1 : 0;
            }
        }
        QVERIFY2(inside >= 0.8 * all && inside <= 0.95 * all, fmt::format("{} of {}", inside, all).c_str());
    }

    void fewOwnRowsWidenThePublishedInterval() {
        CalibrationRow row;
        row.figure = core::FigureClass::Product;
        row.ratio = 3;
        const core::PredictionIntervals known = intervalsOfRows(std::span(&row, 1), 0);
        const core::PredictionInterval& product = known.of(core::FigureClass::Product);
        // One row beside those that were published.
        QCOMPARE(product.ownRows, std::int64_t(1));
        QCOMPARE(product.rows, core::publishedIntervals().of(core::FigureClass::Product).rows + 1);
        QVERIFY(!product.isOwn());
        QVERIFY(std::abs(product.high - 3) < 1e-12);
        QCOMPARE(product.low, core::publishedIntervals().of(core::FigureClass::Product).low);
        // A program is made of such operations; memory is not.
        QVERIFY(known.rate(core::ProgramFamily::Other).high >= product.high - 1e-12);
        QCOMPARE(known.peak(), core::publishedIntervals().peak());
        QVERIFY(!intervalsOfRows({}, 0).hasOwn());
    }

    void figuresOfACaseReachTheTarget() {
        CompilationCache cache;
        CalibrationCase item = *std::ranges::find(publishedCases(), "cal-046", &CalibrationCase::id);
        const double usual = *predict(item, cache);
        item.description["figures"] = {{"superstep_overhead_cycles", 0}};
        QVERIFY(*predict(item, cache) > usual);
        item.description["figures"] = {{"no_such_figure", 0}};
        QVERIFY(!predict(item, cache));
    }

    void callsOfAProgramTakeTimeBetweenThem() {
        CompilationCache cache;
        CalibrationCase item = *std::ranges::find(publishedCases(), "cal-056", &CalibrationCase::id);
        const double images = 16;
        const auto secondsOfUpdate = [&](const core::Json& iterations) {
            item.description["device_iterations"] = iterations;
            return images / *predict(item, cache);
        };
        const double alone = secondsOfUpdate(nullptr);
        const double one = secondsOfUpdate(1) - alone;
        QVERIFY(one > 1e-3);
        QVERIFY(std::abs((secondsOfUpdate(50) - alone) / one - 0.02) < 1e-6);
    }

    void theFitFindsTheFiguresThatMadeTheMeasurements() {
        // A row measured on a machine whose supersteps take longer.
        CompilationCache cache;
        CalibrationCase item = *std::ranges::find(publishedCases(), "cal-046", &CalibrationCase::id);
        CalibrationCase slow = item;
        slow.description["figures"] = {{"superstep_overhead_cycles", 900}};
        item.measured = *predict(slow, cache);
        const auto fit = fitFigures(std::span(&item, 1));
        QVERIFY(fit);
        QCOMPARE(figuresAt(fit->point)["superstep_overhead_cycles"].get<double>(), 900.0);
        QVERIFY(fit->meanError < 0.005);
        QCOMPARE(fit->leftOut.size(), std::size_t(1));
        QCOMPARE(fit->leftOut.front().rows.size(), std::size_t(1));
    }

    /// Models described in words, rebuilt from templates; nothing was fitted on them.
    void totalsOfTheVendorsRegressionModelsAreClose() {
        int found = 0;
        const auto report = calibrate(casesOf(CalibrationKind::Memory));
        QVERIFY(report);
        for (const CalibrationRow& row : report->rows) {
            if (row.id < "cal-077" || row.id > "cal-084")
                continue;
            QVERIFY2(std::abs(row.error) < 0.15, fmt::format("{} {}", row.id, row.error).c_str());
            ++found;
        }
        QCOMPARE(found, 7);
    }

    void laterLayersHaveNoEmbeddings() {
        CompilationCache cache;
        CalibrationCase half = *std::ranges::find(publishedCases(), "cal-095", &CalibrationCase::id);
        const double first = *predict(half, cache);
        half.description["scope"] = "layers 12-23";
        const double second = *predict(half, cache);
        // The tables of words, positions and segments in half precision.
        const double tables = 2 * 1024 * (30522 + 512 + 2);
        QVERIFY2(std::abs((first - second) / tables - 1) < 0.01, fmt::format("{} {}", first, second).c_str());
        half.description["scope"] = "layers 5-2";
        QVERIFY(!predict(half, cache));
    }

    void partsOfATransformerGoByTheirNames() {
        CompilationCache cache;
        CalibrationCase part = *std::ranges::find(publishedCases(), "cal-109", &CalibrationCase::id);
        part.description["scope"] = "whole model";
        const auto figure = [&](const char* name, const char* metric) {
            part.description["part"] = name;
            part.metric = metric;
            const auto value = predict(part, cache);
            return value ? *value : -1.0;
        };
        const double scores = 16.0 * 128 * 128 * 2;
        QCOMPARE(figure("softmax", "variables"), scores);
        QCOMPARE(figure("FF-1 matmul", "variables"), 2.0 * (128 * 1024 + 1024 * 4096));
        QCOMPARE(figure("feed_forward 1 MatMul", "variables"), figure("FF-1 matmul", "variables"));
        QCOMPARE(figure("attention output matmul", "variables"), 2.0 * (128 * 1024 + 1024 * 1024));
        QCOMPARE(figure("attention mask", "variables"), scores + 2 * 128);
        // One product for Q, K and V reads its input once.
        QCOMPARE(figure("QKV matmul", "variables"), 2.0 * (128 * 1024 + 1024 * 3072));
        for (const char* metric : {"temporaries", "vertex_code", "vertex_state", "exchange_code",
                                   "control_code", "total", "max_tile"})
            QVERIFY2(figure("QKV matmul", metric) > 0, metric);
        part.description["part"] = "magic";
        const auto unknown = predict(part, cache);
        QVERIFY(!unknown && reasonOf(unknown.error()).find("FF-1 matmul") != std::string::npos);
        part.description["part"] = "softmax";
        part.description["scope"] = "layer 30";
        QVERIFY(!predict(part, cache));
        part.metric = "colour";
        part.description["scope"] = "layer 3";
        const auto figureless = predict(part, cache);
        QVERIFY(!figureless && reasonOf(figureless.error()).find("vertex_state") != std::string::npos);
    }

    void theCodeOfSingleOperationsIsThatOfTheirCompilations() {
        const auto report = calibrate(casesOf(CalibrationKind::Memory));
        QVERIFY(report);
        int found = 0;
        for (const CalibrationRow& row : report->rows) {
            const bool isSingle = (row.id >= "cal-105" && row.id <= "cal-119") || row.id == "cal-131" ||
                                  row.id == "cal-132" || row.id == "cal-133";
            if (!isSingle)
                continue;
            QVERIFY2(std::abs(row.error) < 0.08, fmt::format("{} {}", row.id, row.error).c_str());
            ++found;
        }
        QCOMPARE(found, 18);
    }

    /// Sums and products of single tensors, which nothing was fitted on.
    void aCaseMayBringItsModel() {
        CompilationCache cache;
        const auto row = [](const char* id) {
            return *std::ranges::find(publishedCases(), id, &CalibrationCase::id);
        };
        for (const char* id : {"cal-087", "cal-088"})
            QVERIFY2(std::abs(*predict(row(id), cache) / row(id).measured - 1) < 0.1, id);
        // A sum is written over an input that nothing else reads, and read by the host where it is.
        CalibrationCase sum = row("cal-088");
        const double once = *predict(sum, cache);
        core::Json& layers = sum.description["model"]["config"]["layers"];
        layers.push_back(layers.back());
        layers.back()["name"] = layers.back()["config"]["name"] = "again";
        sum.description["model"]["config"]["output_layers"].push_back({"again", 0, 0});
        const double tensor = 1024.0 * 2048 * 4 / 128;
        QVERIFY(std::abs((*predict(sum, cache) - once) / tensor - 2) < 0.05);
        sum.description["model"]["config"].erase("layers");
        const auto broken = predict(sum, cache);
        QVERIFY(!broken && !reasonOf(broken.error()).empty());
        sum.description.erase("model");
        const auto none = predict(sum, cache);
        QVERIFY(!none && reasonOf(none.error()).find("template") != std::string::npos);
    }

    void whatACaseDoesNotKnowIsNamed() {
        const auto cases = readCalibrationCases(
            R"({"id": "a", "kind": "micro", "metric": "time", "unit": "us", "value": 1, "target": "ipu2", )"
            R"("operation": "matmul", "args": {"m": 8, "k": 8, "n": 8}, "weather": "fine"})"
            "\n"
            R"({"id": "b", "kind": "micro", "metric": "cycles", "value": 1, "target": "ipu2", )"
            R"("operation": "matmul", "args": {"m": 8, "k": 8, "n": 8, "colour": 1}})"
            "\n"
            R"({"id": "c", "kind": "app", "metric": "throughput", "value": 1, "target": "ipu2", )"
            R"("template": "mlp", "template_args": {"colour": 1}})"
            "\n"
            R"({"id": "cal-077", "kind": "memory", "metric": "total", "value": 2, "target": "ipu2", )"
            R"("template": "described", "template_args": {"model": "dense"}})"
            "\n",
            "c.jsonl");
        QVERIFY(cases);
        const auto report = calibrate(*cases);
        QVERIFY(report);
        QCOMPARE(report->unread.size(), std::size_t(1));
        QCOMPARE(report->unread.front().keys, std::vector<std::string>{"weather"});
        // In microseconds; a published row that has words only is described as it is published.
        QCOMPARE(report->rows.size(), std::size_t(2));
        QVERIFY(report->rows.front().predicted > 0.1 && report->rows.front().predicted < 100);
        QCOMPARE(report->rows.back().measured, 2.0);
        QVERIFY(report->rows.back().predicted > 1e7);
        QCOMPARE(report->excluded.size(), std::size_t(2));
        for (const ExcludedRow& row : report->excluded)
            QVERIFY2(row.reason.find("\"colour\"") != std::string::npos &&
                         row.reason.find(row.id == "b" ? "serialization" : "hidden") != std::string::npos,
                     row.reason.c_str());
    }

    void excludedRowsSayWhy() {
        const auto report = calibrate(casesOf(CalibrationKind::Scaling));
        QVERIFY(report);
        QVERIFY(!report->excluded.empty());
        for (const ExcludedRow& row : report->excluded)
            QVERIFY2(!row.reason.empty(), row.id.c_str());
    }

    /// Vertices written by hand: what one takes is not predictable, how two compare is.
    void stencilProgramsAreComparedWithTheirSiblings() {
        const auto report = calibrate(casesOf(CalibrationKind::Scaling));
        QVERIFY(report);
        QCOMPARE(report->rows.size() + report->excluded.size(), casesOf(CalibrationKind::Scaling).size());
        const auto error = [&](std::string_view id) {
            const auto row = std::ranges::find(report->rows, id, &CalibrationRow::id);
            return row == report->rows.end() ? 1.0 : std::abs(row->error);
        };
        // Wider cells, and narrower vectors.
        QVERIFY(error("cal-061/cal-058") < 0.02);
        QVERIFY(error("cal-075/cal-072") < 0.05);
        // More IPUs.
        QVERIFY(error("cal-066/cal-058") < 0.15);
        QVERIFY(error("cal-070/cal-069") < 0.1);
        for (const CalibrationRow& row : report->rows)
            QVERIFY2(row.weak, row.id.c_str());
    }

    void aRatioToARowThatIsNotThereIsNotPredicted() {
        auto cases = casesOf(CalibrationKind::Scaling);
        std::erase_if(cases, [](const CalibrationCase& item) { return item.id == "cal-069"; });
        const auto report = calibrate(cases);
        QVERIFY(report);
        const auto row = std::ranges::find(report->excluded, "cal-070", &ExcludedRow::id);
        QVERIFY(row != report->excluded.end());
        QVERIFY(row->reason.find("cal-069") != std::string::npos);
    }

    void aTableOfMeasurementsTakesItsDescriptionsFromThePublishedRows() {
        const auto cases = readMeasurements(
            "id,version,what,value\ncal-003,bow,\"AMP, 64 rows\",577\r\nmine,bow,x,5\n", "t.csv");
        QVERIFY(cases);
        QCOMPARE(cases->size(), std::size_t(2));
        QCOMPARE(cases->front().what, std::string("AMP, 64 rows"));
        const auto report = calibrate(*cases);
        QCOMPARE(report->rows.size(), std::size_t(1));
        QCOMPARE(report->rows.front().predicted, 584.0);
        QCOMPARE(report->rows.front().measured, 577.0);
        QCOMPARE(report->excluded.size(), std::size_t(1));
    }

    void ownMeasurementsAreGroupedAndBounded() {
        std::string csv = "operation,arguments,measured,class\n";
        CompilationCache cache;
        // A machine that takes 1.25 times the predicted cycles, give or take 4 %.
        for (int i = 0; i < 20; ++i) {
            const int elements = 100000 * (i + 1);
            CalibrationCase item;
            item.metric = "cycles";
            item.target = "ipu2";
            item.description = {{"operation", "relu"}, {"args", {{"elements", elements}}}};
            const double predicted = *predict(item, cache);
            csv += fmt::format("relu,elements={} type=float16,{},mine\n", elements,
                               predicted * 1.25 * (1 + 0.04 * std::sin(i * 2.1)));
        }
        const auto cases = readMeasurements(csv, "mine.csv");
        QVERIFY(cases);
        const auto report = calibrate(*cases);
        const CalibrationClass* mine = classOf(*report, "mine");
        QVERIFY(mine);
        QVERIFY(std::abs(mine->factor - 1.25) < 0.05);
        QVERIFY(mine->lowFactor && *mine->lowFactor<mine->factor&& * mine->highFactor> mine->factor);
        const auto covered = std::ranges::count_if(report->rows, [&](const CalibrationRow& row) {
            const double ratio = row.measured / row.predicted;
            return ratio >= *mine->lowFactor && ratio <= *mine->highFactor;
        });
        QVERIFY(covered >= 16);
    }

    void refusesWhatIsNoTable() {
        QVERIFY(!readMeasurements("", "t.csv"));
        QVERIFY(!readMeasurements("a,b\n1,2\n", "t.csv"));
        const auto wrong = readMeasurements("id,value\ncal-003,fast\n", "t.csv");
        QVERIFY(!wrong);
        QCOMPARE(wrong.error().front().location.place, std::string("2"));
        QVERIFY(!readMeasurements("id,value\n\"cal-003,1\n", "t.csv"));
        QVERIFY(!readCalibrationCases("{\"id\": \"x\"}\n[]\n", "c.jsonl"));
    }

    void refusesMoreRowsThanAnybodyMeasures() {
        std::string lines;
        std::string table = "operation,arguments,measured\n";
        for (int i = 0; i < 25'000; ++i) {
            lines += "{}\n";
            table += "m,,1\n";
        }
        const auto cases = simulator::readCalibrationCases(lines, "c.jsonl");
        QVERIFY(!cases.has_value());
        QCOMPARE(cases.error().back().code, std::string("calibration/too-many-rows"));
        const auto measurements = simulator::readMeasurements(table, "c.csv");
        QVERIFY(!measurements.has_value());
        QCOMPARE(measurements.error().front().code, std::string("calibration/too-many-rows"));
    }

    void stopsWhenAsked() {
        std::stop_source source;
        source.request_stop();
        const auto report = calibrate(publishedCases(), {source.get_token(), {}});
        QVERIFY(!report);
        QCOMPARE(report.error().front().trouble, core::Trouble::Interrupted);
    }
};

REGISTER_TEST("calibration", CalibrationTest)
#include "calibration_test.moc"
