#pragma once

#include "core/base/quantity.h"

namespace views {

/// The part of a timeline that is in view: [from, to) of [0, end). Pure arithmetic; every function keeps the
/// part inside the timeline and at least `shortest` long.
struct TimelineViewport {
    core::Cycles from;
    core::Cycles to;
    core::Cycles end;

    /// At this zoom a cycle is some pixels wide and there is nothing more to see.
    static constexpr core::Cycles shortest{64};

    [[nodiscard]] core::Cycles length() const { return to - from; }
    bool operator==(const TimelineViewport&) const = default;
};

/// Moves and shortens a wanted part until it is legal; a part longer than the timeline is all of it.
[[nodiscard]] TimelineViewport clamped(core::Cycles from, core::Cycles to, core::Cycles end);

/// `factor` > 1 shows less. The time under `anchor` stays where it is.
[[nodiscard]] TimelineViewport zoomed(const TimelineViewport& view, double factor, core::Cycles anchor);
[[nodiscard]] TimelineViewport panned(const TimelineViewport& view, core::Cycles by);
/// The same length around the middle of a piece of time.
[[nodiscard]] TimelineViewport centred(const TimelineViewport& view, core::Cycles from, core::Cycles to);
/// A piece of time with a little space at both sides.
[[nodiscard]] TimelineViewport fitted(const TimelineViewport& view, core::Cycles from, core::Cycles to);
/// The same, or moved (and zoomed out where it must) so that a piece of time is in view.
[[nodiscard]] TimelineViewport revealed(const TimelineViewport& view, core::Cycles from, core::Cycles to);

} // namespace views
