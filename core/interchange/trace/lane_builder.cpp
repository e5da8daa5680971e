#include "core/interchange/trace/lane_builder.h"

#include <algorithm>
#include <limits>

namespace core {

namespace {

/// Whether slices in their order lie in one another more than the bound allows.
bool nestsTooDeep(const std::vector<EventSlice>& slices) {
    std::vector<std::int64_t> ends;
    for (const EventSlice& slice : slices) {
        while (!ends.empty() && ends.back() <= slice.start)
            ends.pop_back();
        ends.push_back(slice.start + slice.duration);
        if (ends.size() > mostNestedSlices)
            return true;
    }
    return false;
}

} // namespace

LaneBuilder::Trouble LaneBuilder::begin(EventSlice slice) {
    if (m_open.size() >= mostNestedSlices)
        return Trouble::TooDeep;
    m_open.push_back(m_slices.size());
    m_slices.push_back(std::move(slice));
    return Trouble::None;
}

LaneBuilder::Trouble LaneBuilder::end(std::int64_t time) {
    if (m_open.empty())
        return Trouble::NothingBegun;
    EventSlice& slice = m_slices[m_open.back()];
    if (time < slice.start)
        return Trouble::EndsBeforeItBegins;
    slice.duration = time - slice.start;
    m_open.pop_back();
    return Trouble::None;
}

EventLane LaneBuilder::take() {
    std::ranges::stable_sort(m_slices, [](const EventSlice& a, const EventSlice& b) {
        return a.start != b.start ? a.start < b.start : a.duration > b.duration;
    });
    return {std::move(name), std::move(m_slices)};
}

EventTrace traceOfLanes(std::vector<LaneBuilder> lanes, std::string& tooDeep) {
    std::erase_if(lanes, [](const LaneBuilder& lane) { return lane.isEmpty(); });
    std::ranges::stable_sort(lanes, {}, &LaneBuilder::rank);
    EventTrace trace;
    std::int64_t first = std::numeric_limits<std::int64_t>::max();
    for (LaneBuilder& lane : lanes) {
        trace.lanes.push_back(lane.take());
        first = std::min(first, trace.lanes.back().slices.front().start);
        if (tooDeep.empty() && nestsTooDeep(trace.lanes.back().slices))
            tooDeep = trace.lanes.back().name;
    }
    for (EventLane& lane : trace.lanes)
        for (EventSlice& slice : lane.slices)
            slice.start -= first;
    return trace;
}

} // namespace core
