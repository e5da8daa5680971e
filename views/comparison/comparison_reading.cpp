#include "views/comparison/comparison_data.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace views {

namespace {

const core::ComparedMetric* metricOf(const ComparisonData& data, std::string_view name) {
    const auto& metrics = data.comparison.metrics;
    const auto found = std::find_if(metrics.begin(), metrics.end(),
                                    [&](const core::ComparedMetric& metric) { return metric.name == name; });
    return found == metrics.end() ? nullptr : &*found;
}

/// The cause of idleness whose share moved most, the way the speed moved.
const core::ComparedMetric* movedCause(const ComparisonData& data, std::size_t run, bool isFaster) {
    const core::ComparedMetric* most = nullptr;
    for (const core::ComparedMetric& metric : data.comparison.metrics) {
        if (!metric.name.starts_with("idle_fraction.") || !metric.deltas[run])
            continue;
        const double gain = isFaster ? -*metric.deltas[run] : *metric.deltas[run];
        const double best = most == nullptr ? 0.001 : std::abs(*most->deltas[run]);
        if (gain > best)
            most = &metric;
    }
    return most;
}

/// "Idle: all-reduce" in a sentence.
QString causeName(const core::ComparedMetric& metric) {
    static const std::array<std::pair<const char*, const char*>, core::idleCauseCount> names{
        {{"idle_fraction.warm_up", "ramp-up"},
         {"idle_fraction.drain", "ramp-down"},
         {"idle_fraction.imbalance", "waiting for slower stages"},
         {"idle_fraction.transfer", "copies between IPUs"},
         {"idle_fraction.offload", "remote memory"},
         {"idle_fraction.host", "waiting for the host"},
         {"idle_fraction.all_reduce", "all-reduces"},
         {"idle_fraction.serial", "waiting for its turn"}}};
    for (const auto& [name, text] : names) {
        if (metric.name == name)
            return QString::fromUtf8(text);
    }
    return toQString(metric.label);
}

/// How sure the change of a figure is: ", not certain (−3.1…+15.2 %)"; empty where nothing is known.
QString certaintyText(const core::ComparedMetric& metric, std::size_t run) {
    const auto& interval = metric.intervals[run];
    if (!interval || interval->low == interval->high)
        return {};
    const auto percent = [](double share) {
        return (share < 0 ? QChar(0x2212) : QLatin1Char('+')) + fixedText(100 * std::abs(share), 1);
    };
    return QStringLiteral(", %1 (%2…%3 %)")
        .arg(interval->isCertain() ? QStringLiteral("for 4 of 5 programs") : QStringLiteral("not certain"),
             percent(interval->low), percent(interval->high));
}

QString speedText(const ComparisonData& data, std::size_t run) {
    const core::ComparedMetric* speed = metricOf(data, "samples_per_second");
    const QString name = runLetter(run);
    const QString baseline = runLetter(data.comparison.baseline);
    if (speed == nullptr || !speed->relative[run] || !std::isfinite(*speed->relative[run]))
        return QStringLiteral("%1 has no throughput to compare").arg(name);
    const double relative = *speed->relative[run];
    if (relative == 0)
        return QStringLiteral("%1 is as fast as %2").arg(name, baseline);
    const bool isFaster = relative > 0;
    QString text = QStringLiteral("%1 is %2 % %3 than %4")
                       .arg(name, fixedText(100 * std::abs(relative), 1),
                            isFaster ? QStringLiteral("faster") : QStringLiteral("slower"), baseline) +
                   certaintyText(*speed, run);
    if (const core::ComparedMetric* cause = movedCause(data, run, isFaster))
        text += QStringLiteral(", above all by idle time in %1 (%2)")
                    .arg(causeName(*cause), deltaText(*cause, run));
    return text;
}

QString memoryText(const ComparisonData& data, std::size_t run, const Units& units) {
    const core::ComparedMetric* peak = metricOf(data, "peak_bytes");
    if (peak == nullptr || !peak->deltas[run])
        return {};
    const double delta = *peak->deltas[run];
    if (delta == 0)
        return QStringLiteral("; its fullest IPU holds as much");
    const core::Bytes bytes(static_cast<std::int64_t>(std::abs(delta)));
    return QStringLiteral("; its fullest IPU holds %1 %2")
               .arg(bytesText(bytes, units.bytes).joined(),
                    delta < 0 ? QStringLiteral("less") : QStringLiteral("more")) +
           certaintyText(*peak, run);
}

} // namespace

QStringList reading(const ComparisonData& data, const Units& units) {
    QStringList sentences;
    for (std::size_t run = 0; run < data.count(); ++run) {
        if (run == data.comparison.baseline)
            continue;
        const bool fits = data.summary(run).fits;
        sentences.append(speedText(data, run) + memoryText(data, run, units) +
                         (fits ? QStringLiteral(".") : QStringLiteral(", and it does not fit.")));
    }
    return sentences;
}

} // namespace views
