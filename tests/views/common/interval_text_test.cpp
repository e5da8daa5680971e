#include "views/common/text/interval_text.h"

#include "tests/support/test_registry.h"

#include <QtTest/QTest>

class IntervalTextTest : public QObject {
    Q_OBJECT

private slots:
    void aRateAndItsTimeAreOffTheOtherWayRound() {
        const core::PredictionInterval interval{0.8, 1.25};
        QCOMPARE(views::intervalText(interval), QStringLiteral("−20…+25\u202f%"));
        QCOMPARE(views::intervalText(core::inverseInterval(interval)), QStringLiteral("−20…+25\u202f%"));
        QCOMPARE(views::intervalText(core::inverseInterval({0.945, 1.112})), QStringLiteral("−10…+6\u202f%"));
    }

    void everyRangeHasOneUnitAndTheUsersOne() {
        const core::PredictedRanges ranges = core::predictedRanges(
            {{0.945, 1.112, 7}, {0.951, 1.066, 5}}, 1000, core::Cycles(1'000'000), core::Bytes(64 << 20));
        const views::TimeScale scale{1e9, core::Cycles(1'000'000)};
        const QString times = views::rangesText(ranges, {}, scale);
        QVERIFY2(times.contains(QStringLiteral("80 %")), qPrintable(times));
        QVERIFY2(times.contains(QStringLiteral("945.0 to 1\u202f112.0 samples/s (−6…+11\u202f%)")),
                 qPrintable(times));
        QVERIFY2(times.contains(QStringLiteral("60.86 to 68.22\u202fMiB")), qPrintable(times));
        QVERIFY2(times.contains("By 7 measurements of such programs; of memory, by 5 measurements"),
                 qPrintable(times));
        const QString cycles =
            views::rangesText(ranges, {views::TimeUnit::Cycles, views::ByteUnit::Byte}, scale);
        QVERIFY2(cycles.contains(views::groupedText(ranges.leastStep.value()) + " to " +
                                 views::groupedText(ranges.mostStep.value())),
                 qPrintable(cycles));
        // A share of the step says nothing of the step.
        QCOMPARE(views::rangesText(ranges, {views::TimeUnit::PercentOfStep, {}}, scale), times);
    }
};

REGISTER_TEST("interval_text", IntervalTextTest)
#include "interval_text_test.moc"
