#include "views/common/text/interval_text.h"

#include <QCoreApplication>
#include <cmath>

namespace views {

namespace {

QString intervalWords(const char* source) {
    return QCoreApplication::translate("IntervalText", source);
}

QString perCentRange(double low, double high) {
    return signedText(100 * (low - 1), 0) + QStringLiteral("…") + signedText(100 * (high - 1), 0) +
           thinSpace + u'%';
}

/// "1.2 to 1.4 GiB": one unit for both.
QString rangeIn(const UnitChoice& unit, std::int64_t low, std::int64_t high) {
    return intervalWords("%1 to %2").arg(inUnit(low, unit).value, inUnit(high, unit).joined());
}

} // namespace

QString intervalText(const core::PredictionInterval& interval) {
    return perCentRange(interval.low, interval.high);
}

QString rateRangeText(const core::PredictedRanges& ranges) {
    return intervalWords("%1 to %2 samples/s")
        .arg(fixedText(ranges.leastSamplesPerSecond, 1), fixedText(ranges.mostSamplesPerSecond, 1));
}

QString stepRangeText(const core::PredictedRanges& ranges, const Units& units, const TimeScale& scale) {
    const TimeUnit time = units.time == TimeUnit::PercentOfStep ? TimeUnit::Time : units.time;
    return rangeIn(timeUnitFor(ranges.mostStep, time, scale), ranges.leastStep.value(),
                   ranges.mostStep.value());
}

QString peakRangeText(const core::PredictedRanges& ranges, const Units& units) {
    return rangeIn(byteUnitFor(ranges.mostPeak, units.bytes), ranges.leastPeak.value(),
                   ranges.mostPeak.value());
}

QString rangesText(const core::PredictedRanges& ranges, const Units& units, const TimeScale& scale) {
    QStringList lines{
        intervalWords("Measured, %1 % of programs lie within").arg(std::lround(100 * core::intervalCoverage)),
        intervalWords("%1 (%2),").arg(rateRangeText(ranges), intervalText(ranges.throughput)),
        intervalWords("%1 a step (%2),")
            .arg(stepRangeText(ranges, units, scale), intervalText(core::inverseInterval(ranges.throughput))),
        intervalWords("%1 in the fullest IPU (%2).")
            .arg(peakRangeText(ranges, units), intervalText(ranges.peak)),
        intervalWords(
            "By %1 of such programs; of memory, by %2 (“calibrate”); of idle shares there are none.")
            .arg(toQString(core::rowsText(ranges.throughput)), toQString(core::rowsText(ranges.peak)))};
    return lines.join(u'\n');
}

} // namespace views
