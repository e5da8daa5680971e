#include "core/profile/queries/comparison.h"

#include "core/plan/prediction_interval.h"
#include "core/profile/queries/metric_explanation.h"
#include "core/profile/records/span_label.h"
#include "tests/support/stored_run.h"
#include "tests/support/test_registry.h"

#include <QtTest>
#include <SQLiteCpp/SQLiteCpp.h>
#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <functional>
#include <limits>

using namespace core;

namespace {

/// What a figure of a comparison should be, written down a second time.
struct ExpectedMetric {
    std::string name;
    std::string label;
    std::string unit;
    Better better = Better::Neither;
    bool isShare = false;
    std::function<std::optional<double>(const RunSummary&)> value;
};

std::optional<double> peakOf(const RunSummary& run, std::size_t ipu) {
    if (ipu >= run.memory.size())
        return std::nullopt;
    return static_cast<double>(run.memory[ipu].peak.value());
}

std::optional<double> lastOf(const RunSummary& run, const std::string& series) {
    for (const MetricSeries& metric : run.metrics)
        if (metric.name == series)
            return metric.values.empty() ? std::nullopt : std::optional(metric.values.back());
    return std::nullopt;
}

std::vector<ExpectedMetric> expectedMetrics(Better step, std::size_t ipus) {
    std::vector<ExpectedMetric> all{
        {"samples_per_second", "Throughput", "samples/s", Better::Higher, false,
         [](const RunSummary& run) { return run.samplesPerSecond; }},
        {"step_ns", "Step time", "ns", step, false,
         [](const RunSummary& run) -> std::optional<double> {
             if (run.provenance.clockHz <= 0)
                 return std::nullopt;
             return static_cast<double>(run.step.value()) / run.provenance.clockHz * 1e9;
         }},
        {"step_cycles", "Step", "cycles", step, false,
         [](const RunSummary& run) { return static_cast<double>(run.step.value()); }},
        {"compute_fraction", "Compute share", "", Better::Higher, true,
         [](const RunSummary& run) { return 1 - run.idleFraction; }},
        {"idle_fraction", "Idle", "", Better::Lower, true,
         [](const RunSummary& run) { return run.idleFraction; }}};
    for (std::size_t cause = 0; cause < idleCauseCount; ++cause) {
        const auto of = static_cast<IdleCause>(cause);
        all.push_back({"idle_fraction." + std::string(toString(of)), "Idle: " + idleCauseLabel(of), "",
                       Better::Lower, true, [cause](const RunSummary& run) {
                           double total = 0;
                           for (const Cycles cycles : run.idleByCause)
                               total += static_cast<double>(cycles.value());
                           return run.idleFraction * static_cast<double>(run.idleByCause[cause].value()) /
                                  total;
                       }});
    }
    all.push_back({"host_stall_fraction", "Host stalls, with launch", "", Better::Lower, true,
                   [](const RunSummary& run) { return run.hostStallFraction; }});
    all.push_back(
        {"peak_bytes", "Peak memory, fullest IPU", "bytes", Better::Lower, false, [](const RunSummary& run) {
             std::optional<double> most;
             for (std::size_t ipu = 0; ipu < run.memory.size(); ++ipu)
                 if (!most || *peakOf(run, ipu) > *most)
                     most = peakOf(run, ipu);
             return most;
         }});
    for (std::size_t ipu = 0; ipu < ipus; ++ipu)
        all.push_back({fmt::format("peak_bytes.ipu{}", ipu), fmt::format("Peak memory, IPU {}", ipu), "bytes",
                       Better::Lower, false, [ipu](const RunSummary& run) { return peakOf(run, ipu); }});
    all.push_back(
        {"stash_bytes", "Stash, all stages", "bytes", Better::Lower, false, [](const RunSummary& run) {
             double sum = 0;
             for (const StageSummary& stage : run.stages)
                 sum += static_cast<double>(stage.stash.value());
             return sum;
         }});
    all.push_back(
        {"transfer_bytes", "Inter-IPU traffic per step", "bytes", step, false, [](const RunSummary& run) {
             double sum = 0;
             for (const StageSummary& stage : run.stages)
                 sum += static_cast<double>(stage.transfer.value()) *
                        static_cast<double>(run.provenance.microBatches);
             return sum;
         }});
    for (const auto& [series, better] :
         {std::pair("loss", Better::Lower), std::pair("accuracy", Better::Higher),
          std::pair("val_loss", Better::Lower), std::pair("val_accuracy", Better::Higher)}) {
        std::string words = series;
        std::ranges::replace(words, '_', ' ');
        all.push_back(
            {series, "Last " + words, "", better, false,
             [series = std::string(series)](const RunSummary& run) { return lastOf(run, series); }});
    }
    return all;
}

/// Equal but for the last digits, and where neither is there or a number.
bool isNear(const std::optional<double>& a, const std::optional<double>& b) {
    if (!a || !b)
        return a.has_value() == b.has_value();
    return std::abs(*a - *b) <= 1e-9 * std::max({1.0, std::abs(*a), std::abs(*b)});
}

std::string textOf(const std::optional<double>& value) {
    return value ? fmt::format("{}", *value) : "nothing";
}

} // namespace

class ComparisonTest : public QObject {
    Q_OBJECT

    tests::StoredRuns m_runs;

    [[nodiscard]] ProfileDatabase database() const {
        return *ProfileDatabase::open(m_runs.path(), {.access = DatabaseAccess::ReadOnly});
    }
    void change(const std::string& statement) const {
        SQLite::Database(m_runs.path().string(), SQLite::OPEN_READWRITE).exec(statement);
    }
    [[nodiscard]] RunComparison compared(const std::vector<RunId>& runs, RunId baseline) const {
        return compareRuns(database(), runs, baseline).value();
    }
    static const ComparedMetric& metric(const RunComparison& comparison, std::string_view name) {
        return *std::ranges::find(comparison.metrics, name, &ComparedMetric::name);
    }

private slots:
    void everyFigureIsThatOfTheRunsSideBySide_data() {
        QTest::addColumn<int>("microBatches");
        QTest::addColumn<int>("baseline");
        QTest::newRow("steps of one batch") << 8 << 1;
        QTest::newRow("steps of other batches") << 16 << 2;
    }

    void everyFigureIsThatOfTheRunsSideBySide() {
        QFETCH(const int, microBatches);
        QFETCH(const int, baseline);
        tests::SyntheticRun slow;
        slow.firstStageScale = 1.5;
        slow.schedule = "Interleaved";
        tests::SyntheticRun narrow;
        narrow.stages = 2;
        narrow.microBatches = microBatches;
        const std::vector<RunId> runs{m_runs.add(), m_runs.add(slow), m_runs.add(narrow)};
        const RunComparison comparison = compared(runs, runs[static_cast<std::size_t>(baseline)]);
        QCOMPARE(comparison.baseline, static_cast<std::size_t>(baseline));
        const Better step = microBatches == 8 ? Better::Lower : Better::Neither;
        const std::vector<ExpectedMetric> expected = expectedMetrics(step, 4);
        QCOMPARE(comparison.metrics.size(), expected.size());
        for (std::size_t i = 0; i < expected.size(); ++i) {
            const ComparedMetric& found = comparison.metrics[i];
            const char* name = expected[i].name.c_str();
            QVERIFY2(found.name == expected[i].name && found.label == expected[i].label, name);
            QVERIFY2(found.unit == expected[i].unit && found.isShare == expected[i].isShare, name);
            QVERIFY2(found.better == expected[i].better, name);
            const std::optional<double> base = expected[i].value(comparison.summaries[comparison.baseline]);
            for (std::size_t run = 0; run < runs.size(); ++run) {
                const std::optional<double> value = expected[i].value(comparison.summaries[run]);
                QVERIFY2(isNear(found.values[run], value), name);
                std::optional<double> delta;
                std::optional<double> relative;
                if (value && base) {
                    delta = *value - *base;
                    if (*delta == 0)
                        relative = 0;
                    else if (*base != 0)
                        relative = *delta / std::abs(*base);
                }
                QVERIFY2(isNear(found.deltas[run], delta), name);
                QVERIFY2(
                    isNear(found.relative[run], relative),
                    (expected[i].name + " " + textOf(found.relative[run]) + " " + textOf(relative)).c_str());
            }
        }
    }

    /// Below zero, zero, no number.
    void valuesOfAnySignAreHeldAgainstTheBaseline() {
        const std::vector<RunId> runs{m_runs.add(), m_runs.add(), m_runs.add()};
        const auto setThem = [&](const char* a, const char* b, const char* c) {
            const std::array values{a, b, c};
            for (std::size_t run = 0; run < runs.size(); ++run)
                change(fmt::format("UPDATE run SET host_stall_fraction = {} WHERE id = {}", values[run],
                                   runs[run].value()));
        };
        setThem("-0.5", "-1.0", "0.25");
        ComparedMetric stalls = metric(compared(runs, runs[0]), "host_stall_fraction");
        QCOMPARE(stalls.deltas[1], std::optional(-0.5));
        QCOMPARE(stalls.relative[1], std::optional(-1.0));
        QCOMPARE(stalls.relative[2], std::optional(1.5));
        setThem("0", "0", "0.25");
        stalls = metric(compared(runs, runs[0]), "host_stall_fraction");
        QCOMPARE(stalls.relative[1], std::optional(0.0));
        QVERIFY(!stalls.relative[2]);
        QCOMPARE(stalls.deltas[2], std::optional(0.25));
    }

    void intervalsAreThoseOfTheQuotientOfTwoPredictions() {
        tests::SyntheticRun slow;
        slow.firstStageScale = 1.5;
        tests::SyntheticRun other;
        other.targetFigures = R"({"clock_hz": 2e9})";
        other.firstStageScale = 2;
        const std::vector<RunId> runs{m_runs.add(slow), m_runs.add(), m_runs.add(), m_runs.add(other)};
        change(fmt::format("UPDATE run SET target_name = 'mine' WHERE id = {}", runs[3].value()));
        const RunComparison comparison = compared(runs, runs[1]);
        const PredictionIntervals known = intervalsOfTarget({});
        for (const ComparedMetric& figure : comparison.metrics) {
            const bool isPredicted = figure.name == "samples_per_second" || figure.name == "step_ns" ||
                                     figure.name == "step_cycles" || figure.name == "peak_bytes";
            QCOMPARE(figure.intervals.size(), runs.size());
            for (std::size_t run = 0; run < runs.size(); ++run) {
                QVERIFY2(figure.intervals[run].has_value() == (isPredicted && run != 1), figure.name.c_str());
                if (!isPredicted || run == 1)
                    continue;
                const ProgramFamily family = familyOf(comparison.summaries[run]);
                const PredictionInterval rate =
                    rateQuotientInterval(known, family, known, familyOf(comparison.summaries[1]), run != 3);
                double low = rate.low;
                double high = rate.high;
                if (figure.name.starts_with("step")) {
                    low = 1 / rate.high;
                    high = 1 / rate.low;
                } else if (figure.name == "peak_bytes") {
                    const PredictionInterval peak = quotientInterval(known.peak(), known.peak());
                    low = peak.low;
                    high = peak.high;
                }
                const double quotient = *figure.values[run] / *figure.values[1];
                // The same project differs by nothing, also once both are measured.
                const bool isSame = quotient == 1;
                QVERIFY2(isNear(figure.intervals[run]->low, isSame ? 0 : quotient * low - 1),
                         figure.name.c_str());
                QVERIFY2(isNear(figure.intervals[run]->high, isSame ? 0 : quotient * high - 1),
                         figure.name.c_str());
            }
        }
        // Another project with the same figures is not certain to be as fast.
        tests::SyntheticRun another;
        another.projectText = R"({"name": "another"})";
        const RunId renamed = m_runs.add(another);
        const RelativeInterval interval =
            *metric(compared({runs[1], renamed}, runs[1]), "samples_per_second").intervals[1];
        QVERIFY(interval.low < 0 && interval.high > 0 && !interval.isCertain());
    }

    void factsSayWhatTheOptionsCameTo() {
        tests::SyntheticRun serial;
        serial.schedule = "Sequential";
        serial.overLimit = true;
        const std::vector<RunId> runs{m_runs.add(), m_runs.add(serial)};
        change(fmt::format("UPDATE stage SET fifo_depth = 0 WHERE run_id = {}", runs[1].value()));
        const RunComparison comparison = compared(runs, runs[0]);
        const auto fact = [&](const char* name) {
            return *std::ranges::find(comparison.facts, std::string(name), &ComparedFact::name);
        };
        std::string depths;
        for (const StageSummary& stage : comparison.summaries[0].stages)
            depths += (depths.empty() ? "" : " ") + std::to_string(stage.fifoDepth);
        QCOMPARE(fact("FIFO depth per stage").values, (std::vector<std::string>{depths, "none"}));
        QVERIFY(fact("FIFO depth per stage").differs());
        QCOMPARE(fact("schedule").values, (std::vector<std::string>{"Grouped", "Sequential"}));
        QCOMPARE(fact("micro-batches per update").values, (std::vector<std::string>{"8", "8"}));
        QVERIFY(!fact("micro-batches per update").differs());
        QCOMPARE(fact("fits").values, (std::vector<std::string>{"yes", "no"}));
    }

    void layersHaveTheStagesThatTheyAreOnInEachRun() {
        const std::vector<RunId> runs{m_runs.add(), m_runs.add(), m_runs.add()};
        const RunComparison same = compared(runs, runs[0]);
        QVERIFY(!same.layers.empty());
        for (const ComparedLayer& layer : same.layers) {
            QVERIFY(!layer.stages[0].empty());
            QVERIFY(layer.stages[1] == layer.stages[0] && layer.stages[2] == layer.stages[0]);
            QVERIFY(!layer.isMoved());
        }
        const auto moved = [](std::vector<std::vector<std::int64_t>> stages) {
            ComparedLayer layer;
            for (const auto& run : stages) {
                layer.stages.emplace_back();
                for (const std::int64_t stage : run)
                    layer.stages.back().emplace_back(stage);
            }
            return layer.isMoved();
        };
        QVERIFY(moved({{0}, {1}}) && moved({{0}, {0}, {1}}) && moved({{0}, {}, {1}}) && moved({{0, 1}, {0}}));
        QVERIFY(!moved({{0}, {0}}) && !moved({{0, 1}, {1, 0}}) && !moved({{}, {2}}) && !moved({{3}, {}}));
    }

    void aBaselineThatIsNotComparedIsRefused() {
        const std::vector<RunId> runs{m_runs.add()};
        const Diagnostic refused = compareRuns(database(), runs, RunId(99)).error().front();
        QCOMPARE(refused.code, std::string("compare/baseline"));
        QVERIFY(refused.message.find("run 99") != std::string::npos);
    }
};

REGISTER_TEST("comparison", ComparisonTest)
#include "comparison_test.moc"
