#include "core/profile/analysis/counter_queries.h"

#include "core/profile/queries/run_queries.h"
#include "core/profile/queries/timeline_queries.h"
#include "tests/support/stored_run.h"
#include "tests/support/test_registry.h"

#include <QtTest/QTest>
#include <numeric>

using namespace core;

class CounterQueriesTest : public QObject {
    Q_OBJECT

    tests::StoredRuns m_runs;

    [[nodiscard]] ProfileDatabase database() const {
        return *ProfileDatabase::open(m_runs.path(), {.access = DatabaseAccess::ReadOnly});
    }

private slots:
    void whatFlowsAddsUpToTheBytesOfTheSpansHoweverWideTheBins() {
        const RunId run = m_runs.add();
        const Cycles step = loadRun(database(), run)->step;
        std::int64_t bytes = 0;
        const auto spans = loadSpans(database(), run);
        QVERIFY(spans.has_value());
        for (const SpanRecord& span : *spans)
            if (span.kind == SpanKind::InterIpuCopy || span.kind == SpanKind::AllReduce)
                bytes += span.bytes.value();
        QVERIFY(bytes > 0);
        for (const std::int64_t bins : {1, 7, 1000}) {
            const auto window = loadCounters(database(), {run, Cycles(), step, bins, {Counter::LinkBytes}});
            QVERIFY(window.has_value());
            double sum = 0;
            for (const CounterCurve& curve : window->curves) {
                QVERIFY(curve.counter == Counter::LinkBytes);
                QCOMPARE(std::int64_t(curve.means.size()), bins);
                sum += std::accumulate(curve.means.begin(), curve.means.end(), 0.0) * real(step.value()) /
                       real(bins);
            }
            QVERIFY(std::abs(sum - real(bytes)) < 1e-6 * real(bytes));
        }
    }

    void noMoreTilesComputeThanThereAreAndNoneWhileIdle() {
        const RunId run = m_runs.add();
        const RunSummary summary = *loadRun(database(), run);
        const auto window =
            loadCounters(database(), {run, Cycles(), summary.step, 500, {Counter::BusyTiles}});
        QVERIFY(window.has_value() && !window->curves.empty());
        for (const CounterCurve& curve : window->curves) {
            QVERIFY(curve.highest() > 0);
            QVERIFY(curve.highest() <= real(summary.provenance.tiles));
        }
        // The longest gap holds bins in which nothing runs.
        const IdleGaps gaps = *idleGaps(database(), run, 1);
        const SpanRecord& gap = gaps.longest.front();
        const auto idle =
            loadCounters(database(), {run, gap.start, gap.start + gap.duration, 3, {Counter::BusyTiles}});
        const auto lanes = loadLanes(database(), run);
        const auto lane = std::ranges::find(*lanes, gap.lane, &LaneRecord::id);
        const CounterCurve* curve = idle->curveOf(lane->ipu, Counter::BusyTiles);
        QVERIFY(curve == nullptr || curve->highest() == 0);
    }

    void nothingIsAskedForNothing() {
        const RunId run = m_runs.add();
        QVERIFY(
            loadCounters(database(), {run, Cycles(), Cycles(), 10, {Counter::LinkBytes}})->curves.empty());
        QVERIFY(loadCounters(database(), {run, Cycles(), Cycles(10), 10, {}})->curves.empty());
    }
};

REGISTER_TEST("counter_queries", CounterQueriesTest)
#include "counter_queries_test.moc"
