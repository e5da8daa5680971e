#include "views/profile/time/timeline_viewport.h"

#include <algorithm>
#include <cmath>

namespace views {

using core::Cycles;

namespace {

Cycles scaled(Cycles cycles, double factor) {
    return Cycles(std::llround(static_cast<double>(cycles.value()) * factor));
}

} // namespace

TimelineViewport clamped(Cycles from, Cycles to, Cycles end) {
    const Cycles length = std::clamp(to - from, std::min(TimelineViewport::shortest, end), end);
    const Cycles start = std::clamp(from, Cycles(), std::max(Cycles(), end - length));
    return {start, start + length, end};
}

TimelineViewport zoomed(const TimelineViewport& view, double factor, Cycles anchor) {
    const Cycles at = std::clamp(anchor, view.from, view.to);
    const double share = ratio(at - view.from, view.length());
    const Cycles length = std::clamp(scaled(view.length(), 1 / factor),
                                     std::min(TimelineViewport::shortest, view.end), view.end);
    const Cycles from = at - scaled(length, share);
    return clamped(from, from + length, view.end);
}

TimelineViewport panned(const TimelineViewport& view, Cycles by) {
    return clamped(view.from + by, view.to + by, view.end);
}

TimelineViewport centred(const TimelineViewport& view, Cycles from, Cycles to) {
    const Cycles middle = from + scaled(to - from, 0.5);
    const Cycles start = middle - scaled(view.length(), 0.5);
    return clamped(start, start + view.length(), view.end);
}

TimelineViewport fitted(const TimelineViewport& view, Cycles from, Cycles to) {
    const Cycles margin = scaled(to - from, 0.08);
    return clamped(from - margin, to + margin, view.end);
}

TimelineViewport revealed(const TimelineViewport& view, Cycles from, Cycles to) {
    if (view.from <= from && to <= view.to)
        return view;
    return to - from > view.length() ? fitted(view, from, to) : centred(view, from, to);
}

} // namespace views
