#include "views/common/text/number_text.h"

#include "tests/support/test_registry.h"

#include <QtTest/QTest>
#include <limits>

using namespace views;

namespace {

/// Thin spaces as "_", so that expectations can be read.
QString seen(QString text) {
    return text.replace(thinSpace, QLatin1Char('_'));
}

} // namespace

class NumberTextTest : public QObject {
    Q_OBJECT

private slots:
    void digitsStandInGroupsOfThree() {
        QCOMPARE(seen(groupedText(0)), "0");
        QCOMPARE(seen(groupedText(999)), "999");
        QCOMPARE(seen(groupedText(1415120)), "1_415_120");
        QCOMPARE(seen(groupedText(-1000)), QString(QChar(0x2212)) + "1_000");
        QCOMPARE(groupedText(std::numeric_limits<std::int64_t>::min()).size(), 26);
    }

    void decimalsAreFixedAndZeroHasNoSign() {
        QCOMPARE(seen(fixedText(7326.44, 1)), "7_326.4");
        QCOMPARE(seen(fixedText(-0.004, 2)), "0.00");
        QCOMPARE(fixedText(std::numeric_limits<double>::quiet_NaN(), 2), "–");
        QCOMPARE(signedText(12.5, 1), "+12.5");
        QCOMPARE(signedText(-3, 1), QString(QChar(0x2212)) + "3.0");
        QCOMPARE(signedText(0.001, 1), "±0.0");
    }

    void compactNumbersKeepThreeDigits() {
        QCOMPARE(compactText(0.125), "0.125");
        QCOMPARE(compactText(12.34), "12.3");
        QCOMPARE(seen(compactText(1234.4)), "1_234");
        QCOMPARE(compactText(3), "3");
    }

    void bytesFollowThePreference() {
        const core::Bytes bytes(24 * 1024 * 1024 + 512 * 1024);
        QCOMPARE(seen(bytesText(bytes, ByteUnit::KiB).joined()), "24.50_MiB");
        QCOMPARE(seen(bytesText(bytes, ByteUnit::Kilobyte).joined()), "25.69_MB");
        QCOMPARE(seen(bytesText(bytes, ByteUnit::Byte).joined()), "25_690_112_B");
        QCOMPARE(seen(bytesText(core::Bytes(312), ByteUnit::KiB).joined()), "312_B");
    }

    void aColumnKeepsOneUnit() {
        const UnitChoice unit = byteUnitFor(core::Bytes(100 * 1024 * 1024), ByteUnit::KiB);
        QCOMPARE(inUnit(30 * 1024, unit).joined(), QStringLiteral("0.0") + thinSpace + "MiB");
        QCOMPARE(unit.name, "MiB");
    }

    void cyclesBecomeTimeOnlyWithAClock() {
        const TimeScale scale{1.33e9, core::Cycles(2660000)};
        const core::Cycles cycles(1415120);
        QCOMPARE(seen(timeText(cycles, TimeUnit::Time, scale).joined()), "1.06_ms");
        QCOMPARE(seen(timeText(cycles, TimeUnit::Cycles, scale).joined()), "1_415_120_cycles");
        QCOMPARE(seen(timeText(cycles, TimeUnit::PercentOfStep, scale).joined()), "53.20_%");
        QCOMPARE(seen(timeText(cycles, TimeUnit::Time, {}).joined()), "1_415_120_cycles");
        QCOMPARE(seen(timeText(core::Cycles(1), TimeUnit::Time, scale).joined()), "0.75_ns");
    }

    void countsAndWorkAreShort() {
        QCOMPARE(seen(countText(25.64e6).joined()), "25.64_M");
        QCOMPARE(seen(countText(312).joined()), "312");
        QCOMPARE(seen(flopsText(core::Flops(3288334336)).joined()), "3.29_GFLOP");
    }

    void shapesReadAsExtents() {
        QCOMPARE(shapeText(core::Shape{std::nullopt, 28, 28, 128}, true), "28×28×128");
        QCOMPARE(shapeText(core::Shape{std::nullopt, 10}), "?×10");
        QCOMPARE(shapeText(core::Shape{}), "scalar");
    }

    void durationsReadAsPeopleSayThem() {
        QCOMPARE(durationText(0.41), "0.4 s");
        QCOMPARE(durationText(125), "2 min 5 s");
        QCOMPARE(durationText(4800), "1 h 20 min");
    }
};

REGISTER_TEST("number_text", NumberTextTest)
#include "number_text_test.moc"
