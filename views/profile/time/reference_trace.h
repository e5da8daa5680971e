#pragma once

#include "core/interchange/trace/event_trace.h"

#include <QString>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace views {

/// Slices of a lane that lie equally deep: none overlaps another, in the order of time. Indices.
using ReferenceRow = std::vector<std::uint32_t>;

/// A lane of a trace by depth, the outermost slices first.
struct ReferenceLane {
    std::vector<ReferenceRow> rows;
    /// Of a counter: what it is during each slice. Empty: the slices are work.
    std::vector<double> values = {};
    /// Of the values and 0.
    double least = 0;
    double most = 0;

    [[nodiscard]] bool isCounter() const { return !values.empty(); }
    void setValues(std::vector<double> ofSlices);
    /// Where a slice's value is between the least and the most, 0 … 1.
    [[nodiscard]] double share(std::size_t slice) const;
};

/// What is drawn beside the runs, on their axis: a trace of hardware or of another simulator, or the answer
/// of a question.
struct ReferenceTrace {
    /// Of the file, or of the question.
    QString name;
    core::EventTrace trace;
    /// Of `trace.lanes`.
    std::vector<ReferenceLane> lanes;
    /// Nanoseconds until the last slice ends.
    std::int64_t length = 0;
};

/// Lanes show this many depths.
inline constexpr std::size_t mostReferenceRows = 4;

/// From the time of a trace to pixels: its start is at `origin`.
struct ReferenceAxis {
    double origin = 0;
    double pixelsPerNanosecond = 1;

    [[nodiscard]] double x(std::int64_t nanoseconds) const {
        return origin + pixelsPerNanosecond * static_cast<double>(nanoseconds);
    }
};

/// What is drawn of a row: one slice, or several that together are no wider than a pixel.
struct ReferenceBar {
    double fromX = 0;
    double toX = 0;
    /// The first of them, in the lane.
    std::size_t slice = 0;
    std::size_t count = 1;

    bool operator==(const ReferenceBar&) const = default;
};
/// The bars between two places; as many as there are pixels, however many slices the row has.
[[nodiscard]] std::vector<ReferenceBar> barsOf(const core::EventLane& lane, const ReferenceRow& row,
                                               const ReferenceAxis& axis, double left, double right);
/// The slice of a row under a place; the nearest one where it is narrower than the mouse can point.
[[nodiscard]] std::optional<std::size_t> sliceAt(const core::EventLane& lane, const ReferenceRow& row,
                                                 const ReferenceAxis& axis, double x);

[[nodiscard]] ReferenceTrace makeReferenceTrace(QString name, core::EventTrace trace);

} // namespace views
