#include "views/common/text/number_text.h"

#include <QStringList>
#include <algorithm>
#include <array>
#include <cmath>

namespace views {

namespace {

const QString minusSign = QString(QChar(0x2212));

/// `digits` with a thin space before every third digit from the end.
QString grouped(const QString& digits) {
    QString text = digits;
    for (qsizetype at = digits.size() - 3; at > 0; at -= 3)
        text.insert(at, thinSpace);
    return text;
}

struct Step {
    double size;
    const char* name;
};

/// The largest step that is not above `value`; the last row otherwise.
template <std::size_t N>
const Step& stepFor(const std::array<Step, N>& steps, double value) {
    for (const Step& step : steps) {
        if (value >= step.size)
            return step;
    }
    return steps.back();
}

constexpr std::array<Step, 4> binarySteps{{
    {1024.0 * 1024 * 1024, "GiB"},
    {1024.0 * 1024, "MiB"},
    {1024.0, "KiB"},
    {1, "B"},
}};
constexpr std::array<Step, 4> decimalSteps{{{1e9, "GB"}, {1e6, "MB"}, {1e3, "kB"}, {1, "B"}}};
constexpr std::array<Step, 4> secondSteps{{{1, "s"}, {1e-3, "ms"}, {1e-6, "µs"}, {1e-9, "ns"}}};
constexpr std::array<Step, 4> countSteps{{{1e9, "G"}, {1e6, "M"}, {1e3, "k"}, {1, ""}}};
constexpr std::array<Step, 5> flopSteps{
    {{1e12, "TFLOP"}, {1e9, "GFLOP"}, {1e6, "MFLOP"}, {1e3, "kFLOP"}, {1, "FLOP"}}};

/// Decimals that leave three or four digits.
int decimalsFor(double value) {
    const double size = std::abs(value);
    return size < 10 ? 2 : size < 100 ? 2 : size < 1000 ? 1 : 0;
}

NumberText scaled(double value, const Step& step) {
    const double number = value / step.size;
    const bool whole = step.size == 1;
    return {whole ? groupedText(std::llround(number)) : fixedText(number, decimalsFor(number)),
            QString::fromUtf8(step.name)};
}

} // namespace

QString NumberText::joined() const {
    return unit.isEmpty() ? value : value + thinSpace + unit;
}

QString groupedText(std::int64_t value) {
    const QString digits = QString::number(value);
    return value < 0 ? minusSign + grouped(digits.mid(1)) : grouped(digits);
}

QString fixedText(double value, int decimals) {
    if (!std::isfinite(value))
        return QStringLiteral("–");
    QString text = QString::number(std::abs(value), 'f', decimals);
    const qsizetype point = text.indexOf(QLatin1Char('.'));
    const QString whole = grouped(point < 0 ? text : text.left(point));
    text = point < 0 ? whole : whole + text.mid(point);
    const bool isZero =
        std::none_of(text.begin(), text.end(), [](QChar c) { return c >= u'1' && c <= u'9'; });
    return value < 0 && !isZero ? minusSign + text : text;
}

QString signedText(double value, int decimals) {
    const QString text = fixedText(value, decimals);
    if (!std::isfinite(value) || text.startsWith(minusSign))
        return text;
    const bool isZero =
        std::none_of(text.begin(), text.end(), [](QChar c) { return c >= u'1' && c <= u'9'; });
    return (isZero ? QStringLiteral("±") : QStringLiteral("+")) + text;
}

QString compactText(double value) {
    const double size = std::abs(value);
    if (size >= 100 || value == std::floor(value))
        return fixedText(value, 0);
    return fixedText(value, size >= 10 ? 1 : size >= 1 ? 2 : 3);
}

NumberText countText(double value) {
    return scaled(value, stepFor(countSteps, std::abs(value)));
}

QString percentText(double fraction, int decimals) {
    return fixedText(fraction * 100, decimals) + thinSpace + QLatin1Char('%');
}

UnitChoice byteUnitFor(core::Bytes largest, ByteUnit preference) {
    const double size = std::abs(double(largest.value()));
    Step step{1, "B"};
    if (preference == ByteUnit::KiB)
        step = stepFor(binarySteps, size);
    else if (preference == ByteUnit::Kilobyte)
        step = stepFor(decimalSteps, size);
    return {QString::fromUtf8(step.name), 1 / step.size, step.size == 1 ? 0 : decimalsFor(size / step.size)};
}

UnitChoice timeUnitFor(core::Cycles largest, TimeUnit preference, const TimeScale& scale) {
    const bool hasClock = scale.clockHz > 0;
    if (preference == TimeUnit::PercentOfStep && scale.step.value() > 0)
        return {QStringLiteral("%"), 100.0 / double(scale.step.value()), 2};
    if (preference == TimeUnit::Cycles || !hasClock)
        return {QStringLiteral("cycles"), 1, 0};
    const double seconds = std::abs(double(largest.value())) / scale.clockHz;
    const Step& step = stepFor(secondSteps, seconds);
    return {QString::fromUtf8(step.name), 1 / (scale.clockHz * step.size), decimalsFor(seconds / step.size)};
}

NumberText inUnit(std::int64_t quantity, const UnitChoice& unit) {
    return {fixedText(double(quantity) * unit.factor, unit.decimals), unit.name};
}

NumberText bytesText(core::Bytes bytes, ByteUnit preference) {
    return inUnit(bytes.value(), byteUnitFor(bytes, preference));
}

NumberText timeText(core::Cycles cycles, TimeUnit preference, const TimeScale& scale) {
    return inUnit(cycles.value(), timeUnitFor(cycles, preference, scale));
}

NumberText flopsText(core::Flops flops) {
    return scaled(double(flops.value()), stepFor(flopSteps, std::abs(double(flops.value()))));
}

QString durationText(double seconds) {
    if (!std::isfinite(seconds) || seconds < 0)
        return QStringLiteral("–");
    if (seconds < 10)
        return fixedText(seconds, 1) + QStringLiteral(" s");
    const auto whole = static_cast<std::int64_t>(std::llround(seconds));
    if (whole < 60)
        return QStringLiteral("%1 s").arg(whole);
    if (whole < 3600)
        return QStringLiteral("%1 min %2 s").arg(whole / 60).arg(whole % 60);
    return QStringLiteral("%1 h %2 min").arg(whole / 3600).arg(whole / 60 % 60);
}

QString countedText(std::int64_t count, const QString& one, const QString& many) {
    return groupedText(count) + u' ' + (count == 1 ? one : many);
}

QString shapeText(const core::Shape& shape, bool skipBatch) {
    QStringList parts;
    for (std::size_t axis = skipBatch && shape.rank() > 1 ? 1 : 0; axis < shape.rank(); ++axis)
        parts.append(shape[axis] ? QString::number(*shape[axis]) : QStringLiteral("?"));
    return parts.isEmpty() ? QStringLiteral("scalar") : parts.join(QChar(0x00D7));
}

} // namespace views
