#pragma once

#include "core/interchange/trace/event_trace.h"

#include <vector>

// Private to the folder: the slices of a lane while its events are read.

namespace core {

/// One event's time beyond this is no time of a trace, and sums stay countable.
inline constexpr std::int64_t mostTraceNanoseconds = std::int64_t{1} << 61U;
inline constexpr std::size_t mostNestedSlices = 512;
/// Slices take 100 bytes of memory each.
inline constexpr std::size_t mostSlices = 10'000'000;

/// Begins and ends become slices; what is wrong is placed by the caller.
class LaneBuilder {
public:
    enum class Trouble : std::uint8_t { None, EndsBeforeItBegins, TooDeep, NothingBegun };

    std::string name;
    /// Among the lanes.
    std::int64_t rank = 0;

    [[nodiscard]] Trouble begin(EventSlice slice);
    [[nodiscard]] Trouble end(std::int64_t time);
    void add(EventSlice slice) { m_slices.push_back(std::move(slice)); }
    /// Name of the slice that was begun last and has not ended; null without one.
    [[nodiscard]] const std::string* open() const {
        return m_open.empty() ? nullptr : &m_slices[m_open.back()].name;
    }
    [[nodiscard]] bool isEmpty() const { return m_slices.empty(); }
    /// Slices of the lane in their order.
    [[nodiscard]] EventLane take();

private:
    std::vector<EventSlice> m_slices;
    /// Indices of slices that have not ended.
    std::vector<std::size_t> m_open;
};

/// The trace of some lanes, in the order of rank, with times from the earliest start. The name of the lane
/// with slices nested too deep stands in `tooDeep`, which is empty where there is none.
[[nodiscard]] EventTrace traceOfLanes(std::vector<LaneBuilder> lanes, std::string& tooDeep);

} // namespace core
