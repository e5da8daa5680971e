#include "views/graph/painting/gauge_rows.h"

#include "tests/support/test_registry.h"

#include <QtTest/QTest>
#include <numeric>

using namespace views;

namespace {

/// One stage whose memory is `peak` of `limit`; what the parts say does not sum to it.
core::PlanEstimate estimate(std::int64_t peak, std::int64_t limit) {
    core::PlanEstimate result;
    result.clockHz = 1.33e9;
    result.step = core::Cycles(1'000'000);
    core::StageEstimate stage;
    stage.ipu = core::IpuId(0);
    stage.forward = core::Cycles(1000);
    result.stages = {stage};
    core::IpuEstimate ipu;
    ipu.limit = core::Bytes(limit);
    ipu.peak = core::Bytes(peak);
    ipu.alwaysLive = core::Bytes(peak / 2);
    ipu.stash = core::Bytes(peak / 5);
    ipu.temporary = core::Bytes(peak / 50);
    ipu.idle.assign(core::idleCauseCount, core::Cycles(0));
    result.ipus = {ipu};
    return result;
}

double endOf(const Gauge& gauge) {
    return std::accumulate(gauge.segments.begin(), gauge.segments.end(), 0.0,
                           [](double sum, const GaugeSegment& segment) { return sum + segment.share; });
}

} // namespace

class GaugeRowsTest : public QObject {
    Q_OBJECT

private slots:
    void theMemoryBarEndsWhereItsNumberSays() {
        constexpr std::int64_t mebibyte = 1 << 20;
        for (const std::int64_t peak : {100 * mebibyte, 896 * mebibyte, 937 * mebibyte, 21'000 * mebibyte}) {
            const auto rows = gaugeRows(estimate(peak, 897 * mebibyte), nullptr, 0,
                                        {TimeUnit::Time, ByteUnit::KiB}, Theme());
            const GaugeRow& memory = rows[1];
            QVERIFY(memory.gauge.limit.has_value());
            QVERIFY(std::abs(endOf(memory.gauge) / *memory.gauge.limit - double(peak) / (897.0 * mebibyte)) <
                    1e-9);
            QVERIFY(endOf(memory.gauge) <= 1);
            QVERIFY2(!memory.value.unit.isEmpty(), "the number has no unit");
        }
    }

    void theSlowestStageIsThatOfTheSlotWithoutTheHost() {
        core::PlanEstimate plan = estimate(700, 1000);
        plan.stages.resize(3, plan.stages.front());
        for (std::size_t i = 0; i < 3; ++i)
            plan.stages[i].ipu = core::IpuId(i);
        plan.stages[0].host = core::Cycles(500);
        plan.stages[1].backward = core::Cycles(300);
        QCOMPARE(slowestStage(plan), std::size_t(1));
        // Stages of one IPU work one after the other.
        plan.stages[2].ipu = core::IpuId(0);
        plan.stages[2].forward = core::Cycles(1100);
        QCOMPARE(slowestStage(plan), std::size_t(2));
    }

    void aLineSaysWhereMeasuredTimeAndMemoryLie() {
        core::PlanEstimate plan = estimate(700, 1000);
        plan.intervals.rate = {0.8, 1.25};
        plan.intervals.peak = {0.9, 1.2};
        const core::PredictionInterval& rate = plan.intervals.rate;
        const auto rows = gaugeRows(plan, nullptr, 0, {}, Theme());
        const Gauge& time = rows[0].gauge;
        QVERIFY(time.range.has_value());
        QVERIFY(std::abs(time.range->low - endOf(time) / rate.high) < 1e-9);
        QVERIFY(std::abs(time.range->high - endOf(time) / rate.low) < 1e-9);
        QVERIFY2(time.range->high <= 1 + 1e-9, "the longest stage has no room for its range");
        const Gauge& memory = rows[1].gauge;
        QVERIFY(memory.range.has_value());
        QVERIFY(std::abs(memory.range->low - endOf(memory) * plan.intervals.peak.low) < 1e-9);
        QVERIFY(std::abs(memory.range->high - endOf(memory) * plan.intervals.peak.high) < 1e-9);
        core::PlanEstimate large = estimate(5000, 1000);
        large.intervals.peak = plan.intervals.peak;
        // What does not fit by far has a line inside the bar too.
        const auto over = gaugeRows(large, nullptr, 0, {}, Theme());
        QVERIFY(over[1].gauge.range->high <= 1);
    }

    void theTimeSaysThatTheHostIsInIt() {
        core::PlanEstimate plan = estimate(100, 1000);
        QVERIFY(gaugeRows(plan, nullptr, 0, {}, Theme())[0].label.isEmpty());
        plan.stages[0].host = core::Cycles(500);
        QCOMPARE(gaugeRows(plan, nullptr, 0, {}, Theme())[0].label, QString("With host"));
    }

    void whatIsAlwaysLiveNeverRunsOverThePeak() {
        core::PlanEstimate odd = estimate(100, 1000);
        odd.ipus[0].alwaysLive = core::Bytes(90);
        odd.ipus[0].stash = core::Bytes(40);
        const auto rows = gaugeRows(odd, nullptr, 0, {}, Theme());
        QVERIFY(std::abs(endOf(rows[1].gauge) / *rows[1].gauge.limit - 0.1) < 1e-9);
    }
};

REGISTER_WIDGET_TEST("gauge_rows", GaugeRowsTest)
#include "gauge_rows_test.moc"
