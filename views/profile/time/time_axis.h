#pragma once

#include "views/common/text/number_text.h"

#include <QString>
#include <vector>

namespace views {

/// From cycles to pixels and back. Pure arithmetic; positions outside of the width are fine.
struct TimeToPixel {
    core::Cycles from;
    core::Cycles to;
    double left = 0;
    double width = 1;

    [[nodiscard]] double pixelsPerCycle() const;
    [[nodiscard]] double x(core::Cycles time) const;
    [[nodiscard]] core::Cycles time(double x) const;
};

/// A mark of an axis. Minor marks have no label.
struct AxisTick {
    core::Cycles at;
    QString label;
    bool isMajor = true;

    bool operator==(const AxisTick&) const = default;
};

/// Marks at round values (1, 2 or 5 times a power of ten of the unit) at least `spacing` px apart, with four
/// minor marks between two; every label carries the unit but where that is cycles.
[[nodiscard]] std::vector<AxisTick> timeTicks(const TimeToPixel& axis, TimeUnit unit, const TimeScale& scale,
                                              double spacing);

/// The smallest of 1, 2, 5 times a power of ten that is at least `value` (> 0).
[[nodiscard]] double roundStep(double value);

/// Round values from `low` to `high`, at most `count` or a few more.
[[nodiscard]] std::vector<double> valueTicks(double low, double high, int count);

} // namespace views
