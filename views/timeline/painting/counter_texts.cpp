#include "views/timeline/painting/counter_texts.h"

#include "views/common/text/number_text.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace views {

QString counterName(core::Counter counter) {
    constexpr std::array names{"Tiles computing", "Link traffic", "Host traffic", "Remote memory traffic"};
    static_assert(names.size() == core::counterCount);
    return QLatin1String(names[static_cast<std::size_t>(counter)]);
}

double counterTop(const TimelineFrame& frame, const core::CounterRates& tops, core::Counter counter) {
    return counter == core::Counter::BusyTiles ? static_cast<double>(frame.provenance.tiles)
                                               : tops[static_cast<std::size_t>(counter)];
}

QString counterText(const TimelineFrame& frame, core::Counter counter, double mean) {
    if (counter == core::Counter::BusyTiles)
        return QStringLiteral("%1 of %2 tiles")
            .arg(groupedText(std::llround(mean)), groupedText(frame.provenance.tiles));
    constexpr std::array units{"B/s", "kB/s", "MB/s", "GB/s", "TB/s"};
    double rate = mean * frame.provenance.clockHz;
    std::size_t unit = 0;
    while (rate >= 1000 && unit + 1 < units.size()) {
        rate /= 1000;
        ++unit;
    }
    return fixedText(rate, rate < 100 && unit > 0 ? 1 : 0) + thinSpace + QLatin1String(units[unit]);
}

double counterAt(const core::CounterWindow& window, core::IpuId ipu, core::Counter counter,
                 core::Cycles time) {
    const core::CounterCurve* curve = window.curveOf(ipu, counter);
    if (curve == nullptr || time < window.from || time >= window.to)
        return 0;
    const double share = ratio(time - window.from, window.to - window.from);
    const auto bin = static_cast<std::size_t>(share * static_cast<double>(window.binCount));
    return bin < curve->means.size() ? curve->means[bin] : 0;
}

} // namespace views
