#include "views/profile/time/time_axis.h"

#include <algorithm>
#include <cmath>

namespace views {

double TimeToPixel::pixelsPerCycle() const {
    return width / static_cast<double>(std::max<std::int64_t>(1, (to - from).value()));
}

double TimeToPixel::x(core::Cycles time) const {
    return left + static_cast<double>((time - from).value()) * pixelsPerCycle();
}

core::Cycles TimeToPixel::time(double x) const {
    return from + core::Cycles(std::llround((x - left) / pixelsPerCycle()));
}

double roundStep(double value) {
    const double power = std::pow(10.0, std::floor(std::log10(value)));
    for (const double factor : {1.0, 2.0, 5.0}) {
        // The tolerance keeps 5.000000001 from becoming 10.
        if (factor * power >= value * (1 - 1e-9))
            return factor * power;
    }
    return 10 * power;
}

std::vector<double> valueTicks(double low, double high, int count) {
    std::vector<double> ticks;
    if (!(high > low) || count < 1)
        return ticks;
    const double step = roundStep((high - low) / count);
    for (double index = std::ceil(low / step - 1e-9); index * step <= high + 1e-9 * step; ++index)
        ticks.push_back(index * step);
    return ticks;
}

std::vector<AxisTick> timeTicks(const TimeToPixel& axis, TimeUnit unit, const TimeScale& scale,
                                double spacing) {
    std::vector<AxisTick> ticks;
    const double length = static_cast<double>((axis.to - axis.from).value());
    if (length <= 0 || axis.width <= 0)
        return ticks;
    const UnitChoice choice = timeUnitFor(axis.to - axis.from, unit, scale);
    // In the unit; an axis of cycles has no marks between cycles.
    double step = roundStep(std::max(spacing / axis.width * length * choice.factor, 1e-12));
    if (choice.factor == 1)
        step = std::max(step, 1.0);
    const int decimals = std::clamp(static_cast<int>(std::ceil(-std::log10(step) - 1e-9)), 0, 9);
    const double minor = step / 5;
    const auto first = static_cast<std::int64_t>(
        std::ceil(static_cast<double>(axis.from.value()) * choice.factor / minor - 1e-9));
    const auto last = static_cast<std::int64_t>(
        std::floor(static_cast<double>(axis.to.value()) * choice.factor / minor + 1e-9));
    for (std::int64_t index = first; index <= last; ++index) {
        const double value = static_cast<double>(index) * minor;
        const core::Cycles at(std::llround(value / choice.factor));
        const bool isMajor = index % 5 == 0;
        QString label;
        if (isMajor) {
            label = fixedText(value, decimals);
            if (choice.factor != 1)
                label += QStringLiteral(" ") + choice.name;
        }
        ticks.push_back({at, label, isMajor});
    }
    return ticks;
}

} // namespace views
