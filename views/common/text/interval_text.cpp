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

QString rangesText(const core::PredictedRanges& ranges, const Units& units, const TimeScale& scale) {
    const TimeUnit time = units.time == TimeUnit::PercentOfStep ? TimeUnit::Time : units.time;
    QStringList lines{
        intervalWords("Measured, %1 % of programs lie within").arg(std::lround(100 * core::intervalCoverage)),
        intervalWords("%1 to %2 samples/s (%3),")
            .arg(fixedText(ranges.leastSamplesPerSecond, 1), fixedText(ranges.mostSamplesPerSecond, 1),
                 intervalText(ranges.throughput)),
        intervalWords("%1 a step (%2),")
            .arg(rangeIn(timeUnitFor(ranges.mostStep, time, scale), ranges.leastStep.value(),
                         ranges.mostStep.value()),
                 intervalText(core::inverseInterval(ranges.throughput))),
        intervalWords("%1 in the fullest IPU (%2).")
            .arg(rangeIn(byteUnitFor(ranges.mostPeak, units.bytes), ranges.leastPeak.value(),
                         ranges.mostPeak.value()),
                 intervalText(ranges.peak)),
        intervalWords("Made of %1 measurements of such programs and %2 of memory (“calibrate”); of idle "
                      "shares there are none.")
            .arg(ranges.throughput.rows)
            .arg(ranges.peak.rows)};
    return lines.join(u'\n');
}

} // namespace views
